"""Functions of ours that user code finds in the place of Python's own, written in C."""

import functools


class _Standing:
    """The base of such functions: it pickles as Python's, equals that, and copies as itself."""

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
        cls = type("builtin_function_or_method", (_Standing,), {"__call__": staticmethod(function)})
        names = ("__name__", "__qualname__", "__doc__", "__module__")
        return functools.update_wrapper(cls(), plain, names)

    return standing_for
