"""Draws the terminal of the README: a TF1 script that fails, runs, and is rewritten.

python scripts/site/terminal.py    runs the three commands and writes docs/pictures/terminal.svg
"""

import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile

OUT = pathlib.Path(__file__).resolve().parent.parent.parent / "docs" / "pictures" / "terminal.svg"
WIDTH = 720  # pixels

SCRIPT = """\
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2])
w = tf.Variable(tf.ones([2, 1]))
loss = tf.reduce_mean(tf.mul(tf.matmul(x, w), 2.0))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as session:
    session.run(tf.initialize_all_variables())
    for step in xrange(3):
        _, value = session.run([train, loss], {x: [[1, 2]]})
        print("step %d: loss %.2f" % (step, value))
"""

#: (the command, what it shows, what of its output is shown)
COMMANDS = [
    ("python train.py", "TensorFlow 1 code on TF 2.x", r"^\w*Error.*"),
    ("tfgraphtools run train.py", "unmodified", r"^step.*"),
    ("tfgraphtools upgrade train.py", "rewritten, if you want that", r"^[-+](?![-+]).*"),
]

COLORS = {"-": "#ff8a80", "+": "#9ccc65", "AttributeError": "#ff8a80"}
LINE = 22  # pixels
FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"


def transcript(folder):
    """Returns (command, remark, lines of its output) of each command, run in a folder."""
    (folder / "train.py").write_text(SCRIPT)
    environment = dict(os.environ, TF_CPP_MIN_LOG_LEVEL="3")
    programs = {"python": [sys.executable], "tfgraphtools": [sys.executable, "-m", "tfgraphtools"]}
    shown = []
    for command, remark, pattern in COMMANDS:
        program, *arguments = command.split()
        output = subprocess.run(
            programs[program] + arguments,
            cwd=str(folder),
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ).stdout
        lines = [line.rstrip() for line in output.splitlines() if re.match(pattern, line)]
        shown.append((command, remark, lines))
    return shown


def _text(at, line, color, **attributes):
    """Returns one line of text; ``at`` counts lines from the top."""
    rest = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    line = html.escape(line).replace(" ", "&#160;")  # SVG joins other spaces
    return f'<text y="{LINE * (at + 1.4):.0f}" fill="{color}"{rest}>{line}</text>'


def draw(shown):
    """Returns the SVG of a transcript."""
    texts, at = [], 0
    for command, remark, lines in shown:
        texts.append(_text(at, f"$ {command}", "#ffffff", x=16, font_weight="bold"))
        texts.append(_text(at, remark, "#8a90a6", x=WIDTH - 16, text_anchor="end"))
        for line in lines:
            at += 1
            color = next((c for start, c in COLORS.items() if line.startswith(start)), "#d7dae4")
            texts.append(_text(at, line, color, x=16))
        at += 1.6
    height = LINE * (at + 0.4)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}">
<rect width="100%" height="100%" rx="8" fill="#1e2230"/>
<g font-family="{FONT}" font-size="15">
{chr(10).join(texts)}
</g>
</svg>
"""


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        OUT.write_text(draw(transcript(pathlib.Path(name))), encoding="utf-8")
    print(OUT)
