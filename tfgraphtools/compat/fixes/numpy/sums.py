"""``sum`` of NumPy scalars, which adds them up as NumPy 1 did.

It begins with Python's 0, and NumPy 1 gave ``0 + np.float32(x)`` as a float64, so that
the mean of a list of losses was exact; NumPy 2 keeps adding up float32 (a million
times 0.1 is 100958.34), and np.uint8(200) + np.uint8(200) is 144.
"""

import builtins
import functools
import operator

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.numpy import promotion

_ROW = rows.Row(
    "numpy.sum_of_scalars",
    "NumPy 2.0",
    "sum([np.float32(x), ...]) begins with a whole number, so it is a float64",
)

_plain = builtins.sum
_add = promotion.binary(operator.add, "Add")


def sum_(iterable, *start, **named):
    """``sum(iterable, start=0)``, with the types of NumPy 1."""
    if rows.is_off(_ROW.name) or isinstance(iterable, range):
        return _plain(iterable, *start, **named)
    items = iterable if isinstance(iterable, (list, tuple)) else list(iterable)
    if not any(promotion.IS_NUMPYS[kind] for kind in set(map(type, items))):
        return _plain(items, *start, **named)
    first = start[0] if start else named.get("start", 0)
    if hasattr(first, "__setitem__"):  # a list or an array to begin with
        return _plain(items, first)
    rows.used(_ROW)
    return functools.reduce(_add, items, first)


TABLE = rows.Table("sums of NumPy scalars", "listed", [_ROW])

HELPERS = {"sum": sum_}
