"""Times that are asked for in days, hours or seconds: nanoseconds, as pandas 1.3 kept them."""

from tfgraphtools.compat.engine import notices, rows
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_UNITS = Row(
    "pandas.units_of_times",
    "pandas 2.0",
    "series.astype('M8[D]') cuts times to days, and reads numbers as days; a series or frame of "
    "dtype='M8[D]' keeps whole times; pd.Index(texts).astype('M8[D]') is pandas 0.19's",
)

TABLE = Table("units of times", "listed", [_UNITS])


def restore(pandas):
    """Changes pandas."""
    if rows.is_on(_UNITS):
        wrap(pandas.Series, "__init__", _holding_nanoseconds(2))
        wrap(pandas.DataFrame, "__init__", _holding_nanoseconds(3))
        wrap(pandas.Series, "astype", _as_times)
        wrap(pandas.Index, "astype", _as_index_of_times)


def unit_of(dtype):
    """The unit of a type of times ("D", or "generic"); None for any other type."""
    import numpy

    try:
        dtype = numpy.dtype(dtype)
    except TypeError:  # a type of pandas, or of columns
        return None
    return numpy.datetime_data(dtype)[0] if dtype.kind == "M" else None


def _holding_nanoseconds(place):
    """A constructor whose `place`-th argument after ``data`` is the type."""

    def change(plain):
        def __init__(self, data=None, *arguments, **options):
            values = dict(enumerate(arguments, 1))
            dtype = values.get(place, options.get("dtype"))
            if not _is_scalar(data) and _has_other_unit(dtype) and notices.is_called_by_user():
                rows.used(_UNITS)
                if place in values:
                    arguments = (*arguments[: place - 1], "datetime64[ns]", *arguments[place:])
                else:
                    options["dtype"] = "datetime64[ns]"
            plain(self, data, *arguments, **options)

        return __init__

    return change


def _has_other_unit(dtype):
    return dtype is not None and unit_of(dtype) not in (None, "generic", "ns")


def _is_scalar(data):
    return isinstance(data, str) or not hasattr(type(data), "__len__")


def _as_times(plain):
    def astype(self, dtype, *arguments, **options):
        unit = unit_of(dtype)
        if unit in (None, "ns"):
            return plain(self, dtype, *arguments, **options)
        rows.used(_UNITS)
        if unit == "generic":
            return plain(self, "datetime64[ns]", *arguments, **options)
        is_of_numbers = self.dtype.kind in "biuf"
        times = self if is_of_numbers else plain(self, "datetime64[ns]", *arguments, **options)
        return type(self)(_whole(times, unit), index=self.index, name=self.name)

    return astype


def _as_index_of_times(plain):
    def astype(self, dtype, *arguments, **options):
        if self.dtype != object or not _has_other_unit(dtype):
            return plain(self, dtype, *arguments, **options)
        rows.used(_UNITS)
        times = plain(self, "datetime64[ns]", *arguments, **options)
        return type(times)(_whole(times, unit_of(dtype)), name=self.name)

    return astype


def _whole(values, unit):
    """Times cut to a unit, or numbers in that unit, as nanoseconds."""
    return values.to_numpy().astype(f"datetime64[{unit}]").astype("datetime64[ns]")
