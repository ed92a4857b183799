"""Methods and attributes that pandas's objects had."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left, of


def _lookup(frame):
    def lookup(labels, columns):
        import numpy

        return numpy.array([frame.at[label, column] for label, column in zip(labels, columns)])

    return lookup


def _deviation(values):
    """Returns ``mad()``, the mean distance from the mean."""
    if not hasattr(values, "ndim"):  # groups
        raise AttributeError
    if values.ndim == 2:
        values = values.select_dtypes(include=["number", "bool"])
    return lambda axis=None, skipna=None, level=None: (
        (values - values.mean(axis or 0)).abs().mean(axis or 0)
    )


def _week(times):
    """Returns the week of an index of times, of a series's times, or of one time."""
    weeks = times.isocalendar().week
    if not hasattr(weeks, "astype"):
        return weeks
    weeks = weeks.astype("float64" if weeks.isna().any() else "int64")
    if hasattr(times, "get_indexer"):
        import pandas

        return pandas.Index(weeks.to_numpy(), name=times.name)
    return weeks.rename(times.normalize().name)


class _Ix:
    """The rows and columns of a frame by label, else by position: ``frame.ix``."""

    def __init__(self, frame):
        self._frame = frame

    def __getitem__(self, key):
        return self._frame.loc[self._labels(key)]

    def __setitem__(self, key, value):
        self._frame.loc[self._labels(key)] = value

    def _labels(self, key):
        if isinstance(key, tuple) and self._frame.ndim == 2:
            return tuple(_label(axis, label) for axis, label in zip(self._frame.axes, key))
        return _label(self._frame.axes[0], key)


def _label(axis, key):
    """Returns positions of an axis whose labels are no integers as its labels."""
    if axis.dtype.kind in "iu":
        return key
    ends = (key.start, key.stop) if isinstance(key, slice) else (key,)
    if isinstance(key, list):
        ends = key
    if not all(end is None or type(end) is int for end in ends) or ends == (None, None):
        return key
    labels = axis[key]
    return list(labels) if isinstance(key, (slice, list)) else labels


def _append(frame):
    def append(other, ignore_index=False, verify_integrity=False, sort=False):
        import pandas

        columns = None
        if isinstance(other, dict):
            other = pandas.Series(other)
        if isinstance(other, pandas.Series) and frame.ndim == 2:
            columns = frame.columns.append(other.index.difference(frame.columns))
            other = other.reindex(columns).to_frame().T.infer_objects()
        is_rows = isinstance(other, list) and other and not hasattr(other[0], "iloc")
        if is_rows and frame.ndim == 2:
            other = pandas.DataFrame(other)
        others = list(other) if isinstance(other, (list, tuple)) else [other]
        joined = pandas.concat(
            [frame, *others],
            ignore_index=ignore_index,
            verify_integrity=verify_integrity,
            sort=sort,
        )
        return joined if columns is None or sort else joined.reindex(columns=columns)

    return append


def _sort(frame):
    def sort(columns=None, axis=0, ascending=True, inplace=False):
        if columns is None:
            return frame.sort_index(axis=axis, ascending=ascending, inplace=inplace)
        return frame.sort_values(columns, axis=axis, ascending=ascending, inplace=inplace)

    return sort


def _as_matrix(frame):
    return lambda columns=None: (frame if columns is None else frame[columns]).values


def _get_value(frame):
    return lambda row, column: frame.at[row, column]


def _row(name, since, why, function):
    return left("pandas." + name, since, why, of("pandas"), {name: function}, "pandas")


TABLE = Table(
    "attributes that pandas's objects had",
    "listed",
    [
        _row("ix", "pandas 1.0", "frame.ix is by label, else by position", _Ix),
        _row("append", "pandas 2.0", "pandas.concat([frame, other])", _append),
        _row("sort", "pandas 0.20", "frame.sort_values(columns)", _sort),
        _row("as_matrix", "pandas 1.0", "frame.as_matrix() is frame.values", _as_matrix),
        _row("get_value", "pandas 1.0", "frame.at[row, column]", _get_value),
        left(
            "pandas.dropped_methods",
            "pandas 2.0",
            "frame.applymap, iteritems, lookup, mad; series.ravel; index.weekofyear, is_monotonic",
            of("pandas"),
            {
                "applymap": lambda frame: frame.map,
                "lookup": _lookup,
                "mad": _deviation,
                "ravel": lambda series: series.to_numpy().ravel,
                "weekofyear": _week,
                "week": _week,
                "is_monotonic": lambda index: index.is_monotonic_increasing,
            },
            "pandas",
            cannot="write df.map, df.items, s.to_numpy().ravel()",
        ),
    ],
)
