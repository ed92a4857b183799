"""NumPy's readers and writers of files, as they were."""

import contextlib

from tfgraphtools import environment_variables
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.python import pickles


@in_place_of(
    "numpy.save numpy.savez numpy.savez_compressed",
    "NumPy 1.24",
    "rows of unequal lengths are saved as an array of objects",
)
def _save(original, used, file, *arrays, **options):
    named = {
        key: value if key in ("allow_pickle", "fix_imports") else _whole(value, used)
        for key, value in options.items()
    }
    return original(file, *(_whole(value, used) for value in arrays), **named)


def _whole(value, used):
    import numpy

    try:
        return numpy.asanyarray(value)
    except ValueError:
        used()
        return numpy.array(value, dtype=object)


@in_place_of("numpy.fromstring", "NumPy 2.3", "the binary mode is numpy.frombuffer(...).copy()")
def _fromstring(original, used, string, dtype=float, count=-1, sep=""):
    if sep:
        return original(string, dtype=dtype, count=count, sep=sep)
    import numpy

    used()
    data = string.encode("latin1") if isinstance(string, str) else string
    return numpy.frombuffer(data, dtype=dtype, count=count).copy()


@in_place_of(
    "numpy.genfromtxt",
    "NumPy 2.0",
    "without an encoding, converters get bytes, and with dtype=None strings are bytes",
)
def _genfromtxt(original, used, fname, dtype=float, *arguments, **options):
    has_bytes = dtype is None or options.get("converters") is not None
    if has_bytes and "encoding" not in options:
        used()
        options["encoding"] = "bytes"
    return original(fname, dtype, *arguments, **options)


#: The place of loadtxt's argument `encoding` behind `converters`.
_ENCODING_AT = 5


@in_place_of(
    "numpy.loadtxt",
    "NumPy 2.0",
    "integers of less than 64 bits are read as floats and truncated; without an encoding, "
    "converters get bytes",
)
def _loadtxt(
    original,
    used,
    fname,
    dtype=float,
    comments="#",
    delimiter=None,
    converters=None,
    *more,
    **options,
):
    import numpy

    def truncated(text):
        try:
            return int(text)
        except ValueError:
            used()
            return int(float(text))

    if converters is not None and "encoding" not in options and len(more) < _ENCODING_AT:
        used()
        options["encoding"] = "bytes"
    kind = numpy.dtype(dtype)
    # A number of 64 bits was always read as a whole one.
    if kind.kind in "iu" and kind.itemsize < 8 and converters is None:
        converters = truncated
    return original(fname, dtype, comments, delimiter, converters, *more, **options)


@in_place_of(
    "numpy.load", "Python 3.0", "reads files opened as text, and Python 2's arrays of objects"
)
def _load(
    original, used, file, mmap_mode=None, allow_pickle=None, fix_imports=True, encoding=None, **more
):
    if allow_pickle is None:
        allow_pickle = environment_variables.value_of(environment_variables.ALLOW_PICKLE) == "1"
        if allow_pickle:
            used()
    more.update(mmap_mode=mmap_mode, fix_imports=fix_imports, allow_pickle=allow_pickle)
    if encoding is not None:
        more["encoding"] = encoding
    source = pickles.binary(file, used)
    start = source.tell() if hasattr(source, "tell") else None
    try:
        with _advice():
            contents = original(source, **more)
    except UnicodeError:
        if encoding is not None:
            raise
        used()
        if start is not None:
            source.seek(start)
        contents = original(source, encoding="latin1", **more)
    return _archive(contents, file)


@contextlib.contextmanager
def _advice():
    """Tells in the error about a pickle how it is allowed."""
    try:
        yield
    except ValueError as error:
        if "allow_pickle" not in str(error):
            raise
        raise ValueError(
            f"{error} (a pickle can run any code when it is read, so NumPy refuses it since "
            "1.16.3; if you trust the file, pass numpy.load(file, allow_pickle=True), or run with "
            "--allow-pickle)"
        ) from None


def _archive(contents, file):
    """Lets an archive, which reads each array when it is asked for, fail with `_advice` too."""
    if type(contents).__name__ == "NpzFile":

        class Archive(type(contents)):
            opened = file  # as text: whoever drops it closes it

            def __getitem__(self, key):
                with _advice():
                    return super().__getitem__(key)

        contents.__class__ = Archive
    return contents


TABLE = Table(
    "files that NumPy reads and writes",
    "calls",
    [*_save, *_fromstring, *_genfromtxt, *_loadtxt, *_load],
)
