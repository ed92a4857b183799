"""Which reads of a name mean the built-in: Python itself says what they are."""

import ast
import builtins

import pytest

from tfgraphtools.analysis import scopes

pytestmark = pytest.mark.quick

#: id -> (source, how many reads of `max` certainly mean the built-in, how many may)
CASES = {
    "nothing-binds-it": ("max(1, 2)", 1, 0),
    "parameter-elsewhere": ("def f(max):\n    return max\nmax(1, 2)", 1, 0),
    "keyword-only": ("def f(*, max):\n    return max\nmax(1, 2)", 1, 0),
    "default": ("def f(max=max):\n    return max", 1, 0),
    "lambda": ("(lambda max: max)(3)\nmax(1, 2)", 1, 0),
    "local": ("def f():\n    max = 1\n    return max\nmax(1, 2)", 1, 0),
    "closure": ("def f(max):\n    def g():\n        return max\n    return g", 0, 0),
    "comprehension": ("[max for max in [1]]\nmax(1, 2)", 1, 0),
    "method": ("class A:\n    def max(self):\n        return max(1, 2)", 1, 0),
    "class-body": ("class A:\n    max = 1\n    x = max", 0, 1),
    "global-statement": ("def f():\n    global max\n    max = 1\nmax", 0, 1),
    "nonlocal-statement": (
        "def f():\n    max = 1\n    def g():\n        nonlocal max\n        return max\n",
        0,
        0,
    ),
    "module": ("max\ndef max(a, b):\n    pass\nmax", 0, 2),
    "deleted": ("max = 1\ndel max\nmax(1, 2)", 0, 1),
    "star-import": ("from os.path import *\nmax(1, 2)", 0, 1),
    "exec": ("exec('max = 1')\nmax", 0, 1),
    "handler": (
        "def f():\n    try: pass\n    except ValueError as max: max",
        0,
        0,
    ),
    "import": ("def f():\n    from operator import add as max\n    return max\nmax", 1, 0),
}


@pytest.mark.parametrize("name", CASES)
def test_builtin_reads(name):
    source, certain, possible = CASES[name]
    reads = scopes.builtin_reads(ast.parse(source), {"max"})
    assert tuple(map(len, reads)) == (certain, possible)


@pytest.mark.parametrize("name", CASES)
def test_reads_that_are_certain_find_the_builtin(name):
    """In place of each such read stands a name that only the builtins have."""
    tree = ast.parse(CASES[name][0])
    for node in scopes.builtin_reads(tree, {"max"})[0]:
        node.id = "__the_builtin__"
    names = {"__builtins__": dict(vars(builtins), __the_builtin__=max)}
    exec(compile(tree, name, "exec"), names)
