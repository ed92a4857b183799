"""Methods and attributes that pandas's objects had."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left, of


def _lookup(frame):
    def lookup(labels, columns):
        import numpy

        return numpy.array([frame.at[label, column] for label, column in zip(labels, columns)])

    return lookup


def _deviation(values):
    """``mad()``: the mean distance from the mean."""
    if not hasattr(values, "ndim"):  # groups
        raise AttributeError
    if values.ndim == 2:
        values = values.select_dtypes(include=["number", "bool"])
    return lambda axis=None, skipna=None, level=None: (
        (values - values.mean(axis or 0)).abs().mean(axis or 0)
    )


def _week(times):
    """The week of an index of times, of a series's times, or of one time."""
    weeks = times.isocalendar().week
    if not hasattr(weeks, "astype"):
        return weeks
    weeks = weeks.astype("float64" if weeks.isna().any() else "int64")
    if hasattr(times, "get_indexer"):
        import pandas

        return pandas.Index(weeks.to_numpy(), name=times.name)
    return weeks.rename(times.normalize().name)


TABLE = Table(
    "attributes that pandas's objects had",
    "listed",
    [
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
        )
    ],
)
