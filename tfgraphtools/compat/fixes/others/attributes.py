"""Attributes that left the objects of other libraries."""

import operator
import sys

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left, of


def _itemset(array):
    def itemset(*arguments):
        place = arguments[:-1]
        if len(place) == 1 and not isinstance(place[0], tuple):
            array.flat[place[0]] = arguments[-1]
        else:
            array[place[0] if len(place) == 1 else place] = arguments[-1]

    return itemset


def _newbyteorder(array):
    return lambda order="S": array.view(array.dtype.newbyteorder(order))


def _ptp(array):
    numpy = sys.modules["numpy"]
    return lambda *arguments, **options: numpy.ptp(array, *arguments, **options)


# pandas ---------------------------------------------------------------------


class _Ix:
    """``frame.ix``: rows and columns by label, else by position."""

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
    """Positions of an axis whose labels are no integers, as its labels."""
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


def _feature_names(transformer):
    """A list, but of an encoder an array."""
    names = transformer.get_feature_names_out
    return names if type(transformer).__name__ == "OneHotEncoder" else lambda: list(names())


# Pictures -------------------------------------------------------------------


def _textsize(draw):
    def textsize(text, font=None, *arguments, **options):
        left, top, right, bottom = draw.textbbox((0, 0), text, font, *arguments, **options)
        return right, bottom

    return textsize


def _getsize(font):
    def getsize(text, *arguments, **options):
        left, top, right, bottom = font.getbbox(text, *arguments, **options)
        return right, bottom

    return getsize


#: (row, since, why, the library, {attribute: function of the object that gives its value})
_REMOVED = (
    (
        *("numpy.ndarray.tostring", "NumPy 2.3", "array.tostring() is array.tobytes()", "numpy"),
        {"tostring": operator.attrgetter("tobytes")},
    ),
    ("numpy.ndarray.ptp", "NumPy 2.0", "array.ptp() is numpy.ptp(array)", "numpy", {"ptp": _ptp}),
    (
        *("numpy.ndarray.itemset", "NumPy 2.0", "array.itemset(i, x) is array[i] = x", "numpy"),
        {"itemset": _itemset},
    ),
    (
        *("numpy.ndarray.newbyteorder", "NumPy 2.0", "a view of the array", "numpy"),
        {"newbyteorder": _newbyteorder},
    ),
    ("pandas.ix", "pandas 1.0", "frame.ix is by label, else by position", "pandas", {"ix": _Ix}),
    (
        *("pandas.append", "pandas 2.0", "pandas.concat([frame, other])", "pandas"),
        {"append": _append},
    ),
    ("pandas.sort", "pandas 0.20", "frame.sort_values(columns)", "pandas", {"sort": _sort}),
    (
        *("pandas.as_matrix", "pandas 1.0", "frame.as_matrix() is frame.values", "pandas"),
        {"as_matrix": _as_matrix},
    ),
    (
        *("pandas.get_value", "pandas 1.0", "frame.at[row, column]", "pandas"),
        {"get_value": lambda frame: lambda row, column: frame.at[row, column]},
    ),
    ("h5py.value", "h5py 3.0", "dataset[()]", "h5py", {"value": lambda dataset: dataset[()]}),
    ("h5py.fid", "h5py 3.0", "file.fid is file.id", "h5py", {"fid": operator.attrgetter("id")}),
    (
        *("PIL.textsize", "Pillow 10", "draw.textsize(text) by textbbox and getbbox", "PIL"),
        {"textsize": _textsize, "getsize": _getsize},
    ),
    (
        *("matplotlib.hold", "matplotlib 3.0", "plots are always added", "matplotlib"),
        {"hold": lambda axes: lambda hold=None: None, "ishold": lambda axes: lambda: True},
    ),
    (
        *("matplotlib.set_window_title", "matplotlib 3.6", "of the canvas's manager", "matplotlib"),
        {"set_window_title": operator.attrgetter("manager.set_window_title")},
    ),
    (
        *("sklearn.get_feature_names", "scikit-learn 1.2", "get_feature_names_out()", "sklearn"),
        {"get_feature_names": _feature_names},
    ),
)

TABLE = Table(
    "removed attributes of objects of other libraries",
    "listed",
    [
        left(name, since, why, of(root), functions, None if root == "numpy" else root)
        for name, since, why, root, functions in _REMOVED
    ],
)
