"""``sum`` of floats: Python 3.12 corrects its rounding, and gives other last digits.

``sum([0.1] * 10)`` is 0.9999999999999999 up to Python 3.11, and 1.0 since.
"""

import builtins
import functools
import operator

from tfgraphtools.compat.engine import rows

ROW = rows.Fix(
    "python.sum_of_floats",
    "Python 3.12",
    "sum() of floats adds them one by one, without correcting rounding errors",
    cannot="Python 3.12 corrects the rounding: a loop adds as before",
)

TABLE = rows.Table("sums of floats", "listed", [ROW])

_builtin_sum = builtins.sum


def sum_(items, first, kinds):
    """Returns ``sum(items, first)`` as up to Python 3.11.

    Args:
      items: a list or tuple.
      first: what the sum begins with.
      kinds: the set of the types of the items.
    """
    if float not in kinds or type(first) not in (int, float, bool) or not rows.is_on(ROW):
        return _builtin_sum(items, first)
    total = functools.reduce(operator.add, items, first)
    if total != _builtin_sum(items, first):
        rows.used(ROW)
    return total
