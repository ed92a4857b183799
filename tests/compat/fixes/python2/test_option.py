"""`run --python2`: a program that Python 3 can parse, and that was written for Python 2."""

import subprocess
import sys

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

pytestmark = pytest.mark.quick

SOURCE = """\
import old_helper
print(512 / 16)
print([7] * (5 / 2))
print(old_helper.half(9))
"""
HELPER = "def half(n):\n    return n / 2\n"
NEW_HELPER = "def half(n: int):\n    return n / 2\n"


@pytest.fixture
def run(tmp_path):
    """A function that runs SOURCE with options and returns what it printed."""

    def run(helper, *options):
        (tmp_path / "old.py").write_text(SOURCE)
        (tmp_path / "old_helper.py").write_text(helper)
        command = [sys.executable, "-m", "tfgraphtools", "run", *options, str(tmp_path / "old.py")]
        done = subprocess.run(command, stdout=-1, stderr=-1, text=True)
        return done.stdout, done.stderr

    return run


def test_a_program_without_marks_is_python_2s(run, python27):
    wanted = python27(
        "import sys, types\nold_helper = types.ModuleType('old_helper')\n"
        f"exec {HELPER!r} in vars(old_helper)\n{SOURCE.split(chr(10), 1)[1]}"
    )
    assert run(HELPER, "--python2") == (wanted, "")


def test_a_module_that_only_python_3_can_compile_is_not(run):
    assert run(NEW_HELPER, "--python2")[0].splitlines() == ["32", "[7, 7]", "4.5"]


def test_without_the_option_it_is_python_3s_and_the_error_names_it(run):
    printed, said = run(HELPER)
    assert printed == "32.0\n"
    assert said.endswith("tfgraphtools run --python2 ...\n")
