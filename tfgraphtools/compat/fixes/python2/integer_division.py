"""`a / b` as Python 2 divided."""

import datetime
import operator
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.table import DIVISION

#: Kinds of NumPy dtypes that Python 2 divided with a floor.
_WHOLE = "iub"


def divide(a, b):
    """Returns ``a / b`` of Python 2 without ``from __future__ import division``.

    Integers and arrays of them are floored; a class with Python 2's
    ``__div__`` (TensorFlow's tensors have it still) is asked first; all else
    divides as it does today.
    """
    if type(a) in _WHOLES and type(b) in _WHOLES:
        rows.used(DIVISION)
        return a // b
    if isinstance(a, float) or isinstance(b, float):
        if type(a) in _NUMBERS and type(b) in _NUMBERS:
            return a / b
    for asked, name, other in ((a, "__div__", b), (b, "__rdiv__", a)):
        method = getattr(type(asked), name, None)
        if method is not None:
            result = method(asked, other)
            if result is not NotImplemented:
                return result
    if _is_whole(a) and _is_whole(b):
        rows.used(DIVISION)
        return a // b
    if isinstance(a, datetime.timedelta) and isinstance(b, int):
        return a // b
    return a / b


def divide_in_place(a, b):
    """Returns the new value of a after ``a /= b`` of Python 2, without its future division."""
    if hasattr(type(a), "__idiv__"):
        result = type(a).__idiv__(a, b)
        if result is not NotImplemented:
            return result
    if _is_whole(a) and _is_whole(b) and not isinstance(a, int):
        rows.used(DIVISION)
        return operator.ifloordiv(a, b)
    if hasattr(type(a), "__itruediv__"):
        return operator.itruediv(a, b)
    return divide(a, b)


_WHOLES = (int, bool)
_NUMBERS = (float, int, bool, complex)


def _is_whole(value):
    """Tells whether it is an int, or a NumPy scalar, array or list of ints."""
    if isinstance(value, int):
        return True
    numpy = sys.modules.get("numpy")
    if numpy is None or type(value).__module__.split(".")[0] == "pandas":
        return False  # pandas always divided truly
    if isinstance(value, (list, tuple)):
        value = numpy.asarray(value)
    return isinstance(value, (numpy.ndarray, numpy.generic)) and value.dtype.kind in _WHOLE
