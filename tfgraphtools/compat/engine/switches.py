"""Switches that disable fixes: a project's configuration, and a comment of one file.

    # tfgraphtools: without=pandas,numpy.promotion libraries=today

    [tool.tfgraphtools]                       # pyproject.toml; setup.cfg: [tfgraphtools]
    without = ["pandas"]
    libraries = "today"

    [tool.tfgraphtools.per-file-without]      # setup.cfg: per-file-without = src/fast/*: numpy
    "src/fast/*" = ["numpy.promotion"]

The words are those of ``--without`` and ``--libraries``. A pattern of files is relative to the
folder of the configuration.
"""

import fnmatch
import glob
import importlib
import io
import os
import re
import tokenize

from tfgraphtools.compat.engine import parts, rows
from tfgraphtools.errors import SwitchError

_KEYS = ("without", "libraries", "per-file-without")
_MARK = b"tfgraphtools:"
_COMMENT = re.compile(r"#\s*tfgraphtools:\s*(.*)")

#: file -> names of rows, where it does without some.
_known = {}

#: (absolute pattern of files, names of rows) pairs of this run.
_per_file = ()


# The configuration ----------------------------------------------------------


def with_project(options, folder):
    """Returns the options of a run, and those of the configuration of a folder.

    Args:
      options: an `Options`; what it says stays.
      folder: the first ``pyproject.toml`` or ``setup.cfg`` with a table of ours counts, in this
        folder or above.

    Raises:
      SwitchError: the table has an unknown key, or cannot be read by this Python.
    """
    for around in _upwards(os.path.abspath(folder or ".")):
        for name, read in (("pyproject.toml", _of_toml), ("setup.cfg", _of_cfg)):
            path = os.path.join(around, name)
            table = read(path) if os.path.isfile(path) else None
            if table is not None:
                return _merged(options, table, path)
    return options


def _upwards(folder):
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _of_toml(path):
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:  # a folder above may be somebody else's
        return None
    if b"tool.tfgraphtools" not in data:
        return None
    for library in ("tomllib", "tomli"):
        try:
            reader = importlib.import_module(library)
        except ImportError:
            continue
        try:
            return reader.loads(data.decode("utf-8")).get("tool", {}).get("tfgraphtools")
        except ValueError as error:
            raise SwitchError(path, "a file of TOML", str(error), "Correct it.")
    raise SwitchError(
        path,
        "a Python that reads TOML, 3.11 or newer",
        "[tool.tfgraphtools] and a Python without tomllib and tomli",
        "Move the table to [tfgraphtools] in setup.cfg, or install tomli.",
    )


def _of_cfg(path):
    import configparser  # here, as few runs need it

    # Lines such as "name: x" are other sections' business, and so are names that occur twice.
    parser = configparser.RawConfigParser(delimiters=("=",), strict=False, allow_no_value=True)
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError, OSError):
        return None  # setuptools will say so
    if not parser.has_section("tfgraphtools"):
        return None
    table = {key: value or "" for key, value in parser.items("tfgraphtools")}
    lines = (line.rpartition(":") for line in table.pop("per-file-without", "").splitlines())
    files = {pattern.strip(): _words(names) for pattern, _, names in lines if pattern.strip()}
    return dict(table, **{"per-file-without": files})


def _words(text):
    return re.findall(r"[^\s,]+", text) if isinstance(text, str) else list(text)


def _merged(options, table, path):
    for key in table:
        if key not in _KEYS:
            raise SwitchError(
                path,
                "one of " + ", ".join(_KEYS),
                repr(key),
                _nearest(key) + "See docs/running.md.",
            )
    _check_types(table, path)
    folder = glob.escape(os.path.dirname(path))
    files = tuple(
        (os.path.join(folder, pattern), tuple(_words(names)))
        for pattern, names in table.get("per-file-without", {}).items()
    )
    for word in _words(table.get("without", ())):
        rows.matching(word, f"{path}: without")
    return options._replace(
        without=(*options.without, *_words(table.get("without", ()))),
        libraries=options.libraries or table.get("libraries"),
        per_file=(*options.per_file, *files),
    )


def _check_types(table, path):
    """Raises an error for values that are no names, which TOML can hold."""
    files = table.get("per-file-without", {})
    names = [table.get("without", ()), *(files.values() if isinstance(files, dict) else ())]
    words = [word for value in names for word in ([value] if _is_one(value) else value)]
    is_table = isinstance(files, dict) and isinstance(table.get("libraries", ""), str)
    if is_table and all(isinstance(word, str) for word in words):
        return
    raise SwitchError(
        path,
        'without = ["pandas"], libraries = "today", and a table per-file-without',
        repr(table),
        "See docs/running.md.",
    )


def _is_one(value):
    return not isinstance(value, (list, tuple))


def _nearest(key):
    return rows.suggestion(key, _KEYS)


# Files ----------------------------------------------------------------------


def begin(options):
    """Starts a run with the files that the options name.

    Raises:
      SwitchError: a name that no row has, or a row that one file cannot do without.
    """
    global _per_file
    _known.clear()
    _per_file = tuple(
        (pattern, frozenset().union(*(_in_one_file(name, pattern) for name in names)))
        for pattern, names in options.per_file
    )


def of_file(data, path):
    """Returns the names of the rows that a file of user code does without.

    Args:
      data: the bytes of its source.
      path: its file.

    Raises:
      SwitchError: a comment names no row, or one that a file cannot do without.
    """
    off = frozenset()
    _known.pop(path, None)
    if _per_file:
        places = {os.path.abspath(path), os.path.realpath(path)}  # the script may be a link
        off = off.union(*(names for at, names in _per_file if any(_fits(p, at) for p in places)))
    if _MARK in data:
        for line, text in _comments(data):
            for name in _named(text, f"{path}:{line}"):
                off |= _in_one_file(name, f"{path}:{line}")
    if off:
        _known[path] = off
    return off


def _fits(place, pattern):
    """Tells whether a file is one of a pattern, or lies in a folder of that name."""
    patterns = (pattern, os.path.join(pattern, "*"))
    return any(fnmatch.fnmatchcase(place, each) for each in patterns)


def known(path):
    """Returns what `of_file` said of a file last."""
    return _known.get(path, frozenset())


def _comments(data):
    """Yields (line, what follows the mark) of the comments of a source, Python 2's too."""
    try:
        for token in tokenize.tokenize(io.BytesIO(data).readline):
            match = token.type == tokenize.COMMENT and _COMMENT.match(token.string)
            if match:
                yield token.start[0], match.group(1)
    except (tokenize.TokenError, SyntaxError, UnicodeDecodeError):  # what follows is Python 2's
        return


def _named(text, place):
    """Yields the names in ``without=pandas,numpy libraries=today``."""
    for word in text.split():
        key, _, names = word.partition("=")
        if key == "libraries":
            yield rows.LIBRARIES + names
        elif key == "without" and names:
            yield from _words(names)
        else:
            near = _nearest(key)
            how = near or "For example: # tfgraphtools: without=pandas libraries=today"
            raise SwitchError(place, "without=NAME,... or libraries=today", repr(word), how)


def _in_one_file(name, place):
    names = rows.matching(name, place)
    whole = names - of_files()
    if whole == names:
        raise SwitchError(
            place,
            "a fix that acts on the code of a file",
            f"{name!r}, which acts on the whole process",
            f"Disable it for the whole run: tfgraphtools run --without {name} ...",
        )
    return frozenset(names - whole)


def of_files():
    """Returns the names of all rows that one file can do without: they ask whose code it is."""
    names = set(rows.asking)
    for part in parts.load():
        for table in part.TABLES:
            is_process = table.kind == "listed" and getattr(part, "OF_PROCESS", False)
            if table.kind != "patches" and not is_process:
                names.update(row.name for row in table.rows)
    return names
