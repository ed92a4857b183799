"""Arguments of pandas's methods by position: ``df.drop('a', 1)``, ``pd.concat([a, b], 1)``."""

import functools

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import build

_ROW = Row(
    "pandas.positional_arguments",
    "pandas 2.0",
    "df.drop('a', 1), df.dropna(0), pd.concat([a, b], 1): arguments by position",
)

TABLE = Table("arguments of pandas's methods by position", "listed", [_ROW])

_OF_BOTH = {
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
}
_OF_FRAMES = {
    "drop_duplicates": "subset keep inplace",
    "dropna": "axis how thresh subset inplace",
    "pivot": "index columns values",
    "reindex": "labels index columns",
    "rename": "mapper index columns axis",
    "set_index": "keys drop append inplace verify_integrity",
    "sort_values": "by axis ascending inplace kind na_position",
}
_OF_SERIES = {
    "drop_duplicates": "keep inplace",
    "dropna": "axis inplace how",
    "sort_values": "axis ascending inplace kind na_position",
}
_OF_TEXTS = {"split": "pat n expand", "rsplit": "pat n expand"}

#: First arguments that are taken by position today, too.
_STILL_BY_POSITION = (
    "labels keys by mapper value lower to_replace level path_or_buf cond method pat".split()
)


def replacements():
    """Returns what makes the methods of pandas take these arguments by position."""
    result = build.replacements(_ROW, _concatenate, "pandas:concat")
    for owner, methods in (
        ("DataFrame", {**_OF_BOTH, **_OF_FRAMES}),
        ("Series", {**_OF_BOTH, **_OF_SERIES}),
        ("Series.str", _OF_TEXTS),
    ):
        for name, order in methods.items():
            function = functools.partial(_by_position, order.split())
            result += build.replacements(_ROW, function, f"pandas:{owner}.{name}")
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
