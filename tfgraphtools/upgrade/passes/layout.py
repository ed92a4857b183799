"""Layout: source that black had formatted is formatted by black again, with its settings."""

import ast
import errno
import functools
import importlib.util
import os
import re

from tfgraphtools import line_differences, regular_files
from tfgraphtools.upgrade.findings import REWRITTEN, Finding

#: The fix that keeps black's layout.
FIX = "black"

#: What black never leaves: blanks at the ends of lines, tabs as indentation.
_NEVER_BLACK = re.compile(r"(?m)[ \t]$|^[ ]*\t")


def formatted(old, new, path):
    """Returns (`new` as black formats it, a `Finding` for each line that this changes).

    When it does nothing: black is not installed, or would have changed `old`, too.

    Args:
      old, new: the source of a module before and after the upgrade.
      path: its absolute path; the settings are those of the ``pyproject.toml`` above it.
    """
    if old == new or _NEVER_BLACK.search(old) or not _settings_can_be_read(os.path.dirname(path)):
        return new, []
    try:
        import black
    except ImportError:
        return new, []
    try:
        mode = _mode_of(black.files.find_pyproject_toml((path,)))
        for part in (_beginning(old), old):  # most code shows at once that it is not black's
            if black.format_str(part, mode=mode) != part:
                return new, []
        result = black.format_str(new, mode=mode)
    except (black.InvalidInput, SyntaxError, ValueError, AssertionError, RecursionError):
        return new, []  # Python 2, or syntax that this black does not know
    return result, [
        Finding(line, "layout", REWRITTEN, FIX, "as black formats it")
        for line in sorted(_touched(old, result) - _touched(old, new))
    ]


@functools.lru_cache(maxsize=None)
def _settings_can_be_read(folder):
    """Tells whether no ``pyproject.toml`` from a folder upwards is huge: black reads all of it."""
    try:
        regular_files.read(os.path.join(folder, "pyproject.toml"))
    except OSError as error:
        if error.errno == errno.EFBIG:
            return False
    above = os.path.dirname(folder)
    return above == folder or _settings_can_be_read(above)


def _beginning(source):
    """Returns the first statements of a module; "" where they are too long to be told apart.

    It raises SyntaxError for Python 2.
    """
    undecorated = [
        node for node in ast.parse(source).body if not getattr(node, "decorator_list", ())
    ]
    line = max((node.lineno for node in undecorated if node.lineno <= 80), default=1)
    part = "\n".join(source.split("\n")[: line - 1]).strip("\n")
    return part + "\n" if part else ""


def note(paths):
    """Returns a note that black is to be run, where the code's settings name it and it is not here.

    Args:
      paths: the absolute paths of files that change.
    """
    if importlib.util.find_spec("black") is not None:
        return ()
    for folder in sorted({os.path.dirname(path) for path in paths}):
        settings = _settings_above(folder)
        if settings is not None:
            return (f"{settings} says that black formats this code: run black afterwards",)
    return ()


@functools.lru_cache(maxsize=None)
def _settings_above(folder):
    """Returns the file in a folder, or in one above, that has black's settings or hook.

    It returns None where no folder has one.
    """
    for name, word in (
        ("pyproject.toml", "[tool.black]"),
        (".pre-commit-config.yaml", "id: black"),
    ):
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            if word in regular_files.text(path):
                return path
    above = os.path.dirname(folder)
    return None if above == folder else _settings_above(above)


def _touched(old, new):
    """Returns the numbers of the lines of `old` that change."""
    return {
        number
        for kind, start, end, _, _ in line_differences.opcodes(old.split("\n"), new.split("\n"))
        if kind != "equal"
        for number in range(start + 1, max(end, start + 1) + 1)
    }


@functools.lru_cache(maxsize=None)
def _mode_of(settings):
    """Returns the `black.Mode` of a ``pyproject.toml``; the default one for None."""
    import black

    options = black.files.parse_pyproject_toml(settings) if settings else {}
    versions = options.get("target_version", [])
    return black.Mode(
        target_versions={black.TargetVersion[name.upper()] for name in versions},
        line_length=int(options.get("line_length", black.DEFAULT_LINE_LENGTH)),
        string_normalization=not options.get("skip_string_normalization", False),
        magic_trailing_comma=not options.get("skip_magic_trailing_comma", False),
        preview=bool(options.get("preview", False)),
    )
