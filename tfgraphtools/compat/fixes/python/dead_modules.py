"""Modules that left Python 3.8 to 3.14, under their names, for user code only."""

import importlib
import types

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes import removed
from tfgraphtools.compat.fixes.build import lookup

#: Modules of which a part is made here where the package is not installed: name -> what it has.
_PARTS = {
    "cgi": {
        "escape": "html:escape",
        "parse_qs": "urllib.parse:parse_qs",
        "parse_qsl": "urllib.parse:parse_qsl",
    },
    "pipes": {"quote": "shlex:quote"},
}


def _with_a_part(name, package):
    """Returns the row of a module in a package: a part of it does without the package."""
    row = removed.row_of(removed.Removed(name, "Python 3.13", "package " + package, ""))

    def provide():
        try:
            return row.provide()
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            return _part(name, str(error))

    return row._replace(provide=provide)


def _part(name, advice):
    module = types.ModuleType(name, f"The part of {name} that Python has elsewhere.")
    for attribute, spec in _PARTS[name].items():
        setattr(module, attribute, lookup(spec))

    def missing(attribute):
        raise AttributeError(f"{name}.{attribute}: {advice}")

    module.__getattr__ = missing
    return module


def _imp():
    from tfgraphtools.compat.fixes.python import imp

    made = types.ModuleType("imp", imp.__doc__)
    vars(made).update({key: value for key, value in vars(imp).items() if key[0] != "_"})
    return made


def _pkg_resources():
    try:
        return importlib.import_module("pkg_resources")
    except ImportError:
        from tfgraphtools.compat.fixes.python import pkg_resources

        return pkg_resources


def _asyncio_compat():
    made = types.ModuleType("asyncio.compat")
    made.PY34 = made.PY35 = made.PY352 = True
    made.flatten_list_bytes = b"".join
    return made


def _typing_io():
    import typing

    made = types.ModuleType("typing.io")
    made.IO, made.TextIO, made.BinaryIO = typing.IO, typing.TextIO, typing.BinaryIO
    return made


TABLE = Table(
    "modules that left Python 3",
    "modules",
    [
        _with_a_part("cgi", "legacy-cgi"),
        _with_a_part("pipes", "standard-pipes"),
        Row("imp", "Python 3.12", "the functions of imp, written with importlib", _imp),
        Row(
            "pkg_resources",
            "setuptools 82",  # on every Python
            "written with importlib.metadata, if pkg_resources is not installed",
            _pkg_resources,
        ),
        Row("asyncio.compat", "Python 3.7", "constants for the version of Python", _asyncio_compat),
        Row("typing.io", "Python 3.13", "typing.io.TextIO is typing.TextIO", _typing_io),
    ],
)
