"""``if array:`` and ``not array`` of an array without elements, which was False.

NumPy 2.2 raises ValueError. Such an array is given its former truth where user code asks for it.
"""

import ast
import builtins
import functools
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking
from tfgraphtools.compat.fixes.numpy import builtin_functions

_any, _all = builtins.any, builtins.all


@walking
def truths(tree):
    """Makes ``if x``, ``not x``, ``x and y`` and ``bool(x)`` ask here for the truth of x."""
    return _Truths("bool" not in trees.bound_names(tree))


#: Builtins and methods that give no array.
_NO_ARRAYS = frozenset(
    "all any bool callable endswith exists float get hasattr int is_alive is_set isalpha isdigit "
    "isdir isfile isidentifier isinstance islower isspace issubclass isupper len list set sorted "
    "startswith str tuple".split()
)


#: Helpers of other rewrites that give such a truth, or none of an array.
_ANSWERS = frozenset(
    "__numpy1_equal__ __numpy1_unequal__ __numpy1_less__ __numpy1_less_equal__ __numpy1_greater__ "
    "__numpy1_greater_equal__ __numpy1_in__ __numpy1_truth__ __numpy1_float__".split()
)


class _Truths(Visitor):
    def __init__(self, has_bool):
        self.has_bool = has_bool

    def _visit_test(self, node):
        node.test = _truth(node.test)
        return node

    visit_If = visit_While = visit_IfExp = visit_Assert = _visit_test

    def visit_comprehension(self, node):
        node.ifs = [_truth(test) for test in node.ifs]
        return node

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            node.operand = _truth(node.operand)
        return node

    def visit_BoolOp(self, node):
        *others, last = node.values  # which is the value, or the test of what is around it
        node.values = [*map(_truth, others), last]
        return node

    def visit_Call(self, node):
        is_bool = self.has_bool and getattr(node.func, "id", None) == "bool"
        if is_bool and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
            node.args = [trees.call("__numpy1_truth__", node.args[0], at=node)]
        return node


def _truth(node):
    """Returns a test that is no array without elements."""
    if isinstance(node, ast.BoolOp):
        node.values[-1] = _truth(node.values[-1])
        return node
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in _NO_ARRAYS or name in _ANSWERS:
            return node
    elif not isinstance(node, (ast.Name, ast.Subscript)):  # attributes are often flags
        return node
    truth = trees.call("__numpy1_truth__", node, at=node)
    if not isinstance(node, ast.Name):
        return truth
    read, again = (ast.copy_location(trees.name_load(node.id), node) for _ in range(2))
    test = ast.Compare(
        left=trees.call("__numpy1_type__", read, at=node),
        ops=[ast.In()],
        comparators=[trees.name_load("__numpy1_arrays__")],
    )
    asked = ast.IfExp(test=test, body=truth, orelse=again)
    return ast.fix_missing_locations(ast.copy_location(asked, node))


class _Arrays(dict):
    """class -> whether its objects are arrays of NumPy; asked once a class."""

    def __missing__(self, cls):
        numpy = sys.modules.get("numpy")  # a class that was there before NumPy is none of its own
        is_array = numpy is not None and issubclass(cls, numpy.ndarray)
        self[cls] = is_array and not cls.__module__.startswith("numpy.ma")
        return self[cls]


_ARRAYS = _Arrays()


#: The classes of arrays, once NumPy is there.
_CLASSES = set()


def know_classes(numpy):
    """Keeps the classes of arrays; called after the import of NumPy."""
    _CLASSES.update((numpy.ndarray, numpy.matrix, numpy.memmap, numpy.recarray))


def truth(value):
    """Returns a value whose truth may be asked: False for an array without elements."""
    return with_truth(value) if _ARRAYS[value.__class__] else value


def with_truth(array):
    """Returns the array; one without elements as one that is False."""
    if array.size or rows.is_off(EMPTY.name):
        return array
    return array.view(_empty_array())


@functools.lru_cache(maxsize=None)
def _empty_array():
    """Returns the class of arrays without elements whose truth may be asked."""
    import numpy

    def __bool__(self):
        if self.size:
            return bool(self.view(numpy.ndarray))
        rows.used(EMPTY)
        return False

    return type("array", (numpy.ndarray,), {"__bool__": __bool__})  # its name is in its repr


@builtin_functions.as_builtin(_any)
def any_(*iterables):
    """Returns ``any(iterable)``."""
    return _any(map(truth, *iterables)) if _may_hold_arrays(*iterables) else _any(*iterables)


@builtin_functions.as_builtin(_all)
def all_(*iterables):
    """Returns ``all(iterable)``."""
    return _all(map(truth, *iterables)) if _may_hold_arrays(*iterables) else _all(*iterables)


def _may_hold_arrays(*iterables):
    """Tells whether it is one list, or tuple, with an array in it."""
    if len(iterables) != 1 or iterables[0].__class__ not in (list, tuple):
        return False
    return True in {_ARRAYS[item.__class__] for item in iterables[0]}


EMPTY = rows.Fix(
    "numpy.empty_truth",
    "NumPy 2.2",
    "an array without elements, such as the result of array != [], is False",
    truths,
    cannot="use x.size, or np.array_equal(x, y)",
)

TABLE = rows.Table("truth of empty arrays", "syntax", [EMPTY])

HELPERS = {
    "__numpy1_arrays__": _CLASSES,
    "__numpy1_truth__": truth,
    "__numpy1_type__": type,
    "any": any_,
    "all": all_,
}
