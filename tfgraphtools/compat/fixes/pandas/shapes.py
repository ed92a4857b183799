"""Smaller things that pandas 1.3 gave otherwise, and methods that left it."""

from tfgraphtools.compat.engine import notices, rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.pandas.wrapping import wrap

_SHAPES = Row(
    "pandas.shapes",
    "pandas 2.0",
    "stack() drops missing values; index & other and index | other are sets; shift of texts "
    "gives NaN; value_counts of an index has no name; replace(x, None) and replace(method=)",
)

TABLE = Table("what pandas gives", "listed", [_SHAPES])


def restore(pandas):
    """Changes pandas."""
    if not rows.is_on(_SHAPES):
        return
    wrap(pandas.DataFrame, "stack", _dropping)
    for name, change in (("__and__", "intersection"), ("__or__", "union")):
        wrap(pandas.Index, name, _as_sets(change))
    wrap(pandas.Index, "__xor__", _as_sets("symmetric_difference"))
    wrap(pandas.Index, "value_counts", _unnamed)
    wrap(pandas.Index, "ravel", _as_array)
    for owner in (pandas.DataFrame, pandas.Series):
        wrap(owner, "shift", _with_nan)
        wrap(owner, "replace", _by_neighbours)
        wrap(owner, "set_axis", _in_place)
        wrap(owner, "interpolate", _of_numbers)
    wrap(pandas, "read_json", _of_texts)
    for name in ("nlargest", "nsmallest"):
        wrap(pandas.Series, name, _of_values)
    for name, kind in (("__int__", int), ("__float__", float)):
        if not hasattr(pandas.Series, name):
            state.set_attribute(pandas.Series, name, _of_one(kind), new=True)
    wrap(pandas.core.indexing._iLocIndexer, "_setitem_single_column", _whole_columns)


def _dropping(plain):
    def stack(self, level=-1, dropna=True, **options):
        is_new = "sort" in options or "future_stack" in options
        if is_new or not notices.is_called_by_user(("tfgraphtools",)):
            return plain(self, level, **options)
        found = plain(self, level)
        if dropna and found.isna().any(axis=None):
            rows.used(_SHAPES)
            found = found.dropna(how="all") if found.ndim == 2 else found.dropna()
        return found

    return stack


def _as_sets(method):
    def change(plain):
        def operate(self, other):
            is_of_truth = self.dtype.kind == "b"
            if is_of_truth or not hasattr(other, "get_loc"):
                return plain(self, other)
            if not notices.is_called_by_user(("tfgraphtools",)):
                return plain(self, other)
            rows.used(_SHAPES)
            return getattr(self, method)(other)

        return operate

    return change


def _unnamed(plain):
    def value_counts(self, *arguments, **options):
        found = plain(self, *arguments, **options)
        rows.used(_SHAPES)
        found.name, found.index.name = self.name, None
        return found

    return value_counts


def _as_array(plain):
    def ravel(self, order="C"):
        if not notices.is_called_by_user():
            return plain(self, order)
        rows.used(_SHAPES)
        return self.to_numpy().ravel(order)

    return ravel


def _with_nan(plain):
    def shift(self, periods=1, freq=None, axis=0, *arguments, **options):
        found = plain(self, periods, freq, axis, *arguments, **options)
        is_filled = bool(arguments) or "fill_value" in options or "suffix" in options
        if freq is not None or is_filled or not notices.is_called_by_user(("tfgraphtools",)):
            return found
        kinds = [found.dtype] if found.ndim == 1 else list(found.dtypes)
        if not any(kind.kind == "O" for kind in kinds) or not isinstance(periods, int):
            return found
        rows.used(_SHAPES)
        return (
            plain(self, periods, freq, axis, fill_value=float("nan"))
            if all(kind.kind == "O" for kind in kinds)
            else _with_nan_in_texts(found, periods)
        )

    return shift


def _with_nan_in_texts(found, periods):
    """The places that a shift left empty in columns of texts hold NaN, and not None."""
    places = slice(0, periods) if periods > 0 else slice(periods, None)
    for number, kind in enumerate(found.dtypes):
        if kind.kind == "O" and periods:
            column = found.iloc[:, number].copy()
            column.iloc[places] = float("nan")
            found.isetitem(number, column)
    return found


def _by_neighbours(plain):
    """``replace(x, None)`` and ``replace(x, method=...)`` took the value before it."""

    def replace(self, to_replace=None, *arguments, method=None, **options):
        given = arguments or (options.get("value", "absent"),)
        is_none = given == (None,)
        is_old = method is not None or is_none and not isinstance(to_replace, (dict, list))
        if not is_old or not notices.is_called_by_user(("tfgraphtools",)):
            return plain(self, to_replace, *arguments, **options)
        rows.used(_SHAPES)
        in_place, limit = options.pop("inplace", False), options.pop("limit", None)
        wanted = to_replace if isinstance(to_replace, (list, tuple)) else [to_replace]
        backwards = method in ("bfill", "backfill")
        columns = [self] if self.ndim == 1 else [self.iloc[:, i] for i in range(self.shape[1])]
        found = self.copy()
        for place, column in enumerate(columns):
            filled = _from_neighbours(column, column.isin(wanted).to_numpy(), backwards, limit)
            if self.ndim == 1:
                found = filled
            else:
                found.isetitem(place, filled)
        if not in_place:
            return found
        self._update_inplace(found)
        return None

    return replace


def _from_neighbours(column, is_replaced, backwards, limit):
    """The column with the next other value before (or after) each that is replaced."""
    import numpy

    step = slice(None, None, -1 if backwards else 1)
    places = numpy.where(is_replaced[step], -1, numpy.arange(len(column)))
    places = numpy.maximum.accumulate(places)
    own = numpy.arange(len(column))
    is_far = places < 0
    if limit is not None:
        is_far |= own - places > limit
    places = numpy.where(is_far, own, places)[step]
    places = len(column) - 1 - places if backwards else places
    return column.iloc[places].set_axis(column.index, axis=0)


def _in_place(plain):
    def set_axis(self, labels, axis=0, inplace=False, **options):
        if not inplace:
            return plain(self, labels, axis=axis, **options)
        rows.used(_SHAPES)
        setattr(self, self._get_axis_name(axis), labels)
        return None

    return set_axis


def _of_numbers(plain):
    """Columns that hold no numbers stayed as they were."""

    def interpolate(self, method="linear", *arguments, **options):
        try:
            return plain(self, method, *arguments, **options)
        except TypeError:
            texts = [] if self.ndim == 1 else self.select_dtypes(include="object").columns
            if not len(texts) or len(texts) == self.shape[1]:
                raise
        rows.used(_SHAPES)
        in_place = options.pop("inplace", False)
        numbers = self.drop(columns=texts)
        found = self.copy()
        found[numbers.columns] = plain(numbers, method, *arguments, **options)
        if not in_place:
            return found
        self._update_inplace(found)
        return None

    return interpolate


def _of_values(plain):
    def method(self, *arguments, **options):
        if self.isna().any():
            rows.used(_SHAPES)
            self = self.dropna()
        return plain(self, *arguments, **options)

    return method


def _of_one(kind):
    def number(self):
        if len(self) != 1:
            raise TypeError(f"cannot convert the series to {kind}")
        rows.used(_SHAPES)
        return kind(self.iloc[0])

    return number


def _whole_columns(plain):
    """``frame.loc[:, 'a'] = values`` makes a new column, of the type of the values."""

    def setitem(self, loc, value, plane_indexer):
        is_whole = isinstance(plane_indexer, slice) and plane_indexer.indices(len(self.obj)) == (
            0,
            len(self.obj),
            1,
        )
        if not is_whole or not notices.is_called_by_user(("pandas", "tfgraphtools")):
            return plain(self, loc, value, plane_indexer)
        rows.used(_SHAPES)
        self.obj.isetitem(loc, value)
        return None

    return setitem


def _of_texts(plain):
    def read_json(path_or_buf, *arguments, **options):
        if isinstance(path_or_buf, str) and path_or_buf.lstrip()[:1] in ("{", "["):
            import io

            rows.used(_SHAPES)
            path_or_buf = io.StringIO(path_or_buf)
        return plain(path_or_buf, *arguments, **options)

    return read_json
