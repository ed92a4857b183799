"""Columns that hold no numbers, which pandas 1.3 left out of means, sums and similar results."""

import contextlib
import functools
import sys

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_NUMERIC = Row(
    "pandas.numeric_only",
    "pandas 2.0",
    "df.mean(), df.corr(), groupby(...).mean() leave out columns that hold no numbers; "
    "np.mean(df) and np.std(df) give one value for each column",
)
TABLE = Table("columns that hold no numbers", "listed", [_NUMERIC])

_OF_COLUMNS = "sum prod product mean median min max std var sem skew kurt kurtosis".split()
_OF_NUMBERS = (
    "mean median std var sem skew kurt kurtosis prod product corr cov corrwith quantile".split()
)


def restore(pandas):
    """Changes pandas."""
    if not rows.is_on(_NUMERIC):
        return
    frame, series = pandas.DataFrame, pandas.Series
    groups = pandas.core.groupby.DataFrameGroupBy
    for owner in (frame, groups):
        for name in (*_OF_NUMBERS, *(("sum", "min", "max") if owner is frame else ())):
            if hasattr(owner, name):
                wrap(owner, name, _only_numbers)
    for name in ("sum", "prod"):
        wrap(groups, name, _numbers_first)
    for name in "cumsum cumprod cummax cummin diff transform rank".split():
        wrap(groups, name, functools.partial(_where_it_works, name=name))
    for name in ("mean", "median", "corr", "cov"):
        wrap(frame, name, _without_times)
    for name in _OF_COLUMNS:
        wrap(frame, name, _by_column)
    for owner in (frame, series):
        for name in (*_OF_COLUMNS, "count", "any", "all"):
            wrap(owner, name, functools.partial(_by_level, name=name))


def _only_numbers(plain):
    def method(self, *arguments, **options):
        try:
            return plain(self, *arguments, **options)
        except Exception as error:
            of_types = (TypeError, ValueError, sys.modules["pandas"].errors.DataError)
            if "numeric_only" in options or not isinstance(error, of_types):
                raise
            result = _of_numbers(plain, self, arguments, options)
        rows.used(_NUMERIC)
        is_mixed = result.ndim == 1 and result.dtype == object
        return result.infer_objects() if is_mixed else result

    return method


def _numbers_first(plain):
    """Texts were added up only where there are no numbers."""

    def method(self, *arguments, **options):
        is_asked = "numeric_only" not in options and not arguments and not _transforming
        if is_asked and notices.is_called_by_user(_BETWEEN):
            columns = self._obj_with_exclusions
            numbers = columns._get_numeric_data().shape[1]
            if numbers and numbers < columns.shape[1]:
                rows.used(_NUMERIC)
                options["numeric_only"] = True
        return plain(self, *arguments, **options)

    return method


#: Calls of ``groupby(...).transform`` that run: its "sum" adds up texts, too.
_transforming = []


def _where_it_works(plain, name):
    """Drops columns that the method does not accept."""

    def method(self, *arguments, **options):
        _transforming.append(self)
        try:
            return plain(self, *arguments, **options)
        except (TypeError, NotImplementedError):
            found = {}
            for column in self._obj_with_exclusions.columns:
                with contextlib.suppress(TypeError, NotImplementedError):
                    found[column] = getattr(self[column], name)(*arguments, **options)
            if not found:
                raise
        finally:
            _transforming.pop()
        rows.used(_NUMERIC)
        return type(self.obj)(found)

    return method


def _of_numbers(plain, frame, arguments, options):
    """The method of the columns that hold numbers, in which a truth value is one."""
    if plain.__name__ in ("sum", "min", "max") and not arguments and not options.get("axis"):
        return _by_type(plain, frame, options)
    try:
        return plain(frame, *arguments, numeric_only=True, **options)
    except TypeError:
        if not hasattr(frame, "_get_numeric_data"):
            raise
        numbers = frame._get_numeric_data()
        flags = dict.fromkeys(numbers.select_dtypes("bool").columns, "float64")
        return plain(numbers.astype(flags), *arguments, numeric_only=True, **options)


def _by_type(plain, frame, options):
    """The method of the columns of each type that has it."""
    import pandas

    found = {}
    for kind in frame.dtypes.unique():
        columns = frame.loc[:, frame.dtypes == kind]
        with contextlib.suppress(TypeError, ValueError):
            found.update(plain(columns, **options).items())
    return pandas.Series({name: found[name] for name in frame.columns if name in found})


def _without_times(plain):
    """The mean of a frame left out its times."""

    def method(self, *arguments, **options):
        if "numeric_only" not in options and notices.is_called_by_user(_BETWEEN):
            times = self.select_dtypes(include=["datetime", "datetimetz"]).columns
            if len(times):
                rows.used(_NUMERIC)
                self = self.drop(columns=times)
        return plain(self, *arguments, **options)

    return method


def _by_level(plain, name):
    """``sum(level=0)`` is the sum of each group of the index."""

    def method(self, *arguments, **options):
        level = options.pop("level", None)
        if level is None:
            return plain(self, *arguments, **options)
        rows.used(_NUMERIC)
        options.pop("axis", None)
        groups = self.groupby(level=level, sort=False)
        return groups.agg(lambda one: getattr(one, name)(*arguments, **options))

    return method


#: What may stand between user code and a method: ``np.mean(df)``.
_BETWEEN = ("numpy", "pandas", "tfgraphtools")


def _by_column(plain):
    def method(self, *arguments, **options):
        axis = options.get("axis", arguments[0] if arguments else 0)
        if axis is None and notices.is_called_by_user(_BETWEEN):
            rows.used(_NUMERIC)
            if arguments:
                arguments = (0, *arguments[1:])
            else:
                options["axis"] = 0
        return plain(self, *arguments, **options)

    return method
