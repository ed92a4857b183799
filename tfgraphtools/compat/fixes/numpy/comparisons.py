"""``array == []`` and ``array == "text"``, as NumPy 1 answered: that they are not equal.

Where an array and the other side cannot be compared number by number, NumPy 1 gave
one False (and True for ``!=``); NumPy 2 raises, or gives an array of them. Where
nothing is compared (``array != []`` of one number), NumPy 1 took the empty answer
for False.
"""

import ast
import functools
import operator
import sys

from tfgraphtools.compat.engine import nodes
from tfgraphtools.compat.engine.rewrite.walk import Visitor, walking
from tfgraphtools.compat.engine.rows import Row, Table, is_off, used

_OPERATORS = {ast.Eq: "__numpy1_equal__", ast.NotEq: "__numpy1_unequal__"}


@walking
def comparisons(tree):
    """Has ``a == b`` and ``a != b`` ask here."""
    return _Comparisons()


class _Comparisons(Visitor):
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
            found = function(a, b)
            is_empty = isinstance(found, numpy.ndarray) and not found.size
            return found.view(_empty_array()) if is_empty and not is_off(EMPTY.name) else found
        except ValueError as error:
            if "broadcast" not in str(error) and "inhomogeneous" not in str(error):
                raise
            used(ROW)
            return answer

    return helper


@functools.lru_cache(maxsize=None)
def _empty_array():
    """The class of arrays without elements whose truth may be asked."""
    import numpy

    def __bool__(self):
        if self.size:
            return bool(self.view(numpy.ndarray))
        used(EMPTY)
        return False

    return type("array", (numpy.ndarray,), {"__bool__": __bool__})  # its name is in its repr


def _is_text_beside_numbers(text, numbers):
    kind = getattr(getattr(numbers, "dtype", None), "kind", None)
    return isinstance(text, (str, bytes)) and isinstance(kind, str) and kind in "biufc"


ROW = Row(
    "numpy.compared",
    "NumPy 1.25",
    "an array that cannot be compared with the other side (array == [], array == 'a') is unequal",
    comparisons,
)

EMPTY = Row(
    "numpy.empty_truth",
    "NumPy 2.2",
    "what a comparison without elements gave (array != []) is False",
)

TABLE = Table("comparisons of NumPy 1", "syntax", [ROW])
TRUTH = Table("truth of empty comparisons", "listed", [EMPTY])

HELPERS = {
    "__numpy1_equal__": comparing(operator.eq, False),
    "__numpy1_unequal__": comparing(operator.ne, True),
}
