"""Items of a value that is shown: whether its text has a number or an array of NumPy in it."""

import collections
import itertools
import sys
import types

from tfgraphtools.compat.fixes.numpy.arithmetic import promotion

#: How many items of containers are looked at; what has more is shown in NumPy 1's mode anyhow.
_MOST = 1000


def _of_dict(value):
    return itertools.chain(dict.keys(value), dict.values(value))


def _of_error(error):
    arguments = BaseException.args.__get__(error)
    return iter((*arguments, error.__cause__, error.__context__))  # a traceback shows these, too


def _of_attributes(value):
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:  # it has slots alone
        return iter(())
    return iter(attributes.values())


def _of_slice(value):
    return iter((value.start, value.stop, value.step))


#: class -> function that iterates over what Python's own representation of an object shows.
_ITEMS = {
    **{cls: cls.__iter__ for cls in (list, tuple, set, frozenset, collections.deque)},
    **{type(view): iter for view in ({}.keys(), {}.values(), {}.items())},
    dict: _of_dict,
    slice: _of_slice,
    BaseException: _of_error,
    types.SimpleNamespace: _of_attributes,
}


class _Readers(dict):
    """class -> that function, also of classes below; None for what is no container."""

    def __missing__(self, cls):
        self[cls] = next(filter(None, map(_reader, cls.__mro__)), None)
        return self[cls]


def _reader(cls):
    """Returns the function of one class alone; `argparse` need not be loaded for its options."""
    is_options = cls.__name__ == "Namespace" and cls.__module__ == "argparse"
    if is_options or "__dataclass_fields__" in vars(cls):
        return _of_attributes
    return _ITEMS.get(cls)


READERS = _Readers()


def differs(*values):
    """Tells whether the representation of values has a number or an array of NumPy in it.

    It calls no method of the user's. The answer is True for more than `_MOST` items, and for what
    another thread changes meanwhile.
    """
    is_numpys, reader_of, left = promotion.IS_NUMPYS, READERS, _MOST
    containers = []
    items = values
    while True:
        for item in items:
            cls = type(item)
            if is_numpys[cls]:
                return True
            if reader_of[cls] is not None:
                containers.append(item)
        if not containers:
            return False
        container = containers.pop()
        try:
            items = list(itertools.islice(reader_of[type(container)](container), left))
        except RuntimeError:  # "changed size during iteration"
            left = 0
        left -= len(items)
        if left <= 0:
            return "numpy" in sys.modules
