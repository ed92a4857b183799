"""A fix is a row of a table: named, explained, switchable off, and reported when used.

Tables are plain data: they are read without TensorFlow or NumPy (the doctor and
the tests do), so what a row provides imports inside its function.
"""

import contextlib
import fnmatch
import functools
import re
import sys
from typing import Any, Callable, NamedTuple, Optional

from tfgraphtools.compat.engine import parts
from tfgraphtools.errors import ArgumentError


class Row(NamedTuple):
    """One thing that old code means and that is no longer so.

    Fields:
      name: unique over all tables; what ``--report`` prints and ``--without``
        takes: the dotted name that user code writes ("numpy.float",
        "tensorflow.train.SummaryWriter"), or area.fix ("python2.print").
      since: the version since which the old spelling fails ("NumPy 1.24"); None
        for internal rows, which are never reported.
      why: one line for people: what the old code means and what it gets.
      provide: the function that does it; the kind of the table defines its arguments.
      rewrite: what `upgrade` writes instead, one of the classes of `rewrites`; None
        where that follows from the kind of the table.
    """

    name: str
    since: Optional[str]
    why: str
    provide: Optional[Callable[..., Any]] = None
    rewrite: Optional[Any] = None


#: What `Row.provide` takes and gives, by the kind of its table.
KINDS = {
    # A name that ends in "._*" stands for all hidden names of a module that it has no more;
    # its provide(real module) gives a function of the name.
    "names": "provide(real module) -> the value that user code sees under the row's dotted name",
    # For functions that are still there and took or did more once. Modern code calls them too:
    # they themselves call ``used()`` when they are called in the old way.
    "calls": "provide(real module, used) -> the function that user code sees under that name",
    "modules": "provide() -> the module that user code gets for a name that no module has",
    "syntax": "provide(tree, path) -> the tree of a user's module to compile instead",
    "patches": "provide() -> None: changes TensorFlow itself, through `state`, once it is loaded",
    "gone": "nothing is provided: the row's `why` is raised where the name is used",
    "listed": "applied elsewhere in its part, which says when it was used",
}


class Table:
    """Rows of one kind.

    Args:
      title: what the rows are about, for people.
      kind: one of `KINDS`.
      rows: the rows; their names are unique.
    """

    def __init__(self, title, kind, rows):
        assert kind in KINDS, kind
        self.title = title
        self.kind = kind
        self.rows = tuple(rows)
        self._by_name = {row.name: row for row in self.rows}
        assert len(self._by_name) == len(self.rows), "two rows of one name in " + title

    def row(self, name):
        """The row of this name; KeyError when there is none."""
        return self._by_name[name]

    def on(self):
        """The rows that are not disabled, and that this Python needs."""
        return [row for row in self.rows if is_on(row)]


@functools.lru_cache(maxsize=None)
def is_needed(row):
    """Whether what is installed is as new as the row says, and has lost what it restores."""
    library, _, version = (row.since or "").partition(" ")
    if library != "Python" and library not in _LIBRARIES:
        return True
    here = sys.version_info[:2] if library == "Python" else _version_of(library)
    return here >= tuple(int(part) for part in version.split(".")[:2])


#: The libraries of which users pin old versions: rows ask for theirs.
_LIBRARIES = ("NumPy", "pandas", "scikit-learn", "SciPy", "librosa", "pytest")


def versions():
    """The versions by which `is_needed` decides: what they decide is not to be kept for others."""
    return [sys.version, *map(_version_of, _LIBRARIES)]


@functools.lru_cache(maxsize=None)
def _version_of(library):
    """(major, minor) of the library that is installed, which need not be imported for it."""
    try:
        from importlib.metadata import version

        return tuple(int(part) for part in re.findall(r"\d+", version(library.lower()))[:2])
    except ImportError:  # it is missing, or Python 3.7, on which compat does not act
        return (99, 0)


# The state of a run: which rows are off, and which were used.
_off = frozenset()
_used = {}  # name -> row, in the order of first use
_unreported = 0  # how many modules of ours are being loaded


def used(row):
    """Records that the run used this fix; only the first use counts."""
    if row.since is not None and not _unreported:
        _used.setdefault(row.name, row)


@contextlib.contextmanager
def unreported():
    """Counts nothing inside: what contrib's modules use to be loaded is no use of the user's."""
    global _unreported
    _unreported += 1
    try:
        yield
    finally:
        _unreported -= 1


def is_reporting():
    """Whether uses are counted."""
    return not _unreported


def is_off(name):
    """Whether this row is disabled."""
    return name in _off


def is_on(row):
    """Whether this row is needed here, and not disabled."""
    return is_needed(row) and not is_off(row.name)


def switched_off():
    """The names of the disabled rows."""
    return _off


def report():
    """The rows that the run has used so far, in the order of their first use."""
    return list(_used.values())


def forget_used():
    """Clears the report."""
    _used.clear()


def begin(without=()):
    """Starts a run: nothing used yet, these rows off.

    Args:
      without: names of rows; a library or another beginning of names up to a dot ("pandas"), or
        a pattern ("pandas.*mean"), stands for all rows of it.

    Raises:
      ArgumentError: one that no row has.
    """
    global _off
    known = {row.name for table in tables() for row in table.rows}
    off = set()
    for asked in without:
        names = _matching(asked, known)
        if not names:
            raise ArgumentError(
                "--without " + asked,
                "the name of a fix, a library or a pattern",
                f"a name that none of the {len(known)} fixes has",
                "'tfgraphtools run --list-fixes' lists them.",
            )
        off |= names
    _off = frozenset(off)
    _used.clear()


def _matching(asked, known):
    """The names of rows that a name, a library or a pattern stands for."""
    if asked in known:
        return {asked}
    below = {name for name in known if name.startswith(asked + ".")}
    return below or set(fnmatch.filter(known, asked))


def tables():
    """All tables of all parts."""
    return [table for part in parts.load() for table in part.TABLES]
