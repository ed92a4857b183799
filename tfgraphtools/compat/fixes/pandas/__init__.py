"""pandas 1.3: what its objects hold, take and give; changed when pandas is loaded.

kinds      texts as objects, times in nanoseconds, dummies as numbers, writable values
values     other values and types: np.mean(df), str.replace, dates of several forms
calls      arguments by position, columns without numbers, frequencies, attributes that are gone
dropped    arguments that are gone; wrapping: how methods are replaced
chained    assignment through a column: ``df['a'][mask] = v``
groups     what ``groupby(...).apply`` gives and returns
empties    the dtype of series without elements
order      the order of equal values in sorted frames and series

Each row says since which pandas it is needed; an older one is left as it is.
"""

from tfgraphtools.compat.engine import after_import
from tfgraphtools.compat.fixes.pandas import (
    calls,
    chained,
    dropped,
    empties,
    groups,
    kinds,
    order,
    values,
)

TABLES = (
    kinds.TABLE,
    values.TABLE,
    calls.TABLE,
    calls.GONE,
    dropped.TABLE,
    chained.TABLE,
    groups.TABLE,
    empties.TABLE,
    order.TABLE,
)

HELPERS = chained.HELPERS


def install(options):
    """Makes pandas behave as pandas 1.3, once it is loaded."""
    after_import.call("pandas", _as_in_pandas_1)


def _as_in_pandas_1(pandas):
    for part in (order, kinds, values, dropped, calls, groups, empties):
        part.restore(pandas)
