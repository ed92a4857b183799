"""Python 2's special methods of a class, under the names that they have now."""

#: Python 2's name -> today's.
RENAMED = {
    "__nonzero__": "__bool__",
    "__div__": "__truediv__",
    "__rdiv__": "__rtruediv__",
    "__idiv__": "__itruediv__",
    "__unicode__": "__str__",
    "next": "__next__",
}

#: What a class must define for `modernise` to have anything to do.
NAMES = set(RENAMED) | {"__cmp__", "__getslice__"}


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
    if "__getslice__" in own:
        _add_slices(cls)
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


def _add_slices(cls):
    plain = getattr(cls, "__getitem__", None)

    def getitem(self, index):
        if isinstance(index, slice) and index.step is None:
            start = 0 if index.start is None else index.start
            stop = 2**63 - 1 if index.stop is None else index.stop
            return self.__getslice__(start, stop)
        return plain(self, index)

    cls.__getitem__ = getitem
