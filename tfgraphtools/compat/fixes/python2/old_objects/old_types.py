"""The types of texts, integers and containers, as Python 2's code asks for them."""

import builtins
import copyreg

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.fixes.python2.library import formatting, text_codecs, unicode_mixing
from tfgraphtools.compat.fixes.python2.library.byte_strings import ByteString
from tfgraphtools.compat.fixes.python2.library.byte_texts import ByteText, is_unicode
from tfgraphtools.compat.fixes.python2.old_objects import old_classes
from tfgraphtools.compat.fixes.python2.old_objects.base_string import BaseString

_NOTICE = (
    "run does not tell unicode strings of ASCII from str: isinstance(x, {0}) is True of both, "
    "where Python 2 decided"
)


_ERRORS = (
    "errors of files and of the system are OSError and its subclasses (FileNotFoundError), where "
    "Python 2 had IOError and OSError"
)


_NOTICE_OF_LONG = (
    "run does not know which integers of less than 64 bits were long: isinstance(x, long) is False "
    "of them"
)


class _OfUnicode(type):
    def __instancecheck__(cls, value):
        if not isinstance(value, str) or type(value) is ByteText:
            return False
        if value.isascii():
            notices.once("python2.unicode_type", _NOTICE.format("unicode"))
        return True

    def __subclasscheck__(cls, other):
        return issubclass(other, str) and other is not ByteText

    def __call__(cls, *arguments, **options):
        from tfgraphtools.compat.fixes.python2.library import old_values

        return old_values.unicode_(*arguments, **options)


class Unicode(metaclass=_OfUnicode):
    """The class that stands for Python 2's ``unicode``."""


class _OfLong(type):
    def __instancecheck__(cls, value):
        if not isinstance(value, int):
            return False
        if text_codecs.made_long and not _is_long(value):
            notices.once("python2.long_type", _NOTICE_OF_LONG)
        return _is_long(value)

    def __subclasscheck__(cls, other):
        return issubclass(other, int) and other is not bool

    def __call__(cls, *arguments, **options):
        from tfgraphtools.compat.fixes.python2.library import old_values

        return old_values.long_(*arguments, **options)


class Long(metaclass=_OfLong):
    """The class that stands for Python 2's ``long``."""


for _metaclass, _name in ((_OfUnicode, "Unicode"), (_OfLong, "Long")):
    copyreg.pickle(_metaclass, lambda cls, name=_name: name)  # their `__name__` is Python 2's

Unicode.__name__ = Unicode.__qualname__ = "unicode"
Long.__name__ = Long.__qualname__ = "long"


def _is_long(value):
    return not -formatting.MOST - 1 <= value <= formatting.MOST


def type_(*arguments):
    """Returns ``type(value)``, or makes a class."""
    if len(arguments) != 1:
        return builtins.type(*arguments)
    kind = builtins.type(arguments[0])
    if kind is str:
        if unicode_mixing.made_unicode and arguments[0].isascii():
            notices.once("python2.unicode_type", _NOTICE.format("unicode"))
        return Unicode if is_unicode(arguments[0]) else str
    if builtins.isinstance(arguments[0], OSError):
        notices.once("python2.error_types", _ERRORS)
    if kind is int:
        if text_codecs.made_long and not _is_long(arguments[0]):
            notices.once("python2.long_type", _NOTICE_OF_LONG)
        return Long if _is_long(arguments[0]) else int
    if kind is ByteText or kind is ByteString or kind is bytes:
        return str
    old_classes.tell_type(arguments[0])
    return getattr(kind, "stands_for", kind)


def isinstance_(value, classes):
    """Returns ``isinstance(value, classes)``; a `ByteString` is a ``str``, a ``str`` is bytes."""
    if builtins.isinstance(value, classes):
        kind = builtins.type(value)
        if kind is str:
            return _is_text(value, classes)
        if kind is int and _is_long(value):
            return _is_of(value, classes, int)
        return True
    if not builtins.isinstance(value, bytes):
        return False
    return str in (classes if builtins.isinstance(classes, tuple) else (classes,))


def _is_text(value, classes):
    """Tells whether a text is of one of the classes, where `str` is none of unicode."""
    if not value.isascii():
        return _is_of(value, classes, str)
    if unicode_mixing.made_unicode:
        classes = classes if builtins.isinstance(classes, tuple) else (classes,)
        if str in classes and not any(cls in classes for cls in (Unicode, BaseString, object)):
            notices.once("python2.str_type", _NOTICE.format("str"))
    return True


def _is_of(value, classes, but):
    """Tells whether a value is of one of the classes besides one."""
    classes = classes if builtins.isinstance(classes, tuple) else (classes,)
    return any(builtins.isinstance(value, cls) for cls in classes if cls is not but)


def contains(value, container):
    """Returns ``value in container``, of bytes in text, too."""
    if value.__class__ is ByteString and builtins.isinstance(container, str):
        return builtins.str(value) in container
    if value.__class__ is ByteText and is_unicode(container):
        unicode_mixing.tell_decoded()
    elif value.__class__ is ByteText and container.__class__ is str:
        unicode_mixing.tell_beside([container])
    return value in container


HELPERS = {
    "__python2_type__": type_,
    "__python2_isinstance__": isinstance_,
    "__python2_bytes_type__": str,  # `bytes` was another name of it
    "__python2_in__": contains,
    "__python2_unicode_type__": Unicode,
    "__python2_long_type__": Long,
}
