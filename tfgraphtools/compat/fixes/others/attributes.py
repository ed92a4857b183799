"""Attributes that left the objects of other libraries."""

import sys

from tfgraphtools.compat.engine.attributes import fallback_row
from tfgraphtools.compat.engine.rows import Table


def _of(root, class_name=None):
    """A check that the value is of a class of this package; AttributeError when it is none."""

    def check(value):
        for cls in type(value).__mro__:
            if cls.__module__.partition(".")[0] == root and class_name in (None, cls.__name__):
                return
        raise AttributeError

    return check


def _fallback(check, function):
    def fallback(value):
        check(value)
        return function(value)

    return fallback


_NUMPY = _of("numpy")


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
    """Positions of an axis whose labels are no whole numbers, as its labels."""
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

        if isinstance(other, dict):
            other = pandas.Series(other)
        if isinstance(other, pandas.Series) and frame.ndim == 2:
            other = other.to_frame().T
        others = list(other) if isinstance(other, (list, tuple)) else [other]
        return pandas.concat(
            [frame, *others],
            ignore_index=ignore_index,
            verify_integrity=verify_integrity,
            sort=sort,
        )

    return append


def _sort(frame):
    def sort(columns=None, axis=0, ascending=True, inplace=False):
        if columns is None:
            return frame.sort_index(axis=axis, ascending=ascending, inplace=inplace)
        return frame.sort_values(columns, axis=axis, ascending=ascending, inplace=inplace)

    return sort


def _as_matrix(frame):
    return lambda columns=None: (frame if columns is None else frame[columns]).values


_FRAME = _of("pandas")


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


def _row(name, since, why, check, functions, module=None):
    fallbacks = {attribute: _fallback(check, found) for attribute, found in functions.items()}
    return fallback_row(name, since, why, fallbacks, module)


TABLE = Table(
    "attributes that left the objects of other libraries",
    "listed",
    [
        _row(
            "numpy.ndarray.tostring",
            "NumPy 2.3",
            "array.tostring() is array.tobytes()",
            _NUMPY,
            {"tostring": lambda array: array.tobytes},
        ),
        _row(
            "numpy.ndarray.ptp",
            "NumPy 2.0",
            "array.ptp() is numpy.ptp(array)",
            _NUMPY,
            {"ptp": _ptp},
        ),
        _row(
            "numpy.ndarray.itemset",
            "NumPy 2.0",
            "array.itemset(i, x) is array[i] = x",
            _NUMPY,
            {"itemset": _itemset},
        ),
        _row(
            "numpy.ndarray.newbyteorder",
            "NumPy 2.0",
            "a view of the array with its bytes the other way round",
            _NUMPY,
            {"newbyteorder": _newbyteorder},
        ),
        _row(
            "array.tostring",
            "Python 3.9",
            "array.array's tostring and fromstring are tobytes and frombytes",
            _of("array"),
            {"tostring": lambda array: array.tobytes, "fromstring": lambda array: array.frombytes},
        ),
        _row(
            "xml.getchildren",
            "Python 3.9",
            "element.getchildren() is list(element), getiterator is iter",
            _of("xml"),
            {
                "getchildren": lambda element: lambda: list(element),
                "getiterator": lambda element: element.iter,
            },
        ),
        _row(
            "threading.isAlive",
            "Python 3.9",
            "thread.isAlive() is thread.is_alive()",
            _of("threading"),
            {"isAlive": lambda thread: thread.is_alive},
        ),
        _row(
            "pandas.ix",
            "pandas 1.0",
            "frame.ix is by label, else by position",
            _FRAME,
            {"ix": _Ix},
            "pandas",
        ),
        _row(
            "pandas.append",
            "pandas 2.0",
            "frame.append(other) is pandas.concat([frame, other])",
            _FRAME,
            {"append": _append},
            "pandas",
        ),
        _row(
            "pandas.sort",
            "pandas 0.20",
            "frame.sort(columns) is frame.sort_values(columns)",
            _FRAME,
            {"sort": _sort},
            "pandas",
        ),
        _row(
            "pandas.as_matrix",
            "pandas 1.0",
            "frame.as_matrix() is frame.values",
            _FRAME,
            {"as_matrix": _as_matrix},
            "pandas",
        ),
        _row(
            "pandas.get_value",
            "pandas 1.0",
            "frame.get_value(row, column) is frame.at[row, column]",
            _FRAME,
            {"get_value": lambda frame: lambda row, column: frame.at[row, column]},
            "pandas",
        ),
        _row(
            "h5py.value",
            "h5py 3.0",
            "dataset.value is dataset[()]",
            _of("h5py"),
            {"value": lambda dataset: dataset[()]},
            "h5py",
        ),
        _row(
            "PIL.textsize",
            "Pillow 10",
            "draw.textsize(text) and font.getsize(text) by textbbox and getbbox",
            _of("PIL"),
            {"textsize": _textsize, "getsize": _getsize},
            "PIL",
        ),
        _row(
            "matplotlib.hold",
            "matplotlib 3.0",
            "axes.hold() has nothing to do: plots are always added",
            _of("matplotlib"),
            {"hold": lambda axes: lambda hold=None: None, "ishold": lambda axes: lambda: True},
            "matplotlib",
        ),
        _row(
            "matplotlib.set_window_title",
            "matplotlib 3.6",
            "the title of a window is set by the canvas's manager",
            _of("matplotlib"),
            {"set_window_title": lambda canvas: canvas.manager.set_window_title},
            "matplotlib",
        ),
        _row(
            "sklearn.get_feature_names",
            "scikit-learn 1.2",
            "vectorizer.get_feature_names() is get_feature_names_out(), as a list",
            _of("sklearn"),
            {"get_feature_names": lambda one: lambda: list(one.get_feature_names_out())},
            "sklearn",
        ),
    ],
)
