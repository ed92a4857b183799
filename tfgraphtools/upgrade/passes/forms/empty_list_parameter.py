"""``if x == []`` of a parameter, which may be an array: its truth was False in NumPy 1.

NumPy 2 raises, as the two cannot be compared number by number. ``x != []`` is not rewritten: for
an array it was True or False by its shape.
"""

import ast

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.text import Edit

_FIX = "numpy.compared"

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_TESTS = (ast.If, ast.While, ast.IfExp, ast.Assert)


def edits(work):
    """Returns ``isinstance(x, list) and x == []`` for tests of parameters beside ``[]``."""
    nodes = nodes_of(work.tree)
    is_shadowed = any(
        getattr(node, "id" if isinstance(node, ast.Name) else "arg", None) == "list"
        and not isinstance(getattr(node, "ctx", None), ast.Load)
        for node in nodes
        if isinstance(node, (ast.Name, ast.arg))
    )
    if not work.is_old or is_shadowed or not work.choice.allows(_FIX):
        return []
    changes = {}
    for function in (node for node in nodes if isinstance(node, _FUNCTIONS)):
        parameters = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
        for test in (node.test for node in ast.walk(function) if isinstance(node, _TESTS)):
            for node in _asked(test):
                if _is_empty_list(node) and getattr(node.left, "id", None) in parameters:
                    changes[node] = node is test
    return [edit for node, is_whole in changes.items() for edit in _edits(work, node, is_whole)]


def _asked(node):
    """Yields the parts of a test of which only the truth counts; none beside ``isinstance``."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _asked(node.operand)
    elif isinstance(node, ast.BoolOp):
        if not any(
            getattr(getattr(n, "func", None), "id", "") == "isinstance" for n in node.values
        ):
            for value in node.values:
                yield from _asked(value)
    else:
        yield node


def _is_empty_list(node):
    if not isinstance(node, ast.Compare) or len(node.ops) > 1:
        return False
    other = node.comparators[0]
    return isinstance(node.ops[0], ast.Eq) and isinstance(other, ast.List) and not other.elts


def _edits(work, node, is_whole):
    start, end = work.text.span(node)
    written, name = work.text.text[start:end], node.left.id
    if not written.startswith(name):  # in an f-string, whose places are others
        return []
    new = f"isinstance({name}, list) and {written}"
    new = new if is_whole else f"({new})"
    work.note(node.lineno, written, REWRITTEN, _FIX, new)
    return [Edit(start, end, new, _FIX, node.lineno)]
