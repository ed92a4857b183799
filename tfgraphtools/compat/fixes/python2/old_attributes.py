"""Attributes that Python 2's objects had."""

import collections.abc
import types
from operator import attrgetter

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rewrite_kinds import Syntax
from tfgraphtools.compat.engine.translate.removed_attributes import fallback_row


def _method_of(method, wrap):
    """Returns a fallback to another method, its result wrapped."""

    def fallback(value):
        bound = getattr(value, method)
        return lambda: wrap(bound())

    return fallback


def _has_key(value):
    if not isinstance(value, collections.abc.Container):
        raise AttributeError
    return lambda key: key in value


def _next(value):
    if not hasattr(value, "__next__"):
        raise AttributeError
    return lambda: next(value)


def _decode(value):
    """Returns a str of today is what Python 2 decoded to."""
    if not isinstance(value, str):
        raise AttributeError
    return lambda encoding="utf-8", errors="strict": value


def _message(value):
    if not isinstance(value, BaseException):
        raise AttributeError
    return value.args[0] if len(value.args) == 1 else ""


def _of_method(name, of_function):
    """Returns a fallback: `name` of a method, and `of_function` of a function."""

    def fallback(value):
        if isinstance(value, types.FunctionType):
            return of_function(value)
        return getattr(value, name)

    return fallback


def _function_of(function):
    return getattr(function, "__func__", function)  # which `unbound_methods` have


def _identity(value):
    return value


def _row(name, why, fallbacks, cannot=None):
    name = "python2." + name
    return fallback_row(name, "Python 3.0", why, fallbacks, rewrite=Syntax(name), cannot=cannot)


TABLE = rows.Table(
    "attributes of Python 2's objects",
    "listed",
    [
        _row(
            "dict_iterators",
            "dict.iteritems is dict.items; the same for iterkeys, itervalues and the view methods",
            {
                "iteritems": _method_of("items", iter),
                "iterkeys": _method_of("keys", iter),
                "itervalues": _method_of("values", iter),
                "viewitems": _method_of("items", _identity),
                "viewkeys": _method_of("keys", _identity),
                "viewvalues": _method_of("values", _identity),
            },
        ),
        _row("has_key", "dict.has_key(k) is `k in dict`", {"has_key": _has_key}),
        _row("next", "iterator.next() is next(iterator)", {"next": _next}),
        _row(
            "decode",
            "decoding a text returns the text",
            {"decode": _decode},
            "text is already decoded: remove decode()",
        ),
        _row(
            "message",
            "error.message is the only argument of the error",
            {"message": _message},
            "write str(error)",
        ),
        _row(
            "function_attributes",
            "func_name is __name__, im_self is __self__; the same for similar attributes",
            {
                "func_name": attrgetter("__name__"),
                "func_code": attrgetter("__code__"),
                "func_defaults": attrgetter("__defaults__"),
                "func_globals": attrgetter("__globals__"),
                "func_doc": attrgetter("__doc__"),
                "func_dict": attrgetter("__dict__"),
                "func_closure": attrgetter("__closure__"),
                "im_func": _of_method("__func__", _function_of),
                "im_self": _of_method("__self__", lambda function: None),
                "im_class": lambda value: type(value.__self__),
            },
        ),
    ],
)
