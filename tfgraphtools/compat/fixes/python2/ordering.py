"""``<``, ``max`` and ``sort`` of values of different types, which Python 2 put in an order.

None came first, then numbers, then dicts, lists, texts and tuples by the names of their types. The
comparison of today is tried first; only its TypeError brings us here, and stays for other values.
"""

import ast
import functools
import numbers
import operator

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.engine.translate import removed_attributes, trees
from tfgraphtools.compat.fixes.numpy.arithmetic import comparisons, containers
from tfgraphtools.compat.fixes.python2 import mixed
from tfgraphtools.compat.fixes.python2.library import unicode_mixing
from tfgraphtools.compat.fixes.python2.library.byte_texts import is_unicode
from tfgraphtools.compat.fixes.python2.table import ORDER

#: The types whose names decide, behind None and numbers.
_BY_NAME = (dict, list, str, tuple)

_HELPERS = {
    ast.Lt: "__python2_less__",
    ast.LtE: "__python2_less_equal__",
    ast.Gt: "__python2_greater__",
    ast.GtE: "__python2_greater_equal__",
}


def compare(a, b):
    """Returns -1, 0 or 1, as Python 2's ``cmp(a, b)``.

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
    if type(a) is type(b) and type(a) in (list, tuple):
        for item, other in zip(a, b):
            if item is not other and item != other:
                return compare(item, other)
        return (len(a) > len(b)) - (len(a) < len(b))
    place, other = _place(a), _place(b)
    if {type(a), type(b)} == {str, tuple} and unicode_mixing.made_unicode:
        notices.once("python2.unicode_order", _NOTICE)
    if place == other or None in (place, other):
        raise error
    return 1 if place > other else -1


_NOTICE = (
    "Python 2 puts unicode strings behind tuples, and str before them; run does not know which "
    "strings of ASCII were unicode, and takes them for str"
)


def _place(value):
    """Returns where a value stands among those of other types; None if that is not known."""
    if value is None:
        return (0, "")
    if isinstance(value, numbers.Real):
        return (1, "")
    if isinstance(value, (str, bytes)):
        return (2, "unicode" if is_unicode(value) else "str")
    kind = getattr(type(value), "stands_for", type(value))
    return (2, kind.__name__) if kind in _BY_NAME else None


# comparisons ----------------------------------------------------------------


def _comparing(kind, decide):
    """Returns the helper of an operator; NumPy 1 compares as it did."""
    compare_as_numpy1 = comparisons.HELPERS[_HELPERS[kind].replace("python2", "numpy1")]

    def helper(a, b):
        if type(a) in _QUICK and type(b) in _QUICK:
            return decide(a, b)
        try:
            return compare_as_numpy1(a, b)
        except TypeError as error:
            answer = _order(a, b, error)
            rows.used(ORDER)
            return decide(answer, 0)

    return helper


_QUICK = {int, float}

#: Types of expressions that may be evaluated twice; the last three are Python 3.7's.
_STEADY = ("Name", "Constant", "Num", "Str", "NameConstant")


def rewritten(node):
    """Returns an `ast.Compare` as calls of the helpers; itself where it orders nothing."""
    if not any(type(op) in _HELPERS for op in node.ops):
        return node
    if not all(type(side).__name__ in _STEADY for side in node.comparators[:-1]):
        return node  # it would be evaluated twice
    sides = [node.left, *node.comparators]
    calls = []
    for place, (op, left, right) in enumerate(zip(node.ops, sides, sides[1:])):
        left = trees.as_read(left) if place and isinstance(left, ast.Name) else left
        helper = _HELPERS.get(type(op))
        if helper is not None:
            calls.append(trees.call(helper, left, right, at=node))
        else:
            calls.append(ast.copy_location(ast.Compare(left, [op], [right]), node))
    if len(calls) == 1:
        return calls[0]
    return ast.copy_location(ast.BoolOp(op=ast.And(), values=calls), node)


# functions ------------------------------------------------------------------


def _extreme(function, sign):
    """Returns the helper of `max` or `min`."""

    def extreme(*items, **options):
        if len(items) == 1 and hasattr(items[0], "__next__"):
            items = ([*items[0]],)
        try:
            return function(*items, **options)
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

    extreme.__name__ = function.__name__
    return extreme


def sorted_(iterable, cmp=None, key=None, reverse=False):
    """Returns the sorted list of values of different types, or by a function that compares."""
    items = list(iterable)
    sort(items, cmp, key, reverse)
    return items


def sort(sequence, *arguments, **options):
    """Does ``sequence.sort(...)``, in Python 2's order where it is a list."""
    if not isinstance(sequence, list):
        return removed_attributes.read(sequence, "sort")(*arguments, **options)
    return _sort_list(sequence, *arguments, **options)


def _sort_list(items, cmp=None, key=None, reverse=False):
    before = items[:]
    try:
        wide = containers.key_of(items, key) if cmp is None else key  # NumPy 1's float32
        return items.sort(key=_sort_key(cmp, wide), reverse=reverse)
    except TypeError:
        if cmp is not None:
            raise
        items[:] = before
    return items.sort(key=_sort_key(compare, key), reverse=reverse)


def _sort_key(cmp, key):
    """Returns the key by which Python 3 sorts as ``cmp`` and ``key`` did."""
    if cmp is None:
        return key
    if cmp is not compare:
        rows.used(mixed.SORT)
        cmp = _giving_ints(cmp)
    compared = functools.cmp_to_key(cmp)
    return compared if key is None else lambda item: compared(key(item))


def _giving_ints(cmp):
    def compared(a, b):
        answer = cmp(a, b)
        if not isinstance(answer, numbers.Integral):
            raise TypeError(f"comparison function must return int, not {type(answer).__name__}")
        return answer

    return compared


HELPERS = {
    "__python2_less__": _comparing(ast.Lt, operator.lt),
    "__python2_less_equal__": _comparing(ast.LtE, operator.le),
    "__python2_greater__": _comparing(ast.Gt, operator.gt),
    "__python2_greater_equal__": _comparing(ast.GtE, operator.ge),
    "__python2_max__": _extreme(containers.HELPERS["max"], 1),
    "__python2_min__": _extreme(containers.HELPERS["min"], -1),
    "__python2_ordered__": sorted_,
    "__python2_order__": sort,
}
