"""What pandas's methods take: arguments by position, arguments and names of pandas 1.3."""

import functools
import re

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.attributes import fallback_row
from tfgraphtools.compat.engine.rows import Row, Table

_POSITIONAL = Row(
    "pandas.positional_arguments",
    "pandas 2.0",
    "df.drop('a', 1), df.dropna(0), pd.concat([a, b], 1): arguments by position",
)
_NUMERIC = Row(
    "pandas.numeric_only",
    "pandas 2.0",
    "df.mean(), df.corr(), groupby(...).mean() leave out columns that hold no numbers",
)
_ARGUMENTS = Row(
    "pandas.dropped_arguments",
    "pandas 2.0",
    "fillna(method=...), to_csv(line_terminator=...), read_csv(prefix=..., date_parser=...)",
)
_FREQUENCIES = Row(
    "pandas.frequencies",
    "pandas 3.0",
    "resample('H'), date_range(freq='M'): frequencies by their letters",
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

_OF_NUMBERS = "mean median std var sem skew kurt prod corr cov quantile".split()


def restore(pandas):
    """Changes pandas."""
    frame, series = pandas.DataFrame, pandas.Series
    text = pandas.core.strings.accessor.StringMethods
    if not rows.is_off(_ARGUMENTS.name):
        for owner in (frame, series):
            _wrap(owner, "fillna", _filling)
            _wrap(owner, "to_csv", _writing)
        _wrap(frame, "to_dict", _as_records)
        for name in ("read_csv", "read_table"):
            _wrap(pandas, name, _reading)
    if not rows.is_off(_NUMERIC.name):
        groups = pandas.core.groupby.DataFrameGroupBy
        for owner in (frame, groups):
            for name in _OF_NUMBERS:
                if hasattr(owner, name):
                    _wrap(owner, name, _only_numbers)
    if not rows.is_off(_FREQUENCIES.name):
        for owner in (frame, series):
            _wrap(owner, "asfreq", functools.partial(_with_letters, name="freq", place=1))
        times = pandas.core.resample.TimeGrouper  # of resample and of Grouper
        _wrap(times, "__init__", functools.partial(_with_letters, name="freq", place=2))
        _wrap(pandas, "date_range", functools.partial(_with_letters, name="freq", place=3))
    if not rows.is_off(_POSITIONAL.name):
        owners = {"DataFrame": [frame], "Series": [series], "both": [frame, series]}
        owners.update(pandas=[pandas], text=[text])
        for kind, methods in _ORDER.items():
            for owner in owners[kind]:
                for name, order in methods.items():
                    own = owner is pandas
                    _wrap(owner, name, functools.partial(_by_position, order=order, own=own))


def _wrap(owner, name, change):
    plain = getattr(owner, name)
    state.set_attribute(owner, name, functools.wraps(plain)(change(plain)))


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


def _filling(plain):
    def fillna(self, value=None, *arguments, method=None, **options):
        if method is None:
            return plain(self, value, *arguments, **options)
        rows.used(_ARGUMENTS)
        options.pop("downcast", None)
        forward = method in ("ffill", "pad")
        return (type(self).ffill if forward else type(self).bfill)(self, **options)

    return fillna


def _writing(plain):
    def to_csv(self, *arguments, **options):
        if "line_terminator" in options:
            rows.used(_ARGUMENTS)
            options["lineterminator"] = options.pop("line_terminator")
        return plain(self, *arguments, **options)

    return to_csv


def _as_records(plain):
    full = {"record": "records", "r": "records", "l": "list", "s": "series", "i": "index"}

    def to_dict(self, orient="dict", *arguments, **options):
        if orient in full:
            rows.used(_ARGUMENTS)
        return plain(self, full.get(orient, orient), *arguments, **options)

    return to_dict


def _reading(plain):
    def read(*arguments, **options):
        dropped = {"prefix", "infer_datetime_format", "date_parser", "mangle_dupe_cols", "verbose"}
        if not dropped.isdisjoint(options):
            rows.used(_ARGUMENTS)
        prefix = options.pop("prefix", None)
        parser = options.pop("date_parser", None)
        for name in ("infer_datetime_format", "mangle_dupe_cols", "verbose"):
            options.pop(name, None)
        dates = options.get("parse_dates")
        if parser is not None and isinstance(dates, list):
            options["parse_dates"] = False
        frame = plain(*arguments, **options)
        if prefix is not None and options.get("header", 0) is None:
            frame.columns = [f"{prefix}{place}" for place in range(len(frame.columns))]
        if parser is not None and isinstance(dates, list):
            for name in dates:
                name = frame.columns[name] if isinstance(name, int) else name
                if name in frame.columns:
                    frame[name] = [parser(text) for text in frame[name]]
                elif name == frame.index.name:
                    frame.index = frame.index.map(parser)
        return frame

    return read


def _only_numbers(plain):
    def method(self, *arguments, **options):
        try:
            return plain(self, *arguments, **options)
        except (TypeError, ValueError):
            if "numeric_only" in options:
                raise
            result = plain(self, *arguments, numeric_only=True, **options)
        rows.used(_NUMERIC)
        return result

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
    "what pandas's methods take",
    "listed",
    [_POSITIONAL, _NUMERIC, _ARGUMENTS, _FREQUENCIES],
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
    "attributes that pandas's objects had",
    "listed",
    [
        fallback_row(
            "pandas.dropped_methods",
            "pandas 2.0",
            "frame.applymap, iteritems, lookup, mad; series.ravel, view; index.weekofyear",
            {
                "applymap": _of_pandas(lambda frame: frame.map),
                "lookup": _of_pandas(_lookup),
                "mad": _of_pandas(_deviation),
                "ravel": _of_pandas(lambda series: series.to_numpy().ravel),
                "weekofyear": _of_pandas(lambda index: index.isocalendar().week.astype("int64")),
                "week": _of_pandas(lambda index: index.isocalendar().week.astype("int64")),
                "backfill": _of_pandas(lambda frame: frame.bfill),
                "pad": _of_pandas(lambda frame: frame.ffill),
            },
            "pandas",
        )
    ],
)
