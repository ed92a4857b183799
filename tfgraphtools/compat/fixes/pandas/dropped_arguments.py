"""Arguments that pandas's functions took, and ``series[:, None]``."""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import build

_ROW = Fix(
    "pandas.dropped_arguments",
    "pandas 2.0",
    "fillna(method=...), to_csv(line_terminator=...), to_datetime(errors='ignore'), "
    "series[:, None]",
    cannot="write df.ffill() for fillna(method='ffill')",
)

#: The part of it that is needed later.
_FILL = _ROW._replace(since="pandas 3.0")

TABLE = Table("removed arguments of pandas", "listed", [_ROW])


def replacements():
    """Returns what makes the functions of pandas take the arguments."""
    return [
        *build.replacements(_FILL, _fill, "pandas:DataFrame.fillna Series.fillna"),
        *build.replacements(_ROW, _write, "pandas:DataFrame.to_csv Series.to_csv"),
        *build.replacements(_ROW, _ignore_errors, "pandas:to_datetime to_numeric to_timedelta"),
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


def _ignore_errors(original, arg, *arguments, **options):
    if options.get("errors") != "ignore":
        return original(arg, *arguments, **options)
    rows.used(_ROW)
    try:
        return original(arg, *arguments, **dict(options, errors="raise"))
    except (ValueError, TypeError, OverflowError):
        import pandas

        return pandas.Index(arg, dtype=object) if isinstance(arg, (list, tuple)) else arg


def _with_new_axes(original, self, key):
    if isinstance(key, tuple) and any(part is None for part in key):
        rows.used(_ROW)
        return self.to_numpy()[key]
    return original(self, key)
