"""What a module is in its codebase, and which fixes are used."""

from typing import NamedTuple, Optional

from tfgraphtools.compat.engine import rewrites
from tfgraphtools.errors import ArgumentError


class Role(NamedTuple):
    """What a module is in its codebase.

    Fields:
      path: its absolute path.
      is_tf1: whether its ``tensorflow`` (or its ``keras``, where it has only that) is TF 1's.
      is_entry: whether it is a program that leads to TF 1 code.
      early: whether what it imports builds graphs at once.
      kept: names that other modules take from it, so that it must go on importing them.
      keras: whether it sets the variable that has TensorFlow take TF 1's layers from tf_keras:
        programs do, if anything that they import needs it; None: if it uses them itself.
      relative: whether its imports of modules beside it are Python 2's implicit relative ones.
      lenient_flags: whether it runs with code that treats flags as only TF 1's may be treated.
      package: the dotted name of the package by which it is imported; "" for a script.
      shows_numbers: whether it, or what it imports, prints lists of numbers that a run gave.
      seeded: whether it runs with code that gives the random numbers of a graph a seed.
    """

    path: str
    is_tf1: bool = True
    is_entry: bool = False
    early: bool = False
    kept: frozenset = frozenset()
    relative: bool = False
    keras: Optional[bool] = None
    lenient_flags: bool = False
    package: str = ""
    shows_numbers: bool = False
    seeded: bool = False


class Choice(NamedTuple):
    """Which fixes are used.

    Fields:
      select: names of fixes, or beginnings of them ("numpy"); empty for all.
      skip: the same, for those that are not.
      runtime: whether ``tfgraphtools.tf1`` may be imported.
      vendor: whether modules of `copies` may be written in its place.
    """

    select: tuple = ()
    skip: tuple = ()
    runtime: bool = True
    vendor: bool = False

    def allows(self, fix):
        """Whether a fix is used."""
        return (not self.select or _is_among(fix, self.select)) and not _is_among(fix, self.skip)

    def allows_layout(self):
        """Whether black may format what it had formatted; no selection leaves that out."""
        return not _is_among("black", self.skip)

    def asks_for(self, row):
        """Whether a call that is only written where it is asked for is."""
        return row in self.select or ("seeds" in self.select and row.startswith("seeds."))

    def asks_for_an_entry(self):
        """Whether programs are to begin with a call that is asked for."""
        found = rewrites.rewrites()
        return any(isinstance(one, rewrites.Entry) and self.asks_for(row) for row, one in found)

    def require_known(self):
        """Raises ArgumentError where no fix has one of the names, or a name that begins so."""
        from tfgraphtools.upgrade.python2 import FIXERS

        known = [name for name, _ in rewrites.rewrites()]
        known += [*rewrites.PACKAGES, *FIXERS, *_OWN]
        for argument in ("select", "skip"):
            for name in getattr(self, argument):
                if not any(_is_among(fix, [name]) for fix in known):
                    raise ArgumentError(
                        f"{argument}={name}",
                        "the name of a fix, or the beginning of one",
                        "a name that no fix has",
                        "'tfgraphtools run --list-fixes' lists them.",
                    )


#: The fixes of upgrade's own, beside the rows of compat and those of Python 2.
_OWN = (
    "black seeds python2.imports python2.tabs tensorflow.entry tensorflow.import "
    "tensorflow.legacy_keras"
).split()


def _is_among(fix, names):
    return any(fix == name or fix.startswith(name + ".") for name in names)
