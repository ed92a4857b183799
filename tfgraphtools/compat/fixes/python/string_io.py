"""Python 2's ``StringIO``: a file in memory, of text or of bytes as what is written first."""

import io

#: What leaves an empty file as it is.
_WITHOUT_EFFECT = ("flush", "seek", "tell", "truncate")


class StringIO:
    """A file in memory that takes text or bytes.

    Args:
      initial: what it holds at first; its type decides which of both it is.
        Of an empty file the first `write` decides.
    """

    def __init__(self, initial=""):
        self._file = self._file_for(initial) if initial else None

    @staticmethod
    def _file_for(data):
        return io.StringIO(data) if isinstance(data, str) else io.BytesIO(bytes(data))

    def write(self, data):
        """Writes text or bytes, as the file is."""
        if self._file is None:
            self._file = self._file_for(data[:0])
        return self._file.write(data)

    def writelines(self, lines):
        """Writes several texts, with nothing between them."""
        for line in lines:
            self.write(line)

    def __iter__(self):
        return iter(self._opened())

    def __next__(self):
        return next(self._opened())

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if self._file is None and name in _WITHOUT_EFFECT:
            return lambda *place: 0
        return getattr(self._opened(), name)

    def _opened(self):
        if self._file is None:
            self._file = self._file_for("")
        return self._file
