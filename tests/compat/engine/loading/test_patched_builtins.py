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
builtins.print = lambda *values: sys.stdout.write(repr(values) + chr(10))
print(1)
argparse._sys.modules["builtins"].print("of libraries")
"""


def test_libraries_see_it(tf1_run_in, tmp_path):
    (tmp_path / "patched.py").write_text(PROGRAM)
    plain = subprocess.run(
        [sys.executable, "patched.py"], cwd=str(tmp_path), capture_output=True, text=True
    )
    assert plain.returncode == 0, plain.stderr
    ours = tf1_run_in(tmp_path, "patched.py")
    assert (ours.returncode, ours.stdout) == (0, plain.stdout), ours.stderr
