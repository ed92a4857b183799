"""Debuggers and tracers under `run` see the frames that they see in plain Python."""

import pathlib
import subprocess
import sys

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

ROOT = pathlib.Path(compat.__file__).resolve().parents[2]

SUBJECT = """import math
class N:
    def __add__(self, other):
        STOP
        x = 1
        return x
    def __getitem__(self, index):
        return 1
    def __setitem__(self, index, value):
        pass
def f(n):
    a = n + 1
    n[0] = a
    n[a % 2] += 4
    for n[a + 1] in (a, a - 1):
        a *= 2
    return math.exp(a) < 1
"""

TRACED = """
import sys, threading
lines = []
def traced(frame, event, argument):
    lines.append((frame.f_code.co_name, event, frame.f_lineno))
    return traced
sys.SET(traced)
assert sys.GET() is traced
f(N())
sys.SET(None)
assert sys.GET() is None
print(lines)
"""


def _both(folder, text, words=(), typed=""):
    """Returns what a script prints plain and under `run`."""
    (folder / "script.py").write_text(text)
    return [
        subprocess.run(
            [sys.executable, *way, *words, "script.py"],
            cwd=str(folder),
            input=typed,
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin"},
        ).stdout
        for way in ([], ["-m", "tfgraphtools", "run", "-q"])
    ]


@pytest.mark.parametrize("what", ["trace", "profile"])
def test_tracers(what, tmp_path):
    text = SUBJECT.replace("STOP", "pass") + TRACED.replace("SET", "set" + what)
    plain, ours = _both(tmp_path, text.replace("GET", "get" + what))
    assert plain.count("f'") > 1
    if what == "profile":  # of functions of C it is told, which helpers call in their frames
        plain, ours = (_without_c(text) for text in (plain, ours))
    assert ours == plain


def _without_c(text):
    return [line for line in eval(text) if not line[1].startswith("c_")]


@pytest.mark.parametrize(
    "typed", ["n\nn\nn\nn\nn\ns\nn\nc\n", "r\nn\nr\nn\nc\n", "s\n" * 20 + "c\n"]
)
def test_pdb_goes_on_in_user_code(typed, tmp_path):
    text = SUBJECT.replace("STOP", "import pdb; pdb.set_trace()") + "f(N())\nprint('end')\n"
    plain, ours = _both(tmp_path, text, typed=typed)
    assert "-> a *= 2" in plain or len(typed) < 30
    assert ours == plain


def test_trace_module(tmp_path):
    text = SUBJECT.replace("STOP", "pass") + "f(N())\n"
    plain, ours = _both(tmp_path, text, ["-m", "trace", "--trace"])
    assert "script.py(14):" in plain
    assert _of_script(ours) == _of_script(plain)
    assert "tfgraphtools" not in ours


def _of_script(text):
    return [line for line in text.splitlines() if line.startswith("script.py(")]
