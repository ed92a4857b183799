"""All uses in a codebase, with their fates."""

import collections
import os
from typing import NamedTuple, Tuple

from tfgraphtools import compat
from tfgraphtools.compat.doctor import fates, files, names, programs


class Place(NamedTuple):
    """A file and a line in it; line 0 stands for the whole file."""

    path: str
    line: int

    def __str__(self):
        return f"{self.path}:{self.line}" if self.line else self.path


class Entry(NamedTuple):
    """One name with its fate and all places of its use."""

    fate: fates.Fate
    places: Tuple[Place, ...]


class Report:
    """What `examine` found.

    Attributes:
      path: what was examined.
      files: how many files were read.
      entries: an `Entry` for each name: the bad ones first, then by name.
    """

    def __init__(self, path, count, entries):
        order = {kind: i for i, kind in enumerate(fates.FATES)}
        self.path = path
        self.files = count
        self.entries = sorted(entries, key=lambda e: (-order[e.fate.kind], e.fate.name))

    @property
    def ok(self):
        """Whether nothing is in it that cannot run."""
        return not any(entry.fate.kind == fates.CANNOT for entry in self.entries)

    def totals(self):
        """``{fate: (names, uses)}``, from good to bad."""
        totals = {kind: (0, 0) for kind in fates.FATES}
        for fate, places in self.entries:
            count, used = totals[fate.kind]
            totals[fate.kind] = (count + 1, used + len(places))
        return totals

    def as_dict(self):
        """The report as plain data, for JSON."""
        return {
            "path": self.path,
            "ok": self.ok,
            "files": self.files,
            "totals": {k: {"names": n, "uses": u} for k, (n, u) in self.totals().items()},
            "names": [
                dict(fate._asdict(), places=[str(place) for place in places])
                for fate, places in self.entries
            ],
        }


def load_tensorflow():
    """Imports TensorFlow, which `examine` asks: for callers that would have it quiet."""
    import tensorflow  # noqa: F401


def examine(path, progress=None):
    """Every name of TensorFlow and of other libraries in a codebase, and its fate under `run`.

    Nothing of the codebase is imported or changed. It does nothing to names
    that are as ever in today's Python (``os.path``).

    Args:
      path: a file, or a folder that is walked.
      progress: called with (files read, all files), or None.

    Returns:
      a `Report`.

    Example:
      >>> report = examine("old_project")
      >>> report.totals()["cannot"]
      (0, 0)

    Raises:
      ArgumentError: there is no Python file.
    """
    with compat.activate(running_code=False):
        found = files.find(path)
        own = files.own_modules(found, path)
        known, fates_in, modules = {}, {}, {}
        for done, one in enumerate(found):
            source = files.read(one)
            fates_in[one] = list(_in_file(source, own, known))
            if source.tree is not None:
                modules[one] = programs.module_of(source.tree, source.python2)
            if progress is not None:
                progress(done + 1, len(found))
        root = path if os.path.isdir(path) else os.path.dirname(path)
        for one in programs.in_company(modules, root):
            fates_in[one] = list(_in_file(files.read_in_company(one), own, known))
        return Report(path, len(found), _entries(path, fates_in))


def _entries(path, fates_in):
    places = collections.OrderedDict()
    for one, found in fates_in.items():
        shown = os.path.relpath(one, path) if os.path.isdir(path) else one
        for fate, line in found:
            places.setdefault(fate, []).append(Place(shown, line))
    return [Entry(fate, tuple(where)) for fate, where in places.items()]


def _in_file(source, own, known):
    """(fate, line) of all that a file uses; `known` keeps the fates that were asked for."""
    if source.error is not None:
        yield fates.Fate("syntax", fates.CANNOT, source.error), source.line
        return
    for row in source.fixes:
        yield fates.of_row(row), 0
    for name, line in names.uses(source.tree):
        if name.partition(".")[0] in own:
            continue
        if name not in known:
            known[name] = fates.of(name)
        if known[name] is not None:
            yield known[name], line
