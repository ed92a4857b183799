"""Random expressions and random print statements, against Python 2.7."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

_NUMBERS = st.one_of(
    st.integers(-9, 9).map(str),
    st.integers(10**9, 10**12).map(str),
    st.sampled_from(["0.5", "2.0"]),
)


def _joined(children):
    return st.tuples(children, st.sampled_from("/ / * - +".split()), children).map(
        lambda parts: "({} {} {})".format(*parts)
    )


_EXPRESSIONS = st.recursive(_NUMBERS, _joined, max_leaves=8)
_ITEMS = st.lists(st.sampled_from(["1", "'a'", "'b '", "'c\\n'", "''", "[2]"]), max_size=2)


def _statement(kind, items):
    listed = ", ".join(items)
    if kind == "write":
        return "sys.stdout.write(%s)" % (items[0] if items and "'" in items[0] else "'w'")
    if kind == "file":
        return "print >>sys.stdout, " + listed if items else "print >>sys.stdout"
    return "print " + listed + ("," if kind == "comma" and items else "")


_STATEMENTS = st.lists(
    st.tuples(st.sampled_from(["line", "comma", "comma", "write", "file"]), _ITEMS), max_size=6
)
_FEW = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@_FEW
@given(expression=_EXPRESSIONS)
def test_division(expression, ours, python27):
    source = f"import math\nprint repr({expression})\n"
    theirs = python27(source).replace("L", "")
    mine = ours(source).replace("L", "")
    if "Error" in theirs:
        assert mine == theirs
    else:
        assert float(mine) == pytest.approx(float(theirs), rel=1e-15)
        assert ("." in mine) == ("." in theirs), "an int or a float"


@_FEW
@given(statements=_STATEMENTS)
def test_print(statements, ours, python27):
    lines = ["import sys", *(_statement(*one) for one in statements), "print 'end'"]
    source = "\n".join(lines) + "\n"
    assert ours(source) == python27(source)


#: Pieces whose translation is longer or shorter than they are.
_PIECES = [
    "def f(a, (b, c)):\n    return b\n",
    "def f((a,\n       b), c):\n    '''A doc\n    string.'''\n    return a\n",
    "def f(a, (b, c)): return c\n",
    "try:\n    pass\nexcept IOError, (a, b):\n    pass\n",
    "x = '''\n\n'''\n",
    "if 1:\n\tpass\n# a comment\n\n",
    "print 'a', \\\n    'b'\n",
    "g = lambda (a, b): (a,\n    b)\n",
    "x = [i for i in 1, 2]\n",
    "exec 'y = 1' in {}\n",
    "x = 0777L\n\x0c\n",
]


@_FEW
@given(pieces=st.lists(st.sampled_from(_PIECES), min_size=1, max_size=6))
def test_lines_of_errors(pieces, ours):
    source = "".join(pieces)
    line = source.count("\n") + 2
    printed = ours(source + "def boom():\n    raise ValueError, 'here'\nboom()\n")
    assert printed.splitlines()[-1] == f"{line} ValueError"
