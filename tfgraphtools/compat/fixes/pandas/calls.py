"""What pandas's methods take: arguments by position, arguments and names of pandas 1.3."""

import functools
import re
import sys

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.engine.attributes import fallback_row
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_POSITIONAL = Row(
    "pandas.positional_arguments",
    "pandas 2.0",
    "df.drop('a', 1), df.dropna(0), pd.concat([a, b], 1): arguments by position",
)
_NUMERIC = Row(
    "pandas.numeric_only",
    "pandas 2.0",
    "df.mean(), df.corr(), groupby(...).mean() drop columns without numbers; np.mean(df) and "
    "np.std(df) return one value for each column",
)
_FREQUENCIES = Row(
    "pandas.frequencies",
    "pandas 3.0",
    "resample('H'), date_range(freq='M'): the old letters of frequencies",
)

#: Methods of frames and of series (and functions of pandas), and the order of their arguments.
_ORDER = {
    "DataFrame": {
        "drop_duplicates": "subset keep inplace",
        "dropna": "axis how thresh subset inplace",
        "pivot": "index columns values",
        "reindex": "labels index columns",
        "rename": "mapper index columns axis",
        "set_index": "keys drop append inplace verify_integrity",
        "sort_values": "by axis ascending inplace kind na_position",
    },
    "Series": {
        "drop_duplicates": "keep inplace",
        "dropna": "axis inplace how",
        "sort_values": "axis ascending inplace kind na_position",
    },
    "both": {
        "drop": "labels axis index columns level inplace errors",
        "fillna": "value method axis inplace limit",
        "clip": "lower upper axis inplace",
        "interpolate": "method axis limit inplace",
        "replace": "to_replace value inplace limit regex",
        "reset_index": "level drop inplace",
        "sort_index": "axis level ascending inplace",
        "to_csv": "path_or_buf sep na_rep float_format columns header index",
        "where": "cond other inplace axis",
        "mask": "cond other inplace axis",
        "any": "axis",
        "all": "axis",
        **dict.fromkeys("mean median min max skew kurt".split(), "axis skipna _ numeric_only"),
        **dict.fromkeys(["sum", "prod"], "axis skipna _ numeric_only min_count"),
        **dict.fromkeys(["std", "var", "sem"], "axis skipna _ ddof numeric_only"),
    },
    "pandas": {
        "concat": "objs axis join ignore_index keys",
        "read_csv": "filepath_or_buffer sep delimiter header names index_col usecols",
        "read_table": "filepath_or_buffer sep delimiter header names index_col usecols",
    },
    "text": {"split": "pat n expand", "rsplit": "pat n expand"},
}

_OF_COLUMNS = "sum prod mean median min max std var sem skew kurt".split()
_OF_NUMBERS = "mean median std var sem skew kurt prod corr cov quantile".split()


def restore(pandas):
    """Changes pandas."""
    frame, series = pandas.DataFrame, pandas.Series
    text = pandas.core.strings.accessor.StringMethods
    if rows.is_on(_NUMERIC):
        groups = pandas.core.groupby.DataFrameGroupBy
        windows = pandas.core.window
        moving = (windows.Rolling, windows.Expanding, windows.ExponentialMovingWindow)
        for owner in (frame, groups, *moving):
            for name in (*_OF_NUMBERS, *(("sum", "min", "max") if owner in moving else ())):
                if hasattr(owner, name):
                    wrap(owner, name, _only_numbers)
        for name in _OF_COLUMNS:
            wrap(frame, name, _by_column)
    if rows.is_on(_FREQUENCIES):
        for owner in (frame, series):
            wrap(owner, "asfreq", functools.partial(_with_letters, name="freq", place=1))
        times = pandas.core.resample.TimeGrouper  # of resample and of Grouper
        wrap(times, "__init__", functools.partial(_with_letters, name="freq", place=2))
        wrap(pandas, "date_range", functools.partial(_with_letters, name="freq", place=3))
    if rows.is_on(_POSITIONAL):
        owners = {"DataFrame": [frame], "Series": [series], "both": [frame, series]}
        owners.update(pandas=[pandas], text=[text])
        for kind, methods in _ORDER.items():
            for owner in owners[kind]:
                for name, order in methods.items():
                    own = owner is pandas
                    wrap(owner, name, functools.partial(_by_position, order=order, own=own))


def _by_position(plain, order, own):
    names = order.split()

    def method(*arguments, **options):
        first = 0 if own else 1
        kept = first + 1 if names[0] in _STILL_BY_POSITION else first
        if len(arguments) > kept and len(arguments) - first <= len(names):
            given = dict(zip(names[kept - first :], arguments[kept:]))
            given.pop("_", None)
            if not set(given) & set(options):
                rows.used(_POSITIONAL)
                return plain(*arguments[:kept], **given, **options)
        return plain(*arguments, **options)

    return method


#: First arguments that are taken by position today, too.
_STILL_BY_POSITION = (
    "labels keys by mapper value lower to_replace level path_or_buf cond objs method "
    "filepath_or_buffer pat"
).split()


def _only_numbers(plain):
    def method(self, *arguments, **options):
        try:
            return plain(self, *arguments, **options)
        except Exception as error:
            of_types = (TypeError, ValueError, sys.modules["pandas"].errors.DataError)
            if "numeric_only" in options or not isinstance(error, of_types):
                raise
            result = plain(self, *arguments, numeric_only=True, **options)
        rows.used(_NUMERIC)
        return result

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


_LETTERS = {"H": "h", "T": "min", "S": "s", "L": "ms", "U": "us", "N": "ns", "M": "ME"}
_LETTERS.update({"Q": "QE", "A": "YE", "Y": "YE", "BM": "BME", "BQ": "BQE", "BA": "BYE"})
_FREQUENCY = re.compile(r"(-?\d*\.?\d*)([A-Z]+)(-[A-Z]{3})?")


def _with_letters(plain, name, place):
    def translated(rule):
        found = _FREQUENCY.fullmatch(rule) if isinstance(rule, str) else None
        if found is None or found.group(2) not in _LETTERS:
            return rule
        rows.used(_FREQUENCIES)
        return found.group(1) + _LETTERS[found.group(2)] + (found.group(3) or "")

    def method(*arguments, **options):
        if name in options:
            options[name] = translated(options[name])
        elif place is not None and len(arguments) > place:
            changed = translated(arguments[place])
            arguments = (*arguments[:place], changed, *arguments[place + 1 :])
        return plain(*arguments, **options)

    return method


TABLE = Table(
    "arguments of pandas's methods",
    "listed",
    [_POSITIONAL, _NUMERIC, _FREQUENCIES],
)


def _of_pandas(function):
    def fallback(value):
        if type(value).__module__.partition(".")[0] != "pandas":
            raise AttributeError
        return function(value)

    return fallback


def _lookup(frame):
    def lookup(labels, columns):
        import numpy

        found = [frame.at[label, column] for label, column in zip(labels, columns)]
        return numpy.array(found)

    return lookup


def _deviation(values):
    return lambda axis=None, skipna=None, level=None: (
        (values - values.mean(axis or 0)).abs().mean(axis or 0)
    )


GONE = Table(
    "removed attributes of pandas's objects",
    "listed",
    [
        fallback_row(
            "pandas.dropped_methods",
            "pandas 2.0",
            "frame.applymap, iteritems, lookup, mad; series.ravel; index.weekofyear, is_monotonic",
            {
                "applymap": _of_pandas(lambda frame: frame.map),
                "lookup": _of_pandas(_lookup),
                "mad": _of_pandas(_deviation),
                "ravel": _of_pandas(lambda series: series.to_numpy().ravel),
                "weekofyear": _of_pandas(lambda index: index.isocalendar().week.astype("int64")),
                "week": _of_pandas(lambda index: index.isocalendar().week.astype("int64")),
                "is_monotonic": _of_pandas(lambda index: index.is_monotonic_increasing),
                "backfill": _of_pandas(lambda frame: frame.bfill),
                "pad": _of_pandas(lambda frame: frame.ffill),
            },
            "pandas",
        )
    ],
)
