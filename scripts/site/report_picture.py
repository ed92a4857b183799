"""Draws the report of `tfgraphtools revive` for the tutorial.

python scripts/site/report_picture.py TF1    revives the tutorial's repository, compares with the
                                             Python TF1, and writes docs/pictures/revived.svg
"""

import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OUT = ROOT / "docs" / "pictures" / "revived.svg"
PAGE = ROOT / "docs" / "tutorials" / "revive.md"

WIDTH, LINE = 760, 22  # pixels
FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', 'Liberation Sans', sans-serif"
#: Columns of the table: (where each begins in pixels, how many letters are in a line).
COLUMNS = [(16, 28), (216, 15), (330, 18), (466, 21), (616, 18)]


def report(folder, tf1):
    """Returns the text of the report on the files of the tutorial, revived in a folder."""
    (folder / "old").mkdir()
    blocks = re.findall(r'^```\w+ title="(.*?)"\n(.*?)^```', PAGE.read_text(), re.M | re.S)
    for name, text in blocks:
        (folder / "old" / name).write_text(text)
    words = ["tfgraphtools", "revive", "old", "--yes", "--tf1", tf1]
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3")
    subprocess.check_call([sys.executable, "-m", *words], cwd=str(folder), env=environment)
    return (folder / "old-revived" / "REVIVED.md").read_text()


def cells(text):
    """Returns the title and the verdict of a report, and the rows of its table of commands."""
    lines = text.splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("| ")]
    return lines[0].lstrip("# "), lines[2], [rows[0], rows[1]]


def _text(x, y, text, **attributes):
    rest = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x}" y="{y}"{rest}>{html.escape(text.replace("`", ""))}</text>'


def draw(title, verdict, rows):
    """Returns the SVG of a title, a sentence and a table."""
    texts = [_text(16, 38, title, font_size=24, font_weight="bold"), _text(16, 68, verdict)]
    y = 104
    for number, row in enumerate(rows):
        wrapped = [textwrap.wrap(cell, width) for cell, (_, width) in zip(row, COLUMNS)]
        for lines, (x, _) in zip(wrapped, COLUMNS):
            weight = "normal" if number else "bold"
            texts += [
                _text(x, y + LINE * at, line, font_weight=weight) for at, line in enumerate(lines)
            ]
        y += LINE * max(map(len, wrapped)) + 12
        texts.append(f'<path d="M16 {y - 22}H{WIDTH - 16}" stroke="#d0d7de"/>')
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y - 6}" width="{WIDTH}">
<rect width="100%" height="100%" rx="8" fill="#ffffff" stroke="#d0d7de"/>
<g font-family="{FONT}" font-size="14" fill="#1f2328">
{chr(10).join(texts)}
</g>
</svg>
"""


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        OUT.write_text(draw(*cells(report(pathlib.Path(name), sys.argv[1]))), encoding="utf-8")
    print(OUT)
