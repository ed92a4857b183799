"""Names that left modules of the standard library."""

import os

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides, standing
from tfgraphtools.compat.fixes.python2.library import unicode_mixing

_PY3 = "Python 3.0"


@standing("string.join", _PY3, "string.join(words, separator) is separator.join(words)")
def _string_join(words, separator=" "):
    return separator.join(words)


@provides("types.StringTypes", _PY3, "the tuple of text types")
def _string_types(real):
    return (str,)


@standing(
    "sys.setdefaultencoding", _PY3, "says how code of Python 2 decodes its texts beyond ASCII"
)
def _set_default_encoding(encoding):
    unicode_mixing.set_default(encoding)


@standing(
    "sys.exc_clear", _PY3, "does nothing: Python 3 clears an exception at the end of its handler"
)
def _exc_clear():
    return None


@standing("fractions.gcd", "Python 3.9", "the greatest common divisor, with the sign of b")
def _gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def walk(top, func, arg):
    """Calls ``func(arg, folder, names)`` for each folder below `top`."""
    try:
        names = os.listdir(top)
    except OSError:
        return
    func(arg, top, names)  # which may take names out
    for name in names:
        path = os.path.join(top, name)
        if os.path.isdir(path) and not os.path.islink(path):
            walk(path, func, arg)


_walk = standing("os.path.walk", _PY3, "walk(top, visit, arg) calls visit(arg, folder, names)")(
    walk
)


TABLE = Table(
    "names that left the standard library",
    "names",
    [
        _string_join,
        _string_types,
        _set_default_encoding,
        _exc_clear,
        _gcd,
        _walk,
    ],
)
