"""All uses in a codebase, with their statuses."""

import collections
import os
import shlex
import warnings
from typing import NamedTuple, Optional, Tuple

from tfgraphtools import compat, garbage_collector
from tfgraphtools.analysis import library_sources
from tfgraphtools.compat.doctor import examination, install, statuses, upgrades
from tfgraphtools.compat.engine import activation


class Place(NamedTuple):
    """A file, as the report shows its path, and a line in it; line 0 stands for the whole file.

    Where the report shows a path from the folder that was examined, ``file`` opens it.
    """

    path: str
    line: int
    file: Optional[str] = None

    def __str__(self):
        return f"{self.path}:{self.line}" if self.line else self.path


class Entry(NamedTuple):
    """One name with its status and all places of its use."""

    status: statuses.Status
    places: Tuple[Place, ...]


class Report:
    """A codebase, as `examine` sees it.

    Attributes:
      constraints: the lines of a constraints file that the codebase needs.
      path: what was examined.
      words: the same, as a shell takes it.
      files: how many files were read.
      entries: an `Entry` for each name: the bad ones first, then by name.
      not_applied: {name of a fix: why it cannot be applied to the TensorFlow that is installed}.
    """

    def __init__(self, path, count, entries, not_applied=(), constraints=(), words=None):
        order = {kind: i for i, kind in enumerate(statuses.STATUSES)}
        self.path = path
        self.words = words or shlex.quote(path)
        self.constraints = list(constraints)
        self.files = count
        self.not_applied = dict(not_applied)
        self.entries = sorted(entries, key=lambda e: (-order[e.status.status], e.status.name))

    @property
    def ok(self):
        """Whether `run` supports all names; a package that is not installed is no such name."""
        return not any(entry.status.status in statuses.BAD for entry in self.entries)

    @property
    def verdict(self):
        """One phrase about the whole: whether `run` supports it, and what differs."""
        differing = self.totals()[statuses.DIFFERS][0]
        if not self.ok:
            return "some of it is not supported"
        if differing:
            names = "1 name" if differing == 1 else f"{differing} names"
            return f"all of it runs, and {names} may give other results"
        absent = self.totals()[statuses.NOT_INSTALLED][0]
        if absent:
            packages = "1 package is" if absent == 1 else f"{absent} packages are"
            return f"all of it is supported, and {packages} not installed"
        return "all of it is supported"

    @property
    def next_steps(self):
        """Commands to paste: they install what is missing and can be installed."""
        commands = install.commands(self.entries)
        differing = {
            entry.status.name.partition(".")[0]
            for entry in self.entries
            if entry.status.status == statuses.DIFFERS
        }
        if differing - {"tensorflow"}:  # of which no older version is the remedy
            commands.append(f"tfgraphtools doctor --constraints constraints.txt {self.words}")
        return commands

    @property
    def about_upgrade(self):
        """One sentence: what `upgrade` rewrites and leaves, by its column, and the next command."""
        of_names = collections.Counter(upgrades.of(entry.status) for entry in self.entries)
        runtime, left = of_names[upgrades.RUNTIME], of_names[upgrades.CANNOT]
        rewritten = of_names[upgrades.REWRITTEN] + runtime
        if not (rewritten or left):
            return "'tfgraphtools upgrade' has no name to rewrite here"
        names = "1 name" if rewritten == 1 else f"{rewritten} names"
        through = f", {runtime} of them through its runtime tfgraphtools.tf1," if runtime else ""
        return (
            f"'tfgraphtools upgrade' would rewrite {names}{through} and leave {left}; next, to see "
            f"the diff: tfgraphtools upgrade {self.words}"
        )

    def totals(self):
        """Returns ``{status: (names, uses)}``, from good to bad."""
        totals = {kind: (0, 0) for kind in statuses.STATUSES}
        for status, places in self.entries:
            count, used = totals[status.status]
            totals[status.status] = (count + 1, used + len(places))
        return totals

    def as_dict(self):
        """Returns the report as plain data, for JSON."""
        return {
            "path": self.path,
            "ok": self.ok,
            "files": self.files,
            "next_steps": self.next_steps,
            "constraints": self.constraints,
            "not_applied": self.not_applied,
            "totals": {k: {"names": n, "uses": u} for k, (n, u) in self.totals().items()},
            "names": [
                dict(
                    status._asdict(),
                    upgrade=upgrades.of(status),
                    places=[str(place) for place in places],
                )
                for status, places in self.entries
            ],
        }


def examine(paths, progress=None):
    """Returns every name of TensorFlow and other libraries in a codebase, with its status.

    Nothing of the codebase is imported or changed. It does nothing to names
    that are unchanged in today's Python (``os.path``), to branches that the running Python
    never takes, and to functions that nothing names. The user's modules that the sources import,
    also through ``sys.path``, which they edit, are examined with the rest.

    Args:
      paths: a file or a folder that is walked, or a list of them.
      progress: called with (files read, all files), or None.

    Returns:
      a `Report`.

    Example:
      >>> report = examine("old_project")
      >>> report.totals()["not supported"]
      (0, 0)

    Raises:
      ArgumentError: there is no Python file.
    """
    paths = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    paths = [os.fspath(path) for path in paths]
    library_sources.forget()  # what was installed since the last time
    collects_rarely = garbage_collector.rare()
    with collects_rarely, compat.activate(running_code=False), warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # "\d" in old code, since Python 3.12
        codebase = examination.Examination(paths, progress)
        entries = _entries(_shown(paths), codebase.statuses())
        lines = codebase.libraries.constraints(_shown(paths))
        count = len(codebase.sources)
        words = " ".join(map(shlex.quote, paths))
        return Report(" ".join(paths), count, entries, activation.not_applied(), lines, words)


def _shown(paths):
    """Returns a function of a file that gives its path as the report shows it."""
    folder = paths[0] if len(paths) == 1 and os.path.isdir(paths[0]) else None
    return lambda path: os.path.relpath(path, folder) if folder else path


def _entries(shown, statuses_of_files):
    places = collections.OrderedDict()
    for path, of_file in statuses_of_files.items():
        for status, line in of_file:
            places.setdefault(status, []).append(Place(shown(path), line, path))
    return [Entry(status, tuple(uses)) for status, uses in places.items()]
