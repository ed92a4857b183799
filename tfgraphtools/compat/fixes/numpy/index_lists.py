"""``array[[rows, columns]]``: a list of sequences was the same index as a tuple of them.

NumPy 1.23 made it an index into the first axis only, which raises, or has another
shape without a word.
"""

import ast
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, located, walking
from tfgraphtools.compat.fixes.numpy import one_element
from tfgraphtools.compat.fixes.numpy.arithmetic import class_checks, python_numbers

_MOST = 32  # items: longer lists were arrays


@walking
def index_lists(tree):
    """Makes ``x[[a, b]]`` and ``x[i]``, with an i that may be a list, ask here."""
    return _Subscripts(python_numbers.in_tree(tree), _annotations_of(tree))


def _annotations_of(tree):
    """Returns the subscripts of annotations, which are types."""
    roots = [node.annotation for node in trees.nodes_of(tree, ast.AnnAssign)]
    for node in trees.nodes_of(tree, ast.FunctionDef, ast.AsyncFunctionDef):
        arguments = [part for part in trees.children(node.args) if isinstance(part, ast.arg)]
        roots += [node.returns, *(argument.annotation for argument in arguments)]
    return {
        node
        for root in roots
        if root is not None
        for node in ast.walk(root)
        if isinstance(node, ast.Subscript)
    }


def _is_such_list(node):
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mult)):
        return _is_such_list(node.left) or _is_such_list(node.right)
    if isinstance(node, ast.ListComp):
        return _may_be_many(node.elt)
    if isinstance(node, ast.List):
        return not node.elts or any(map(_may_be_many, node.elts))  # or it is filled later
    return isinstance(node, ast.Call) and getattr(node.func, "id", None) == "list"


#: Builtins that give no list of sequences.
_NO_LISTS = frozenset("abs bool float hash id int len ord range round slice str tuple".split())


class _Subscripts(Visitor):
    def __init__(self, of_python, annotations):
        self.of_python = of_python  # nodes without a number of NumPy
        self.annotations = annotations

    def visit_Subscript(self, node):
        if isinstance(node.ctx, ast.Del) or not self._may_be_list(node):
            return node
        is_name = isinstance(node.slice, ast.Name)
        if is_name and isinstance(node.value, ast.Name):
            node.slice = _asked(node)
        elif is_name and trees.is_path(node.value):
            node.value = _if_no_list(node, node.value, _by_lists_of(trees.as_read(node.value)))
        elif isinstance(node.ctx, ast.Load):
            return trees.call("__numpy1_item__", node.value, node.slice, at=node)
        else:
            node.value = _by_lists_of(node.value)
        return node

    def _may_be_list(self, node):
        index = class_checks.general(node.slice)
        if node in self.annotations:
            return False
        if isinstance(index, ast.Name):
            return node not in self.of_python and index.id not in _TYPES
        if isinstance(index, ast.Call):
            return not _gives_no_list(index)
        return isinstance(index, (ast.Attribute, ast.Subscript, ast.IfExp)) or _is_such_list(index)


#: Helpers of other rewrites that give no list, but for Python's own lists.
_NO_LIST_HELPERS = frozenset(
    f"__numpy1_{name}__"
    for name in (
        "Sub Div FloorDiv Mod Pow LShift RShift BitAnd BitOr BitXor bool any all float int complex "
        "float_of int_of complex_of sized sized_of format format_in_mode in index_of count_of "
        "equal unequal less less_equal greater greater_equal number number_of"
    ).split()
)


def _gives_no_list(call):
    """Tells whether a call certainly gives no list: ``i - 1``, ``i + 1``, ``int(i)``."""
    name = getattr(call.func, "id", None)
    if name == "__numpy1_Add__":  # a list and a number cannot be added
        return any(isinstance(each, ast.Constant) for each in call.args)
    return name in _NO_LISTS or name in _NO_LIST_HELPERS


_TYPES = ("int", "float", "str", "bool", "bytes", "object")


def _asked(node):
    """Returns ``i if type(i) is not list else __numpy1_index__(x, i)`` for ``x[i]``."""
    owner = trees.as_read(node.value)
    index = trees.call("__numpy1_index__", owner, _read(node.slice), at=node.slice)
    asked = _if_no_list(node, node.slice, index)
    asked.asked_name = node.slice  # it is as steady as that name: see `in_place`
    return asked


def _if_no_list(node, usual, of_list):
    """Returns ``usual if type(i) is not list else of_list`` for ``x[i]``."""
    kind = trees.call("__numpy1_type__", _read(node.slice), at=node)
    is_no_list = ast.Compare(
        left=kind, ops=[ast.IsNot()], comparators=[trees.name_load("__numpy1_list__")]
    )
    asked = ast.IfExp(test=is_no_list, body=usual, orelse=of_list)
    return located(asked, usual)


def _by_lists_of(owner):
    return trees.call("__numpy1_by_lists__", owner, at=owner)


def _read(name):
    return trees.name_at(name.id, name)


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
    if items.__class__ is not list:
        return owner[items]
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

HELPERS = {
    "__numpy1_by_lists__": by_lists,
    "__numpy1_index__": index,
    "__numpy1_item__": item,
    "__numpy1_list__": list,
    "__numpy1_type__": type,
}
