"""Arguments and ways to index that pandas took."""

import functools

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_ARGUMENTS = Row(
    "pandas.dropped_arguments",
    "pandas 2.0",
    "fillna(method=...), to_csv(line_terminator=...), read_csv(prefix=..., date_parser=...), "
    "date_range(closed=...), to_numeric(errors='ignore'), series[:, None]",
)

#: The part of it that is needed later.
_FILL = _ARGUMENTS._replace(since="pandas 3.0")

TABLE = Table("removed arguments of pandas", "listed", [_ARGUMENTS])


def restore(pandas):
    """Changes pandas."""
    owners = (pandas.DataFrame, pandas.Series)
    if rows.is_on(_FILL):
        for owner in owners:
            wrap(owner, "fillna", _filling)
    if not rows.is_on(_ARGUMENTS):
        return
    for owner in owners:
        wrap(owner, "to_csv", _writing)
    wrap(pandas.DataFrame, "to_dict", _as_records)
    for name in ("read_csv", "read_table"):
        wrap(pandas, name, _reading)
    wrap(pandas, "date_range", _closing)
    wrap(pandas, "to_numeric", _ignoring)
    wrap(pandas, "to_timedelta", _ignoring)
    wrap(pandas.Series, "__getitem__", _with_new_axes)
    wrap(pandas.Series, "astype", _as_units)


def _filling(plain):
    def fillna(self, value=None, *arguments, method=None, **options):
        if "downcast" in options:
            return _downcast(self, fillna, options, (value, *arguments), method)
        if method is None:
            return plain(self, value, *arguments, **options)
        rows.used(_ARGUMENTS)
        forward = method in ("ffill", "pad")
        return (type(self).ffill if forward else type(self).bfill)(self, **options)

    return fillna


def _downcast(values, fillna, options, arguments, method):
    """Filled values, floats without a fraction as integers if ``downcast="infer"``."""
    rows.used(_ARGUMENTS)
    is_inferred, in_place = options.pop("downcast") == "infer", options.pop("inplace", False)
    found = fillna(values, *arguments, method=method, **options)
    if is_inferred:
        columns = [found] if found.ndim == 1 else [one for _, one in found.items()]
        columns = [_whole(one) for one in columns]
        found = columns[0] if found.ndim == 1 else _in_columns(found, columns)
    if not in_place:
        return found
    values._update_inplace(found)
    return None


def _whole(column):
    is_whole = column.dtype.kind == "f" and (column % 1 == 0).all()
    return column.astype("int64") if is_whole else column


def _in_columns(frame, columns):
    frame = frame.copy()
    for place, column in enumerate(columns):
        frame.isetitem(place, column)
    return frame


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


#: Arguments of readers that say nothing today.
_SILENT = {"infer_datetime_format", "mangle_dupe_cols", "verbose"}


def _reading(plain):
    def read(*arguments, **options):
        dates = options.get("parse_dates")
        if not {"prefix", "date_parser", *_SILENT}.isdisjoint(options) or _are_combined(dates):
            rows.used(_ARGUMENTS)
        kinds = options.get("dtype")
        if "category" in (kinds.values() if isinstance(kinds, dict) else [kinds]):
            notices.once(
                "pandas.categories",
                "read_csv(dtype='category') makes categories of numbers; in pandas 1 they were "
                "the texts of the file",
            )
        prefix = options.pop("prefix", None)
        parser = options.pop("date_parser", None)
        keeps = options.pop("keep_date_col", False)
        for name in _SILENT:
            options.pop(name, None)
        combined = _are_combined(dates)
        index = options.pop("index_col", None) if combined else None
        if combined or parser is not None and isinstance(dates, list):
            options["parse_dates"] = False
        frame = plain(*arguments, **options)
        if prefix is not None and options.get("header", 0) is None:
            frame.columns = [f"{prefix}{place}" for place in range(len(frame.columns))]
        if combined:
            return _combine(frame, dates, parser, keeps, index)
        if parser is not None and isinstance(dates, list):
            _parse(frame, dates, parser)
        return frame

    return read


def _are_combined(dates):
    """Whether ``parse_dates`` makes dates of several columns: a dict, or lists in a list."""
    if isinstance(dates, dict):
        return True
    return isinstance(dates, list) and any(isinstance(one, (list, tuple)) for one in dates)


def _combine(frame, dates, parser, keeps, index):
    """The frame with the columns of dates in front, as pandas put them."""
    import pandas

    if not isinstance(dates, dict):
        columns = [one if isinstance(one, (list, tuple)) else [one] for one in dates]
        names = [[_name(frame, one) for one in column] for column in columns]
        dates = {"_".join(map(str, column)): column for column in names}
    made, taken = {}, []
    for name, column in dates.items():
        column = [_name(frame, one) for one in (column if isinstance(column, list) else [column])]
        texts = [frame[one].astype(str) for one in column]
        if parser is None:
            made[name] = pandas.to_datetime(functools.reduce(lambda a, b: a + " " + b, texts))
        else:
            made[name] = [parser(*words) for words in zip(*texts)]
        taken += column
    rest = frame if keeps else frame.drop(columns=taken)
    found = pandas.concat([pandas.DataFrame(made, index=frame.index), rest], axis=1)
    if index is None or index is False:
        return found
    names = index if isinstance(index, list) else [index]
    return found.set_index([_name(found, one) for one in names])


def _name(frame, column):
    """The name of a column that is given by its name or place."""
    return frame.columns[column] if isinstance(column, int) else column


def _parse(frame, dates, parser):
    for name in dates:
        name = _name(frame, name)
        if name in frame.columns:
            frame[name] = [parser(text) for text in frame[name]]
        elif name == frame.index.name:
            frame.index = frame.index.map(parser)


def _closing(plain):
    """An end that was not given was not left out."""

    def date_range(start=None, end=None, *arguments, **options):
        if "closed" not in options:
            return plain(start, end, *arguments, **options)
        rows.used(_ARGUMENTS)
        closed = options.pop("closed")
        found = plain(start, end, *arguments, **options)
        if closed == "right" and start is not None:
            return found[found != start]
        return found[found != end] if closed == "left" and end is not None else found

    return date_range


def _ignoring(plain):
    def convert(arg, *arguments, errors="raise", **options):
        if errors != "ignore":
            return plain(arg, *arguments, errors=errors, **options)
        rows.used(_ARGUMENTS)
        try:
            return plain(arg, *arguments, **options)
        except (ValueError, TypeError):
            return arg

    return convert


def _with_new_axes(plain):
    def getitem(self, key):
        if isinstance(key, tuple) and any(one is None for one in key):
            rows.used(_ARGUMENTS)
            return self.to_numpy()[key]
        return plain(self, key)

    return getitem


def _as_units(plain):
    """Lengths of time in whole days, hours...: floats."""

    def astype(self, dtype, *arguments, **options):
        if self.dtype.kind == "m" and str(dtype) in _UNITS:
            rows.used(_ARGUMENTS)
            whole = self.to_numpy().astype("timedelta64[ns]").astype(dtype)
            numbers = whole.astype("float64")
            numbers[whole != whole] = float("nan")  # no time
            return type(self)(numbers, index=self.index, name=self.name)
        return plain(self, dtype, *arguments, **options)

    return astype


#: pandas kept nanoseconds only.
_UNITS = {f"timedelta64[{unit}]" for unit in ("Y", "M", "W", "D", "h", "m", "s", "ms", "us")}
