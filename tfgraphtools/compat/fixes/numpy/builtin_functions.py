"""Functions of ours that user code finds in the place of Python's builtins."""

import functools


def as_builtin(plain):
    """Returns a decorator: the function stands for the builtin `plain`.

    As that, it is no method of a class that has it as an attribute: ``best = max``.
    """

    def standing_for(function):
        names = {"__call__": staticmethod(function), "__slots__": ("__dict__",)}
        cls = type("builtin_function_or_method", (), names)
        return functools.update_wrapper(cls(), plain, ("__name__", "__qualname__", "__doc__"))

    return standing_for
