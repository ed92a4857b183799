"""The frame and the tables of the HTML reports: a page that needs no other file."""

import html

_STYLE = """
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 74rem;
       padding: 0 1rem; }
h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .3rem; }
table { border-collapse: collapse; width: 100%; margin-top: 1rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
         border-bottom: 1px solid #8886; }
td { overflow-wrap: anywhere; }
pre { background: #8882; padding: .6rem .8rem; border-radius: .3rem; overflow-x: auto;
      font-size: 13px; }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
input, select { font: inherit; padding: .35rem .6rem; border: 1px solid #999;
                border-radius: .3rem; }
"""


def page(title, body, style="", script=""):
    """Returns a page.

    Args:
      title: its title, as text.
      body: its HTML.
      style: rules that are added to those that all pages have.
      script: its JavaScript.
    """
    added = f"<script>{script}</script>\n" if script else ""
    return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{html.escape(title, quote=False)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{_STYLE}{style}</style></head>
<body>
{body}
{added}</body>
</html>
"""


def table(headers, rows):
    """Yields the lines of a table; its cells are text, or what `str` makes of them."""
    yield "<table><tr>" + "".join(f"<th>{header}</th>" for header in headers) + "</tr>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>"
    yield "</table>"
