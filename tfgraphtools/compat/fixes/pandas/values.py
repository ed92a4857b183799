"""What pandas 1.3 computed: other values, of other types, without a word from pandas today."""

import contextlib
import functools
import re

from tfgraphtools.compat.engine import notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas import kinds
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_TEXTS = Row(
    "pandas.texts",
    "pandas 2.0",
    "series.str.replace(pattern, new) takes a regular expression; to_datetime and parse_dates "
    "parse each string separately, whatever the format of the first one",
)
_TYPES = Row(
    "pandas.types_of_columns",
    "pandas 3.0",
    "fillna and replace return columns of numbers or bools if only these remain; df.loc[0, 'a'] = "
    "1.5 converts integers to floats",
)
TABLE = Table(
    "results of pandas",
    "listed",
    [_TEXTS, _TYPES],
)


def restore(pandas):
    """Changes pandas."""
    for row, changes in (
        (_TEXTS, [_replace_patterns, _read_each_date]),
        (_TYPES, [_infer_filled, _widen]),
    ):
        for change in changes if rows.is_on(row) else ():
            change(pandas)


#: What may stand between user code and a method: ``pd.read_csv``.
_BETWEEN = ("pandas", "tfgraphtools")


def _replace_patterns(pandas):
    def change(plain):
        def replace(self, pat, repl=None, n=-1, case=None, flags=0, regex=None):
            if regex is None:  # one character stood for itself
                users = notices.is_called_by_user(_BETWEEN) and isinstance(pat, str)
                regex = not isinstance(pat, (str, dict)) or users and len(pat) > 1
                if users and regex:
                    rows.used(_TEXTS)
            return plain(self, pat, repl, n, case, flags, regex)

        return replace

    wrap(pandas.core.strings.accessor.StringMethods, "replace", change)


def _infer_filled(pandas):
    for owner in (pandas.DataFrame, pandas.Series):
        for name in ("fillna", "ffill", "bfill", "replace"):
            wrap(owner, name, _inferring)


def _inferring(plain):
    def method(self, *arguments, **options):
        result = plain(self, *arguments, **options)
        found = self if options.get("inplace") is True else result
        if not _has_objects(found) or not notices.is_called_by_user(_BETWEEN):
            return result
        inferred = found.infer_objects()
        if _types(inferred) != _types(found):
            rows.used(_TYPES)
            if found is not self:
                return inferred
            self._update_inplace(inferred)
        return result

    return method


def _types(found):
    return [found.dtype] if found.ndim == 1 else list(found.dtypes)


def _has_objects(found):
    return getattr(found, "ndim", 0) in (1, 2) and any(kind.kind == "O" for kind in _types(found))


def _read_each_date(pandas):
    import numpy
    from pandas.core.tools import datetimes

    plain = datetimes.to_datetime

    @functools.wraps(plain)
    def to_datetime(arg, errors="raise", *arguments, **options):
        if not notices.is_called_by_user(_BETWEEN):
            return plain(arg, errors, *arguments, **options)
        is_inferred = options.pop("infer_datetime_format", False)
        asks = len(arguments) < 4 and options.get("format") is None and "unit" not in options
        if asks and (isinstance(arg, str) or _are_texts(arg)):
            rows.used(_TEXTS)
            if is_inferred and errors == "raise":
                with contextlib.suppress(ValueError):
                    return plain(arg, errors, *arguments, **options)
            options["format"] = "mixed"
            if options.get("dayfirst") and _are_iso(arg):
                del options["dayfirst"]
        if _is_iso(options.get("format")):  # whatever `exact` says
            rows.used(_TEXTS)
            options.pop("exact", None)
            is_number = numpy.asarray(arg).dtype.kind in "iuf"
            options["format"] = None if is_number else "ISO8601"
        if "unit" in options and isinstance(arg, str) and _NUMBER.fullmatch(arg):
            rows.used(_TEXTS)
            arg = float(arg)
        if errors == "coerce":
            kinds.coercing.append(arg)
            try:
                return plain(arg, errors, *arguments, **options)
            finally:
                kinds.coercing.pop()
        if errors != "ignore":
            return plain(arg, errors, *arguments, **options)
        rows.used(_TEXTS)
        try:
            return plain(arg, "raise", *arguments, **options)
        except (ValueError, TypeError, OverflowError):
            is_list = isinstance(arg, (list, tuple, numpy.ndarray))
            return pandas.Index(arg, dtype=object) if is_list else arg

    for owner in (pandas, datetimes):
        state.set_attribute(owner, "to_datetime", to_datetime)


def _is_iso(format):
    """Whether texts could have more or less than the format says; it said nothing of numbers."""
    if not format or format in ("%Y", "%Y%m", "%Y%m%d"):
        return False
    return any(
        f"%Y{between}%m{between}%d{before_time}%H:%M:%S.%f".startswith(format)
        for between in (" ", "/", "\\", "-", ".", "")
        for before_time in " T"
    )


def _are_iso(arg):
    """Whether texts begin with a year, so that no day is first."""
    texts = [arg] if isinstance(arg, str) else getattr(arg, "values", arg)
    return all(_YEAR.match(one) for one in texts if isinstance(one, str))


_YEAR = re.compile(r"\d{4}([-/]\d\d?[-/]|\d{4}$)")

_NUMBER = re.compile(r"-?\d+(\.\d*)?")


def _are_texts(arg):
    """Whether it is a list, an array or a series of texts."""
    if isinstance(arg, (str, dict)) or not hasattr(arg, "__len__"):
        return False
    if getattr(getattr(arg, "dtype", None), "kind", "O") not in "OUT":
        return False
    values = getattr(arg, "values", arg)
    return getattr(values, "ndim", 1) == 1 and any(isinstance(one, str) for one in values[:100])


def _widen(pandas):
    def change(plain):
        def coerce_to_target_dtype(self, other, raise_on_upcast=False):
            if raise_on_upcast and notices.is_called_by_user(_BETWEEN):
                rows.used(_TYPES)
                raise_on_upcast = False
            return plain(self, other, raise_on_upcast)

        return coerce_to_target_dtype

    wrap(pandas.core.internals.blocks.Block, "coerce_to_target_dtype", change)
