"""``array[[rows, columns]]``: a list of sequences was the same index as a tuple of them.

NumPy 1.23 made it an index into the first axis only, which raises, or has another
shape without a word.
"""

import ast
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking
from tfgraphtools.compat.fixes.numpy import one_element

_MOST = 32  # items: longer lists were arrays


@walking
def index_lists(tree):
    """Makes ``x[[a, b]]``, with a and b that may be sequences, and ``x[i]`` call helpers here."""
    return _Subscripts(_lists_of(tree))


def _lists_of(tree):
    """Returns the names to which a list is assigned that may hold sequences."""
    return {
        target.id
        for node in trees.nodes_of(tree, ast.Assign)
        for targets in node.targets
        for target, value in _pairs(targets, node.value)
        if isinstance(target, ast.Name) and _is_such_list(value)
    }


def _pairs(target, value):
    """Returns (target, value) of an assignment, one by one where both are tuples."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return zip(target.elts, value.elts)
    return [(target, value)]


def _is_such_list(node):
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult)):
        return _is_such_list(node.left) or _is_such_list(node.right)
    if isinstance(node, ast.ListComp):
        return _may_be_many(node.elt)
    if isinstance(node, ast.List):
        return not node.elts or any(map(_may_be_many, node.elts))  # or it is filled later
    return isinstance(node, ast.Call) and getattr(node.func, "id", None) == "list"


class _Subscripts(Visitor):
    def __init__(self, lists):
        self.lists = lists

    def visit_Subscript(self, node):
        if isinstance(node.slice, ast.Name):
            if node.slice.id not in self.lists:
                return node
        elif not _is_such_list(node.slice):
            return node
        if isinstance(node.ctx, ast.Load):
            return trees.call("__numpy1_item__", node.value, node.slice, at=node)
        if isinstance(node.ctx, ast.Store):
            node.value = trees.call("__numpy1_by_lists__", node.value, at=node.value)
        return node


def _may_be_many(node):
    if isinstance(node, ast.Constant):
        return node.value is None or node.value is Ellipsis
    return not isinstance(node, (ast.UnaryOp, ast.JoinedStr))


def index(owner, items):
    """Returns what the index means to the owner: a tuple, where it is an array of NumPy 1."""
    numpy = sys.modules.get("numpy")
    if not isinstance(items, list) or numpy is None or not isinstance(owner, numpy.ndarray):
        return items
    if len(items) >= _MOST:
        return items
    if all(isinstance(item, str) for item in items) or not any(map(_is_many, items)):
        return items
    rows.used(ROW)
    return tuple(items)


def _is_many(item):
    if item is None or item is Ellipsis or isinstance(item, slice):
        return True
    return hasattr(item, "__getitem__") and getattr(item, "ndim", 1) > 0


def item(owner, items):
    """Returns ``owner[items]``."""
    return owner[index(owner, items)]


class _ByLists(one_element.Items):
    """The items of an array, which a list may index."""

    __slots__ = ()

    def __getitem__(self, items):
        return item(self.array, items)

    def __setitem__(self, items, value):
        super().__setitem__(index(self.array, items), value)


def by_lists(owner):
    """Returns what reads and stores the items of a value: itself, where it is no array."""
    return owner if one_element.items(owner) is owner else _ByLists(owner)


ROW = rows.Fix(
    "numpy.list_of_indices",
    "NumPy 1.23",
    "array[[rows, columns]] is array[rows, columns]",
    index_lists,
    cannot="write array[rows, columns] for array[[rows, columns]]",
)

TABLE = rows.Table("lists of indices", "syntax", [ROW])

HELPERS = {"__numpy1_item__": item, "__numpy1_by_lists__": by_lists}
