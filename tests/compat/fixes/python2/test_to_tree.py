"""What is translated and what is not; the errors of what is neither Python."""

# ruff: noqa: E501 (programs and cases, each on its line)

import ast
import pathlib
import subprocess
import sys

import pytest

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes import python2
from tfgraphtools.compat.fixes.python2 import dialect

ROOT = pathlib.Path(__file__).resolve().parents[5]


def _dump(tree):
    return ast.dump(tree, include_attributes=True)


UNTOUCHED = {
    "plain": "x = 5 / 2\n",
    "print-function": "print('a', 5 / 2)\n",
    "guarded-name": "try:\n    xrange\nexcept NameError:\n    xrange = range\nx = 1 / 2\n",
    "guarded-import": "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle\nx = 1 / 2\n",
    "six": "import six\nx = unicode if six.PY2 else str\n",
    "from-six": "from six.moves import xrange\nx = xrange(3)\n",
    "own-name": "def unicode(x): return x\nx = unicode(1 / 2)\n",
    "imported-with-a-star": "from tools import *\nfor i in xrange(3): pass\n",
    "python3-syntax": "def f(x: int): return xrange(x)\n",
    "f-string": "x = f'{unicode(1)}'\n",
    "several-printed": "for i in xrange(3): print('a', i)\n",
    "named-in-a-string": "x = 'xrange' # unicode\n",
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_python3_passes_through_untouched(name):
    source = UNTOUCHED[name]
    assert _dump(python2.to_tree(source.encode(), "new.py")) == _dump(ast.parse(source))


@pytest.mark.parametrize(
    "source",
    [
        "for i in xrange(3): x = 1 / 2\n",
        "import urllib2\n",
        "from Queue import Queue\n",
        "print('a')\nx = raw_input('b')\n",
        "#!/usr/bin/env python2\nx = 1 / 2\n",
        "try:\n    for i in xrange(9): pass\nexcept KeyboardInterrupt:\n    pass\n",
    ],
)
def test_python2_by_its_names(source):
    assert dialect.is_python2(source.encode(), ast.parse(source))


SYNTAX_ERRORS = {
    # id: (source, the line of the error)
    "bracket": ("x = 1\ny = )\nz = 3\n", 2),
    "print-in-python3": ("x: int = 3\nprint 'a'\n", 2),
    "print-and-f-string": ("y = f'{1}'\n\nprint 'a'\n", 3),
    "exec-and-nonlocal": ("def f():\n    x = 1\n    def g():\n        nonlocal x\nexec 'a'\n", 5),
    "indentation": ("def f():\nreturn 1\n", 2),
    "python2-with-a-slip": ("print 'a'\nx = 1\ny = )\n", 3),
    "python2-cut-short": ("print 'a'\ndef f(:\n    pass\n", 2),
}


@pytest.mark.parametrize("name", SYNTAX_ERRORS)
def test_a_syntax_error_is_the_files_own(name):
    source, line = SYNTAX_ERRORS[name]
    with pytest.raises(SyntaxError) as caught:
        python2.to_tree(source.encode(), "new.py")
    assert caught.value.lineno == line
    assert caught.value.filename == "new.py"
    assert "fissix" not in str(caught.value)


ENCODINGS = {
    "utf-8": "x = u'\u00e9'\nprint 1\n".encode(),
    "mark": b"\xef\xbb\xbf" + "x = u'\u00e9'\nprint 1\n".encode(),
    "latin-1": "# -*- coding: latin-1 -*-\nx = u'\u00e9'\nprint 1\n".encode("latin-1"),
    "second-line": "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nx = u'\u00e9'\nprint 1\n".encode(
        "cp1252"
    ),
    "windows": "x = u'\u00e9'\r\nprint 1\r\n".encode(),
    "old-mac": "x = u'\u00e9'\rprint 1\r".encode(),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings(name):
    namespace = {}
    tree = python2.to_tree(ENCODINGS[name], "old.py")
    tree.body = [node for node in tree.body if getattr(node, "targets", None)]
    exec(compile(tree, "old.py", "exec"), dict(namespace, **python2.HELPERS), namespace)
    assert namespace["x"] == "\u00e9"


def test_bytes_that_are_no_text():
    with pytest.raises(SyntaxError):
        python2.to_tree(b"x = '\xe9'\nprint 1\n", "old.py")


@pytest.mark.parametrize(
    "row, source, fails",
    [
        ("python2.syntax", "print 1\n", True),
        ("python2.by_names", "x = xrange(5 / 2)\n", False),
        ("python2.division", "print 5 / 2\n", False),
    ],
)
def test_a_row_that_is_off(row, source, fails):
    rows.begin(without=[row])
    if fails:
        with pytest.raises(SyntaxError):
            python2.to_tree(source.encode(), "old.py")
    else:
        assert "divide" not in ast.dump(python2.to_tree(source.encode(), "old.py"))


def test_fissix_is_loaded_for_python2_only():
    code = (
        "import sys; from tfgraphtools.compat.fixes import python2; "
        "python2.to_tree(b'x = 1', 'a.py'); print('fissix' in sys.modules); "
        "python2.to_tree(b'print 1', 'a.py'); print('fissix' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=str(ROOT), stdout=subprocess.PIPE, text=True
    )
    assert done.stdout.split() == ["False", "True"]


def test_a_missing_fissix_is_one_line():
    code = (
        "import sys; sys.modules['fissix'] = None\n"
        "from tfgraphtools.compat.fixes import python2\n"
        "from tfgraphtools.errors import MissingExtraError\n"
        "try: python2.to_tree(b'print 1', 'a.py')\n"
        "except MissingExtraError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=str(ROOT), stdout=subprocess.PIPE, text=True
    )
    assert done.stdout.count("\n") == 1 and "pip install fissix" in done.stdout
    assert done.stdout.startswith("a.py")
