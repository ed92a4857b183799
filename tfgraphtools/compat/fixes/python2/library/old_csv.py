"""``csv`` of Python 2, which read and wrote bytes."""

import functools

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python2.library.byte_texts import of_bytes, plain, to_bytes
from tfgraphtools.compat.fixes.python2.table import BYTES


def _as_text(lines):
    """Yields the lines of a file as text."""
    for line in lines:
        yield plain(of_bytes(bytes(line))) if isinstance(line, bytes) else plain(line)


def _of_python2(value):
    return of_bytes(to_bytes(value)) if isinstance(value, str) else value


class _Rows:
    """The rows of a reader, whose cells are Python 2's ``str``."""

    def __init__(self, reader):
        self._reader = reader

    def __iter__(self):
        return self

    def __next__(self):
        return [_of_python2(cell) for cell in next(self._reader)]

    def __getattr__(self, name):
        return getattr(self._reader, name)


@functools.lru_cache(maxsize=None)
def readers():
    """Returns the readers of `csv` for text and binary files: {name: value}."""
    import csv

    def reader(lines, *arguments, **options):
        rows.used(BYTES)
        return _Rows(csv.reader(_as_text(lines), *arguments, **options))

    class DictReader(csv.DictReader):
        """A `csv.DictReader` of text and of binary files."""

        def __init__(self, f, *arguments, **options):
            super().__init__(_as_text(f), *arguments, **options)
            self.reader = _Rows(self.reader)

    return {"reader": reader, "DictReader": DictReader}
