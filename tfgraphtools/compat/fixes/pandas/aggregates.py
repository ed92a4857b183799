"""NumPy's functions as aggregations: ``groupby('k').agg(np.std)`` meant pandas's own ``std``.

pandas calls the function itself since 3.0: ``np.std`` and ``np.var`` divide by n, and ``np.median``
and ``sum`` of a column with a missing value are NaN.
"""

import contextlib
import functools

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.numpy.arithmetic import sums
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_FUNCTIONS = Row(
    "pandas.aggregates",
    "pandas 3.0",
    "df.agg(np.std), groupby(...).agg([np.mean, np.var, sum]) aggregate as pandas does: "
    "by n - 1, and without missing values",
)

TABLE = Table("functions by which pandas aggregates", "listed", [_FUNCTIONS])

_NAMES = "all any sum mean prod std var median max min cumprod cumsum".split()


def restore(pandas):
    """Changes pandas."""
    if not rows.is_on(_FUNCTIONS):
        return
    core = pandas.core
    owners = (pandas.DataFrame, pandas.Series, core.groupby.DataFrameGroupBy)
    windows = (core.window.Rolling, core.window.Expanding, core.window.ExponentialMovingWindow)
    wrap(pandas.DataFrame, "agg", _by_columns)
    wrap(pandas.DataFrame, "aggregate", _by_columns)
    for name in ("agg", "aggregate"):
        wrap(core.groupby.DataFrameGroupBy, name, _by_columns_of_groups)
    for owner in (*owners, core.groupby.SeriesGroupBy, core.resample.Resampler, *windows):
        for name in ("agg", "aggregate"):
            wrap(owner, name, functools.partial(_by_pandas, place=1))
    for owner in (pandas.DataFrame, core.groupby.DataFrameGroupBy, core.groupby.SeriesGroupBy):
        wrap(owner, "transform", functools.partial(_by_pandas, place=1))
    wrap(pandas.DataFrame, "pivot_table", functools.partial(_by_pandas, place=4, name="aggfunc"))
    for name, place in (("pivot_table", 4), ("crosstab", 5)):
        wrap(pandas, name, functools.partial(_by_pandas, place=place, name="aggfunc"))


def _by_pandas(plain, place, name="func"):
    def method(*arguments, **options):
        if name in options:
            options[name] = _translated(options[name])
        elif len(arguments) > place and (name != "func" or len(arguments) == place + 1):
            function = _translated(arguments[place])
            arguments = (*arguments[:place], function, *arguments[place + 1 :])
        return plain(*arguments, **options)

    return method


def _by_columns(plain):
    """Of several functions, each column has those that can aggregate it."""

    def agg(self, func=None, *arguments, **options):
        try:
            return plain(self, func, *arguments, **options)
        except (TypeError, ValueError):
            if not isinstance(func, list) or arguments or options:
                raise
        import pandas

        rows.used(_FUNCTIONS)
        columns = {name: _each(column, func) for name, column in self.items()}
        found = pandas.DataFrame({name: one for name, one in columns.items() if len(one)})
        order = [one if isinstance(one, str) else one.__name__ for one in func]
        return found.reindex([name for name in order if name in found.index])

    return agg


def _each(column, functions):
    import pandas

    found = {}
    for function in functions:
        with contextlib.suppress(TypeError, ValueError):
            name = function if isinstance(function, str) else function.__name__
            found[name] = column.agg(function)
    return pandas.Series(found, dtype=None if found else object)


def _by_columns_of_groups(plain):
    """Columns that a function cannot aggregate are left out."""

    def agg(self, func=None, *arguments, **options):
        try:
            return plain(self, func, *arguments, **options)
        except (TypeError, ValueError):
            is_simple = callable(func) or isinstance(func, (str, list))
            if not is_simple or arguments or options or not self.as_index:
                raise
            found = _aggregated(self, func)
            if not found:
                raise
        import pandas

        rows.used(_FUNCTIONS)
        return pandas.DataFrame(found)

    return agg


def _aggregated(groups, func):
    """{column, or (column, name of a function): its aggregate}, of those that can be had."""
    found = {}
    for column in groups._obj_with_exclusions.columns:
        with contextlib.suppress(TypeError, ValueError):
            made = groups[column].agg(func)
            if made.ndim == 2:
                found.update({(column, name): one for name, one in made.items()})
            else:
                found[column] = made
    return found


def _translated(function, is_listed=False):
    if isinstance(function, dict):
        return type(function)((key, _translated(one)) for key, one in function.items())
    if isinstance(function, list):
        return [_translated(one, is_listed=True) for one in function]
    if not callable(function) or isinstance(function, type):
        return function
    name = _known().get(_unwrapped(function))
    if name is None:
        return function
    rows.used(_FUNCTIONS)
    if is_listed and name.startswith("a"):
        return _extreme(name)
    return {"amax": "max", "amin": "min"}.get(name, name)


@functools.lru_cache(maxsize=None)
def _extreme(name):
    """A function that names its column as NumPy 1 named ``np.max``: amax."""

    def function(values):
        return getattr(values, name[1:])()

    function.__name__ = function.__qualname__ = name
    return function


@functools.lru_cache(maxsize=None)
def _known():
    """Functions of NumPy and Python -> what pandas calls them."""
    import numpy

    found = {sum: "sum", sums.sum_: "sum", max: "max", min: "min"}
    for name in _NAMES:
        for spelling in (name, "nan" + name):
            function = getattr(numpy, spelling, None)
            if function is not None:
                extreme = spelling in ("max", "min")
                found[_unwrapped(function)] = "a" + name if extreme else name
    return found


def _unwrapped(function):
    while hasattr(function, "__wrapped__") and getattr(function, "__name__", "") in _SPELLINGS:
        function = function.__wrapped__
    return function


_SPELLINGS = {name for one in _NAMES for name in (one, "nan" + one, "a" + one)}
