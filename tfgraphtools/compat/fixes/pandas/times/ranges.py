"""Where ranges of dates of pandas 1.3 end, and the bins of ``resample('B', closed='right')``."""

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_RANGES = Row(
    "pandas.ranges",
    "pandas 3.0",
    "date_range(start, end, freq='B') ends at the last date at or before end with its time of "
    "day; resample('B', closed='right') puts the whole of a day into its bin",
)

TABLE = Table("ranges of dates of pandas", "listed", [_RANGES])

#: Frequencies of days that were taken for longer than a day, and one that was not.
_LONGER, _NO_LONGER = ("B", "C"), ("BYE",)


def restore(pandas):
    """Changes pandas."""
    if not rows.is_on(_RANGES):
        return
    arrays = pandas.core.arrays.DatetimeArray
    plain = arrays._generate_range.__func__
    state.set_attribute(arrays, "_generate_range", classmethod(_ending(pandas, plain)))
    wrap(pandas.core.resample.TimeGrouper, "_adjust_bin_edges", _of_whole_days)


def _ending(pandas, plain):
    def generate(cls, start, end, periods, freq, *arguments, **options):
        if None not in (start, end, freq) and periods is None:
            end = _end(pandas, pandas.Timestamp(start), pandas.Timestamp(end), freq)
        return plain(cls, start, end, periods, freq, *arguments, **options)

    return generate


def _end(pandas, start, end, freq):
    """The end of a range, as an offset of dates rolls it back: its time of day stays."""
    from pandas.tseries.frequencies import to_offset

    offset = to_offset(freq)
    if isinstance(offset, (pandas.offsets.Tick, pandas.offsets.Day)) or pandas.NaT in (start, end):
        return end
    if not offset.is_on_offset(start) or offset.is_on_offset(end):
        return end
    rolled = offset.rollback(end)
    # Only here today's range would go on beyond it.
    if rolled.time() < start.time():
        rows.used(_RANGES)
    return rolled


def _of_whole_days(plain):
    def adjust(self, binner, values):
        from pandas import Timedelta

        code = self.freq.rule_code.partition("-")[0]
        if code in _NO_LONGER:
            rows.used(_RANGES)
            return binner, binner.asi8
        if code not in _LONGER:
            return plain(self, binner, values)
        rows.used(_RANGES)
        edges = binner.asi8
        if self.closed == "right":
            days = binner.tz_localize(None)
            last = Timedelta(days=1).as_unit(days.unit) - Timedelta(1, unit=days.unit)
            edges = (days + last).tz_localize(binner.tz).asi8
        if edges[-2] > values.max():  # within the last day
            edges, binner = edges[:-1], binner[:-1]
        return binner, edges

    return adjust
