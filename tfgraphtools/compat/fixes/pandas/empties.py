"""Series without elements: floats in pandas 1.3, which said nothing of the dtype of a whole."""

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_FLOATS = Row(
    "pandas.empty_series",
    "pandas 2.0",
    "pd.Series([]) has the dtype float64; concat ignores empty series for the dtype of the result",
)

TABLE = Table("series without elements", "listed", [_FLOATS])


def restore(pandas):
    """Changes pandas."""
    if rows.is_on(_FLOATS):
        wrap(pandas.Series, "__init__", _holding_floats)
        wrap(pandas, "concat", _without_empty_dtypes)


def _holding_floats(plain):
    def __init__(self, data=None, index=None, dtype=None, *arguments, **options):
        is_empty = data is None or (isinstance(data, (list, tuple, dict)) and not data)
        if is_empty and dtype is None and notices.is_called_by_user():
            rows.used(_FLOATS)
            dtype = "float64"
        plain(self, data, index, dtype, *arguments, **options)

    return __init__


def _without_empty_dtypes(plain):
    def concat(objs, *arguments, **options):
        if not isinstance(objs, (list, tuple)) or options.get("axis") or arguments:
            return plain(objs, *arguments, **options)
        result = plain(objs, **options)
        full = [one for one in objs if getattr(one, "ndim", None) == 1 and len(one)]
        if result.ndim == 1 and full and len(full) < len(objs):
            dtype = plain(full).dtype
            if result.dtype != dtype:
                rows.used(_FLOATS)
                result = result.astype(dtype)
        return result

    return concat
