r"""Regular expressions as until Python 3.6 and 3.10.

``re.split`` splits only where something matched. Flags may stand behind the start of an
expression, ``re.search(r"\b(?i)loss", line)``, and hold for the whole of it.
"""

import functools
import re

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.loading import own_code
from tfgraphtools.compat.engine.rows import Fix, Table

_FLAGS = re.compile(r"\(\?[aiLmsux]+\)")
_BYTES_FLAGS = re.compile(_FLAGS.pattern.encode())


def _taking_flags_anywhere(function, used):
    """Returns a function of `re` whose pattern may have its flags anywhere.

    Args:
      function: called with the pattern and whatever else it takes.
      used: called without arguments where flags are moved.
    """

    @functools.wraps(function)
    def call(pattern, *arguments, **options):
        try:
            return function(pattern, *arguments, **options)
        except re.error as error:
            moved = _moved(pattern, error)
            if moved is None:
                raise
        used()
        return call(moved, *arguments, **options)

    return own_code.unseen_by_warnings(call)


def _moved(pattern, error):
    """Returns the pattern with the flags that an error is about at its start, or None."""
    if "global flags not at the start" not in str(error):
        return None
    flags = (_FLAGS if isinstance(pattern, str) else _BYTES_FLAGS).match(pattern, error.pos)
    if flags is None:
        return None
    return flags.group() + pattern[: flags.start()] + pattern[flags.end() :]


def _row(name):
    def provide(real, used):
        return _taking_flags_anywhere(getattr(real, name), used)

    return Fix("re." + name, "Python 3.11", "flags may stand anywhere in the pattern", provide)


def _split(real, used):
    @own_code.unseen_by_warnings
    @functools.wraps(real.split)
    def split(pattern, string, maxsplit=0, flags=0):
        matches = list(real.compile(pattern, flags).finditer(string))
        solid = [match for match in matches if match.group()]
        if not solid or len(solid) == len(matches):  # nothing to split at, or nothing empty
            return real.split(pattern, string, maxsplit=maxsplit, flags=flags)
        used()
        parts, begin = [], 0
        for match in solid[: maxsplit or None]:
            parts += [string[begin : match.start()], *match.groups()]
            begin = match.end()
        return [*parts, string[begin:]]

    return _taking_flags_anywhere(split, used)


_SPLIT = Fix("re.split", "Python 3.7", "splits only where the pattern matched something", _split)

TABLE = Table(
    "regular expressions",
    "calls",
    [_SPLIT, *map(_row, "compile match fullmatch search sub subn findall finditer".split())],
)


def of_python2(functions):
    """Returns the functions of Python 2's `re` that take flags anywhere, where the rows are on."""
    return {name: _of_python2(name, function) for name, function in functions.items()}


def _of_python2(name, function):
    try:
        row = TABLE.row("re." + name)
    except KeyError:
        return function
    if rows.is_off(row.name):
        return function
    return _taking_flags_anywhere(function, functools.partial(rows.used, row))
