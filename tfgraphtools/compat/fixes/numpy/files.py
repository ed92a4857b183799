"""NumPy's readers and writers of files, as they were."""

import contextlib
import functools
import os

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides
from tfgraphtools.compat.fixes.python import pickles


def _saving(name):
    """Functions like `save`, also for ragged rows."""

    def provide(real, used):
        function = getattr(real, name)

        def whole(value):
            try:
                return real.asanyarray(value)
            except ValueError:
                used()
                return real.array(value, dtype=object)

        @functools.wraps(function)
        def save(file, *arrays, **options):
            named = {
                key: value if key in ("allow_pickle", "fix_imports") else whole(value)
                for key, value in options.items()
            }
            return function(file, *map(whole, arrays), **named)

        return save

    why = "rows of unequal lengths are saved as an array of objects"
    return provides("numpy." + name, "NumPy 1.24", why)(provide)


@provides("numpy.fromstring", "NumPy 2.3", "the binary mode is numpy.frombuffer(...).copy()")
def _fromstring(real, used):
    @functools.wraps(real.fromstring)
    def fromstring(string, dtype=float, count=-1, sep=""):
        if sep:
            return real.fromstring(string, dtype=dtype, count=count, sep=sep)
        used()
        data = string.encode("latin1") if isinstance(string, str) else string
        return real.frombuffer(data, dtype=dtype, count=count).copy()

    return fromstring


@provides("numpy.genfromtxt", "NumPy 2.0", "with dtype=None and no encoding, strings are bytes")
def _genfromtxt(real, used):
    @functools.wraps(real.genfromtxt)
    def genfromtxt(fname, dtype=float, *arguments, **options):
        if dtype is None and "encoding" not in options:
            used()
            options["encoding"] = "bytes"
        return real.genfromtxt(fname, dtype, *arguments, **options)

    return genfromtxt


@provides(
    "numpy.loadtxt", "NumPy 2.4", "integers of less than 64 bits are read as floats and truncated"
)
def _loadtxt(real, used):
    @functools.wraps(real.loadtxt)
    def loadtxt(
        fname, dtype=float, comments="#", delimiter=None, converters=None, *more, **options
    ):
        kind = real.dtype(dtype)
        # A number of 64 bits was always read as a whole one.
        if kind.kind in "iu" and kind.itemsize < 8 and converters is None:
            converters = cut_off
        return real.loadtxt(fname, dtype, comments, delimiter, converters, *more, **options)

    def cut_off(text):
        try:
            return int(text)
        except ValueError:
            used()
            return int(float(text))

    return loadtxt


#: Set to 1, `numpy.load` reads pickles where the code does not say ``allow_pickle``.
ALLOW_PICKLE = "TFGRAPHTOOLS_ALLOW_PICKLE"


@provides(
    "numpy.load", "Python 3.0", "reads files opened as text, and Python 2's arrays of objects"
)
def _load(real, used):
    @functools.wraps(real.load)
    def load(file, mmap_mode=None, allow_pickle=None, fix_imports=True, encoding=None, **more):
        if allow_pickle is None:
            allow_pickle = os.environ.get(ALLOW_PICKLE) == "1"
            if allow_pickle:
                used()
        more.update(mmap_mode=mmap_mode, fix_imports=fix_imports, allow_pickle=allow_pickle)
        if encoding is not None:
            more["encoding"] = encoding
        source = pickles.binary(file, used)
        start = source.tell() if hasattr(source, "tell") else None
        try:
            with _advice():
                contents = real.load(source, **more)
        except UnicodeError:
            if encoding is not None:
                raise
            used()
            if start is not None:
                source.seek(start)
            contents = real.load(source, encoding="latin1", **more)
        return _archive(real, contents, file)

    return load


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


def _archive(real, contents, file):
    """Lets an archive, which reads each array when it is asked for, fail with `_advice` too."""
    if isinstance(contents, real.lib.npyio.NpzFile):

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
    [
        *[_saving(name) for name in ("save", "savez", "savez_compressed")],
        _fromstring,
        _genfromtxt,
        _loadtxt,
        _load,
    ],
)
