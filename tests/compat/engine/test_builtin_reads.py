"""Reads of built-in names, found without the scopes of a module where it binds none of them."""

import ast
import sys

import pytest

from tfgraphtools.analysis import scopes
from tfgraphtools.compat.engine.translate import trees

pytestmark = [pytest.mark.quick, pytest.mark.once]

NAMES = {"map", "filter"}

SOURCES = [
    "x = map(f, xs)\ndef g(y=map):\n    return [filter(None, z) for z in y]\n",
    "x = map(f, xs)\ndef g(map):\n    return map(1)\n",
    "from x import *\ny = map(f, xs)\n",
    "exec('map = 1')\ny = map(f, xs)\n",
    "import map\ny = map(f, xs)\n",
    "@map\nclass C(filter):\n    x: map = map\n",
    "class C:\n    map = 1\n    y = map\n    def f(self):\n        return map\n",
    "y = [map for map in xs], map\n",
    "del map\nmap(f, xs)\n",
    "x.map(y.filter)\n",
]
if sys.version_info >= (3, 10):
    SOURCES += [
        "match x:\n    case map:\n        y = map\n",
        "match x:\n    case [*map]:\n        y = map\n",
        "match x:\n    case {1: 2, **filter}:\n        y = filter, map\n",
    ]


@pytest.mark.parametrize("source", SOURCES)
def test_they_are_those_that_the_scopes_tell(source):
    tree = ast.parse(source)
    assert trees.builtin_reads(tree, NAMES) == scopes.builtin_reads(tree, NAMES)[0]
