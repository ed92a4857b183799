"""Functions and attributes of built-in values that Python 2 modules use."""

import builtins
import operator
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import removed_attributes
from tfgraphtools.compat.fixes.python2.library import (
    formatting,
    text_codecs,
    unicode_mixing,
)
from tfgraphtools.compat.fixes.python2.library.byte_strings import string
from tfgraphtools.compat.fixes.python2.library.byte_texts import (
    CHARACTERS,
    ByteText,
    is_unicode,
    of_bytes,
    to_bytes,
)
from tfgraphtools.compat.fixes.python2.table import BYTES, EXCEPTIONS, NUMBERS, UNICODE


def _in_base(function, method):
    """Returns `oct` or `hex`, which asked a class's own method."""

    def convert(number):
        own = getattr(type(number), method, None)
        if own is not None:
            rows.used(NUMBERS)
            return own(number)
        text = function(number) + ("L" if _is_long(number) else "")
        if function is builtins.oct:
            rows.used(NUMBERS)
            return "0" if text == "0o0" else text.replace("0o", "0")
        return text

    convert.__name__ = function.__name__
    return convert


def _is_long(number):
    return not -formatting.MOST - 1 <= number <= formatting.MOST


def long_(*value, **options):
    """Returns ``long(x)``, which asked a class's ``__long__``."""
    text_codecs.note_long()
    own = getattr(type(value[0]), "__long__", None) if len(value) == 1 else None
    if own is None:
        if value and isinstance(value[0], str):
            value = (value[0].rstrip().rstrip("lL"), *value[1:])
        return int(*value, **options)
    rows.used(NUMBERS)
    return own(value[0])


def unicode_(*value, **options):
    """Returns ``unicode(value, encoding, errors)``."""
    unicode_mixing.note_unicode()
    if not value:
        return ""
    if len(value) == 1 and not options:
        own = getattr(type(value[0]), "__unicode__", None)
        if own is not None:
            rows.used(UNICODE)
            return own(value[0])
        if not isinstance(value[0], (bytes, ByteText)):
            return formatting.text_of(value[0])
    rows.used(UNICODE)
    return _decoded(*value, **options)


def _decoded(value, encoding=None, errors="strict"):
    return to_bytes(value).decode(encoding or unicode_mixing.default(), errors)


def str_(*value, **options):
    """Returns ``str(value)``; of bytes the text that they are."""
    if len(value) == 1 and not options:
        text = formatting.text_of(value[0])
        if is_unicode(text):
            unicode_mixing.tell_encoded()
        return text
    return str(*value, **options)


def bytes_(*value, **options):
    """Returns ``bytes(value)``, which was ``str(value)``."""
    if options:
        return bytes(*value, **options)
    if len(value) == 1 and isinstance(value[0], bytes):
        return string(value[0])
    rows.used(BYTES)
    return str_(*value)


class Bytearray(bytearray):
    """A `bytearray` that takes text."""

    def __init__(self, *value, **options):
        super().__init__(*map(to_bytes, value), **options)

    def __eq__(self, other):
        return bytes(self) == to_bytes(other)

    __hash__ = None

    def __str__(self):
        return of_bytes(bytes(self))

    def __repr__(self):
        return f"bytearray({bytes(self)!r})"

    def __getitem__(self, place):
        items = super().__getitem__(place)
        return Bytearray(items) if isinstance(place, slice) else items

    def __setitem__(self, place, item):
        if isinstance(item, (str, bytes)):
            item = to_bytes(item) if isinstance(place, slice) else to_bytes(item)[0]
        super().__setitem__(place, item)

    def append(self, item):
        """Appends a number, or a text of one byte."""
        super().append(to_bytes(item)[0] if isinstance(item, (str, bytes)) else item)

    def extend(self, items):
        """Appends several."""
        super().extend(to_bytes(items))

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __reduce_ex__(self, protocol):
        return bytearray, (bytes(self),)


def bytearray_(*value, **options):
    """Returns ``bytearray(value)``, which took text."""
    return Bytearray(*value, **options)


def chr_(number):
    """Returns ``chr(number)``: the text of a byte."""
    number = operator.index(int(number) if isinstance(number, float) else number)
    if not 0 <= number < 256:
        raise ValueError("chr() arg not in range(256)")
    return CHARACTERS[number]


def ord_(text):
    """Returns ``ord(text)``."""
    if type(text) is ByteText:
        if len(text.data) != 1:
            raise TypeError(
                f"ord() expected a character, but string of length {len(text.data)} found"
            )
        return text.data[0]
    return ord(text)


def buffer_(value, offset=0, size=-1):
    """Returns the bytes of ``buffer(value, offset, size)``."""
    data = bytes(memoryview(to_bytes(value)).cast("B"))[offset:]
    return string(data if size < 0 else data[:size])


def all_bytes(values):
    """Returns the list of the bytes of texts, which a protocol buffer wants."""
    return list(map(to_bytes, values)) if isinstance(values, (list, tuple)) else values


def names(value):
    """Returns the text, or the texts of a list, as Python 2's ``str``: names of files."""
    if is_unicode(value):
        return of_bytes(to_bytes(value))
    if type(value) in (list, tuple):
        return type(value)(map(names, value))
    if type(value) is dict:
        return {names(key): names(item) for key, item in value.items()}
    return value


#: Modules whose paths and queries `paths` is about, and the functions that undo quotes.
_OF_PATHS = {"os", "posixpath", "ntpath", "genericpath", "urllib.parse"}
_QUERIES = ("parse_qs", "parse_qsl")


def paths(*arguments, **options):
    """Returns what ``os.path.abspath`` and others give: texts of bytes for texts of bytes."""
    function, *arguments = arguments
    name = getattr(function, "__name__", "")
    texts = [value for value in arguments if isinstance(value, str)]
    if getattr(function, "__module__", "") not in _OF_PATHS:
        return function(*arguments, **options)
    is_of_unicode = any(map(is_unicode, texts))
    if name in _QUERIES:
        options.setdefault("encoding", "latin1" if is_of_unicode else "utf-8")
        options.setdefault("errors", "surrogateescape")
    result = function(*arguments, **options)
    if is_of_unicode:
        return result
    return _walked(result) if name == "walk" else names(result)


def _walked(folders):
    for top, inner, files in folders:
        inner[:] = names(inner)  # the list itself, which user code may shorten
        yield names(top), inner, names(files)


#: Characters that are blanks, or end lines, of unicode only.
_CONTROLS = "\x0b\x0c\x1c\x1d\x1e\x1f"


def of_control(value):
    """Returns a text with such characters as one of bytes: for ``split()`` and ``strip()``."""
    if type(value) is str and any(map(value.__contains__, _CONTROLS)) and value.isascii():
        return ByteText(value.encode())
    return value


def raw_input_(prompt=""):
    """Returns ``raw_input(prompt)``."""
    return of_bytes(to_bytes(input(prompt)))


def translate(value, *arguments):
    """Returns ``value.translate(table, deletions)``; the table None only deletes."""
    method = removed_attributes.read(value, "translate")
    is_of_bytes = arguments[0] is None or isinstance(arguments[0], (str, bytes))
    if not isinstance(value, (str, bytes)) or not is_of_bytes:
        return method(*arguments)
    if is_unicode(value) or any(map(is_unicode, arguments)):
        deleted = (*arguments, "")[1]
        return "".join(character for character in value if character not in deleted)
    rows.used(UNICODE)
    new = to_bytes(value).translate(*map(to_bytes, arguments))
    return string(new) if isinstance(value, bytes) else of_bytes(new)


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
