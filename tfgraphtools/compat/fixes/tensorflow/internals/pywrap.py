"""Functions of ``tensorflow.python.pywrap_tensorflow``, all of which 1.15 had in one module.

2.x spreads them over modules of pybind11. Those that give text give bytes here, as in 1.15.
What needs no change at all is in `moved.pywrap`.
"""

import functools
import importlib

from tfgraphtools.compat.engine.rows import Row, Table

_CLIENT = "client._pywrap_tf_session"
_FILES = "lib.io._pywrap_file_io"

#: name -> the module below ``tensorflow.python`` in which a function gives text.
_GIVING_TEXT = {
    "EqualAttrValueWrapper": _CLIENT,
    "EqualGraphDefWrapper": _CLIENT,
    "GetChildren": _FILES,
    "GetMatchingFiles": _FILES,
}


def _as_bytes(value):
    if isinstance(value, list):
        return [_as_bytes(one) for one in value]
    return value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value


def _giving_bytes(name, module):
    def provide(real):
        plain = getattr(importlib.import_module("tensorflow.python." + module), name)

        @functools.wraps(plain)
        def function(*arguments):
            return _as_bytes(plain(*arguments))

        return function

    return provide


TABLE = Table(
    "functions of pywrap_tensorflow",
    "names",
    [
        Row(
            "tensorflow.python.pywrap_tensorflow." + name,
            "TF 2.2",
            f"today's tensorflow.python.{module}.{name}, giving bytes",
            _giving_bytes(name, module),
        )
        for name, module in _GIVING_TEXT.items()
    ],
)
