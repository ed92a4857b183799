"""Modules that left Python 3.8 to 3.14, under their names, for user code only."""

import importlib
import types

from tfgraphtools.compat.engine.rows import Row, Table

#: module -> (since, what has it now; the extra `run` installs what is a package of its own)
_PACKAGES = {
    "aifc": ("Python 3.13", "standard-aifc"),
    "asynchat": ("Python 3.12", "standard-asynchat"),
    "asyncore": ("Python 3.12", "standard-asyncore"),
    "audioop": ("Python 3.13", "audioop-lts"),
    "cgi": ("Python 3.13", "legacy-cgi"),
    "cgitb": ("Python 3.13", "legacy-cgi"),
    "chunk": ("Python 3.13", "standard-chunk"),
    "crypt": ("Python 3.13", "standard-crypt"),
    "distutils": ("Python 3.12", "setuptools"),
    "imghdr": ("Python 3.13", "standard-imghdr"),
    "imp": ("Python 3.12", "zombie-imp"),
    "lib2to3": ("Python 3.13", "fissix"),
    "mailcap": ("Python 3.13", "standard-mailcap"),
    "nntplib": ("Python 3.13", "standard-nntplib"),
    "pipes": ("Python 3.13", "standard-pipes"),
    "pkg_resources": ("setuptools 82", "'setuptools<81'"),  # on every Python
    "smtpd": ("Python 3.12", "standard-smtpd"),
    "sndhdr": ("Python 3.13", "standard-sndhdr"),
    "sunau": ("Python 3.13", "standard-sunau"),
    "telnetlib": ("Python 3.13", "standard-telnetlib"),
    "uu": ("Python 3.13", "standard-uu"),
    "xdrlib": ("Python 3.13", "standard-xdrlib"),
}

#: Modules of which a part is made here where the package is not installed: name -> what it has.
_PARTS = {
    "cgi": {
        "escape": "html:escape",
        "parse_qs": "urllib.parse:parse_qs",
        "parse_qsl": "urllib.parse:parse_qsl",
    },
    "pipes": {"quote": "shlex:quote"},
}

#: Modules that no package has any more: name -> (since, "contents" or "contents: what to use")
_NOWHERE = {
    "dircache": ("3.0", "lists of files: use os.listdir"),
    "md5": ("3.0", "hashes: use hashlib.md5"),
    "sha": ("3.0", "hashes: use hashlib.sha1"),
    "mutex": ("3.0", "flags: use threading.Lock"),
    "new": ("3.0", "classes of functions and modules: use types"),
    "binhex": ("3.11", "files of old Macintoshes"),
    "formatter": ("3.10", "abstract formatting: write the text itself"),
    "macpath": ("3.8", "paths of Mac OS 9"),
    "macurl2path": ("3.7", "paths of Mac OS 9"),
    "msilib": ("3.13", "Windows installers"),
    "nis": ("3.13", "Sun's network information: read it with a command"),
    "ossaudiodev": ("3.13", "Linux's old audio: use sounddevice"),
    "parser": ("3.10", "Python's old parser: use ast"),
    "spwd": ("3.13", "shadow passwords: read them with a command"),
    "symbol": ("3.10", "Python's old grammar: use ast"),
}


def _imported(name, since, package):
    """The module where it is installed; else the part that Python has elsewhere, or advice."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
    if name in _PARTS:
        return _part(name, since, package)
    raise ModuleNotFoundError(_advice(name, since, package), name=name)


def _advice(name, since, package):
    return f"No module named {name!r}: {since} removed it. Run: pip install {package}"


def _part(name, since, package):
    from tfgraphtools.compat.fixes.build import lookup

    made = types.ModuleType(name, f"The part of {name} that Python has elsewhere.")
    for attribute, spec in _PARTS[name].items():
        setattr(made, attribute, lookup(spec))

    def missing(attribute):
        raise AttributeError(f"{name}.{attribute}: {_advice(name, since, package)}")

    made.__getattr__ = missing
    return made


def _package_row(name, since, package):
    why = f"the module {name} is in the package {package} now"
    return Row(name, since, why, lambda: _imported(name, since, package))


def _nowhere_row(name, since, contents):
    contents, colon, advice = contents.partition(":")
    why = f"Python {since} removed {name} ({contents}), and no package has it{colon}{advice}"
    return Row(name, "Python " + since, why)


def _dummy_threading():
    import threading

    return threading


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
        *[_package_row(name, *spec) for name, spec in _PACKAGES.items()],
        Row("dummy_threading", "Python 3.9", "dummy_threading is threading", _dummy_threading),
        Row("asyncio.compat", "Python 3.7", "constants for the version of Python", _asyncio_compat),
        Row("typing.io", "Python 3.13", "typing.io.TextIO is typing.TextIO", _typing_io),
    ],
)

GONE = Table(
    "modules that left Python 3 without a replacement",
    "gone",
    [_nowhere_row(name, *spec) for name, spec in _NOWHERE.items()],
)
