"""``bool(array)``, ``any`` and ``all`` of arrays without elements, whose truth was False.

NumPy 2.2 raises ValueError. Such an array is given its former truth where user code asks for it
by these names, and where it is what a comparison gave: ``if array != []``. Elsewhere, as in
``if array:``, the error stands: it is loud, and to ask each time would slow down every ``if``.
"""

import ast
import builtins
import functools
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.loading import standing_functions
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking

_any, _all = builtins.any, builtins.all


@walking
def truths(tree):
    """Makes ``bool(x)``, ``any(x)`` and ``all(x)`` ask here for the truth of x."""
    names = ("bool", "any", "all")
    if trees.read_names(tree).isdisjoint(names):
        return None
    return _Truths(trees.BuiltinNames(tree, names))


class _Truths(Visitor):
    def __init__(self, asking):
        self.asking = asking

    def visit_Call(self, node):
        if node.func in self.asking and trees.has_one_argument(node):
            helper = trees.name_load(f"__numpy1_{node.func.id}__")
            node.func = ast.copy_location(helper, node.func)
        return node


class _Arrays(dict):
    """class -> whether its objects are arrays of NumPy; asked once a class."""

    def __missing__(self, cls):
        numpy = sys.modules.get("numpy")  # a class that was there before NumPy is none of its own
        is_array = numpy is not None and issubclass(cls, numpy.ndarray)
        self[cls] = is_array and not cls.__module__.startswith("numpy.ma")
        return self[cls]


_ARRAYS = _Arrays()


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


def bool_(value):
    """Returns ``bool(value)``."""
    try:
        return bool(value)
    except ValueError:
        asked = truth(value)
        if asked is value:
            raise
    return bool(asked)


def _asking(plain):
    """Returns ``any`` or ``all``, asked again where NumPy refuses the truth of an array."""

    def ask(*iterables):
        try:
            return plain(*iterables)
        except ValueError:
            if not _may_hold_arrays(*iterables):
                raise
        return plain(map(truth, *iterables))

    return ask


def _may_hold_arrays(*iterables):
    """Tells whether it is one list, or tuple, with an array in it."""
    if len(iterables) != 1 or iterables[0].__class__ not in (list, tuple):
        return False
    return True in {_ARRAYS[item.__class__] for item in iterables[0]}


_ASKING = {"any": _asking(_any), "all": _asking(_all)}

EMPTY = rows.Fix(
    "numpy.empty_truth",
    "NumPy 2.2",
    "an array without elements, such as the result of array != [], is False",
    truths,
    cannot="use x.size, or np.array_equal(x, y)",
)

TABLE = rows.Table("truth of empty arrays", "syntax", [EMPTY])

HELPERS = {
    "__numpy1_bool__": bool_,
    "__numpy1_any__": _ASKING["any"],
    "__numpy1_all__": _ASKING["all"],
    "any": standing_functions.as_builtin(_any)(_ASKING["any"]),
    "all": standing_functions.as_builtin(_all)(_ASKING["all"]),
}
