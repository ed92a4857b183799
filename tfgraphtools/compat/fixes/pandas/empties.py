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
        for owner in (pandas, pandas.core.reshape.concat):
            wrap(owner, "concat", _without_empty_dtypes)


def _holding_floats(plain):
    def __init__(self, data=None, index=None, dtype=None, *arguments, **options):
        is_empty = data is None or (isinstance(data, (list, tuple, dict)) and not data)
        if is_empty and dtype is None and notices.is_called_by_user(("tfgraphtools",)):
            rows.used(_FLOATS)
            dtype = "float64"
        plain(self, data, index, dtype, *arguments, **options)

    return __init__


def _without_missing(result, objs):
    """The frame, with floats and times where other parts only have missing values."""
    import numpy
    from pandas.core.dtypes.cast import find_common_type

    frames = [one for one in objs if getattr(one, "ndim", None) == 2]
    if not result.columns.is_unique or not all(one.columns.is_unique for one in frames):
        return result
    for name in result.select_dtypes(include="object").columns:
        kinds = [one[name].dtype for one in frames if name in one and not _is_missing(one, name)]
        every = [one[name].dtype for one in frames if name in one]
        if kinds and len(every) == len(frames) and _are_numbers(every):
            kind = numpy.result_type(*every)
        elif not kinds or len(kinds) == len(frames):
            continue
        else:
            kind = find_common_type(kinds)
        is_of_numbers = _are_numbers(every) and kind.kind in "iu"
        if is_of_numbers or getattr(kind, "kind", "O") in "fcmM":
            rows.used(_FLOATS)
            result[name] = result[name].astype(kind)
    return result


def _are_numbers(kinds):
    """Whether truth values were numbers among them."""
    return all(getattr(kind, "kind", "O") in "biuf" for kind in kinds)


def _is_missing(frame, name):
    """Whether all columns of the type of this one have missing values alone."""
    kind = frame[name].dtype
    return kind.kind in "fcmMO" and frame.loc[:, frame.dtypes == kind].isna().all(axis=None)


def _without_empty_dtypes(plain):
    def concat(objs, *arguments, **options):
        if not isinstance(objs, (list, tuple)) or options.get("axis") or arguments:
            return plain(objs, *arguments, **options)
        result = plain(objs, **options)
        if result.ndim == 2:
            return _without_missing(result, objs)
        if result.ndim == 1 and result.dtype.kind == "O" and len(objs) > 1:
            kinds = [getattr(one, "dtype", None) for one in objs]
            if all(getattr(kind, "kind", "O") in "biuf" for kind in kinds):
                import numpy

                rows.used(_FLOATS)
                return result.astype(numpy.result_type(*kinds))
        full = [one for one in objs if getattr(one, "ndim", None) == 1 and len(one)]
        if result.ndim == 1 and full and len(full) < len(objs):
            dtype = plain(full).dtype
            if result.dtype != dtype:
                rows.used(_FLOATS)
                result = result.astype(dtype)
        return result

    return concat
