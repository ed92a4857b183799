"""A report as one HTML page that needs nothing else."""

import html

from tfgraphtools.compat.doctor import statuses

_COLORS = {
    statuses.WORKS: "#2e7d32",
    statuses.PATCHED: "#558b2f",
    statuses.LEGACY: "#f9a825",
    statuses.MISSING: "#8e24aa",
    statuses.CANNOT: "#c62828",
}

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem;
       color: #222; background: #fff; }
h1 { font-size: 1.4rem; }
.bar { display: flex; height: 1.4rem; border-radius: .3rem; overflow: hidden;
       margin: 1rem 0 .5rem; }
.legend span { margin-right: 1.4rem; white-space: nowrap; }
.dot { display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .4em; }
table { border-collapse: collapse; width: 100%; margin-top: 1.5rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem;
         border-bottom: 1px solid #ddd; }
td.n, th.n { text-align: right; }
td:last-child { min-width: 12rem; }
td:nth-child(2) { white-space: nowrap; }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
.why { color: #555; }
details code { display: block; }
"""


def page(report):
    """The page, as a string.

    Args:
      report: a `Report`.
    """
    rows = "\n".join(_row(entry) for entry in report.entries)
    title = f"TensorFlow 1 in {report.path}"
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{_text(title)}</title><style>{_STYLE}</style></head>
<body>
<h1>{_text(title)}</h1>
<p>{report.files} files, {len(report.entries)} names:
{"all of it is supported" if report.ok else "some of it is not supported"} under <code>tfgraphtools
run</code>.</p>
<div class="bar">{_bar(report)}</div>
<p class="legend">{_legend(report)}</p>
<table>
<tr><th>name</th><th>status</th><th>why</th><th class="n">uses</th><th>where</th></tr>
{rows}
</table>
</body>
</html>
"""


def _bar(report):
    return "".join(
        f'<div style="flex: {uses}; background: {_COLORS[kind]}" title="{kind}"></div>'
        for kind, (_, uses) in report.totals().items()
        if uses
    )


def _legend(report):
    return "\n".join(
        f"<span>{_dot(kind)}{kind}: {names} names, {uses} uses</span>"
        for kind, (names, uses) in report.totals().items()
        if uses
    )


def _row(entry):
    status, places = entry
    return (
        f"<tr><td><code>{_text(status.name)}</code></td><td>{_dot(status.status)}{status.status}</td>"
        f'<td class="why">{_text(status.why)}</td><td class="n">{len(places)}</td>'
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
