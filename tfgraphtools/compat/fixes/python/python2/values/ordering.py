"""``<``, ``max`` and ``sort`` of values of different types, which Python 2 put in an order.

None came first, then numbers, then the others by the names of their types; two values of one
type that defines no order were compared by their addresses. The comparison of today is tried
first; only its TypeError brings us here. Where Python 2's answer cannot be known (two classes
of users, a string or a Unicode string), that TypeError stays.
"""

import ast
import builtins
import functools
import numbers
import operator

from tfgraphtools.compat.engine import attributes, nodes, rows
from tfgraphtools.compat.fixes.numpy.arithmetic import comparisons
from tfgraphtools.compat.fixes.python.python2.table import ORDER

#: What Python 2's order of types called the types whose names decide; numbers have none.
_NAMES = {bool: "", int: "", float: "", dict: "dict", list: "list", str: "str", tuple: "tuple"}

#: What Python 2 refused to order, too.
_REFUSED = {"complex", "complex64", "complex128", "date", "datetime", "time", "timedelta"}
_REFUSED |= {"set", "frozenset"}

_HELPERS = {
    ast.Lt: "__python2_less__",
    ast.LtE: "__python2_less_equal__",
    ast.Gt: "__python2_greater__",
    ast.GtE: "__python2_greater_equal__",
}


def compare(a, b):
    """-1, 0 or 1, as Python 2's ``cmp(a, b)``.

    Raises:
      TypeError: Python 2 raised it too, or its answer cannot be known.
    """
    try:
        return (a > b) - (a < b)
    except TypeError as error:
        rows.used(ORDER)
        return _order(a, b, error)


def _order(a, b, error):
    if a is b:
        return 0
    kinds = type(a), type(b)
    if any(kind.__name__ in _REFUSED for kind in kinds):
        raise error
    if a is None or b is None:
        _require_undefined(a, b, error)
        return (a is not None) - (b is not None)
    if kinds[0] is kinds[1] and kinds[0] in (list, tuple):
        for one, other in zip(a, b):
            if one is not other and one != other:
                return compare(one, other)
        return (len(a) > len(b)) - (len(a) < len(b))
    if kinds == (dict, dict):
        return _order_of_dicts(a, b)
    if kinds[0] is kinds[1]:
        _require_undefined(a, b, error)
        return (id(a) > id(b)) - (id(a) < id(b))
    if not all(kind in _NAMES for kind in kinds):
        raise error
    first, second = (_NAMES[kind] for kind in kinds)
    return (first > second) - (first < second)


def _require_undefined(a, b, error):
    """Raises `error` where a class compares, and itself says that it cannot."""
    if all(value is None or isinstance(value, numbers.Number) for value in (a, b)):
        return
    for method, one, other in (("__lt__", a, b), ("__gt__", b, a)):
        defined = getattr(type(one), method, None)
        if defined is not None and _answer(defined, one, other, error) is not NotImplemented:
            raise error


def _answer(method, one, other, error):
    try:
        return method(one, other)
    except TypeError:
        raise error from None


def _order_of_dicts(a, b):
    """By their lengths, then by the least key at which they differ, then by its values."""
    if len(a) != len(b):
        return 1 if len(a) > len(b) else -1
    least = functools.cmp_to_key(compare)
    differing = [[k for k in d if k not in e or d[k] != e[k]] for d, e in ((a, b), (b, a))]
    if not differing[0]:
        return 0
    first, second = (builtins.min(keys, key=least) for keys in differing)
    return compare(first, second) or compare(a[first], b[second])


# comparisons ----------------------------------------------------------------


def _comparing(kind, decide):
    """The helper for one operator; NumPy 1 compares as it did."""
    plain = comparisons.HELPERS[_HELPERS[kind].replace("python2", "numpy1")]

    def helper(a, b):
        if type(a) in _QUICK and type(b) in _QUICK:
            return decide(a, b)
        try:
            return plain(a, b)
        except TypeError as error:
            answer = _order(a, b, error)
            rows.used(ORDER)
            return decide(answer, 0)

    return helper


_QUICK = {int, float}

#: Types of expressions that may be evaluated twice; the last three are Python 3.7's.
_STEADY = ("Name", "Constant", "Num", "Str", "NameConstant")


def rewritten(node):
    """An `ast.Compare` as calls of the helpers; itself where it orders nothing."""
    if not any(type(op) in _HELPERS for op in node.ops):
        return node
    if not all(type(side).__name__ in _STEADY for side in node.comparators[:-1]):
        return node  # it would be evaluated twice
    sides = [node.left, *node.comparators]
    made = []
    for place, (op, left, right) in enumerate(zip(node.ops, sides, sides[1:])):
        left = nodes.read(left) if place and isinstance(left, ast.Name) else left
        helper = _HELPERS.get(type(op))
        if helper is not None:
            made.append(nodes.call(helper, left, right, at=node))
        else:
            made.append(ast.copy_location(ast.Compare(left, [op], [right]), node))
    if len(made) == 1:
        return made[0]
    return ast.copy_location(ast.BoolOp(op=ast.And(), values=made), node)


# functions ------------------------------------------------------------------


def _extreme(plain, sign):
    """`max` or `min`."""

    def extreme(*items, **options):
        if len(items) == 1 and hasattr(items[0], "__next__"):
            items = ([*items[0]],)
        try:
            return plain(*items, **options)
        except TypeError:
            candidates = list(items[0] if len(items) == 1 else items)
            key = options.get("key")
            best = candidates[0]
            kept = best if key is None else key(best)
            for item in candidates[1:]:
                value = item if key is None else key(item)
                if compare(value, kept) * sign > 0:
                    best, kept = item, value
            return best

    extreme.__name__ = plain.__name__
    return extreme


def sorted_(iterable, cmp=None, key=None, reverse=False):
    """`sorted` of values of different types, or with ``cmp``."""
    items = list(iterable)
    sort(items, cmp, key, reverse)
    return items


def sort(sequence, *arguments, **options):
    """``sequence.sort(...)``, in Python 2's order where it is a list."""
    if not isinstance(sequence, list):
        return attributes.read(sequence, "sort")(*arguments, **options)
    return _sort_list(sequence, *arguments, **options)


def _sort_list(items, cmp=None, key=None, reverse=False):
    from tfgraphtools.compat.fixes.python.python2.listing import sort_key

    before = items[:]
    try:
        return items.sort(key=sort_key(cmp, key), reverse=reverse)
    except TypeError:
        if cmp is not None:
            raise
        items[:] = before
    return items.sort(key=sort_key(compare, key), reverse=reverse)


HELPERS = {
    "__python2_less__": _comparing(ast.Lt, operator.lt),
    "__python2_less_equal__": _comparing(ast.LtE, operator.le),
    "__python2_greater__": _comparing(ast.Gt, operator.gt),
    "__python2_greater_equal__": _comparing(ast.GtE, operator.ge),
    "__python2_max__": _extreme(builtins.max, 1),
    "__python2_min__": _extreme(builtins.min, -1),
    "__python2_ordered__": sorted_,
    "__python2_order__": sort,
}
