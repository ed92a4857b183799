"""What pandas's objects hold: objects for texts, nanoseconds, numbers for dummies."""

import functools
import numbers
import sys
import warnings

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.loading import user_code
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas import chained

_TEXTS = Row(
    "pandas.object_texts",
    "pandas 3.0",
    "columns of strings have the dtype object, and keep None",
)
_TIMES = Row(
    "pandas.nanoseconds",
    "pandas 2.0",
    "times are in nanoseconds: to_datetime(x).astype(np.int64) // 10**9 are seconds",
)
_DUMMIES = Row(
    "pandas.get_dummies",
    "pandas 2.0",
    "get_dummies returns uint8; bools in pandas 2",
)
_VALUES = Row(
    "pandas.writable_values",
    "pandas 3.0",
    "the array df['a'].values can be written to",
)
_POSITIONS = Row(
    "pandas.position_in_series",
    "pandas 3.0",
    "series[0] is the first element if the index has no integers; a number that is set in a series "
    "of integers is truncated",
)
_COUNTS = Row(
    "pandas.Series.value_counts",
    "pandas 2.0",
    "value_counts keeps the name of the series",
)

_MISSING = Row(
    "pandas.none_is_a_text",
    "pandas 2.0",
    "read_csv reads None as a string, not as a missing value",
)

TABLE = Table(
    "contents of pandas's objects",
    "listed",
    [_TEXTS, _TIMES, _DUMMIES, _VALUES, _POSITIONS, _COUNTS, _MISSING],
)


def restore(pandas):
    """Changes pandas."""
    for row, change in (
        (_TEXTS, _hold_texts_as_objects),
        (_TIMES, _hold_nanoseconds),
        (_DUMMIES, _make_numbers_of_dummies),
        (_VALUES, _give_writable_values),
        (_POSITIONS, _find_positions),
        (_COUNTS, _keep_the_name),
        (_MISSING, _read_none_as_text),
    ):
        if rows.is_on(row):
            change(pandas)


def _used_by_importer(row):
    """Counts a setting as used if user code imports pandas, and not contrib, say."""
    frame = sys._getframe(1)
    passed = ("importlib", "_frozen_importlib", "pandas", "tfgraphtools")
    while frame is not None and frame.f_globals.get("__name__", "").startswith(passed):
        frame = frame.f_back
    if frame is not None and user_code.is_user_file(frame.f_code.co_filename):
        rows.used(row)


def _hold_texts_as_objects(pandas):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = pandas.get_option("future.infer_string")
        pandas.set_option("future.infer_string", False)
    state.at_restore(lambda: pandas.set_option("future.infer_string", before))
    _used_by_importer(_TEXTS)


#: Calls of ``to_datetime(errors="coerce")`` that run: what nanoseconds cannot hold is no time.
coercing = []


def _hold_nanoseconds(pandas):
    from pandas.core.arrays import datetimes, timedeltas

    for cls in (datetimes.DatetimeArray, timedeltas.TimedeltaArray):
        state.set_attribute(cls, "_simple_new", _in_nanoseconds(pandas, cls))


def _in_nanoseconds(pandas, cls):
    import numpy
    from pandas._libs.tslibs.np_datetime import astype_overflowsafe

    plain = vars(cls)["_simple_new"].__func__

    @classmethod
    @functools.wraps(plain)
    def simple_new(cls, values, dtype=None, **freq):
        dtype = values.dtype if dtype is None else dtype
        if getattr(dtype, "unit", None) or values.dtype.str[1:] not in ("M8[ns]", "m8[ns]"):
            kind = values.dtype.kind + "8[ns]"
            if values.dtype.str[1:] != kind:
                rows.used(_TIMES)
                values = astype_overflowsafe(values, numpy.dtype(kind), is_coerce=bool(coercing))
            zone = getattr(dtype, "tz", None)
            dtype = pandas.DatetimeTZDtype("ns", zone) if zone is not None else values.dtype
        return plain(cls, values, dtype=dtype, **freq)

    return simple_new


def _make_numbers_of_dummies(pandas):
    plain = pandas.get_dummies

    @functools.wraps(plain)
    def get_dummies(*arguments, **options):
        if len(arguments) < 8 and options.get("dtype") is None:
            rows.used(_DUMMIES)
            options["dtype"] = "uint8"
        return plain(*arguments, **options)

    state.set_attribute(pandas, "get_dummies", get_dummies)


def _give_writable_values(pandas):
    for cls in (pandas.Series, pandas.DataFrame, pandas.Index):
        plain = vars(cls)["values"].fget
        state.set_attribute(cls, "values", property(_writable(plain), doc=plain.__doc__))


def _writable(plain):
    def values(self):
        found = plain(self)
        flags = getattr(found, "flags", None)
        if flags is not None and not flags.writeable:
            view = found.view()
            try:
                view.flags.writeable = True
            except ValueError:  # the memory belongs to somebody who forbids it
                return found
            rows.used(_VALUES)
            return view
        return found

    return values


def _find_positions(pandas):
    plain_get, plain_set = pandas.Series.__getitem__, pandas.Series.__setitem__

    @functools.wraps(plain_get)
    def getitem(self, key):
        try:
            return plain_get(self, key)
        except KeyError:
            if not _are_positions(self, key):
                raise
        rows.used(_POSITIONS)
        return self.iloc[key]

    @functools.wraps(plain_set)
    def setitem(self, key, value):
        chained.tell(self)
        value = _in_type(self, key, value)
        if type(key) is int and _are_positions(self, key) and key not in self.index:
            rows.used(_POSITIONS)
            self.iloc[key] = value
        else:
            plain_set(self, key, value)

    state.set_attribute(pandas.Series, "__getitem__", getitem)
    state.set_attribute(pandas.Series, "__setitem__", setitem)


def _in_type(series, key, value):
    """A number that is set in an integer column is truncated: ``series[0] = 1.5`` sets 1.

    Raises:
      OverflowError: the number does not fit into 64 bits.
    """
    is_whole = getattr(series.dtype, "kind", "O") in "iu" and hasattr(series.dtype, "itemsize")
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not is_whole or not is_number or not isinstance(key, (int, str)) or value != value:
        return value
    whole, bits = int(value), 8 * series.dtype.itemsize
    if not -(2**63) <= whole < (2**64 if series.dtype == "uint64" else 2**63):
        raise OverflowError("Python int too large to convert to C long")
    lowest = -(2 ** (bits - 1)) if series.dtype.kind == "i" else 0
    cut = (whole - lowest) % 2**bits + lowest
    if cut != value:
        rows.used(_POSITIONS)
    return cut


def _are_positions(series, key):
    """Whether a key is a position, or a list of them, and cannot be a label."""
    if getattr(series.index.dtype, "kind", "O") in "iuf":
        return False
    listed = key if isinstance(key, list) else [key]
    size = len(series)
    return bool(listed) and all(
        hasattr(one, "__index__") and not isinstance(one, bool) and -size <= one < size
        for one in listed
    )


def _keep_the_name(pandas):
    plain = pandas.Series.value_counts

    @functools.wraps(plain)
    def value_counts(self, *arguments, **options):
        counted = plain(self, *arguments, **options)
        rows.used(_COUNTS)
        counted.name, counted.index.name = self.name, None
        return counted

    state.set_attribute(pandas.Series, "value_counts", value_counts)


def _read_none_as_text(pandas):
    from pandas._libs import parsers

    if "None" in parsers.STR_NA_VALUES:
        _used_by_importer(_MISSING)
        parsers.STR_NA_VALUES.discard("None")
        state.at_restore(lambda: parsers.STR_NA_VALUES.add("None"))
