"""The order of rows in merged frames, and the columns of concatenated ones."""

import functools
import inspect

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_ORDER = Row(
    "pandas.order_of_merged_rows",
    "pandas 2.2",
    "merge(how='inner' or 'outer') puts rows of one key together, keys as they first appear",
)
_COLUMNS = Row(
    "pandas.concat_series",
    "pandas 3.0",
    "concat([frame, series]) puts the series into a column 0; np.split(frame, 2) gives frames",
)

TABLE = Table("joins of pandas", "listed", [_ORDER, _COLUMNS])


def restore(pandas):
    """Changes pandas."""
    if rows.is_on(_ORDER):
        wrap(pandas.core.reshape.merge, "get_join_indexers", _by_key)
        wrap(pandas.core.reshape.merge._MergeOperation, "__init__", _unsorted)
    if rows.is_on(_COLUMNS):
        wrap(pandas, "concat", _with_column)
        for owner in (pandas.DataFrame, pandas.Series):
            if not hasattr(owner, "swapaxes"):
                _give_axes(owner)


def _by_key(plain):
    def get_join_indexers(left_keys, right_keys, sort=False, how="inner"):
        left, right = plain(left_keys, right_keys, sort=sort, how=how)
        if sort or how not in ("inner", "outer"):
            return left, right
        order = _order(left_keys, right_keys, left, right)
        if order is None:
            return left, right
        rows.used(_ORDER)
        return order

    return get_join_indexers


def _unsorted(plain):
    """Keys of an outer join are sorted where that is asked for, or where both are indices."""

    @functools.wraps(plain)
    def __init__(self, *arguments, **options):
        plain(self, *arguments, **options)
        given = signature.bind(self, *arguments, **options).arguments
        if self.how == "outer" and not given.get("sort", False):
            self.sort = bool(given.get("left_index") and given.get("right_index"))

    signature = inspect.signature(plain)
    return __init__


def _order(left_keys, right_keys, left, right):
    """The two indexers by key, or None where they are so already."""
    import numpy

    counts = len(left_keys[0]), len(right_keys[0])
    left, right = (
        numpy.arange(count) if found is None else found
        for found, count in zip((left, right), counts)
    )
    labels = _labels(left_keys, right_keys)
    if not len(left) or not len(labels):
        return None
    of_left, of_right = labels[: counts[0]], labels[counts[0] :]
    keys = numpy.empty(len(left), dtype=labels.dtype)
    is_left = left >= 0
    keys[is_left], keys[~is_left] = of_left[left[is_left]], of_right[right[~is_left]]
    order = numpy.lexsort((right, left, keys))
    if (order[1:] > order[:-1]).all():
        return None
    return left[order], right[order]


def _labels(left_keys, right_keys):
    """A number for each key, those of the left frame first, in the order of their first use."""
    import numpy
    import pandas
    from pandas.core.reshape import merge

    labels = None
    for left, right in zip(left_keys, right_keys):
        codes = merge._factorize_keys(left, right, sort=False)
        codes = numpy.concatenate([numpy.asarray(part, "int64") for part in codes[:2]])
        if labels is not None:
            codes = labels * (codes.max(initial=0) + 2) + codes
        labels = pandas.factorize(codes)[0].astype("int64")
    return labels


def _with_column(plain):
    def concat(objs, *arguments, **options):
        is_by_rows = not arguments and options.get("axis", 0) in (0, "index")
        if is_by_rows and isinstance(objs, (list, tuple)):
            dimensions = {getattr(one, "ndim", None) for one in objs}
            if {1, 2} <= dimensions:
                rows.used(_COLUMNS)
                objs = [one.rename(0) if getattr(one, "ndim", 2) == 1 else one for one in objs]
        return plain(objs, *arguments, **options)

    return concat


def _give_axes(owner):
    """``swapaxes``, by which NumPy splits a frame into frames."""
    from tfgraphtools.compat.engine import state

    def swapaxes(self, axis1, axis2, copy=True):
        places = {"index": 0, "rows": 0, "columns": 1}
        axis1, axis2 = places.get(axis1, axis1), places.get(axis2, axis2)
        rows.used(_COLUMNS)
        return self.copy() if axis1 == axis2 else self.T

    state.set_attribute(owner, "swapaxes", swapaxes, new=True)
