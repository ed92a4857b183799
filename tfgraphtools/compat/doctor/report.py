"""All uses in a codebase, with their statuses."""

import ast
import collections
import itertools
import os
import warnings
from typing import NamedTuple, Optional, Tuple

from tfgraphtools import compat
from tfgraphtools.analysis import branches, guards, library_sources, uses
from tfgraphtools.compat.doctor import (
    defaults,
    differences,
    files,
    install,
    keras_calls,
    programs,
    projects,
    search,
    statuses,
    upgrades,
)
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
    """What `examine` found.

    Attributes:
      constraints: the lines of a constraints file that the codebase needs.
      path: what was examined.
      files: how many files were read.
      entries: an `Entry` for each name: the bad ones first, then by name.
      not_applied: {name of a fix: why it cannot be applied to the TensorFlow that is installed}.
    """

    def __init__(self, path, count, entries, not_applied=(), constraints=()):
        order = {kind: i for i, kind in enumerate(statuses.STATUSES)}
        self.path = path
        self.constraints = list(constraints)
        self.files = count
        self.not_applied = dict(not_applied)
        self.entries = sorted(entries, key=lambda e: (-order[e.status.status], e.status.name))

    @property
    def ok(self):
        """Whether `run` supports all of it, as installed here."""
        return not any(entry.status.status in statuses.BAD for entry in self.entries)

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
            commands.append(f"tfgraphtools doctor --constraints constraints.txt {self.path}")
        return commands

    def totals(self):
        """``{status: (names, uses)}``, from good to bad."""
        totals = {kind: (0, 0) for kind in statuses.STATUSES}
        for status, places in self.entries:
            count, used = totals[status.status]
            totals[status.status] = (count + 1, used + len(places))
        return totals

    def as_dict(self):
        """The report as plain data, for JSON."""
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
    """Every name of TensorFlow and of other libraries in a codebase, and its status under `run`.

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
    with compat.activate(running_code=False), warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # "\d" in old code, since Python 3.12
        base = _Codebase(paths, progress)
        found = base.statuses()
        lines = base.libraries.constraints(_shown(paths))
        entries = _entries(_shown(paths), found)
        return Report(" ".join(paths), len(base.sources), entries, activation.not_applied(), lines)


def statuses_in(path):
    """Returns the `statuses.Status` of what one file uses; compat must be active."""
    return [status for status, _ in _Codebase([path], None).statuses()[path]]


class _Codebase:
    """The sources of a codebase, and where their imports look."""

    def __init__(self, paths, progress):
        search.forget()
        self.sources = collections.OrderedDict()
        self._imports = {}  # file -> [(dots, name), ...], looked for again with each new folder
        self._roots = [path if os.path.isdir(path) else os.path.dirname(path) for path in paths]
        self.libraries = differences.Libraries(self._roots[0] or ".")
        self._folders = [os.path.abspath(root) for root in self._roots]
        self._folders += [one for root in self._roots for one in projects.import_folders(root)]
        waiting = [one for path in paths for one in files.find(path)]
        asked = {os.path.abspath(one) for one in waiting}
        while waiting:
            one = waiting.pop(0)
            self._read(one)
            if progress is not None:
                progress(len(self.sources), len(self.sources) + len(waiting))
            if not waiting:
                self.places = search.Places([*self._folders, *self._folders_of_programs()])
                waiting = [found for found in self._imported() if found not in asked]
                asked.update(waiting)

    def _read(self, one):
        source = files.read(one)
        self.sources[one] = source
        if source.tree is not None:
            imported = map(_imported_names, ast.walk(source.tree))
            self._imports[one] = list(dict.fromkeys(itertools.chain.from_iterable(imported)))
            plain = _plain_tree(one) or source.tree
            for root in self._roots:
                self._folders += search.folders_of(plain, one, root or ".")

    def _folders_of_programs(self):
        """The folders of sources that say what they do as scripts."""
        return [
            os.path.dirname(os.path.abspath(one))
            for one, source in self.sources.items()
            if source.tree is not None and _starts(source.tree)
        ]

    def _imported(self):
        """The files outside of the paths that its sources import."""
        found = []
        for one, imported in self._imports.items():
            for level, name in imported:
                place = self._place(level, name, one)
                if place and place.endswith(".py") and self._is_users(place):
                    found.append(place)
        return list(dict.fromkeys(found))

    def _place(self, level, name, one):
        if not level:
            return self.places.find(name, one)
        place = self.places.relative(level, name, one)
        inside = os.path.join(place or "", "__init__.py")
        return inside if place is not None and os.path.isfile(inside) else place

    def _is_users(self, place):
        return "site-packages" not in place and "dist-packages" not in place

    def statuses(self):
        """{file: [(status, line), ...]}"""
        modules = {
            one: programs.module_of(source.tree, source.python2)
            for one, source in self.sources.items()
            if source.tree is not None
        }
        for root in self._roots:
            for one in programs.in_company(modules, root or "."):
                self.sources[one] = files.read_in_company(one)
        trees = {
            one: branches.live(source.tree)
            for one, source in self.sources.items()
            if source.tree is not None
        }
        uncalled = branches.uncalled_lines(trees)
        assigned = {name for tree in trees.values() for name in uses.of(tree).assigned}
        known = {}
        return {
            one: list(self._in_file(one, trees.get(one), uncalled.get(one, ()), assigned, known))
            for one in self.sources
        }

    def _in_file(self, one, tree, uncalled, assigned, known):
        """(status, line) of all that a file uses; `known` keeps what was asked before."""
        source = self.sources[one]
        if source.error is not None:
            yield statuses.Status("syntax", statuses.CANNOT, source.error), source.line
            return
        for row in source.fixes:
            yield statuses.of_row(row), 0
        for change, line in self.libraries.read(one, tree):
            if differences.is_here(change):
                yield statuses.of_change(change), line
        found = [*self._names_in(one, tree, known), *keras_calls.refused_in(tree)]
        bad = {line for status, line in found if status.status in statuses.BAD}
        harmless = guards.harmless_lines(tree).union(uncalled, guards.fallback_lines(tree, bad))
        optional = defaults.lines_off_by_default(tree)
        for status, line in found:
            is_set = any((status.name + ".").startswith(other + ".") for other in assigned)
            is_package = "." not in status.name
            is_harmless = line in harmless or is_set or (is_package and line in optional)
            if status.status == statuses.MISSING and is_harmless:
                continue
            yield status, line

    def _names_in(self, one, tree, known):
        """(status, line) of the names that a file uses, harmless ones included."""
        for name, line, is_module in uses.of(tree).uses:
            if self.places.owns(name, one):
                status = self._of_own(name, one) if is_module else None
            else:
                if name not in known:
                    known[name] = statuses.of(name)
                status = _of_folder_above(known[name], one)
                if status is not None and status.status == statuses.MISSING and not status.install:
                    status = status._replace(install=self.libraries.command_for(status.name))
            if status is not None:
                yield status, line

    def _of_own(self, name, one):
        """The status of an import of the user's own module, or None where it is found."""
        if self.places.find(name, one):
            return None
        why = "no such module in " + os.path.dirname(self.places.find(name.partition(".")[0], one))
        return statuses.Status(name, statuses.MISSING, why)


def _of_folder_above(status, one):
    """A status that names the folder where a missing package is one of the user's own."""
    if status is None or status.status != statuses.MISSING or "." in status.name:
        return status
    folder = search.folder_above(status.name, one)
    if folder is None:
        return status
    return status._replace(why=f"it is in {folder}: add this folder to PYTHONPATH", install=None)


def _plain_tree(path):
    """The tree of a source as it is written, or None: `run` rewrites what is evaluated here."""
    try:
        with open(path, "rb") as file:
            return ast.parse(file.read())
    except (SyntaxError, ValueError):
        return None


def _starts(tree):
    return any(isinstance(node, ast.Name) and node.id == "__name__" for node in ast.walk(tree))


def _imported_names(node):
    """(Dots, name) of each module that an import may run: those of its packages, too."""
    if isinstance(node, ast.Import):
        full, level = [alias.name for alias in node.names], 0
    elif isinstance(node, ast.ImportFrom):
        prefix, level = node.module + "." if node.module else "", node.level
        full = [prefix + alias.name for alias in node.names] + ([""] if level else [])
    else:
        return
    for name in full:
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            yield level, ".".join(parts[:end])


def _shown(paths):
    """A function of a file that gives its path as the report shows it."""
    folder = paths[0] if len(paths) == 1 and os.path.isdir(paths[0]) else None
    return lambda path: os.path.relpath(path, folder) if folder else path


def _entries(shown, found_in):
    places = collections.OrderedDict()
    for one, found in found_in.items():
        for status, line in found:
            places.setdefault(status, []).append(Place(shown(one), line, one))
    return [Entry(status, tuple(where)) for status, where in places.items()]
