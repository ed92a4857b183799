"""Methods that are read from their class, ``map(A.f, items)``, which check their object."""

import functools
import inspect
import types
import weakref

#: (id of a function, id of a class) -> the method, which holds both.
_methods = weakref.WeakValueDictionary()


def unbound(function, cls, name):
    """Returns ``cls.name`` as a value, which is `function`; of others than methods, that itself."""
    if function.__class__ is not types.FunctionType or not isinstance(cls, type):
        return function
    owner = next((base for base in cls.__mro__ if name in vars(base)), None)
    if owner is None or vars(owner)[name] is not function:
        return function
    key = id(function), id(cls)
    method = _methods.get(key)
    if method is None:
        method = _methods[key] = _checking(function, cls)
    return method


def _checking(function, cls):
    @functools.wraps(function)
    def method(*arguments, **options):
        if not (arguments and isinstance(arguments[0], cls)):
            raise refusal(cls, function.__name__, arguments)
        return function(*arguments, **options)

    method.__signature__, method.__func__ = inspect.signature(function), function
    return method


def refusal(cls, name, arguments):
    """Returns the error of a method of a class that is not called with an object of it first."""
    got = f"{type(arguments[0]).__name__} instance" if arguments else "nothing"
    return TypeError(
        f"unbound method {name}() must be called with {cls.__name__} instance as first argument "
        f"(got {got} instead)"
    )


HELPERS = {"__python2_unbound__": unbound}
