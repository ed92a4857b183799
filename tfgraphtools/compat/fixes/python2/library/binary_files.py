"""Binary files of Python 2: they take text, and give a `String`.

What is text by nature (a row of CSV) is text. Pipes, ``struct``, ``zlib``, ``base64`` and
``hashlib`` take and give bytes, as in Python 3.
"""

import collections.abc
import functools
import io
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.library import texts
from tfgraphtools.compat.fixes.python2.library.byte_strings import string

ROW = rows.Fix(
    "python2.bytes",
    "Python 3.0",
    "binary files and csv take text; they and encode() return bytes that compare equal to text",
    cannot="binary files take bytes: text.encode()",
)


# files ----------------------------------------------------------------------


def _for_caller(data):
    """Returns what a file gives: libraries get real bytes, whose elements are numbers."""
    of_python2 = sys._getframe(2).f_globals.get("__python2__") is not None
    return string(data) if of_python2 else data


class _Binary:
    """A binary file of Python 2, over a class of `io`."""

    def write(self, data):
        """Writes text or bytes."""
        return super().write(texts.to_bytes(data))

    def read(self, size=-1):
        """Returns what follows."""
        return _for_caller(super().read(size))

    def readline(self, size=-1):
        """Returns the next line."""
        return _for_caller(super().readline(size))

    def readlines(self, hint=-1):
        """Returns all lines that follow."""
        return _for_caller(super().readlines(hint))

    def __next__(self):
        return _for_caller(super().__next__())


class _Reader(_Binary, io.BufferedReader):
    pass


class _Writer(_Binary, io.BufferedWriter):
    pass


class _ReaderWriter(_Binary, io.BufferedRandom):
    pass


_KINDS = {io.BufferedReader: _Reader, io.BufferedWriter: _Writer, io.BufferedRandom: _ReaderWriter}


def open_(name, mode="r", buffering=-1, *arguments, **options):
    """Opens a file as `open` does; a binary file takes text, and gives a `String`."""
    if "U" in mode:  # lines end alike in every text file now
        mode = mode.replace("U", "") if "r" in mode else mode.replace("U", "r")
    if "b" not in mode or rows.is_off(ROW.name):
        return open(name, mode, buffering, *arguments, **options)
    rows.used(ROW)
    if buffering in (0, 1):  # an unbuffered binary file, and one by lines: both write at once
        buffering = -1 if "r" in mode and "+" not in mode else buffering
    opened = open(name, mode, -1 if buffering == 1 else buffering, *arguments, **options)
    kind = _KINDS.get(type(opened))
    return opened if kind is None else kind(opened.detach())


def take_text_or_bytes(method, argument):
    """Calls ``sep.join``, ``file.write`` or ``socket.send`` with text or bytes alike."""
    is_join = isinstance(getattr(method, "__self__", None), (str, bytes))
    if is_join and isinstance(argument, collections.abc.Iterator):
        argument = list(argument)
    try:
        return method(argument)
    except TypeError as error:
        if isinstance(argument, str) and "bytes-like object is required" in str(error):
            as_text = texts.to_bytes(argument)
        elif isinstance(argument, bytes):
            as_text = texts.to_text(argument)
        elif isinstance(argument, (list, tuple)) and any(isinstance(x, bytes) for x in argument):
            as_text = list(map(_text_of, argument))
        else:
            raise
        rows.used(ROW)
        return method(as_text)


def formatted(template, values):
    """Returns ``template % values``, in which bytes among the values are text."""
    if isinstance(template, str):
        values = _as_texts(values)
    return template % values


def _text_of(value):
    return texts.to_text(value) if isinstance(value, bytes) else value


def _as_texts(values):
    if isinstance(values, bytes):
        return texts.to_text(values)
    if type(values) is tuple:
        return tuple(map(_text_of, values))
    if type(values) is dict and any(isinstance(value, bytes) for value in values.values()):
        return {name: _text_of(value) for name, value in values.items()}
    return values


def str_(*value, **options):
    """Returns ``str(value)``; of bytes the text that they are."""
    if len(value) == 1 and isinstance(value[0], bytes):
        rows.used(ROW)
        return texts.to_text(value[0])
    return str(*value, **options)


def bytes_(*value, **options):
    """Returns ``bytes(value)``, which was ``str(value)``."""
    if options:
        return bytes(*value, **options)
    if len(value) == 1 and isinstance(value[0], bytes):
        return string(value[0])
    rows.used(ROW)
    return str(*value)


def bytearray_(*value, **options):
    """Returns ``bytearray(value)``, which took text."""
    return bytearray(texts.to_bytes(value[0])) if len(value) == 1 else bytearray(*value, **options)


# csv ------------------------------------------------------------------------


def encoded(value):
    """Returns what ``text.encode()`` gave as a `String`; of a tokenizer, whatever it gave."""
    return string(value) if type(value) is bytes else value


def _as_text(lines):
    """Yields the lines of a file as text."""
    for line in lines:
        yield _text_of(line)


@functools.lru_cache(maxsize=None)
def csv_readers():
    """Returns the readers of `csv` for text and binary files: {name: value}."""
    import csv

    class DictReader(csv.DictReader):
        """A `csv.DictReader` of text and of binary files."""

        def __init__(self, f, *arguments, **options):
            super().__init__(_as_text(f), *arguments, **options)

    def reader(lines, *arguments, **options):
        rows.used(ROW)
        return csv.reader(_as_text(lines), *arguments, **options)

    return {"reader": reader, "DictReader": DictReader}
