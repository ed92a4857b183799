"""The order of equal values in sorted frames and series, as NumPy 1.18 had it."""

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.numpy import order
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_ROW = Row("pandas.order_of_equals", order.SINCE, order.WHY)

TABLE = Table("sorts of pandas", "listed", [_ROW])


def restore(pandas):
    """Changes pandas."""
    if not rows.is_on(_ROW):
        return
    wrap(pandas.DataFrame, "sort_values", _sort_rows)
    wrap(pandas.Series, "sort_values", _sort_series)
    for owner in (pandas.DataFrame, pandas.Series):
        wrap(owner, "sort_index", _sort_index)
    wrap(pandas.Series, "argsort", _argsort)


def _sort_rows(plain):
    def method(self, by, **options):
        name = by[0] if isinstance(by, list) and len(by) == 1 else by
        is_column = not isinstance(name, list) and options.get("axis", 0) in (0, "index")
        column = self.get(name) if is_column else None
        return plain(self, by, **_with_key(options, column))

    return method


def _sort_series(plain):
    def method(self, **options):
        return plain(self, **_with_key(options, self))

    return method


def _sort_index(plain):
    def method(self, **options):
        is_of_rows = options.get("axis", 0) in (0, "index")
        return plain(self, **_with_key(options, self.index if is_of_rows else self.columns))

    return method


def _with_key(options, values):
    """The arguments, with a ``key`` that widens the values where another sort would be used."""
    is_plain = options.get("kind", "quicksort") == "quicksort" and options.get("key") is None
    if not is_plain or not _is_concerned(getattr(values, "dtype", None)):
        return options
    rows.used(_ROW)
    return dict(options, key=lambda found: found.astype("longdouble"))


def _argsort(plain):
    def method(self, *arguments, **options):
        kind = options.get("kind", arguments[1] if len(arguments) > 1 else None)
        missing = self.isna().to_numpy()
        values = self
        if kind in (None, "quicksort") and _is_concerned(self.dtype):
            rows.used(_ROW)
            values = self.astype("longdouble")
        if not missing.any():
            return plain(values, *arguments, **options)
        rows.used(_ROW)  # a missing value had the place -1
        found = missing.astype("int64") * -1
        found[~missing] = plain(values[~missing], *arguments, **options).to_numpy()
        return type(self)(found, index=self.index, name=self.name)

    return method


def _is_concerned(dtype):
    import numpy

    return isinstance(dtype, numpy.dtype) and order.is_concerned(dtype)
