r"""Regular expressions of Python 2: ``\w``, ``\d``, ``\s`` mean ASCII but for re.UNICODE.

Source: the documentation of ``re`` in Python 2.7.
"""

import functools
import re

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.python import regular_expressions

ROW = rows.Row(
    "python2.regular_expressions",
    "Python 3.0",
    r"\w, \d, \s and re.IGNORECASE mean ASCII, unless the flag re.UNICODE is given",
    cannot="text is Unicode: add re.ASCII if \\w must not match é",
)

#: What depends on the flag, and what a pattern says about it itself.
_CLASSES = re.compile(r"\\[wWdDsSbB]")
_SAYS = re.compile(r"\(\?[aiLmsx]*[aLu]")

#: name -> the place of its argument `flags`
_FLAGS = {
    "compile": 1,
    "findall": 2,
    "finditer": 2,
    "match": 2,
    "search": 2,
    "split": 3,
    "sub": 4,
    "subn": 4,
}


def _is_ascii(pattern, flags):
    if not isinstance(pattern, str) or flags & (re.ASCII | re.LOCALE | re.UNICODE):
        return False
    depends = _CLASSES.search(pattern) or flags & re.IGNORECASE or "(?i" in pattern
    return bool(depends) and _SAYS.search(pattern) is None


def _function(name, real):
    place = _FLAGS[name]

    @functools.wraps(getattr(re, name))
    def call(pattern, *arguments, **options):
        flags = arguments[place - 1] if len(arguments) >= place else options.get("flags", 0)
        if _is_ascii(pattern, int(flags)):
            rows.used(ROW)
            pattern = re.compile(pattern, int(flags) | re.ASCII)
            arguments = arguments[: place - 1]
            options.pop("flags", None)
            if name == "compile":
                return pattern
        return real(pattern, *arguments, **options)

    return call


def _split(pattern, *arguments, **options):
    """Does what `re.split` did until Python 3.6, if the row of it is on."""
    row = regular_expressions.SPLIT
    if rows.is_off(row.name):
        return re.split(pattern, *arguments, **options)
    return row.provide(re, functools.partial(rows.used, row))(pattern, *arguments, **options)


FUNCTIONS = {
    name: _function(name, _split)
    if name == "split"
    else regular_expressions.of_python2(name, _function(name, getattr(re, name)))
    for name in _FLAGS
}
