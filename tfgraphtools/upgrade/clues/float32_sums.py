"""Arithmetic of what `Session.run` returns, in float32 in NumPy 2 and in float64 in NumPy 1.

Examples are ``total += loss / steps`` after ``total = 0.0``, and ``print(1 - accuracy)``, where
``loss`` and ``accuracy`` are np.float32. Formats such as ``"%.3f"`` hide the digits that differ.
"""

import ast

from tfgraphtools.analysis.assignments import assigned_names
from tfgraphtools.analysis.scopes import nodes_of

ROW = "numpy.promotion"
WHY = "NumPy 2 computes this in float32, NumPy 1 in float64: the seventh digit may differ"
REMEDY = "write np.float64(x)"

_RUNS = frozenset(["run", "eval"])


def lines(tree):
    """Returns the lines that add to a number of Python what a Session returned, or print that."""
    nodes = nodes_of(tree)
    totals, fetched = assigned_names(nodes, _is_number), _fetched(nodes)

    def adds(node):
        is_sum = isinstance(node, ast.AugAssign) and isinstance(node.op, (ast.Add, ast.Sub))
        return is_sum and getattr(node.target, "id", None) in totals and is_fetched(node.value)

    def is_fetched(value):
        return any(_is_run(part) or getattr(part, "id", None) in fetched for part in _parts(value))

    def is_mixed(value):
        sides = (value.left, value.right) if isinstance(value, ast.BinOp) else ()
        return any(map(_is_number, sides)) and any(map(is_fetched, sides))

    def prints(node):
        is_print = isinstance(node, ast.Call) and getattr(node.func, "id", None) == "print"
        return is_print and any(map(is_mixed, node.args))

    return tuple(sorted(node.lineno for node in nodes if adds(node) or prints(node)))


def _is_number(value):
    return type(getattr(value, "value", None)) in (int, float)


def _fetched(nodes):
    """Returns the names of variables to which code assigns what a Session returned."""
    return {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _is_run(node.value)
        for targets in node.targets
        for target in getattr(targets, "elts", [targets])
        if isinstance(target, ast.Name)
    }


def _is_run(node):
    return isinstance(node, ast.Call) and getattr(node.func, "attr", None) in _RUNS


def _parts(value):
    """Yields the operands of an expression: a function may have made a float of its argument."""
    if isinstance(value, ast.BinOp):
        yield from _parts(value.left)
        yield from _parts(value.right)
    elif isinstance(value, ast.Call) and getattr(value.func, "id", None) == "divide":
        for operand in value.args:  # the quotient of Python 2, as upgrade writes it
            yield from _parts(operand)
    else:
        yield value
