"""Python 2's ``StringIO``: a file in memory, which is text while nothing but text was written."""

import io

from tfgraphtools.compat.fixes.python2.library import byte_texts
from tfgraphtools.compat.fixes.python2.library.byte_strings import string
from tfgraphtools.compat.fixes.python2.library.byte_texts import of_bytes, to_bytes
from tfgraphtools.compat.fixes.python2.library.calling_code import is_python2s


class StringIO(io.BytesIO):
    """A file in memory that takes text and bytes; libraries get of it what was written.

    Args:
      initial: what it holds at first.
    """

    softspace = 0

    def __init__(self, initial=""):
        super().__init__(to_bytes(initial))
        self._is_text = isinstance(initial, str)
        self._is_new = not initial

    def _as_read(self, data):
        if not self._is_text:
            return string(data) if is_python2s(2) else data
        text = of_bytes(data)
        return text if is_python2s(2) else byte_texts.plain(text)

    @property
    def len(self):
        """The number of bytes."""
        return len(super().getvalue())

    def write(self, data):
        """Writes text or bytes."""
        if self._is_new and len(data):
            self._is_text, self._is_new = isinstance(data, str), False
        elif isinstance(data, bytes) and not data.isascii():
            self._is_text = False
        return super().write(to_bytes(data))

    def writelines(self, lines):
        """Writes several, with nothing between them."""
        for line in lines:
            self.write(line)

    def getvalue(self):
        """Returns all that it holds."""
        return self._as_read(super().getvalue())

    def read(self, size=-1):
        """Returns what follows."""
        return self._as_read(super().read(size))

    def readline(self, size=-1):
        """Returns the next line."""
        return self._as_read(super().readline(size))

    def readlines(self, hint=-1):
        """Returns all lines that follow."""
        lines = super().readlines(hint)
        return list(map(self._as_read, lines))

    def __next__(self):
        return self._as_read(super().__next__())

    def reset(self):
        """Goes to the beginning."""
        self.seek(0)


class _OfBytesIO(type):
    """The class of `BytesIO`, which also files in memory of libraries are instances of."""

    def __instancecheck__(cls, value):
        return cls.__subclasscheck__(type(value))

    def __subclasscheck__(cls, other):
        if type.__subclasscheck__(cls, other):
            return True
        is_librarys = issubclass(other, io.BytesIO) and not issubclass(other, StringIO)
        return cls is BytesIO and is_librarys


class BytesIO(StringIO, metaclass=_OfBytesIO):
    """The `io.BytesIO` of Python 2's code, whose bytes are its ``str``.

    Args:
      initial_bytes: what it holds at first.
    """

    def __init__(self, initial_bytes=""):
        super().__init__(initial_bytes)
