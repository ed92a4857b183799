"""Python 2's special methods of a class, under the names that they have now."""

#: Python 2's name -> today's.
RENAMED = {
    "__nonzero__": "__bool__",
    "__div__": "__truediv__",
    "__rdiv__": "__rtruediv__",
    "__idiv__": "__itruediv__",
    "__unicode__": "__str__",
    "__long__": "__int__",
    "next": "__next__",
}

#: Methods that a class must define for `modernise` to have anything to do.
NAMES = set(RENAMED) | {"__cmp__", "__getslice__", "__setslice__", "__delslice__"}


def modernise(cls):
    """Adds to a class of a Python 2 module the special methods that Python 3 asks for.

    It does nothing to a class that defines both names. ``next`` counts only
    beside ``__iter__``.
    """
    own = vars(cls)
    for old, new in RENAMED.items():
        if old in own and new not in own and (old != "next" or hasattr(cls, "__iter__")):
            setattr(cls, new, own[old])
    if "__cmp__" in own:
        _add_comparisons(cls)
    for old, new in _SLICES.items():
        if old in own:
            _add_slices(cls, old, new)
    return cls


def _add_comparisons(cls):
    comparisons = {
        "__lt__": lambda self, other: self.__cmp__(other) < 0,
        "__le__": lambda self, other: self.__cmp__(other) <= 0,
        "__gt__": lambda self, other: self.__cmp__(other) > 0,
        "__ge__": lambda self, other: self.__cmp__(other) >= 0,
        "__eq__": lambda self, other: self.__cmp__(other) == 0,
        "__ne__": lambda self, other: self.__cmp__(other) != 0,
    }
    for name, method in comparisons.items():
        if name not in vars(cls):
            setattr(cls, name, method)


#: The methods of slices, and those that are given a `slice` now.
_SLICES = {
    "__getslice__": "__getitem__",
    "__setslice__": "__setitem__",
    "__delslice__": "__delitem__",
}


def _add_slices(cls, old, new):
    """Makes the method `new` pass slices without a step on to the method `old`."""
    method = getattr(cls, new, None)

    def item(self, index, *value):
        if isinstance(index, slice) and index.step is None:
            start = 0 if index.start is None else index.start
            stop = 2**63 - 1 if index.stop is None else index.stop
            ends = (end if end >= 0 else max(0, end + len(self)) for end in (start, stop))
            return getattr(self, old)(*ends, *value)
        if method is None:
            raise TypeError(f"{cls.__name__!r} object has {old}, and no {new}: {index!r}")
        return method(self, index, *value)

    item.__name__ = new
    setattr(cls, new, item)


def compare_by_identity(keeps_hash):
    """Returns a decorator of classes with an ``__eq__``, from which Python 2 concluded nothing.

    ``!=`` compares identities unless the class has a ``__ne__``, and the class is hashable.

    Args:
      keeps_hash: whether what Python 3 made of its hash is right.
    """

    def decorate(cls):
        if cls.__ne__ is object.__ne__:
            cls.__ne__ = lambda self, other: NotImplemented
        if not keeps_hash and vars(cls).get("__hash__", cls) is None:
            del cls.__hash__
        return cls

    return decorate
