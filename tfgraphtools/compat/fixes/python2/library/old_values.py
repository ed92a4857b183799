"""Functions and attributes of built-in values that Python 2 modules use."""

import builtins
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import removed_attributes
from tfgraphtools.compat.fixes.python2.library import texts
from tfgraphtools.compat.fixes.python2.table import EXCEPTIONS, NUMBERS, UNICODE


def _in_base(function, method):
    """Returns `oct` or `hex`, which asked a class's own method."""

    def convert(number):
        own = getattr(type(number), method, None)
        if own is not None:
            rows.used(NUMBERS)
            return own(number)
        text = function(number)
        if function is builtins.oct:
            rows.used(NUMBERS)
            return "0" if text == "0o0" else text.replace("0o", "0")
        return text

    convert.__name__ = function.__name__
    return convert


def long_(*value, **options):
    """Returns ``long(x)``, which asked a class's ``__long__``."""
    own = getattr(type(value[0]), "__long__", None) if len(value) == 1 else None
    if own is None:
        return int(*value, **options)
    rows.used(NUMBERS)
    return own(value[0])


def unicode_(*value, **options):
    """Returns ``unicode(value, encoding, errors)``."""
    if not value:
        return ""
    if len(value) == 1 and not options:
        own = getattr(type(value[0]), "__unicode__", None)
        if own is not None:
            rows.used(UNICODE)
            return own(value[0])
        return texts.to_text(value[0]) if isinstance(value[0], bytes) else str(value[0])
    rows.used(UNICODE)
    return _decoded(*value, **options)


def _decoded(value, encoding="ascii", errors="strict"):
    return texts.to_bytes(value).decode(encoding, errors)


def translate(value, *arguments):
    """Returns ``value.translate(table, deletions)``; the table None only deletes."""
    method = removed_attributes.read(value, "translate")
    if isinstance(value, bytes) and any(
        isinstance(argument, (str, dict)) for argument in arguments
    ):
        return type(value)(texts.to_bytes(translate(texts.to_text(value), *arguments)))
    if not isinstance(value, str) or (len(arguments) == 1 and arguments[0] is not None):
        return method(*arguments)
    rows.used(UNICODE)
    table, deleted = (*arguments, "")[:2]
    kept = "".join(character for character in value if character not in deleted)
    return kept if table is None else kept.translate(table)


def arguments_of(error):
    """Returns that of which ``error[0]`` and ``code, text = error`` take the items."""
    if not isinstance(error, BaseException) or hasattr(type(error), "__getitem__"):
        return error
    rows.used(EXCEPTIONS)
    return error.args


def handled(name):
    """Returns ``sys.exc_type``, ``exc_value`` or ``exc_traceback`` of the handled exception."""
    value = sys.exc_info()[("exc_type", "exc_value", "exc_traceback").index(name)]
    if value is None:
        raise AttributeError(
            f"sys.{name} outside of an `except` clause: expected an exception that is being "
            f"handled, got none. Read it inside the clause, or use sys.exc_info() there."
        )
    rows.used(EXCEPTIONS)
    return value


HELPERS = {
    "__python2_oct__": _in_base(builtins.oct, "__oct__"),
    "__python2_hex__": _in_base(builtins.hex, "__hex__"),
    "__python2_long__": long_,
    "__python2_unicode__": unicode_,
    "__python2_translate__": translate,
    "__python2_arguments__": arguments_of,
    "__python2_handled__": handled,
}
