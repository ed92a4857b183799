"""Pickles of Python 2: their text, and files that were opened in text mode."""

import functools
import io

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of

_SINCE = "Python 3.0"


def binary(file, used):
    """Returns the bytes of a file that was opened as text (Python 2 made no difference on Unix)."""
    if isinstance(file, io.TextIOBase) and hasattr(file, "buffer"):
        used()
        return file.buffer
    if type(file).__name__ == "GFile" and getattr(file, "mode", "") == "r":
        used()
        opened = type(file)(file.name, "rb")
        opened.seek(file.tell())
        return opened
    return file


def retrying_latin1(read, rewind, options, used):
    """Returns ``read(**options)``; reads as latin1 where the pickle's text is not ASCII."""
    try:
        return read(**options)
    except UnicodeDecodeError:
        if "encoding" in options:
            raise
        used()
        rewind()
        return read(encoding="latin1", **options)


@in_place_of(
    "pickle.load", _SINCE, "reads Python 2's pickles (latin1), and from files opened as text"
)
def _load(original, used, file, **options):
    source = binary(file, used)
    start = source.tell() if hasattr(source, "seek") and source.seekable() else None

    def rewind():
        if start is None:
            raise io.UnsupportedOperation(
                "a pickle of Python 2 needs a second read: use a seekable file"
            )
        source.seek(start)

    return retrying_latin1(functools.partial(original, source), rewind, options, used)


@in_place_of("pickle.loads", _SINCE, "reads Python 2's pickles (latin1), and pickles kept as text")
def _loads(original, used, data, **options):
    if isinstance(data, str):
        used()
        data = data.encode("latin1")
    return retrying_latin1(functools.partial(original, data), lambda: None, options, used)


@in_place_of("pickle.dump", _SINCE, "writes to files opened as text, too")
def _dump(original, used, data, file, *arguments, **options):
    return original(data, binary(file, used), *arguments, **options)


TABLE = Table("pickles of Python 2", "calls", [*_load, *_loads, *_dump])
