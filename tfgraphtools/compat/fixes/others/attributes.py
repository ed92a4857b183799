"""Attributes that left the objects of other libraries."""

import operator
import sys

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left, of

_NUMPY = of("numpy")


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
            return tuple(_label(axis, one) for axis, one in zip(self._frame.axes, key))
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
    found = axis[key]
    return list(found) if isinstance(key, (slice, list)) else found


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
        found = pandas.concat(
            [frame, *others],
            ignore_index=ignore_index,
            verify_integrity=verify_integrity,
            sort=sort,
        )
        return found if columns is None or sort else found.reindex(columns=columns)

    return append


def _sort(frame):
    def sort(columns=None, axis=0, ascending=True, inplace=False):
        if columns is None:
            return frame.sort_index(axis=axis, ascending=ascending, inplace=inplace)
        return frame.sort_values(columns, axis=axis, ascending=ascending, inplace=inplace)

    return sort


def _as_matrix(frame):
    return lambda columns=None: (frame if columns is None else frame[columns]).values


def _feature_names(one):
    """A list, but of an encoder an array."""
    is_encoder = type(one).__name__ == "OneHotEncoder"
    return one.get_feature_names_out if is_encoder else lambda: list(one.get_feature_names_out())


_FRAME = of("pandas")
_id = operator.attrgetter("id")


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


TABLE = Table(
    "removed attributes of objects of other libraries",
    "listed",
    [
        left(
            "numpy.ndarray.tostring",
            "NumPy 2.3",
            "array.tostring() is array.tobytes()",
            _NUMPY,
            {"tostring": lambda array: array.tobytes},
        ),
        left(
            "numpy.ndarray.ptp",
            "NumPy 2.0",
            "array.ptp() is numpy.ptp(array)",
            _NUMPY,
            {"ptp": _ptp},
        ),
        left(
            "numpy.ndarray.itemset",
            "NumPy 2.0",
            "array.itemset(i, x) is array[i] = x",
            _NUMPY,
            {"itemset": _itemset},
        ),
        left(
            "numpy.ndarray.newbyteorder",
            "NumPy 2.0",
            "a view of the array with the other byte order",
            _NUMPY,
            {"newbyteorder": _newbyteorder},
        ),
        left(
            "pandas.ix",
            "pandas 1.0",
            "frame.ix is by label, else by position",
            _FRAME,
            {"ix": _Ix},
            "pandas",
        ),
        left(
            "pandas.append",
            "pandas 2.0",
            "frame.append(other) is pandas.concat([frame, other])",
            _FRAME,
            {"append": _append},
            "pandas",
        ),
        left(
            "pandas.sort",
            "pandas 0.20",
            "frame.sort(columns) is frame.sort_values(columns)",
            _FRAME,
            {"sort": _sort},
            "pandas",
        ),
        left(
            "pandas.as_matrix",
            "pandas 1.0",
            "frame.as_matrix() is frame.values",
            _FRAME,
            {"as_matrix": _as_matrix},
            "pandas",
        ),
        left(
            "pandas.get_value",
            "pandas 1.0",
            "frame.get_value(row, column) is frame.at[row, column]",
            _FRAME,
            {"get_value": lambda frame: lambda row, column: frame.at[row, column]},
            "pandas",
        ),
        left(
            "h5py.value",
            "h5py 3.0",
            "dataset.value is dataset[()]",
            of("h5py"),
            {"value": lambda dataset: dataset[()]},
            "h5py",
        ),
        left("h5py.fid", "h5py 3.0", "file.fid is file.id", of("h5py"), {"fid": _id}, "h5py"),
        left(
            "PIL.textsize",
            "Pillow 10",
            "draw.textsize(text) and font.getsize(text) by textbbox and getbbox",
            of("PIL"),
            {"textsize": _textsize, "getsize": _getsize},
            "PIL",
        ),
        left(
            "matplotlib.hold",
            "matplotlib 3.0",
            "axes.hold() does nothing: plots are always added",
            of("matplotlib"),
            {"hold": lambda axes: lambda hold=None: None, "ishold": lambda axes: lambda: True},
            "matplotlib",
        ),
        left(
            "matplotlib.set_window_title",
            "matplotlib 3.6",
            "the title of a window is set by the canvas's manager",
            of("matplotlib"),
            {"set_window_title": lambda canvas: canvas.manager.set_window_title},
            "matplotlib",
        ),
        left(
            "sklearn.get_feature_names",
            "scikit-learn 1.2",
            "vectorizer.get_feature_names() is get_feature_names_out(), as a list",
            of("sklearn"),
            {"get_feature_names": _feature_names},
            "sklearn",
        ),
    ],
)
