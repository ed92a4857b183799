"""``read_csv`` and ``read_table`` with the arguments of pandas 1."""

from tfgraphtools.compat.engine.rewrite_kinds import old_call
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of

#: The order of the arguments by position.
_ORDER = (
    "filepath_or_buffer sep delimiter header names index_col usecols squeeze prefix "
    "mangle_dupe_cols dtype engine"
).split()

#: Arguments that are gone and had no effect on most files.
_WITHOUT_EFFECT = {"infer_datetime_format", "mangle_dupe_cols", "verbose"}

#: Arguments that are gone, and that `upgrade` writes otherwise.
_NAMED = ("squeeze", "prefix", "date_parser", "delim_whitespace", "error_bad_lines")

_REMOVED = {*_NAMED, "warn_bad_lines", *_WITHOUT_EFFECT}


def _reader(name):
    """Returns the rows of a function that reads a table."""

    def read(original, used, *arguments, **options):
        if len(arguments) > 1 or not _REMOVED.isdisjoint(options):
            used()
        options.update(zip(_ORDER, arguments))
        return _read(original, *arguments[len(_ORDER) :], **options)  # more are an error

    return in_place_of(
        "pandas." + name,
        "pandas 2.0",
        f"takes {', '.join(_NAMED[:-1])} and {_NAMED[-1]}",
        rewrite=old_call("pandas." + name, *_NAMED),
    )(read)


def _read(original, *, squeeze=False, prefix=None, date_parser=None, parse_dates=None, **options):
    dates = parse_dates if date_parser is not None and isinstance(parse_dates, list) else []
    if parse_dates is not None and not dates:
        options["parse_dates"] = parse_dates
    table = original(**_renamed(options))
    if prefix is not None and options.get("header", 0) is None:
        table.columns = [f"{prefix}{place}" for place in range(len(table.columns))]
    for date in dates:
        _parse(table, table.columns[date] if isinstance(date, int) else date, date_parser)
    return table.squeeze("columns") if squeeze else table


def _renamed(options):
    """Returns the arguments by their names of today."""
    options = {name: value for name, value in options.items() if name not in _WITHOUT_EFFECT}
    if options.pop("delim_whitespace", False):
        options["sep"] = r"\s+"
    is_warned = options.pop("warn_bad_lines", True)
    if options.pop("error_bad_lines", None) is False:
        options["on_bad_lines"] = "warn" if is_warned else "skip"
    return options


def _parse(table, name, parser):
    if name in table.columns:
        table[name] = [parser(text) for text in table[name]]
    elif name == table.index.name:
        table.index = table.index.map(parser)


TABLE = Table("readers of pandas", "calls", [*_reader("read_csv"), *_reader("read_table")])
