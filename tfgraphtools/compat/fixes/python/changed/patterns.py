"""Regular expressions with flags behind their start: ``re.search(r"\\b(?i)loss", line)``.

They hold for the whole expression. Python 3.11 takes them at its start only.
"""

import functools
import re

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.build import made

_FLAGS = re.compile(r"\(\?[aiLmsux]+\)")
_BYTES_FLAGS = re.compile(_FLAGS.pattern.encode())


def taking_flags_anywhere(function, used):
    """A function of `re`, whose pattern may have its flags anywhere.

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

    return call


def _moved(pattern, error):
    """The pattern with the flags that an error is about at its start; None for other errors."""
    if "global flags not at the start" not in str(error):
        return None
    flags = (_FLAGS if isinstance(pattern, str) else _BYTES_FLAGS).match(pattern, error.pos)
    if flags is None:
        return None
    return flags.group() + pattern[: flags.start()] + pattern[flags.end() :]


def _row(name):
    def provide(real, used):
        return taking_flags_anywhere(getattr(real, name), used)

    return made("re." + name, "Python 3.11", "flags may stand anywhere in the pattern")(provide)


TABLE = rows.Table(
    "flags of regular expressions",
    "calls",
    [_row(name) for name in "compile match fullmatch search sub subn findall finditer".split()],
)


def of_python2(name, function):
    """The same for a function of Python 2's `re`, where the row is on."""
    row = TABLE.row("re." + name)

    def used():
        rows.used(row)

    return taking_flags_anywhere(function, used) if rows.is_on(row) else function
