"""pandas 1.3: what its objects hold, take and give; changed when pandas is loaded.

kinds      texts as objects, times in nanoseconds, dummies as numbers, writable values
values     other values and types: np.mean(df), str.replace, dates of several forms
calls      arguments by position; numeric: columns without numbers; gone: what objects had
dropped    arguments that are gone; wrapping: how methods are replaced
chained    assignment through a column: ``df['a'][mask] = v``
groups     what ``groupby(...).apply`` gives and returns
grouping   what else groups are made of and give
aggregates functions of NumPy by which is aggregated
joins      the order of rows of merged frames, and columns of concatenated ones
windows    moving windows
times      times and dates: fields, frequencies, ranges, units
shapes     smaller things, and methods that left
empties    the dtype of series without elements
order      the order of equal values in sorted frames and series

Each row says since which pandas it is needed; an older one is left as it is.
"""

from tfgraphtools.compat.engine import after_import, skipped
from tfgraphtools.compat.fixes.pandas import (
    aggregates,
    calls,
    chained,
    dropped,
    empties,
    gone,
    grouping,
    groups,
    joins,
    kinds,
    numeric,
    order,
    shapes,
    values,
    windows,
)
from tfgraphtools.compat.fixes.pandas.times import fields, frequencies, ranges, units

TABLES = (
    kinds.TABLE,
    values.TABLE,
    calls.TABLE,
    gone.GONE,
    numeric.TABLE,
    dropped.TABLE,
    chained.TABLE,
    groups.TABLE,
    empties.TABLE,
    order.TABLE,
    grouping.TABLE,
    aggregates.TABLE,
    joins.TABLE,
    windows.TABLE,
    fields.TABLE,
    frequencies.TABLE,
    ranges.TABLE,
    shapes.TABLE,
    units.TABLE,
)

HELPERS = chained.HELPERS

#: In the order in which they wrap one another.
_PARTS = (
    *(order, kinds, values, dropped, joins, shapes, frequencies, fields, windows, numeric),
    *(ranges, calls, groups, grouping, aggregates, empties, units),
)


def install(options):
    """Makes pandas behave as pandas 1.3, once it is loaded."""
    after_import.call("pandas", _as_in_pandas_1, "pandas")


def _as_in_pandas_1(pandas):
    for part in _PARTS:
        skipped.apply("pandas." + part.__name__.rpartition(".")[2], part.restore, pandas)
    skipped.apply("pandas.chained", chained.watch, pandas)
