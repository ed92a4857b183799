"""The role of a module in its codebase, and the fixes that are used."""

import os
import re
from typing import NamedTuple, Optional

from tfgraphtools.compat import rewrites
from tfgraphtools.errors import ArgumentError
from tfgraphtools.upgrade import targets
from tfgraphtools.upgrade.passes import loops
from tfgraphtools.upgrade.python2 import implicit


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
      relative: which of its imports of modules beside it are Python 2's implicit relative ones:
        `implicit.ALWAYS`, ...; None for none of them.
      lenient_flags: whether it runs with code that treats flags as only TF 1's may be treated.
      package: the dotted name of the package by which it is imported; "" for a script.
      shows_numbers: whether it, or what it imports, prints lists of numbers that a run gave.
      seeded: whether it runs with code that gives the random numbers of a graph a seed.
      is_tf2: whether its ``tensorflow`` is TF 2's.
    """

    path: str
    is_tf1: bool = True
    is_entry: bool = False
    early: bool = False
    kept: frozenset = frozenset()
    relative: Optional[str] = None
    keras: Optional[bool] = None
    lenient_flags: bool = False
    package: str = ""
    shows_numbers: bool = False
    seeded: bool = False
    is_tf2: bool = False


class Choice(NamedTuple):
    """Which fixes are used.

    Fields:
      select: names of fixes, or beginnings of them ("numpy"); empty for all.
      skip: the same, for those that are not.
      runtime: whether ``tfgraphtools.tf1`` may be imported.
      copies: whether the modules of `upgrade.copies` may be written in its place.
      keras: what ``import keras`` becomes, one of `targets.KERAS`; None: it is not said.
    """

    select: tuple = ()
    skip: tuple = ()
    runtime: bool = True
    copies: bool = False
    keras: Optional[str] = None

    @property
    def keras_is(self):
        """What ``import keras`` becomes where it is Keras 1 or 2: one of `targets.KERAS`."""
        return self.keras or ("legacy" if self.runtime else "tf_keras")

    def allows(self, fix):
        """Tells whether a fix is used."""
        return (not self.select or _is_among(fix, self.select)) and not _is_among(fix, self.skip)

    def allows_layout(self):
        """Tells whether black may format files that it formatted.

        Only ``--skip black`` prevents it.
        """
        return not _is_among("black", self.skip)

    def asks_for(self, row):
        """Tells whether a call that is only written where it is asked for is."""
        return row in self.select or ("seeds" in self.select and row.startswith("seeds."))

    def asks_for_an_entry(self):
        """Tells whether programs are to begin with a call that is asked for."""
        row_rewrites = rewrites.rewrites()
        return any(
            isinstance(rewrite, rewrites.Entry) and self.asks_for(row)
            for row, rewrite in row_rewrites
        )

    def require_known(self):
        """Raises ArgumentError where no fix has one of the names, or Keras cannot be that one."""
        if self.keras not in (None, *targets.KERAS):
            known = " or ".join(map(repr, targets.KERAS))
            raise ArgumentError(f"keras={self.keras!r}", known, repr(self.keras), "Leave it out.")
        if self.keras == "legacy" and not self.runtime:
            raise ArgumentError(
                "keras='legacy'",
                "the runtime, which has Keras 2.2.4",
                "no runtime",
                "Leave out --no-runtime and --no-copies, or write --keras tf_keras.",
            )
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
    "black notebook.installs seeds python2.imports python2.tabs tensorflow.entry tensorflow.import "
    "tensorflow.legacy_keras"
).split()


def _is_among(fix, names):
    return targets.lies_in(fix, *names)


def assigned(read, known, choice):
    """Returns the `Role` of each source.

    Args:
      read: a list of `sources.Source`.
      known: the `codebase.Codebase`.
      choice: the `Choice` of fixes.
    """
    tf1 = known.tf1_files()
    entries = known.entries(tf1) if known.has_old_code() else set()
    if choice.asks_for_an_entry():  # of what was upgraded before, too
        entries |= {path for path, facts in known.facts.items() if facts.says_behavior}
    taken = known.taken_names()
    keras = known.keras(tf1, entries)
    with_keras = known.keras_files(tf1, choice.keras is not None)
    lenient = _beside(read, known, targets.has_old_flags)
    seeded = _beside(read, known, loops.SEEDED.search)
    relative = implicit.members(read, _beside_python2(read, known), known)
    return [
        Role(
            source.path,
            source.path in tf1 or source.path in with_keras,
            source.path in entries,
            source.path in entries and known.builds_on_import(source.path, tf1),
            frozenset(taken.get(source.path, ())),
            relative.get(source.path),
            keras.get(source.path),
            source.path in lenient,
            _package(source, known),
            source.path in entries and known.shows_numbers(source.path),
            source.path in seeded,
            known.is_tf2(source.path),
        )
        for source in read
    ]


def _package(source, known):
    """Returns the package by which a file is imported.

    It says so itself, or others import it so.
    """
    path = source.path
    if source.error is not None or not known.files.is_in_package(path):
        return ""
    if not (known.is_member(path) or re.search(r"^[ \t]*from \.", source.code, re.M)):
        return ""
    names = []
    while known.files.is_in_package(path):
        path = os.path.dirname(path)
        names.insert(0, os.path.basename(path))
    return ".".join(names)


def _beside_python2(read, known):
    """Returns the paths of the files that run with one of Python 2."""
    python2 = {source.path for source in read if source.is_python2}
    readable = {source.path for source in read if source.error is None}
    joined = [group for group in known.groups() if group & python2]
    return set().union(*joined) & readable


def _beside(read, known, shows):
    """Returns the paths of the files that run with one whose text shows something."""
    paths = set()
    for group in known.groups():
        text = "\n".join(source.code for source in read if source.path in group)
        if shows(text):
            paths |= group
    return paths
