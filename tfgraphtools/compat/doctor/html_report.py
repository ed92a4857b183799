"""A report as one HTML page that needs nothing else."""

import html

from tfgraphtools import html_page
from tfgraphtools.compat.doctor import statuses

_COLORS = {
    statuses.WORKS: "#2e7d32",
    statuses.PATCHED: "#558b2f",
    statuses.DIFFERS: "#f9a825",
    statuses.LEGACY: "#f9a825",
    statuses.NOT_INSTALLED: "#5c6bc0",
    statuses.MISSING: "#8e24aa",
    statuses.CANNOT: "#c62828",
}

_STYLE = """
pre { margin: 0; }
.bar { display: flex; height: 1.4rem; border-radius: .3rem; overflow: hidden;
       margin: 1rem 0 .5rem; }
.legend > span { display: inline-block; margin-right: 1.4rem; }
.dot { display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .4em; }
.filter { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: 1.5rem; }
input { flex: 1 1 14rem; min-width: 0; }
td:nth-child(1) { min-width: 14rem; }
td:nth-child(2) { white-space: nowrap; }
td.n, th.n { text-align: right; white-space: nowrap; }
td:last-child { min-width: 10rem; }
tr[hidden] { display: none; }
.why { opacity: .75; }
details code { display: block; }
@media (max-width: 720px) {
  table, tbody, tr, td { display: block; }
  tr:first-child { display: none; }
  tr { border-bottom: 1px solid #8886; padding: .6rem 0; }
  td { border: 0; padding: 0; }
  td.n { text-align: left; }
  td.n::after { content: " uses"; }
  td.n.one::after { content: " use"; }
}
"""

_SCRIPT = """
{
  const text = document.getElementById("text"), status = document.getElementById("status");
  const rows = [...document.querySelectorAll("tr[data-status]")];
  function filter() {
    const words = text.value.toLowerCase().split(/\\s+/);
    for (const row of rows) {
      const content = row.textContent.toLowerCase();
      row.hidden = (status.value && row.dataset.status !== status.value)
        || !words.every(word => content.includes(word));
    }
  }
  text.addEventListener("input", filter);
  status.addEventListener("change", filter);
}
"""


def page(report):
    """Returns the page, as a string.

    Args:
      report: a `Report`.
    """
    rows = "\n".join(_row(entry) for entry in report.entries)
    title = f"TensorFlow 1 in {report.path}"
    body = f"""<h1>{_text(title)}</h1>
<p>{_counted(report.files, "file")}, {_counted(len(report.entries), "name")}:
{report.verdict} under <code>tfgraphtools run</code>.</p>
<div class="bar">{_bar(report)}</div>
<p class="legend">{_legend(report)}</p>
{_next_steps(report)}
<div class="filter"><input id="text" type="search" aria-label="filter" \
placeholder="Filter by name, reason or file">
<select id="status" aria-label="status">{_choices(report)}</select>
</div>
<table>
<tr><th>name</th><th>status</th><th>why</th><th class="n">uses</th><th>where</th></tr>
{rows}
</table>"""
    return html_page.page(title, body, _STYLE, _SCRIPT)


def _bar(report):
    return "".join(
        f'<div style="flex: {uses}; background: {_COLORS[kind]}" title="{kind}"></div>'
        for kind, (_, uses) in report.totals().items()
        if uses
    )


def _legend(report):
    return "\n".join(
        f"<span>{_dot(kind)}{kind}: {_counted(names, 'name')}, {_counted(uses, 'use')}</span>"
        for kind, (names, uses) in report.totals().items()
        if uses
    )


def _next_steps(report):
    """Returns what to install, as commands to paste."""
    if not report.next_steps:
        return ""
    return "<h2>Next steps</h2>\n<pre>{}</pre>".format(_text("\n".join(report.next_steps)))


def _choices(report):
    kinds = [kind for kind, (names, _) in report.totals().items() if names]
    options = "".join(f"<option>{kind}</option>" for kind in kinds)
    return '<option value="">all statuses</option>' + options


def _counted(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")


def _row(entry):
    status, places = entry
    number = " one" if len(places) == 1 else ""
    return (
        f'<tr data-status="{status.status}"><td><code>{_text(status.name)}</code></td>'
        f"<td>{_dot(status.status)}{status.status}</td>"
        f'<td class="why">{_text(status.why)}</td><td class="n{number}">{len(places)}</td>'
        f"<td>{_where(places)}</td></tr>"
    )


def _where(places):
    shown = [f"<code>{_text(str(place))}</code>" for place in places]
    if len(shown) < 4:
        return "<br>".join(shown)
    more = f"<summary>and {len(shown) - 1} more</summary>" + "".join(shown[1:])
    return f"{shown[0]}<details>{more}</details>"


def _dot(kind):
    return f'<span class="dot" style="background: {_COLORS[kind]}"></span>'


def _text(value):
    return html.escape(value)
