"""CPython's own tests under `run` and plain: the differences are those that are intended."""

import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "scripts" / "python_tests"

loader = importlib.machinery.SourceFileLoader("python_tests", str(SCRIPT))
python_tests = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(python_tests)


def test_the_list():
    names, intended = python_tests.read()
    assert len(names) > 100 and len(names) == len(set(names))
    thirds = [name for name in names if python_tests._is_in_third(name)]
    assert len(names) / 5 < len(thirds) < len(names) / 2
    assert all(row.reason for row in intended)


def test_what_differs_is_told(capsys):
    plain = {"a": "passed", "b": "failed: x at 0x1", "c": "passed", "d": "passed"}
    ours = {"a": "passed", "b": "failed: x at 0x2", "c": "error: y"}
    differing = python_tests.compared(plain, ours)
    assert [case for case, *_ in differing] == ["c", "d"]
    reasons = [python_tests.Intended("c", "because")]
    assert python_tests.report(differing, reasons) == 1
    said = capsys.readouterr().out
    assert (
        "intended: because" in said and "d\n    plain: passed\n    run:   absent\n    NOT" in said
    )


def test_copies_import_each_other():
    source = b"from test import support, pickletester\nfrom test.test_json import A\n"
    copied = python_tests._as_users(source, {"pickletester", "test_json"})
    assert copied == (b"import pickletester; from test import support\nfrom test_json import A\n")


@pytest.mark.slow
def test_a_third():
    """All of them with `scripts/python_tests --whole`, or TFGRAPHTOOLS_WHOLE=1."""
    if python_tests.folder_of_tests() is None:
        pytest.skip("this Python has no tests of its own")
    words = ["--whole"] if os.environ.get("TFGRAPHTOOLS_WHOLE") else []
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
