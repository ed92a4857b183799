"""The report as one HTML page that needs nothing else."""

import html

from tfgraphtools import html_page
from tfgraphtools.upgrade.findings import STATUSES

_STYLE = """
ins { background: #0a03; text-decoration: none; }
del { background: #f003; text-decoration: none; }
"""


def page(report):
    """Returns the page.

    Args:
      report: a `reports.Report`.

    Returns:
      str, HTML.
    """
    counts = report.counts()
    parts = [
        f"<h1>tfgraphtools upgrade</h1><p>{len(report.changed)} of {len(report.files)} files "
        f"change, {report.left} left, {report.unseen} not looked at.</p>",
        *html_page.table(("status", "uses"), [(status, counts[status]) for status in STATUSES]),
    ]
    parts += [f"<p>{html.escape(note)}</p>" for note in report.notes]
    for file in report.files:
        if file.findings or file.changes or file.error:
            parts += _file(file)
    return html_page.page("tfgraphtools upgrade", "\n".join(parts), _STYLE)


def _file(file):
    yield f"<h2>{html.escape(file.shown)}</h2>"
    if file.error:
        yield f"<p>not changed: {html.escape(file.error)}</p>"
    yield from html_page.table(
        ("line", "name", "status", "fix", ""),
        [(use.line, use.name, use.status, use.fix, use.reason) for use in file.findings],
    )
    if file.changes:
        yield "<pre>" + "\n".join(map(_line, file.diff())) + "</pre>"


def _line(line):
    tag = {"+": "ins", "-": "del"}.get(line[:1])
    shown = html.escape(line)
    is_head = tag is None or line.startswith(("+++", "---"))
    return shown if is_head else f"<{tag}>{shown}</{tag}>"
