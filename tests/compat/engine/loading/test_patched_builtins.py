"""What user code puts among the builtins is seen by libraries, as in plain Python."""

import subprocess
import sys

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

PROGRAM = """
import argparse, builtins, io, sys, tokenize
from unittest import mock

opened = builtins.open
def fake(path, *words, **named):
    print("asked for", path)
    return io.StringIO("from nowhere")

builtins.open = fake
print(argparse.FileType()("somewhere").read(), open("here").read())
builtins.open = opened
try:
    argparse.FileType()("nowhere")
except argparse.ArgumentTypeError:
    print("no such file")
assert "U" not in argparse.open.__name__ if hasattr(argparse, "open") else True
with mock.patch("builtins.open", fake):
    print(argparse.FileType()("again").read())
with mock.patch.object(builtins, "open", fake), mock.patch.object(builtins, "new", 3, create=True):
    print(argparse.FileType()("once more").read(), new)
print(hasattr(builtins, "new"), open is opened)
builtins.shout = lambda text: text.upper()
print(eval("shout('a')", {}), eval("shout('b')", vars(argparse)))
del builtins.shout
print("shout" in vars(builtins))
_print = builtins.print
builtins.print = lambda *values: sys.stdout.write(repr(values) + chr(10))
print(1)
argparse._sys.modules["builtins"].print("of libraries")
builtins.print = _print
for name, call in {
    "max": lambda: max(1, 2), "min": lambda: min(1, 2), "sorted": lambda: sorted([2, 1]),
    "float": lambda: float("1"), "int": lambda: int("1"), "complex": lambda: complex(1),
    "str": lambda: str(1), "round": lambda: round(2.5), "abs": lambda: abs(-1),
}.items():
    with mock.patch("builtins." + name, lambda *values: "patched"):
        patched = call()
    sys.stdout.write(f"{name} {patched} {call()}" + chr(10))
"""


def test_libraries_see_it(tf1_run_in, tmp_path):
    (tmp_path / "patched.py").write_text(PROGRAM)
    plain = subprocess.run(
        [sys.executable, "patched.py"], cwd=str(tmp_path), capture_output=True, text=True
    )
    assert plain.returncode == 0, plain.stderr
    ours = tf1_run_in(tmp_path, "patched.py")
    assert (ours.returncode, ours.stdout) == (0, plain.stdout), ours.stderr


PATCHES = """
import random
from unittest import mock
import numpy as np

def show(*values):
    print(*values)

fake = lambda *values, **named: "fake"
patcher = mock.patch("numpy.load", autospec=True)
patched = patcher.start()
patched.return_value = 3
show(np.load("f"), np.load is patched, patched.call_count)
patcher.stop()
show(np.load.__name__)
for name in ("linspace", "array", "linalg.solve", "sum", "mean"):
    path = "numpy." + name
    with mock.patch(path, fake):
        show(name, eval("np." + name)(0, 1))
    with mock.patch(path) as magic:
        eval("np." + name)(0, 1)
        show(magic.call_count)
    show(eval("np." + name) is magic)
with mock.patch.multiple("numpy", stack=fake, linspace=fake):
    show(np.stack(1), np.linspace(0, 1, 2))
show(np.linspace(0, 1, 2), np.stack([[1], [2]]).shape)
with mock.patch("random.shuffle", fake), mock.patch("random.random", fake):
    show(random.shuffle([1]), random.random())
import _pytest.monkeypatch
with _pytest.monkeypatch.MonkeyPatch.context() as patch:
    patch.setattr("numpy.linspace", fake)
    show(np.linspace(0, 1, 2))
show(np.linspace(0, 1, 2))
"""


def test_a_patched_library_is_seen_and_then_as_before(tf1_run_in, tmp_path):
    (tmp_path / "patched.py").write_text(PATCHES)
    plain = subprocess.run(
        [sys.executable, "patched.py"], cwd=str(tmp_path), capture_output=True, text=True
    )
    assert plain.returncode == 0, plain.stderr
    ours = tf1_run_in(tmp_path, "patched.py")
    assert (ours.returncode, ours.stdout) == (0, plain.stdout), ours.stderr
