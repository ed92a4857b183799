"""An array of one element where a number is meant: ``_read32`` of the first input_data.py.

The first readers of MNIST gave what ``numpy.frombuffer(stream.read(4), dtype=...)`` is as a
number, which NumPy took as one until 2.0. The file was copied into many codebases.
"""

import ast

from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.scopes import nodes_of
from tfgraphtools.upgrade.text import Edit

_FIX = "numpy.one_element"


def edits(work):
    """``[0]`` behind what ``_read32`` returns."""
    if not work.choice.allows(_FIX):
        return []
    found = []
    for node in nodes_of(work.tree):
        if isinstance(node, ast.FunctionDef) and node.name == "_read32":
            last = node.body[-1]
            if isinstance(last, ast.Return) and _reads_four_bytes(last.value):
                end = work.text.span(last.value)[1]
                work.note(last.lineno, "numpy.frombuffer", REWRITTEN, _FIX, "[0]")
                found.append(Edit(end, end, "[0]", _FIX, last.lineno))
    return found


def _reads_four_bytes(node):
    """Whether an expression is ``numpy.frombuffer(stream.read(4), ...)``."""
    if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") != "frombuffer":
        return False
    read = node.args[0] if node.args else None
    return (
        isinstance(read, ast.Call)
        and getattr(read.func, "attr", "") == "read"
        and len(read.args) == 1
        and getattr(read.args[0], "value", None) == 4
    )
