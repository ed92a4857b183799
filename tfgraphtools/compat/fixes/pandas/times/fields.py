"""Times of pandas 1.3: the numbers of their fields, how they are found, described and resampled."""

import functools

from tfgraphtools.compat.engine import notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_FIELDS = Row(
    "pandas.fields_of_times",
    "pandas 2.0",
    "series.dt.year and index.hour hold int64; unique() and dt.to_pydatetime() are arrays; "
    "describe() of times; frame['2015-01'] finds rows; isin takes texts",
)
_RESAMPLE = Row(
    "pandas.resample",
    "pandas 3.0",
    "resample takes base, loffset, kind, how and axis; fillna of what it gives",
)

TABLE = Table("times of pandas", "listed", [_FIELDS, _RESAMPLE])


def restore(pandas):
    """Changes pandas."""
    arrays = pandas.core.arrays
    if rows.is_on(_FIELDS):
        for cls in (arrays.DatetimeArray, arrays.TimedeltaArray, arrays.PeriodArray):
            for name in cls._field_ops:
                plain = getattr(cls, name).fget
                state.set_attribute(cls, name, property(_in_64_bits(plain), doc=plain.__doc__))
        wrap(arrays.DatetimeArray, "isin", functools.partial(_reading_texts, pandas))
        wrap(pandas.Series, "unique", _as_array)
        for name in ("unique", "factorize"):
            wrap(pandas, name, _of_lists)
        wrap(pandas.DataFrame, "__getitem__", _finding_rows)
        accessor = pandas.core.indexes.accessors.DatetimeProperties
        wrap(accessor, "to_pydatetime", _as_objects)
        wrap(pandas.Series, "describe", _described)
        wrap(pandas.DataFrame, "describe", _described_numbers)
    if rows.is_on(_RESAMPLE):
        for owner in (pandas.DataFrame, pandas.Series):
            wrap(owner, "resample", _resampling)
        resampler = pandas.core.resample.Resampler
        state.set_attribute(resampler, "fillna", _fillna, new=True)
        state.set_attribute(resampler, "interpolate", _interpolate)


def _in_64_bits(plain):
    def field(self):
        found = plain(self)
        if str(getattr(found, "dtype", None)) != "int32":
            return found
        rows.used(_FIELDS)
        return found.astype("int64")

    return field


def _reading_texts(pandas, plain):
    def isin(self, values):
        found = getattr(values, "to_numpy", lambda: values)()
        is_of_objects = getattr(getattr(found, "dtype", None), "kind", "") == "O"
        if is_of_objects and any(isinstance(one, str) for one in found):
            rows.used(_FIELDS)
            times = pandas.to_datetime(found, errors="coerce")
            values = times[times.notna() | pandas.isna(found)].array
        return plain(self, values)

    return isin


def _as_array(plain):
    def unique(self):
        found = plain(self)
        kind = getattr(found.dtype, "kind", "O")
        if kind not in "mM" or hasattr(found.dtype, "tz") or not notices.is_called_by_user():
            return found
        rows.used(_FIELDS)
        return found.to_numpy()

    return unique


def _of_lists(plain):
    def unique(values, *arguments, **options):
        if isinstance(values, (list, tuple)):
            import pandas

            rows.used(_FIELDS)
            values = pandas.Series(values).values
        found = plain(values, *arguments, **options)
        return found.to_numpy() if type(found).__name__ == "DatetimeArray" else found

    return unique


def _finding_rows(plain):
    def getitem(self, key):
        try:
            return plain(self, key)
        except KeyError:
            if not isinstance(key, str) or not hasattr(self.index, "_parsed_string_to_bounds"):
                raise
        rows.used(_FIELDS)
        return self.loc[key]

    return getitem


def _as_objects(plain):
    def to_pydatetime(self):
        rows.used(_FIELDS)
        return plain(self).to_numpy()

    return to_pydatetime


def _described(plain):
    """Times were described as categories are, with the first and the last."""

    def describe(self, percentiles=None, include=None, exclude=None, datetime_is_numeric=False):
        if self.dtype.kind != "M" or datetime_is_numeric or not notices.is_called_by_user():
            return plain(self, _with_median(percentiles), include, exclude)
        import pandas

        rows.used(_FIELDS)
        times = self.dropna()
        found = {"count": len(times), "unique": times.nunique()}
        if len(times):
            counts = times.value_counts()
            found.update(top=counts.index[0], freq=counts.iloc[0])
            found.update(first=times.min(), last=times.max())
        return pandas.Series(found, name=self.name, dtype=object)

    return describe


def _described_numbers(plain):
    def describe(self, percentiles=None, include=None, exclude=None, datetime_is_numeric=False):
        times = self.select_dtypes(include=["datetime", "datetimetz"]).columns
        is_left_out = len(times) and include is None and exclude is None
        if is_left_out and not datetime_is_numeric and notices.is_called_by_user():
            if self.select_dtypes(include=["number"]).shape[1]:
                rows.used(_FIELDS)
                self = self.drop(columns=times)
        return plain(self, _with_median(percentiles), include, exclude)

    return describe


def _with_median(percentiles):
    """The percentiles that are asked for, of which the median is always one."""
    if percentiles is None or 0.5 in percentiles:
        return percentiles
    rows.used(_FIELDS)
    return sorted([*percentiles, 0.5])


_GONE = ("base", "loffset", "kind", "how", "fill_method", "limit", "axis")


def _resampling(plain):
    def resample(self, rule, *arguments, **options):
        given = {name: options.pop(name) for name in _GONE if name in options}
        if not given:
            return plain(self, rule, *arguments, **options)
        from pandas.tseries.frequencies import to_offset

        rows.used(_RESAMPLE)
        options.update(_offset(given.get("base"), rule))
        found = plain(self, rule, *arguments, **options)
        if given.get("loffset") is not None or given.get("kind") == "period":
            offset = given.get("loffset")
            offset = to_offset(offset) if isinstance(offset, str) else offset
            found = _Moved(found, offset, rule if given.get("kind") == "period" else None)
        return _filled(_computed(found, given.get("how")), given)

    return resample


def _offset(base, rule):
    """Where steps begin: at `base` units of a rule that is a length of time."""
    import pandas
    from pandas.tseries.frequencies import to_offset

    step = to_offset(rule)
    if not base or not isinstance(step, pandas.offsets.Tick):
        return {}
    return {"offset": pandas.Timedelta(base * (step.nanos // step.n), "ns")}


def _computed(found, how):
    if how is None:
        return found
    return getattr(found, how)() if isinstance(how, str) else found.agg(how)


def _filled(found, given):
    method = given.get("fill_method")
    if method is None:
        return found
    name = "ffill" if method in ("ffill", "pad") else "bfill"
    if given.get("how") is None:  # upsampled
        return getattr(found, name)(limit=given.get("limit"))
    return getattr(found, name)()


class _Moved:
    """Resampled times of which the results are moved, or named by periods."""

    def __init__(self, resampled, offset, period):
        self._resampled, self._offset, self._period = resampled, offset, period

    def __getattr__(self, name):
        found = getattr(self._resampled, {"pad": "ffill", "backfill": "bfill"}.get(name, name))
        return found if name == "transform" else self._moving(found)

    def __getitem__(self, key):
        return _Moved(self._resampled[key], None, self._period)

    def _moving(self, found):
        if hasattr(found, "_grouper"):  # a column, of which pandas 1 forgot the offset
            return _Moved(found, None, self._period)
        if hasattr(found, "iloc"):
            return self._moved(found)
        if not callable(found):
            return found
        return lambda *arguments, **options: self._moving(found(*arguments, **options))

    def _moved(self, found):
        index = found.index
        if self._offset is not None and hasattr(index, "freq"):
            index = index + self._offset
        if self._period is not None and hasattr(index, "to_period"):
            index = index.to_period(self._period)
        return found.set_axis(index, axis=0)


def _interpolate(self, method="linear", *arguments, **options):
    """Between the values at the new times alone."""
    rows.used(_RESAMPLE)
    return self.asfreq().interpolate(method, *arguments, **options)


def _fillna(self, method, limit=None):
    rows.used(_RESAMPLE)
    names = {"pad": "ffill", "backfill": "bfill"}
    name = names.get(method, method)
    return self.nearest(limit=limit) if name == "nearest" else getattr(self, name)(limit=limit)
