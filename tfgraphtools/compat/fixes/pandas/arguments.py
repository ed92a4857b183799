"""Arguments that pandas's functions took, and ``series[:, None]``."""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import build

_ROW = Row(
    "pandas.dropped_arguments",
    "pandas 2.0",
    "fillna(method=...), to_csv(line_terminator=...), read_csv(prefix=..., date_parser=...), "
    "date_range(closed=...), to_numeric(errors='ignore'), series[:, None]",
)

#: The part of it that is needed later.
_FILL = _ROW._replace(since="pandas 3.0")

TABLE = Table("removed arguments of pandas", "listed", [_ROW])


def replacements():
    """Returns what makes the functions of pandas take the arguments."""
    return [
        *build.replacements(_FILL, _fill, "pandas:DataFrame.fillna Series.fillna"),
        *build.replacements(_ROW, _write, "pandas:DataFrame.to_csv Series.to_csv"),
        *build.replacements(_ROW, _to_dict, "pandas:DataFrame.to_dict"),
        *build.replacements(_ROW, _set_axis, "pandas:DataFrame.set_axis"),
        *build.replacements(_ROW, _read, "pandas:read_csv read_table"),
        *build.replacements(_ROW, _date_range, "pandas:date_range"),
        *build.replacements(_ROW, _ignore_errors, "pandas:to_numeric to_timedelta"),
        *build.replacements(_ROW, _with_new_axes, "pandas:Series.__getitem__"),
    ]


def _fill(original, self, value=None, *arguments, method=None, **options):
    if method is None:
        return original(self, value, *arguments, **options)
    rows.used(_ROW)
    forward = method in ("ffill", "pad")
    return (type(self).ffill if forward else type(self).bfill)(self, **options)


def _write(original, self, *arguments, **options):
    if "line_terminator" in options:
        rows.used(_ROW)
        options["lineterminator"] = options.pop("line_terminator")
    return original(self, *arguments, **options)


_ORIENTS = {"record": "records", "r": "records", "l": "list", "s": "series", "i": "index"}


def _to_dict(original, self, orient="dict", *arguments, **options):
    if orient in _ORIENTS:
        rows.used(_ROW)
    return original(self, _ORIENTS.get(orient, orient), *arguments, **options)


def _set_axis(original, self, labels, *arguments, inplace=False, **options):
    result = original(self, labels, *arguments, **options)
    if not inplace:
        return result
    rows.used(_ROW)
    self.index, self.columns = result.index, result.columns
    return None


#: Arguments of readers that have no effect today.
_SILENT = {"infer_datetime_format", "mangle_dupe_cols", "verbose"}


def _read(original, *arguments, **options):
    if not {"prefix", "date_parser", *_SILENT}.isdisjoint(options) or len(arguments) > 1:
        rows.used(_ROW)
    names = ("sep", "delimiter", "header", "names", "index_col", "usecols")
    options.update(zip(names, arguments[1:]))
    prefix, parser = options.pop("prefix", None), options.pop("date_parser", None)
    for name in _SILENT:
        options.pop(name, None)
    dates = options.get("parse_dates")
    is_parsed_here = parser is not None and isinstance(dates, list)
    if is_parsed_here:
        options["parse_dates"] = False
    frame = original(*arguments[:1], **options)
    if prefix is not None and options.get("header", 0) is None:
        frame.columns = [f"{prefix}{place}" for place in range(len(frame.columns))]
    for name in dates if is_parsed_here else ():
        _parse(frame, frame.columns[name] if isinstance(name, int) else name, parser)
    return frame


def _parse(frame, name, parser):
    if name in frame.columns:
        frame[name] = [parser(text) for text in frame[name]]
    elif name == frame.index.name:
        frame.index = frame.index.map(parser)


def _date_range(original, start=None, end=None, *arguments, **options):
    """With ``closed="left"``, an end that was not given was not left out."""
    if "closed" not in options:
        return original(start, end, *arguments, **options)
    rows.used(_ROW)
    closed = options.pop("closed")
    dates = original(start, end, *arguments, **options)
    if closed == "right" and start is not None:
        return dates[dates != start]
    return dates[dates != end] if closed == "left" and end is not None else dates


def _ignore_errors(original, arg, *arguments, errors="raise", **options):
    if errors != "ignore":
        return original(arg, *arguments, errors=errors, **options)
    rows.used(_ROW)
    try:
        return original(arg, *arguments, **options)
    except (ValueError, TypeError):
        return arg


def _with_new_axes(original, self, key):
    if isinstance(key, tuple) and any(part is None for part in key):
        rows.used(_ROW)
        return self.to_numpy()[key]
    return original(self, key)
