"""Methods of NumPy's arrays and scalars whose arguments NumPy 1 gave other types.

``x.clip(0, 300)``, ``x.fill(257)``. A method is asked for its owner when it is
called, so that what is no NumPy object is called as it is.
"""

import ast

from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking
from tfgraphtools.compat.fixes.numpy import index_lists, order
from tfgraphtools.compat.fixes.numpy.arithmetic import (
    comparisons,
    promotion,
    results,
    wrapping,
)


@walking
def methods(tree):
    """Makes calls of methods with these names go through this module."""
    return None if trees.read_attributes(tree).isdisjoint(_METHODS) else _Methods()


class _Methods(Visitor):
    def visit_Call(self, node):
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _METHODS:
            return node
        if any(word.arg == "inplace" for word in node.keywords):  # pandas
            return node
        return trees.wrap_call("__numpy1_method__", node)


def method(*arguments, **options):
    """Calls the first argument, ``owner.method``, as NumPy 1 did where the owner is NumPy's."""
    function, *arguments = arguments
    owner = getattr(function, "__self__", None)
    if promotion.IS_NUMPYS[type(owner)] and function.__name__ in _METHODS:
        return _METHODS[function.__name__](owner, function, *arguments, **options)
    return function(*arguments, **options)


def _of_operator(helper):
    def special(owner, function, other):
        is_scalar = type(owner).__module__ == "numpy" and not hasattr(owner, "__setitem__")
        return helper(owner, other) if is_scalar else function(other)

    return special


#: Special methods of scalars, called by name.
_SPECIAL = {
    **{
        f"__{name}__": _of_operator(comparisons.HELPERS[helper])
        for name, helper in comparisons.HELPER_OF.items()
    },
    **{
        f"__{plain.__name__.strip('_')}__": _of_operator(promotion.binary(plain, kind))
        for kind, (plain, _) in promotion.OPERATORS.items()
    },
}


def _clip(owner, function, *bounds, **options):
    if len(bounds) < 3 and options.get("out") is None:
        owner, bounds, options = results.bounded(owner, bounds, options)
        return owner.clip(*bounds, **options)
    return function(*bounds, **options)


def _item(owner, function, items):
    return function(index_lists.index(owner, items))


_METHODS = dict(clip=_clip, __getitem__=_item, **wrapping.METHODS, **order.METHODS, **_SPECIAL)

ROW = Fix(
    "numpy.methods",
    "NumPy 2.0",
    "numbers passed to methods of arrays have the types of NumPy 1: x.clip(0, 300), x.fill(257)",
    methods,
)

TABLE = Table("methods of NumPy 1's arrays", "syntax", [ROW])

HELPERS = {"__numpy1_method__": method}
