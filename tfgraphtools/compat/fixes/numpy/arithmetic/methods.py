"""Methods of NumPy's arrays and scalars whose arguments NumPy 1 gave other types.

``x.clip(0, 300)``, ``np.uint8(200).__add__(100)``. A method is asked for its owner when it is
called, so that what is no NumPy object is called as it is.
"""

import ast

from tfgraphtools.compat.engine import nodes
from tfgraphtools.compat.engine.rewrite.walk import Visitor, walking
from tfgraphtools.compat.engine.rows import Row, Table, used
from tfgraphtools.compat.fixes.numpy import order
from tfgraphtools.compat.fixes.numpy.arithmetic import comparisons, promotion, results, wrapping


@walking
def methods(tree):
    """Makes calls of methods with these names go through this module."""
    return _Methods()


class _Methods(Visitor):
    def visit_Call(self, node):
        self.generic_visit(node)
        is_of_pandas = any(word.arg == "inplace" for word in node.keywords)
        is_asked = isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS
        if is_asked and not is_of_pandas:
            return nodes.through("__numpy1_method__", node)
        return node


def method(function, *arguments, **options):
    """``owner.method(...)``, as NumPy 1 did it where the owner is NumPy's."""
    owner = getattr(function, "__self__", None)
    if promotion.IS_NUMPYS[type(owner)] and function.__name__ in _METHODS:
        return _METHODS[function.__name__](owner, function, *arguments, **options)
    return function(*arguments, **options)


def _operation(name, operator):
    """``a.__add__(b)`` or ``b.__radd__(a)``."""
    is_reversed = name.startswith("__r") and name not in ("__rshift__",)

    def call(owner, function, *arguments, **options):
        if len(arguments) != 1 or not _is_number(arguments[0]):
            return function(*arguments, **options)
        sides = (arguments[0], owner) if is_reversed else (owner, arguments[0])
        return operator(*sides)

    return call


def _is_number(value):
    return type(value) in (bool, int, float, complex) or promotion.IS_NUMPYS[type(value)]


def _clip(owner, function, *bounds, **options):
    if len(bounds) < 3 and options.get("out") is None:
        owner, bounds, options = results.bounded(owner, bounds, options)
        return owner.clip(*bounds, **options)
    return function(*bounds, **options)


def _nonzero(owner, function):
    if owner.ndim:
        return function()
    used(ROW)
    return owner.reshape(1).nonzero()


def _operations():
    """name of a method -> what is called for it."""
    found = {}
    for kind, (plain, in_place) in promotion.OPERATORS.items():
        word = plain.__name__.strip("_")
        found[f"__{word}__"] = promotion.binary(plain, kind)
        found[f"__r{word}__"] = promotion.binary(plain, kind)
        found[f"__i{word}__"] = promotion.binary(in_place, kind, in_place=True)
    for short, name in dict(eq="equal", ne="unequal", lt="less", gt="greater").items():
        found[f"__{short}__"] = comparisons.HELPERS[f"__numpy1_{name}__"]
    for short, name in dict(le="less_equal", ge="greater_equal").items():
        found[f"__{short}__"] = comparisons.HELPERS[f"__numpy1_{name}__"]
    found["__divmod__"] = found["__rdivmod__"] = promotion.binary(divmod, "FloorDiv")
    return {name: _operation(name, operator) for name, operator in found.items()}


_METHODS = dict(_operations(), clip=_clip, nonzero=_nonzero, **wrapping.METHODS, **order.METHODS)

ROW = Row(
    "numpy.methods",
    "NumPy 2.0",
    "numbers passed to methods of arrays have the types of NumPy 1: x.clip(0, 300), x.fill(257)",
    methods,
)

TABLE = Table("methods of NumPy 1's arrays", "syntax", [ROW])

HELPERS = {"__numpy1_method__": method}
