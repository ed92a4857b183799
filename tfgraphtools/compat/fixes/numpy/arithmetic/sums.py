"""``sum`` and ``round`` of NumPy scalars, as NumPy 1 did.

It begins with Python's 0, and NumPy 1 gave ``0 + np.float32(x)`` as a float64, so that
the mean of a list of losses was exact; NumPy 2 keeps adding up float32 (a million
times 0.1 is 100958.34), and np.uint8(200) + np.uint8(200) is 144. And ``round`` of a
scalar was one of its type.
"""

import builtins
import functools
import operator

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.loading import standing_functions
from tfgraphtools.compat.fixes.numpy.arithmetic import promotion
from tfgraphtools.compat.fixes.python import float_sums as floats

_ROW = rows.Fix(
    "numpy.sum_of_scalars",
    "NumPy 2.0",
    "sum([np.float32(x), ...]) starts with an integer, so it is a float64; round(np.float32(2.5)) "
    "is a float32",
    cannot="it depends on the values: NumPy 2 uses only the types of the operands. Convert where "
    "it matters: np.float64(x)",
)

_builtin_sum, _builtin_round = builtins.sum, builtins.round
_add = promotion.binary(operator.add, "Add")


#: Classes whose objects have one sum, however they are added.
_WHOLE = frozenset((int, bool))


def _ends_whole(items):
    return bool(items) and items[0].__class__ is int and items[-1].__class__ is int


def _has_one_sum(kinds):
    """Tells whether objects of these classes are added alike by any Python and NumPy."""
    return float not in kinds and not any(promotion.IS_NUMPYS[kind] for kind in kinds)


def sum_(iterable, *start, **named):
    """Returns ``sum(iterable, start=0)``, with the types of NumPy 1."""
    if iterable.__class__ is list and not (start or named):
        if _ends_whole(iterable):
            total = _builtin_sum(iterable)  # of one of NumPy's it is NumPy's
            if total.__class__ is int or _has_one_sum(set(map(type, iterable))):
                return total
        elif _WHOLE.issuperset(map(type, iterable)):
            return _builtin_sum(iterable)
    if isinstance(iterable, range) or len(start) > 1 or named.keys() - {"start"}:
        return _builtin_sum(iterable, *start, **named)
    items = iterable if isinstance(iterable, (list, tuple)) else list(iterable)
    first, kinds = start[0] if start else named.get("start", 0), set(map(type, items))
    if rows.is_off(_ROW.name) or not any(promotion.IS_NUMPYS[kind] for kind in kinds):
        return floats.sum_(items, first, kinds)
    if hasattr(first, "__setitem__") and not promotion.IS_NUMPYS[type(first)]:  # a list
        return _builtin_sum(items, first)
    rows.used(_ROW)
    return functools.reduce(_add, items, first)


def round_(number, ndigits=None):
    """Returns ``round(number)``: of a NumPy scalar one of its type, and no int."""
    rounded = _builtin_round(number, ndigits)
    kind = getattr(getattr(number, "dtype", None), "kind", None)
    is_changed = ndigits is None and type(rounded) is int and kind in ("f", "i", "u")
    if is_changed and not rows.is_off(_ROW.name):
        rows.used(_ROW)
        return type(number)(rounded)
    return rounded


TABLE = rows.Table("sums of NumPy scalars", "listed", [_ROW])

_power, _plain_pow = promotion.binary(operator.pow, "Pow"), builtins.pow


def pow_(base, exp, *mod, **named):
    """Returns ``pow(base, exp, mod=None)``, with the types of NumPy 1."""
    return _plain_pow(base, exp, *mod, **named) if mod or named else _power(base, exp)


HELPERS = {
    "sum": standing_functions.as_builtin(_builtin_sum)(sum_),
    "round": standing_functions.as_builtin(_builtin_round)(round_),
    "pow": standing_functions.as_builtin(_plain_pow)(pow_),
    "divmod": standing_functions.as_builtin(builtins.divmod)(
        promotion.binary(builtins.divmod, "FloorDiv")
    ),
}
