"""The order of names where Python shows them: of parsed arguments, and of a named tuple."""

import argparse
import collections
import sys

from tfgraphtools.compat.engine.replacing import callers, replaces, table
from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.python2 import python2_programs
from tfgraphtools.compat.fixes.python2.library import formatting


@replaces(
    "argparse:Namespace.__repr__",
    since="Python 3.9",
    why="print(args) shows the arguments in the order of their names",
)
def _shown(original, self):
    ordered = dict(sorted(vars(self).items()))
    if list(ordered) == list(vars(self)):
        return original(self)
    _shown.used()
    other = argparse.Namespace.__new__(type(self))
    vars(other).update(ordered)
    return original(other)


@replaces(
    "optparse:Values.__str__",
    since="Python 3.0",
    why="print options shows a dictionary of Python 2, in its code",
)
def _options_shown(original, self):
    if not python2_programs.is_python2():
        return original(self)
    _options_shown.used()
    return formatting.shown(vars(self))


@in_place_of("collections.namedtuple", "Python 3.8", "record._asdict() is an OrderedDict")
def _named_tuple(original, used, *arguments, **options):
    def _asdict(self):
        """Returns an OrderedDict of the fields and their values."""
        used()
        return collections.OrderedDict(zip(self._fields, self))

    if options.get("module") is None:
        options["module"] = _module_of_caller()
    options.pop("verbose", None)  # of Python 2
    cls = original(*arguments, **options)
    cls._asdict = _asdict
    return cls


def _module_of_caller():
    frame = sys._getframe(2)
    while frame is not None and not callers.is_users(frame.f_globals):
        frame = frame.f_back
    return None if frame is None else frame.f_globals.get("__name__", "__main__")


REPLACEMENTS = (_shown, _options_shown)

TABLE = table("the order of parsed arguments", *REPLACEMENTS)

CALLS = Table("named tuples", "calls", [*_named_tuple])
