"""The cells of ``tests/scripts``: small TF1 scripts, and how they are run and compared.

A cell begins with ``# %% row [row ...]`` (the rows that it is for; more of them in
lines that begin with ``# %%+``), which may be followed by remarks in brackets:

    [not-on-1.15: reason]   real 1.15 cannot run it; what it must print stands in
                            the cell itself, in lines that begin with "#> "
    [fails-not: reason]     it does not fail on plain TF 2.x, but prints something else
    [needs: module ...]     skipped where one is missing ("contrib": TF 1.15's own,
                            "keras-2.2.4": Keras itself, by 'legacy install')
    [options: words]        further options of ``run``
    [tolerance: 1e-4]       of printed numbers; 1e-5 where nothing is said
    [slow: reason]          only with --all
    [without-not: reason]   the same without its rows, which `upgrade` needs
"""

import os
import pathlib
import re
from typing import NamedTuple

from tfgraphtools.compat.fixes.keras import standalone

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = HERE.parent / "scripts"
ROOT = HERE.parent.parent


class Cell(NamedTuple):
    """One small script."""

    file: str
    line: int
    rows: tuple
    remarks: dict
    text: str

    @property
    def name(self):
        """What a test calls it: its file and its first row."""
        return f"{self.file}:{self.line}:{self.rows[0]}"

    @property
    def expected(self):
        """What it must print, where the cell says so itself."""
        said = [line[3:] for line in self.text.splitlines() if line.startswith("#> ")]
        return "".join(line + "\n" for line in said)


def cells():
    """All cells of all files."""
    return [cell for path in sorted(SCRIPTS.glob("*.py")) for cell in _cells_of(path)]


def _cells_of(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("# %% ")]
    for start, end in zip(starts, starts[1:] + [len(lines)]):
        body = lines[start + 1 : end]
        more = [line[5:] for line in body if line.startswith("# %%+")]
        head = " ".join([lines[start][4:], *more])
        remarks = dict(re.findall(r"\[([\w.-]+):\s*([^\]]*)\]", head))
        names = re.sub(r"\[[^\]]*\]", "", head).split()
        text = "\n".join(body).rstrip() + "\n"
        yield Cell(path.name, start + 1, tuple(names), remarks, text)


def environment_of_115():
    """Quiet, and with Keras 2.2.4 where 'legacy install' has brought it."""
    path = [str(ROOT)] + [folder for folder in [standalone.folder()] if folder]
    return {"PYTHONWARNINGS": "ignore", "PYTHONPATH": os.pathsep.join(path)}


_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\bnan\b|\binf\b")


def difference(printed, wanted, tolerance=1e-5):
    """The first line in which two outputs differ beyond rounding, or None.

    Blanks between words do not count: NumPy pads its arrays differently.
    """
    ours, theirs = printed.splitlines(), wanted.splitlines()
    for number in range(max(len(ours), len(theirs))):
        mine = ours[number] if number < len(ours) else "(nothing)"
        other = theirs[number] if number < len(theirs) else "(nothing)"
        if not _same_line(mine, other, tolerance):
            return f"line {number + 1}: {mine!r}, but 1.15 prints {other!r}"
    return None


def _same_line(mine, other, tolerance):
    words = ["".join(_NUMBER.sub("#", line).split()) for line in (mine, other)]
    if words[0] != words[1]:
        return False
    pairs = zip(_NUMBER.findall(mine), _NUMBER.findall(other))
    return all(_close(float(a), float(b), tolerance) for a, b in pairs)


def _close(a, b, tolerance):
    if a != a or b != b or a in (float("inf"), -float("inf")):
        return str(a) == str(b)
    return abs(a - b) <= tolerance * max(1.0, abs(b))
