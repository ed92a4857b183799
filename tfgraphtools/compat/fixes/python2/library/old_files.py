"""Files of Python 2: bytes, whatever the mode, and text or bytes are written to them.

Python 2's code gets lines, and all that a file of mode "r" gives, as its ``str`` (`byte_texts`);
what follows in a file of mode "rb" is a `ByteString`, as libraries want bytes of such a file.
Libraries get text of the first and bytes of the second, as today.
"""

import collections.abc
import io

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.library import byte_texts, unicode_mixing
from tfgraphtools.compat.fixes.python2.library.byte_strings import string
from tfgraphtools.compat.fixes.python2.library.byte_texts import of_bytes, to_bytes
from tfgraphtools.compat.fixes.python2.library.calling_code import is_python2s
from tfgraphtools.compat.fixes.python2.table import BYTES


def _tell_unicode(data):
    if byte_texts.is_unicode(data):
        unicode_mixing.tell_encoded(2)


class _Binary:
    """A binary file of Python 2, over a class of `io`."""

    softspace = 0

    def write(self, data):
        """Writes text or bytes."""
        _tell_unicode(data)
        return super().write(to_bytes(data))

    def writelines(self, lines):
        """Writes several texts, with nothing between them."""
        for line in lines:
            self.write(line)

    def read(self, size=-1):
        """Returns what follows."""
        data = super().read(-1 if size is None else size)
        return string(data) if is_python2s() else data

    def readline(self, size=-1):
        """Returns the next line."""
        data = super().readline(size)
        return string(data) if is_python2s() else data

    def readlines(self, hint=-1):
        """Returns all lines that follow."""
        lines = super().readlines(hint)
        return string(lines) if is_python2s() else lines

    def __next__(self):
        line = super().__next__()
        return string(line) if is_python2s() else line

    def xreadlines(self):
        """Returns the lines one by one."""
        return self


class _Reader(_Binary, io.BufferedReader):
    pass


class _Writer(_Binary, io.BufferedWriter):
    pass


class _ReaderWriter(_Binary, io.BufferedRandom):
    pass


_KINDS = {io.BufferedReader: _Reader, io.BufferedWriter: _Writer, io.BufferedRandom: _ReaderWriter}


class TextFile(io.TextIOWrapper):
    """A file of mode "r" or "w": what its characters stand for are bytes, one each.

    Args:
      binary: the binary file below it.
      mode: the mode of which Python 2 spoke.
    """

    softspace = 0

    #: Whether what is written is there at once: Python 2's ``open(path, "w", 0)``.
    at_once = False

    def __init__(self, binary, mode="r", line_buffering=False):
        newline = None if "U" in mode else "\n"
        super().__init__(binary, encoding="latin-1", newline=newline, line_buffering=line_buffering)
        self.mode = mode

    @property
    def encoding(self):
        """The encoding that libraries see."""
        return None if is_python2s() else "utf-8"

    def _text(self, data):
        text = byte_texts.of_latin(data)
        return text if is_python2s(2) else byte_texts.plain(text)

    def write(self, data):
        """Writes text or bytes."""
        _tell_unicode(data)
        data = to_bytes(data)
        if not isinstance(data, bytes):
            data = bytes(memoryview(data))  # as Python 2: whatever has bytes; TypeError if not
        super().write(data.decode("latin1"))
        if self.at_once:
            self.flush()
        return len(data)

    def writelines(self, lines):
        """Writes several texts, with nothing between them."""
        for line in lines:
            self.write(line)

    def read(self, size=-1):
        """Returns what follows."""
        return self._text(super().read(size))

    def readline(self, size=-1):
        """Returns the next line."""
        return self._text(super().readline(size))

    def readlines(self, hint=-1):
        """Returns all lines that follow."""
        lines, size = [], 0
        while hint is None or hint <= 0 or size < hint:
            line = super().readline()
            if not line:
                break
            size += len(line)
            lines.append(self._text(line))
        return lines

    def __next__(self):
        line = super().readline()
        if not line:
            raise StopIteration
        return self._text(line)

    def xreadlines(self):
        """Returns the lines one by one."""
        return self

    def seek(self, offset, whence=0):
        """Goes to a place, counted in bytes."""
        if whence == 1:
            offset, whence = offset + self.tell(), 0
        if whence == 2 and offset:
            self.flush()
            offset, whence = offset + self.buffer.seek(0, 2), 0
        return super().seek(offset, whence)


def open_(name, mode="r", buffering=-1, *arguments, **options):
    """Opens a file as Python 2's `open`; with arguments of today as today's."""
    if rows.is_off(BYTES.name) or arguments or options:
        if "U" in mode:
            mode = mode.replace("U", "") if "r" in mode else mode.replace("U", "r")
        return open(name, mode, buffering, *arguments, **options)
    rows.used(BYTES)
    plain_mode = mode.replace("U", "" if "r" in mode else "r").replace("t", "")
    is_text = "b" not in plain_mode
    if is_text:
        plain_mode = plain_mode[:1] + "b" + plain_mode[1:]
    is_by_line, at_once = buffering == 1, buffering == 0
    if buffering in (0, 1):  # an unbuffered file, and one by lines: both write at once
        only_reads = "r" in plain_mode and "+" not in plain_mode
        buffering = -1 if only_reads or is_text or is_by_line else buffering
    opened = open(name, plain_mode, buffering)
    if "a" in plain_mode and "+" not in plain_mode:
        opened.seek(0, 2)
    file = wrapped(opened, mode, is_by_line)
    if at_once and isinstance(file, TextFile):
        file.at_once = True
    return file


def wrapped(opened, mode, is_by_line=False):
    """Returns a binary file as Python 2's file of a mode."""
    kind = _KINDS.get(type(opened))
    if "b" in mode and "U" not in mode:
        return opened if kind is None else kind(opened.detach())
    if kind is None:
        return opened
    return TextFile(opened, mode, is_by_line)


def take_text_or_bytes(method, *arguments):
    """Calls ``sep.join``, ``file.write`` or ``socket.send`` with text or bytes alike."""
    owner = getattr(method, "__self__", None)
    if isinstance(owner, (str, bytes)) and method.__name__ == "join" and len(arguments) == 1:
        return _joined(owner, method, *arguments)
    if getattr(method, "__name__", "") == "communicate" and not getattr(owner, "text_mode", None):
        arguments = tuple(map(to_bytes, arguments))
    try:
        return method(*arguments)
    except TypeError as error:
        new = [_other_kind(argument, str(error)) for argument in arguments]
        if all(a is b for a, b in zip(new, arguments)):
            raise
        rows.used(BYTES)
        return method(*new)
    except UnicodeEncodeError:  # a byte that is no UTF-8, in a file of a library
        buffer = getattr(owner, "buffer", None)
        if len(arguments) != 1 or not isinstance(arguments[0], str) or buffer is None:
            raise
        owner.flush()
        return buffer.write(to_bytes(arguments[0]))


#: What the TypeErrors say that text was given for bytes.
_WANT_BYTES = ("bytes-like object", "must be encoded", "must be bytes", "buffer interface")


def _other_kind(argument, error):
    """Returns text as bytes, where an error asks for them, and bytes as text elsewhere."""
    if isinstance(argument, str):
        return to_bytes(argument) if any(words in error for words in _WANT_BYTES) else argument
    if isinstance(argument, bytes):
        return byte_texts.plain(of_bytes(bytes(argument)))
    if isinstance(argument, (list, tuple)) and argument:
        return [_other_kind(item, error) for item in argument]
    return argument


def _joined(separator, method, items):
    if isinstance(items, collections.abc.Iterable) and type(items) not in (list, tuple):
        items = list(items)
    if not isinstance(items, (list, tuple)):
        return method(items)
    if isinstance(separator, bytes) or any(isinstance(item, bytes) for item in items):
        rows.used(BYTES)
        is_binary = any(not item.isascii() for item in items if isinstance(item, bytes))
        data = bytes(to_bytes(separator)).join(map(to_bytes, items))
        return string(data) if is_binary or isinstance(separator, bytes) else of_bytes(data)
    result = method(items)
    if result.isascii() or not all(isinstance(item, str) for item in items):
        return result
    if any(map(byte_texts.is_unicode, (separator, *items))):
        if any(type(item) is byte_texts.ByteText for item in (separator, *items)):
            unicode_mixing.tell_decoded()
        return result
    unicode_mixing.tell_beside([separator, *items])
    return of_bytes(to_bytes(separator).join(map(to_bytes, items)))
