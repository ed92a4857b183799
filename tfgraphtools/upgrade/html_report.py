"""The report as one HTML page that needs nothing else."""

import html

from tfgraphtools.upgrade.findings import STATUSES

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
table { border-collapse: collapse; width: 100% }
td, th { border-bottom: 1px solid #ddd; padding: .25rem .5rem; text-align: left;
  vertical-align: top; overflow-wrap: anywhere }
pre { background: #f6f8fa; overflow-x: auto; padding: .75rem; font-size: 13px }
ins { background: #d8f5d8; text-decoration: none }
del { background: #fbdcdc; text-decoration: none }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd }
  pre { background: #1c1c1c } ins { background: #163c16 } del { background: #4a1616 } }
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
        "<!doctype html><html lang='en'><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width, initial-scale=1'>",
        f"<title>tfgraphtools upgrade</title><style>{_STYLE}</style>",
        f"<h1>tfgraphtools upgrade</h1><p>{len(report.changed)} of {len(report.files)} files "
        f"change, {report.left} left, {report.unseen} not looked at.</p>",
        "<table><tr><th>status</th><th>uses</th></tr>",
    ]
    parts += [f"<tr><td>{status}</td><td>{counts[status]}</td></tr>" for status in STATUSES]
    parts.append("</table>")
    parts += [f"<p>{html.escape(note)}</p>" for note in report.notes]
    for file in report.files:
        if file.findings or file.changes or file.error:
            parts += _file(file)
    return "\n".join(parts) + "</html>\n"


def _file(file):
    yield f"<h2>{html.escape(file.shown)}</h2>"
    if file.error:
        yield f"<p>not changed: {html.escape(file.error)}</p>"
    yield "<table><tr><th>line</th><th>name</th><th>status</th><th>fix</th><th></th></tr>"
    for finding in file.findings:
        values = finding.line, finding.name, finding.status, finding.fix, finding.reason
        cells = "".join(f"<td>{html.escape(str(value))}</td>" for value in values)
        yield f"<tr>{cells}</tr>"
    yield "</table>"
    if file.changes:
        yield "<pre>" + "\n".join(map(_line, file.diff())) + "</pre>"


def _line(line):
    tag = {"+": "ins", "-": "del"}.get(line[:1])
    shown = html.escape(line)
    is_head = tag is None or line.startswith(("+++", "---"))
    return shown if is_head else f"<{tag}>{shown}</{tag}>"
