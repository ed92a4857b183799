"""Methods and attributes that pandas's objects had in 0.20 to 0.25, and lost in 1.0."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left


def _of_pandas(value):
    """Raises AttributeError for what is neither a class of pandas nor of one."""
    classes = (value if isinstance(value, type) else type(value)).__mro__
    if not any(cls.__module__.partition(".")[0] == "pandas" for cls in classes):
        raise AttributeError


def _clip(side):
    def clip(values):
        return lambda threshold, axis=None, inplace=False: values.clip(
            **{side: threshold, "axis": axis, "inplace": inplace}
        )

    return clip


def _convert_objects(values):
    def convert_objects(convert_dates=True, convert_numeric=False, convert_timedeltas=True):
        import pandas

        if not convert_numeric:
            return values.infer_objects()
        converted = {
            name: pandas.to_numeric(column, errors="coerce")
            for name, column in (values if values.ndim == 2 else {0: values}).items()
            if column.dtype in ("object", "str")
        }
        converted = {name: new for name, new in converted.items() if new.notna().any()}
        return values.assign(**converted) if values.ndim == 2 else converted.get(0, values)

    return convert_objects


def _reindex_axis(frame):
    return lambda labels, axis=0, **options: frame.reindex(labels, axis=axis, **options)


def _set_value(values):
    def set_value(index, column, value=None):
        if values.ndim == 1:
            values.at[index] = column
        else:
            values.at[index, column] = value
        return values

    return set_value


def _sort_level(values):
    return lambda level=0, axis=0, ascending=True, inplace=False, sort_remaining=True: (
        values.sort_index(
            level=level,
            axis=axis,
            ascending=ascending,
            inplace=inplace,
            sort_remaining=sort_remaining,
        )
    )


def _order(values):
    def order(na_last=None, ascending=True, kind="quicksort", na_position="last", inplace=False):
        return values.sort_values(
            ascending=ascending,
            inplace=inplace,
            na_position="first" if na_last is False else na_position,
        )

    return order


def _from_items(cls):
    def from_items(items, columns=None, orient="columns"):
        if orient == "index":
            return cls.from_dict(dict(items), orient="index", columns=columns)
        return cls(dict(items), columns=columns)

    return from_items


def _duplicates(index):
    return lambda: index[index.duplicated()].unique()


_ROW = left(
    "pandas.methods_before_1",
    "pandas 1.0",
    "frame.clip_lower, convert_objects, reindex_axis, set_value; series.order, valid, "
    "compress; index.contains, sym_diff; times.weekday_name: as in pandas 0.20",
    _of_pandas,
    {
        "clip_lower": _clip("lower"),
        "clip_upper": _clip("upper"),
        "compress": lambda series: lambda condition: series[condition],
        "contains": lambda index: index.__contains__,
        "convert_objects": _convert_objects,
        "from_items": _from_items,
        "get_duplicates": _duplicates,
        "get_values": lambda values: values.to_numpy,
        "nonzero": lambda series: series.to_numpy().nonzero,
        "order": _order,
        "reindex_axis": _reindex_axis,
        "reshape": lambda series: series.to_numpy().reshape,
        "set_value": _set_value,
        "sortlevel": _sort_level,
        "sym_diff": lambda index: index.symmetric_difference,
        "to_dense": lambda values: values.copy,
        "valid": lambda series: lambda: series.dropna(),
        "weekday_name": lambda times: times.day_name(),
    },
    "pandas",
)

TABLE = Table("methods of pandas before 1.0", "listed", [_ROW])

#: Those whose names other objects have as well: they mean that on frames and columns alone.
AMBIGUOUS = "compress contains nonzero order reshape to_dense valid".split()

#: Methods that nothing of today does -> what a person can write.
WITHOUT_SUCCESSOR = {
    "as_blocks": "select_dtypes",
    "get_dtype_counts": "dtypes.value_counts()",
    "get_ftype_counts": "dtypes.value_counts()",
    "to_msgpack": "to_pickle",
    "to_panel": "a frame with a MultiIndex",
    "to_sparse": "astype(pandas.SparseDtype(...))",
}
