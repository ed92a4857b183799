"""``array == []`` and ``array == "text"``, as NumPy 1 answered: that they are not equal.

Where an array and the other side cannot be compared number by number, NumPy 1 gave
one False (and True for ``!=``); NumPy 2 raises, or gives an array of them.
"""

import ast
import operator
import sys

from tfgraphtools.compat.python2 import nodes
from tfgraphtools.compat.rows import Row, Table, used

_OPERATORS = {ast.Eq: "__numpy1_equal__", ast.NotEq: "__numpy1_unequal__"}


def comparisons(tree, path):
    """Has ``a == b`` and ``a != b`` ask here."""
    return _Comparisons().visit(tree)


class _Comparisons(ast.NodeTransformer):
    def visit_Compare(self, node):
        self.generic_visit(node)
        helper = _OPERATORS.get(type(node.ops[0])) if len(node.ops) == 1 else None
        sides = node.left, node.comparators[0]
        if helper is None or any(_is_plain(side) for side in sides):
            return node
        return nodes.call(helper, *sides, at=node)


def _is_plain(node):
    """Whether it is a number or None, with which both NumPys compare alike, or ``__name__``."""
    if isinstance(node, ast.Name):
        return node.id == "__name__"
    return isinstance(node, ast.Constant) and not isinstance(node.value, (str, bytes))


def comparing(function, answer):
    """The helper for one operator; `answer` where the sides cannot be compared."""

    def helper(a, b):
        numpy = sys.modules.get("numpy")
        if numpy is None or not (isinstance(a, numpy.ndarray) or isinstance(b, numpy.ndarray)):
            return function(a, b)
        if _is_text_beside_numbers(a, b) or _is_text_beside_numbers(b, a):
            used(ROW)
            return answer
        try:
            return function(a, b)
        except ValueError as error:
            if "broadcast" not in str(error) and "inhomogeneous" not in str(error):
                raise
            used(ROW)
            return answer

    return helper


def _is_text_beside_numbers(text, numbers):
    kind = getattr(getattr(numbers, "dtype", None), "kind", None)
    return isinstance(text, (str, bytes)) and isinstance(kind, str) and kind in "biufc"


ROW = Row(
    "numpy.compared",
    "NumPy 1.25",
    "an array that cannot be compared with the other side (array == [], array == 'a') is unequal",
    comparisons,
)

TABLE = Table("comparisons of NumPy 1", "syntax", [ROW])

HELPERS = {
    "__numpy1_equal__": comparing(operator.eq, False),
    "__numpy1_unequal__": comparing(operator.ne, True),
}
