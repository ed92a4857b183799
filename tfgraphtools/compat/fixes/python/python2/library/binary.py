"""Text and bytes at the border of Python 2's programs: files, pipes, and what packs and encodes.

A binary file takes text, and gives a `String`; so do pipes, ``struct``, ``zlib`` and
``base64``. What is text by nature (a row of CSV) is text.
"""

import collections.abc
import functools
import importlib
import io
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python.python2.library import texts
from tfgraphtools.compat.fixes.python.python2.library.strings import String, string

ROW = rows.Row(
    "python2.bytes",
    "Python 3.0",
    "binary and temporary files, pipes, csv, struct, zlib and base64 take text, and return bytes "
    "that compare equal to text",
    cannot="binary files, pipes, struct, zlib and base64 take bytes: text.encode()",
)


# files ----------------------------------------------------------------------


def _given(data):
    """What a file gives: libraries get plain bytes, whose elements are numbers."""
    of_python2 = sys._getframe(2).f_globals.get("__python2__") is not None
    return string(data) if of_python2 else data


class _Binary:
    """What a binary file of Python 2 does, over a class of `io`."""

    def write(self, data):
        """Writes text or bytes."""
        return super().write(texts.to_bytes(data))

    def read(self, size=-1):
        """What follows."""
        return _given(super().read(size))

    def readline(self, size=-1):
        """The next line."""
        return _given(super().readline(size))

    def readlines(self, hint=-1):
        """All lines that follow."""
        return _given(super().readlines(hint))

    def __next__(self):
        return _given(super().__next__())


class _Reader(_Binary, io.BufferedReader):
    pass


class _Writer(_Binary, io.BufferedWriter):
    pass


class _Both(_Binary, io.BufferedRandom):
    pass


_KINDS = {io.BufferedReader: _Reader, io.BufferedWriter: _Writer, io.BufferedRandom: _Both}


def open_(name, mode="r", buffering=-1, *arguments, **options):
    """`open`: a binary file takes text, and gives a `String`."""
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


def given(method, argument):
    """``sep.join(items)``, ``file.write(data)``, ``socket.send(data)``: text and bytes alike."""
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
    """``template % values``: bytes among the values are text."""
    if isinstance(template, str):
        values = _as_texts(values)
    return template % values


def _as_texts(values):
    if isinstance(values, bytes):
        return texts.to_text(values)
    if type(values) is tuple:
        return tuple(map(_text_of, values))
    if type(values) is dict and any(isinstance(value, bytes) for value in values.values()):
        return {name: _text_of(value) for name, value in values.items()}
    return values


def str_(*value, **options):
    """``str(value)``: of bytes the text that they are."""
    if len(value) == 1 and isinstance(value[0], bytes):
        rows.used(ROW)
        return texts.to_text(value[0])
    return str(*value, **options)


def bytes_(*value, **options):
    """``bytes(value)``, which was ``str(value)``."""
    if options:
        return bytes(*value, **options)
    if len(value) == 1 and isinstance(value[0], bytes):
        return string(value[0])
    rows.used(ROW)
    return str(*value)


def bytearray_(*value, **options):
    """``bytearray(value)``, which took text."""
    return bytearray(texts.to_bytes(value[0])) if len(value) == 1 else bytearray(*value, **options)


# csv ------------------------------------------------------------------------


class _Lines:
    """The lines of a file as text."""

    def __init__(self, lines):
        self._lines = iter(lines)

    def __iter__(self):
        return self

    def __next__(self):
        line = next(self._lines)
        return texts.to_text(line) if isinstance(line, bytes) else line


def _reader(lines, *arguments, **options):
    import csv

    return csv.reader(_Lines(lines), *arguments, **options)


@functools.lru_cache(maxsize=None)
def _dict_reader():
    import csv

    class DictReader(csv.DictReader):
        """`csv.DictReader`, of text and of binary files."""

        def __init__(self, f, *arguments, **options):
            super().__init__(_Lines(f), *arguments, **options)

    return DictReader


# what packs and encodes -----------------------------------------------------


def _converting(module, name, after=string):
    """A function that takes text for bytes."""

    def call(*arguments, **options):
        function = getattr(importlib.import_module(module), name)
        return after(function(*map(texts.to_bytes, arguments), **options))

    return call


def _signed(value):
    """A checksum as Python 2 gave it: an int of 32 bits."""
    return value - 2**32 if value >= 2**31 else value


def _pack(pattern, *values):
    import struct

    return String(struct.pack(pattern, *map(texts.to_bytes, values)))


def _text_of(value):
    return texts.to_text(value) if isinstance(value, bytes) else value


# pipes ----------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _popen():
    import subprocess

    class Popen(subprocess.Popen):
        """`subprocess.Popen`, whose pipes take text and give a `String`."""

        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            for name in ("stdin", "stdout", "stderr"):
                pipe = getattr(self, name)
                if type(pipe) in _KINDS:
                    setattr(self, name, _KINDS[type(pipe)](pipe.detach()))

        def communicate(self, input=None, *arguments, **options):
            """(what it wrote, its errors), given `input`, text or bytes."""
            if self.stdin is None or isinstance(self.stdin, io.BufferedIOBase):
                input = texts.to_bytes(input)
            return string(super().communicate(input, *arguments, **options))

    return Popen


def _check_output(*arguments, **options):
    import subprocess

    if "input" in options and not options.get("universal_newlines"):
        options["input"] = texts.to_bytes(options["input"])
    return string(subprocess.check_output(*arguments, **options))


_ENCODERS = "b64encode standard_b64encode urlsafe_b64encode b32encode b16encode encodestring"
_DECODERS = "b64decode standard_b64decode urlsafe_b64decode b32decode b16decode decodestring"
_TODAY = {"encodestring": "encodebytes", "decodestring": "decodebytes"}

#: module -> {name: what stands for it in a module of Python 2}
FUNCTIONS = {
    "base64": {
        **{
            name: _converting("base64", _TODAY.get(name, name), _text_of)
            for name in _ENCODERS.split()
        },
        **{name: _converting("base64", _TODAY.get(name, name)) for name in _DECODERS.split()},
    },
    "binascii": {
        **{name: _converting("binascii", name, _text_of) for name in ("hexlify", "b2a_hex")},
        **{name: _converting("binascii", name) for name in ("unhexlify", "a2b_hex", "b2a_base64")},
        "crc32": _converting("binascii", "crc32", _signed),
    },
    "csv": {"reader": _reader},
    "struct": {
        "pack": _pack,
        "unpack": _converting("struct", "unpack"),
        "unpack_from": _converting("struct", "unpack_from"),
    },
    "subprocess": {"check_output": _check_output},
    "zlib": {
        "adler32": _converting("zlib", "adler32", _signed),
        "compress": _converting("zlib", "compress"),
        "crc32": _converting("zlib", "crc32", _signed),
        "decompress": _converting("zlib", "decompress"),
    },
}


#: module -> {name: a function that makes the class that stands for it}
CLASSES = {"csv": {"DictReader": _dict_reader}, "subprocess": {"Popen": _popen}}
