"""Python 2.7 as the oracle, and our translation run beside it."""

import ast
import builtins
import contextlib
import io
import json
import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("fissix")

from tfgraphtools.compat.engine import rows  # noqa: E402
from tfgraphtools.compat.engine.translate import removed_attributes  # noqa: E402
from tfgraphtools.compat.fixes import python2  # noqa: E402
from tfgraphtools.compat.fixes.python import python2_builtins as old_builtins  # noqa: E402

#: Answers every line of its stdin, a JSON list of source and whether to evaluate it.
_SERVER = r"""
import json, os, sys, traceback
real = sys.stdout
for line in iter(sys.stdin.readline, ''):
    source = json.loads(line).encode('utf-8')
    sys.stdout = out = os.tmpfile()  # a real file: it knows of soft spaces
    try:
        exec compile(source, 'old.py', 'exec', 0, True) in {'__name__': 'old'}
    except Exception:
        print traceback.extract_tb(sys.exc_info()[2])[-1][1], sys.exc_info()[0].__name__
    sys.stdout = real
    out.seek(0)
    real.write(json.dumps(out.read().decode('utf-8')) + '\n')
    real.flush()
"""


def _find_python2():
    named = os.environ.get("TFGRAPHTOOLS_PYTHON2")
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT", str(pathlib.Path.home() / ".pyenv")))
    found = [named] if named else sorted(map(str, pyenv.glob("versions/2.7*/bin/python")))
    return next((path for path in found if os.path.exists(path)), None)


@pytest.fixture(scope="session")
def python27_path():
    """The path of a Python 2.7."""
    python = _find_python2()
    if python is None:
        pytest.skip("no Python 2.7: set TFGRAPHTOOLS_PYTHON2")
    return python


@pytest.fixture(scope="session")
def python27():
    """A function that runs a source under Python 2.7 and returns what it printed."""
    python = _find_python2()
    if python is None:
        pytest.skip("no Python 2.7: set TFGRAPHTOOLS_PYTHON2")
    process = subprocess.Popen(
        [python, "-c", _SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        universal_newlines=True,
    )

    def run(source):
        process.stdin.write(json.dumps(source) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield run
    process.stdin.close()
    process.wait()


def code_of(source, path="old.py"):
    """The code of a source as user code's modules are compiled."""
    data = source if isinstance(source, bytes) else source.encode("utf-8")
    tree = python2.to_tree(data, path)
    for table in (python2.mixed.TABLE, removed_attributes.TABLE):
        for row in table.rows:
            tree = row.run(tree, path)
    return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)


def own_builtins():
    """Builtins with Python 2's names and our helpers."""
    names = dict(vars(builtins), **python2.HELPERS)
    names.update(removed_attributes.HELPERS)
    for row in old_builtins.TABLE.rows:
        names[row.name.partition(".")[2]] = row.run(builtins)
    return names


@pytest.fixture
def ours():
    """A function that runs a source by our translation and returns what it printed."""
    if sys.version_info < (3, 10):
        pytest.skip("run needs Python 3.10")

    def run(source):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                exec(code_of(source), {"__name__": "old", "__builtins__": own_builtins()})
            except Exception as error:
                trace = error.__traceback__
                lines = []
                while trace is not None:
                    if trace.tb_frame.f_code.co_filename == "old.py":
                        lines.append(trace.tb_lineno)
                    trace = trace.tb_next
                print(lines[-1], type(error).__name__)
        return out.getvalue()

    return run


@pytest.fixture(autouse=True)
def every_row_on():
    rows.begin()
    yield
    rows.begin()
