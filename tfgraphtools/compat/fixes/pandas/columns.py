"""Columns as in pandas 1: numbers for dummies, means of the numeric ones, positions, names."""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rewrite_kinds import Syntax
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes import build

_DUMMIES = Fix(
    "pandas.get_dummies",
    "pandas 2.0",
    "get_dummies returns uint8; bools in pandas 2",
    rewrite=Syntax("pandas.get_dummies"),
)
_NUMERIC = Fix(
    "pandas.numeric_only",
    "pandas 2.0",
    "df.mean(), df.corr(), groupby(...).mean() leave out columns that hold no numbers",
    cannot="write df.mean(numeric_only=True)",
)
_POSITIONS = Fix(
    "pandas.position_in_series",
    "pandas 3.0",
    "series[0] is the first element if the index has no integers",
    cannot="write series.iloc[0]",
)
_COUNTS = Fix(
    "pandas.Series.value_counts",
    "pandas 2.0",
    "value_counts keeps the name of the series",
    cannot="name the result: value_counts().rename('a')",
)

TABLE = Table("columns of pandas", "listed", [_DUMMIES, _NUMERIC, _POSITIONS, _COUNTS])

_OF_NUMBERS = "mean median std var sem skew prod corr cov quantile".split()


def _of(owner, names):
    return " ".join(f"{owner}.{name}" for name in names)


def replacements():
    """Returns what changes the functions for user code."""
    numbers = "pandas:" + _of("DataFrame", _OF_NUMBERS)
    of_groups = "pandas.core.groupby:" + _of("DataFrameGroupBy", _OF_NUMBERS)
    return [
        *build.replacements(_DUMMIES, _get_dummies, "pandas:get_dummies"),
        *build.replacements(_NUMERIC, _of_numbers, numbers, of_groups),
        *build.replacements(_POSITIONS, _element, "pandas:Series.__getitem__"),
        *build.replacements(_POSITIONS, _set_element, "pandas:Series.__setitem__"),
        *build.replacements(_COUNTS, _value_counts, "pandas:Series.value_counts"),
    ]


def _get_dummies(original, *arguments, **options):
    if len(arguments) < 8 and options.get("dtype") is None:
        rows.used(_DUMMIES)
        options["dtype"] = "uint8"
    return original(*arguments, **options)


def _of_numbers(original, self, *arguments, **options):
    try:
        return original(self, *arguments, **options)
    except (TypeError, ValueError):
        if "numeric_only" in options:
            raise
        result = original(self, *arguments, numeric_only=True, **options)
    rows.used(_NUMERIC)
    return result


def _element(original, self, key):
    try:
        return original(self, key)
    except KeyError:
        if not _are_positions(self, key):
            raise
    rows.used(_POSITIONS)
    return self.iloc[key]


def _set_element(original, self, key, value):
    if type(key) is int and _are_positions(self, key) and key not in self.index:
        rows.used(_POSITIONS)
        self.iloc[key] = value
    else:
        original(self, key, value)


def _are_positions(series, key):
    """Tells whether a key is a position, or a list of them, and cannot be a label."""
    if getattr(series.index.dtype, "kind", "O") in "iuf":
        return False
    places = key if isinstance(key, list) else [key]
    size = len(series)
    return bool(places) and all(
        hasattr(place, "__index__") and not isinstance(place, bool) and -size <= place < size
        for place in places
    )


def _value_counts(original, self, *arguments, **options):
    counts = original(self, *arguments, **options)
    rows.used(_COUNTS)
    counts.name, counts.index.name = self.name, None
    return counts
