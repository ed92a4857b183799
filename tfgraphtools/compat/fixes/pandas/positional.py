"""Arguments of pandas's methods by position: ``df.drop('a', 1)``, ``pd.concat([a, b], 1)``."""

import functools

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import build

_ROW = Fix(
    "pandas.positional_arguments",
    "pandas 2.0",
    "df.drop('a', 1), df.dropna(0), pd.concat([a, b], 1): arguments by position",
    cannot="name the arguments: df.drop('a', axis=1)",
)

TABLE = Table("arguments of pandas's methods by position", "listed", [_ROW])

#: First arguments that are taken by position today, too.
_STILL_BY_POSITION = (
    "labels keys by mapper value lower to_replace level path_or_buf cond method pat".split()
)


def replacements():
    """Returns what makes the methods of pandas take these arguments by position."""
    result = build.replacements(_ROW, _concatenate, "pandas:concat")
    for name, order in build.lines_of(__file__, "positional.tsv"):
        function = functools.partial(_by_position, order.split())
        result += build.replacements(_ROW, function, "pandas:" + name)
    return result


def _by_position(names, original, self, *arguments, **options):
    kept = int(names[0] in _STILL_BY_POSITION)
    if kept < len(arguments) <= len(names):
        named = dict(zip(names[kept:], arguments[kept:]))
        named.pop("_", None)
        if not set(named) & set(options):
            rows.used(_ROW)
            return original(self, *arguments[:kept], **named, **options)
    return original(self, *arguments, **options)


def _concatenate(original, *arguments, **options):
    if len(arguments) > 1:
        rows.used(_ROW)
        options.update(zip(("axis", "join", "ignore_index", "keys"), arguments[1:]))
        arguments = arguments[:1]
    return original(*arguments, **options)
