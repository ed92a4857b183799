"""The names of NumPy's classes that NumPy 2 calls by others: ``np.bool_.__name__``."""

import functools
import sys

from tfgraphtools.compat.engine import rows


class _Shown:
    """A class, with the text that it had."""

    def __init__(self, text):
        self._text = text

    def __repr__(self):
        return self._text


@functools.lru_cache(maxsize=None)
def _old_names(numpy):
    classes = [numpy.bool_, numpy.longdouble, numpy.clongdouble]
    names = ["bool_", *(numpy.dtype(cls).name for cls in classes[1:])]
    return {cls: name for cls, name in zip(classes, names) if cls.__name__ != name}


def _old_name(value):
    """Returns the name of a class of NumPy 1; None of what has another, or the same."""
    if type(value) is not type or value.__module__ != "numpy":
        return None
    is_off = rows.is_off("numpy.scalar_printing")
    return None if is_off else _old_names(sys.modules["numpy"]).get(value)


def name_of(value, *arguments):
    """Returns ``value.__name__``, or ``getattr(value, "__name__", default)``."""
    return _old_name(value) or getattr(value, *arguments)


def shown(cls):
    """Returns a class; what has its former text where it has another one now."""
    name = _old_name(cls)
    return cls if name is None else _Shown(f"<class 'numpy.{name}'>")


def shown_in(values):
    """Returns these values, with classes as by `shown`."""
    return [shown(value) if type(value) is type else value for value in values]
