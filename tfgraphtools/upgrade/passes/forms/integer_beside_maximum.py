"""``np.max(labels) + 1``, which NumPy 2 gives the type of the labels: uint8, as MNIST has them.

NumPy 1 gave an int64, or a float64 of floats: what ``np.max(labels) + np.int64(1)`` is in both.
"""

import ast

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.upgrade.findings import REWRITTEN
from tfgraphtools.upgrade.text import Edit

_FIX = "numpy.promotion"

_EXTREMES = tuple(f"numpy.{name}" for name in "amax amin max min".split())


def edits(work):
    """Returns ``np.int64(...)`` around integers that are added to an array's extreme."""
    if not work.is_old or not work.choice.allows(_FIX):
        return []
    changes = []
    for node in nodes_of(work.tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult)):
            for call, number in ((node.left, node.right), (node.right, node.left)):
                if type(getattr(number, "value", None)) is int and _is_extreme(work, call):
                    changes += _wrapped(work, call, number)
    return changes


def _is_extreme(work, node):
    """Tells whether an expression is ``np.max(array)``: one number, as no axis is given."""
    is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    is_whole = is_call and len(node.args) == 1 and not node.keywords
    return is_whole and work.names.here(node.func) in _EXTREMES


def _wrapped(work, call, number):
    (start, end), (root, root_end) = work.text.span(number), work.text.span(call.func.value)
    written, numpy = work.text.text[start:end], work.text.text[root:root_end]
    if written != str(number.value):  # hexadecimal, or in an f-string, whose places are others
        return []
    new = f"{numpy}.int64({written})"
    work.note(number.lineno, f"{numpy}.{call.func.attr}", REWRITTEN, _FIX, new)
    return [Edit(start, end, new, _FIX, number.lineno)]
