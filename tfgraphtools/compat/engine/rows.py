"""A fix is a row of a table: named, explained, switchable off, and reported when used.

Tables are plain data: they are read without TensorFlow or NumPy (the doctor and
the tests do), so what a row provides imports inside its function.
"""

import contextlib
import fnmatch
import functools
import sys
import threading
from typing import Any, Callable, NamedTuple, Optional

from tfgraphtools.compat.engine import parts
from tfgraphtools.errors import SwitchError, did_you_mean, nearest
from tfgraphtools.installed import distributions


class Fix(NamedTuple):
    """A fix: one thing that old code means and that is no longer so.

    Fields:
      name: unique over all tables; what ``--report`` prints and ``--without``
        takes: the dotted name that user code writes ("numpy.float",
        "tensorflow.train.SummaryWriter"), or area.fix ("python2.print").
      since: the version since which the old spelling fails ("NumPy 1.24"); None
        for internal rows, which are never reported.
      why: one line for people: what the old code means and what it gets.
      run: the function that does it; the kind of the table defines its arguments.
      rewrite: what `upgrade` writes instead, one of the classes of `rewrites`; None
        where that follows from the kind of the table, or from ``upgrade_names.tsv``.
      cannot: for a row that no change of source expresses: what a person can write instead.
    """

    name: str
    since: Optional[str]
    why: str
    run: Optional[Callable[..., Any]] = None
    rewrite: Optional[Any] = None
    cannot: Optional[str] = None

    def __hash__(self):
        return hash(self.name)  # a rewrite may hold a dictionary


#: What `Fix.run` takes and gives, by the kind of its table.
KINDS = {
    # A name that ends in "._*" stands for all hidden names of a module that it has no more;
    # its run(real module) gives a function of the name.
    "names": "run(real module) -> the value that user code sees under the row's dotted name",
    # For functions that are still there and took or did more once. Modern code calls them too:
    # they themselves call ``used()`` when they are called in the old way.
    "calls": "run(real module, used) -> the function that user code sees under that name",
    "modules": "run() -> the module that user code gets for a name that no module has",
    "syntax": "run(tree, path) -> the tree of a user's module to compile instead",
    "patches": "run() -> None: changes TensorFlow itself, through `state`, once it is loaded",
    "gone": "nothing is provided: the fix's `why` is raised where the name is used",
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
        """Returns the row of this name; raises KeyError when there is none."""
        return self._by_name[name]

    def on(self):
        """Returns the rows that are not disabled, and that this Python needs."""
        return [row for row in self.rows if is_on(row)]


def is_needed(row):
    """Tells whether what is installed is as new as the row says, and has lost what it restores."""
    return _is_installed(row.since or "")


@functools.lru_cache(maxsize=None)
def _is_installed(since):
    library, _, version = since.partition(" ")
    if library != "Python" and library not in _LIBRARIES:
        return True
    here = sys.version_info[:2] if library == "Python" else _version_of(library)
    return here >= tuple(int(part) for part in version.split(".")[:2])


#: The libraries of which users pin old versions: rows ask for theirs.
_LIBRARIES = ("NumPy", "pandas", "scikit-learn", "SciPy", "librosa", "pytest")

#: The libraries that translate code, or whose names decide how it is translated.
_CHANGING_CODE = ("fissix", "Keras", "tf_keras", *sorted(distributions.TENSORFLOW))


def versions():
    """Returns the versions that decide what code becomes: others must not share it."""
    return [sys.version, *map(distributions.version, (*_LIBRARIES, *_CHANGING_CODE))]


def _version_of(library):
    """Returns (major, minor) of the library that is installed; it need not be imported for it."""
    if sys.version_info < (3, 8):  # beside TF 1.15 nothing is fixed, and all that is new matters
        return (99, 0)
    numbers = distributions.numbers(library, 2)
    return numbers if numbers and len(numbers) == 2 else (99, 0)


#: The names of rows that are applied inside of libraries and ask at each call who calls.
asking = set()

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
    """Tells whether uses are counted."""
    return not _unreported


#: thread -> the rows that are disabled in the file that it is translating.
_off_in_file = {}


@contextlib.contextmanager
def also_off(names):
    """Disables rows in this thread: those that the file which is being translated does without."""
    if not names:
        yield
        return
    thread = threading.get_ident()
    before = _off_in_file.get(thread, frozenset())
    _off_in_file[thread] = before | names
    try:
        yield
    finally:
        _off_in_file[thread] = before
        if not before:
            del _off_in_file[thread]


def is_off(name):
    """Tells whether this row is disabled."""
    return name in _off or bool(_off_in_file) and name in _off_here()


def _off_here():
    return _off_in_file.get(threading.get_ident(), ())


def is_on(row):
    """Tells whether this row is needed here, and not disabled."""
    return is_needed(row) and not is_off(row.name)


def switched_off():
    """Returns the names of the disabled rows."""
    return _off.union(_off_here())


def report():
    """Returns the rows that the run has used so far, in the order of their first use."""
    return list(_used.values())


def forget_used():
    """Clears the report."""
    _used.clear()


def begin(without=(), libraries=None):
    """Starts a run: nothing used yet, these rows off.

    Args:
      without, libraries: those of `Options`.

    Raises:
      SwitchError: a name that no row has.
    """
    global _off
    asked = [*without, LIBRARIES + libraries] if libraries else without
    _off = frozenset().union(*(matching(name, "--without " + name) for name in asked))
    _used.clear()


#: What stands for all rows of other libraries, where names of fixes are given.
LIBRARIES = "libraries="


def matching(asked, place):
    """Returns the names of the rows that a word stands for.

    Args:
      asked: the name of a row; a library or another beginning of names up to a dot ("pandas");
        a pattern ("pandas.*mean"); or "libraries=today".
      place: where it was asked for, for errors.

    Raises:
      SwitchError: it stands for none.
    """
    if asked.startswith(LIBRARIES):
        return _of_other_libraries(asked, place)
    known = {row.name for table in tables() for row in table.rows}
    if asked in known:
        return {asked}
    below = {name for name in known if name.startswith(asked + ".")}
    names = below or set(fnmatch.filter(known, asked))
    if not names:
        raise SwitchError(
            place,
            "the name of a fix, a library or a pattern",
            f"{asked!r}, which none of the {len(known)} fixes has",
            suggestion(asked, {n for name in known for n in (name, name.partition(".")[0])})
            + "'tfgraphtools run --list-fixes' lists them.",
        )
    return names


def suggestion(asked, known):
    """Returns "Did you mean ...? " for the most similar of the known words, or ""."""
    question = did_you_mean(nearest(asked, sorted(known), 1))
    return question and question + " "


def _of_other_libraries(asked, place):
    """Returns the names of all rows outside of TensorFlow, Keras and Python."""
    if asked != LIBRARIES + "today":
        got = asked[len(LIBRARIES) :]
        raise SwitchError(place, "'today' for libraries", repr(got), "Write libraries=today.")
    others = [part for part in parts.load() if getattr(part, "OF_OTHER_LIBRARIES", False)]
    return {row.name for part in others for table in part.TABLES for row in table.rows}


def tables():
    """Returns all tables of all parts."""
    return [table for part in parts.load() for table in part.TABLES]
