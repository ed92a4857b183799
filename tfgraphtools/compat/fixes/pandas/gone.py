"""Methods and attributes that pandas's objects had."""

from tfgraphtools.compat.engine.attributes import fallback_row
from tfgraphtools.compat.engine.rows import Table


def _of_pandas(function):
    def fallback(value):
        if type(value).__module__.partition(".")[0] != "pandas":
            raise AttributeError
        return function(value)

    return fallback


def _lookup(frame):
    def lookup(labels, columns):
        import numpy

        found = [frame.at[label, column] for label, column in zip(labels, columns)]
        return numpy.array(found)

    return lookup


def _deviation(values):
    """``mad()``: the mean distance from the mean, of columns or of groups."""
    if hasattr(values, "_grouper"):
        columns = values._obj_with_exclusions
        if columns.ndim == 2:
            values = values[list(columns._get_numeric_data().columns)]
        return lambda: values.agg(lambda one: (one - one.mean()).abs().mean())
    values = values._get_numeric_data() if values.ndim == 2 else values
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
    return weeks.rename(times._parent.name)


def _slice_shift(frame):
    def slice_shift(periods=1, axis=0):
        if periods == 0:
            return frame
        kept = frame.iloc[:-periods] if periods > 0 else frame.iloc[-periods:]
        index = frame.index[periods:] if periods > 0 else frame.index[:periods]
        return kept.set_axis(index, axis=0)

    return slice_shift


def _viewed(series):
    return lambda dtype=None: type(series)(
        series.to_numpy().view(dtype), index=series.index, name=series.name
    )


def _first(frame):
    def first(offset):
        import pandas
        from pandas.tseries.frequencies import to_offset

        step, start = to_offset(offset), frame.index[0]
        if not isinstance(step, pandas.offsets.Tick) and step.is_on_offset(start):
            return frame.loc[: start - step.base + step]
        return frame.loc[: start + step].loc[lambda found: found.index < start + step]

    return first


def _last(frame):
    def last(offset):
        from pandas.tseries.frequencies import to_offset

        return frame.loc[frame.index > frame.index[-1] - to_offset(offset)]

    return last


def _time_shift(frame):
    def tshift(periods=1, freq=None, axis=0):
        return frame.shift(periods, freq=freq or frame.index.freq or frame.index.inferred_freq)

    return tshift


GONE = Table(
    "attributes that pandas's objects had",
    "listed",
    [
        fallback_row(
            "pandas.dropped_methods",
            "pandas 2.0",
            "frame.applymap, iteritems, lookup, mad; series.ravel; index.weekofyear, is_monotonic",
            {
                "applymap": _of_pandas(lambda frame: frame.map),
                "lookup": _of_pandas(_lookup),
                "mad": _of_pandas(_deviation),
                "ravel": _of_pandas(lambda series: series.to_numpy().ravel),
                "weekofyear": _of_pandas(_week),
                "week": _of_pandas(_week),
                "slice_shift": _of_pandas(_slice_shift),
                "tshift": _of_pandas(_time_shift),
                "view": _of_pandas(_viewed),
                "first": _of_pandas(_first),
                "last": _of_pandas(_last),
                "is_numeric": _of_pandas(lambda index: lambda: index.dtype.kind in "iuf"),
                "is_monotonic": _of_pandas(lambda index: index.is_monotonic_increasing),
                "backfill": _of_pandas(lambda frame: frame.bfill),
                "pad": _of_pandas(lambda frame: frame.ffill),
            },
            "pandas",
        )
    ],
)
