"""Lazy things of Python 3 become lists where the code can only mean lists."""

import ast

import pytest

from tfgraphtools.compat.fixes.python2 import helpers, lists

pytestmark = pytest.mark.quick


def run(text):
    """The names of a module after it ran as `make_lists` made it."""
    tree = ast.fix_missing_locations(lists.make_lists(ast.parse(text), "x.py"))
    names = dict(helpers.HELPERS)
    exec(compile(tree, "x.py", "exec"), names)
    return names


@pytest.mark.parametrize(
    "text, result",
    [
        ("m = map(int, '12')\nresult = len(m)", 2),
        ("m = map(int, '12')\nresult = m[1]", 2),
        ("def f():\n    m = filter(None, [0, 3])\n    return m[0]\nresult = f()", 3),
        ("m = map(int, '12')\ndef f(n=len(m)):\n    return n\nresult = f()", 2),
        ("result = zip('ab', 'cd')[1]", ("b", "d")),
        ("result = {'a': 1}.keys()[0]", "a"),
        ("d = {'b': 1, 'a': 2}\nk = d.keys()\nk.sort()\nresult = k", ["a", "b"]),
        ("x = range(3)\nx[0] = 9\nresult = x", [9, 1, 2]),
        ("result = range(2) + range(2)", [0, 1, 0, 1]),
        ("import random\nx = range(1)\nrandom.shuffle(x)\nresult = x", [0]),
        ("def f(x, map):\n    return x\nresult = len(map(int, '12'))", 2),
        ("def f():\n    zip = 1\n    return zip\nresult = zip('ab', 'cd')[1]", ("b", "d")),
        ("import numpy as np\nresult = np.array(map(int, '12')).tolist()", [1, 2]),
    ],
)
def test_makes_a_list(text, result):
    assert run(text)["result"] == result


@pytest.mark.parametrize(
    "text",
    [
        "m = map(int, '12')\nfor item in m:\n    pass",
        "m = zip('ab', 'cd')\nresult = next(m)",
        "x = range(3)\nresult = len(x), x[1]",
        "m = map(int, '12')\nm = [1]\nresult = m[0]",
        "def map(f, x):\n    return 'abc'\nresult = len(map(int, '1'))",
        "m = map(int, '12')\ndef f(m):\n    return m[0]",
        "d = {}\nk = d.keys()\nresult = len(k)",
    ],
    ids=["looped", "next", "range read", "other too", "own map", "argument", "measured view"],
)
def test_leaves_alone_what_python_3_can_do(text):
    tree = ast.parse(text)
    assert ast.dump(lists.make_lists(tree, "x.py")) == ast.dump(ast.parse(text))
