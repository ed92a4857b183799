"""Functions of ours that user code finds in the place of Python's own, written in C."""

import functools

#: What user code may ask of a builtin, and finds here as it is there.
_NAMES = ("__name__", "__qualname__", "__doc__", "__module__", "__self__", "__text_signature__")


class _Standing:
    """The base of such functions: one is shown, pickled and asked as Python's, and equals that."""

    @property
    def __class__(self):
        kind = type(self.__wrapped__)
        return type(self) if kind is type else kind  # issubclass() takes nothing but classes

    def __instancecheck__(self, value):  # operator.itemgetter is a class
        return isinstance(value, self.__wrapped__)

    def __repr__(self):
        return repr(self.__wrapped__)

    def __eq__(self, other):
        return other is self or other is self.__wrapped__

    def __hash__(self):
        return hash(self.__wrapped__)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        import pkgutil

        return pkgutil.resolve_name, (f"{self.__module__.lstrip('_')}:{self.__name__}",)


def as_builtin(plain):
    """Returns a decorator: the function stands for the builtin `plain`.

    As that, it is no method of a class that has it as an attribute: ``best = max``.
    """

    def standing_for(function):
        fields = {"__call__": staticmethod(function), "__module__": "builtins"}
        cls = type(type(plain).__name__, (_Standing,), fields)
        return functools.update_wrapper(cls(), plain, _NAMES, updated=())

    return standing_for
