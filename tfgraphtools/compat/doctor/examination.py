"""The sources of a codebase, where their imports look, and the status of all that they use.

Trees are large: what a file says by itself is read from its tree once, and only that is kept.
"""

import collections
import itertools
import os
from typing import Any, FrozenSet, List, NamedTuple, Set, Tuple

from tfgraphtools import deep_recursion
from tfgraphtools.analysis import branches, guards, library_uses
from tfgraphtools.compat.doctor import (
    differences,
    flag_defaults,
    keras_calls,
    programs,
    projects,
    search,
    source_files,
    statuses,
)


class Facts(NamedTuple):
    """What a file says by itself, without the branches that never run.

    Fields:
      uses: its `library_uses.Use`s.
      assigned: the names of libraries that it assigns.
      functions: its `branches.Functions`.
      changes: (`tables.Change`, line) of what libraries answer otherwise.
      of_keras1: (status, line) of calls that only Keras 1 took.
      harmless: the lines in which a missing name does no harm.
      fallbacks: see `guards.fallbacks`.
      optional: the lines that run with a flag only.
    """

    uses: Tuple[library_uses.Use, ...]
    assigned: Set[str]
    functions: branches.Functions
    changes: List[Any]
    of_keras1: List[Any]
    harmless: Set[int]
    fallbacks: List[Any]
    optional: FrozenSet[int]


class Examination:
    """The files of a codebase.

    Args:
      paths: files and folders.
      progress: called with (files read, all files), or None.

    Attributes:
      sources: path -> the `source_files.Source` of each file, without its tree.
      libraries: the `differences.Libraries` that they use.
    """

    def __init__(self, paths, progress=None):
        search.forget()
        self.sources = collections.OrderedDict()
        self._facts, self._modules = {}, {}
        self._roots = [path if os.path.isdir(path) else os.path.dirname(path) for path in paths]
        self.libraries = differences.Libraries(self._roots[0] or ".")
        self._folders = [os.path.abspath(root) for root in self._roots]
        self._folders += [folder for r in self._roots for folder in projects.import_folders(r)]
        waiting = collections.deque(itertools.chain.from_iterable(map(source_files.find, paths)))
        asked = {os.path.abspath(path) for path in waiting}
        while waiting:
            self._read(waiting.popleft())
            if progress is not None:
                progress(len(self.sources), len(self.sources) + len(waiting))
            if not waiting:
                self._places = search.Places([*self._folders, *self._folders_of_programs()])
                waiting.extend(path for path in self._imported_files() if path not in asked)
                asked.update(waiting)

    def _read(self, path):
        source = source_files.read(path)
        try:
            deep_recursion.call(self._keep_all, path, source)
        except RecursionError:
            self._keep(path, source._replace(tree=None, error=source_files.TOO_DEEP))

    def _keep_all(self, path, source):
        self._keep(path, source)
        if source.tree is not None:
            self._modules[path] = programs.module_of(source.tree, source.python2)
            self._folders += search.folders_added(source, self._roots)

    def _keep(self, path, source):
        """Keeps a source without its tree, and what it says by itself."""
        self.sources[path] = source._replace(tree=None, data=b"")
        if source.error is not None:
            return
        tree = branches.live(source.tree)
        read = library_uses.of(tree)
        self._facts[path] = Facts(
            read.uses,
            read.assigned,
            branches.functions_of(tree),
            self.libraries.read(path, tree),
            list(keras_calls.refused_in(tree)),
            guards.harmless_lines(tree),
            list(guards.fallbacks(tree)),
            frozenset(flag_defaults.lines_off_by_default(tree)),
        )

    def _folders_of_programs(self):
        """Returns the folders of sources that say what they do as scripts."""
        programs_of = [path for path, module in self._modules.items() if module.starts]
        return [os.path.dirname(os.path.abspath(path)) for path in programs_of]

    def _imported_files(self):
        """Returns the files outside of the paths that its sources import."""
        imported = {}
        for path, module in self._modules.items():
            for level, name in _imported_names(module):
                place = self._place(level, name, path)
                if place and place.endswith(".py") and "-packages" not in place:
                    imported[place] = None
        return list(imported)

    def _place(self, level, name, path):
        if not level:
            return self._places.find(name, path)
        place = self._places.relative(level, name, path)
        inside = os.path.join(place or "", "__init__.py")
        return inside if place is not None and os.path.isfile(inside) else place

    def statuses(self):
        """Returns {file: [(status, line), ...]} of all that the files use."""
        for root in self._roots:
            for path in programs.in_company(self._modules, root or "."):
                self._keep(path, source_files.read_in_company(path))
        functions = {path: facts.functions for path, facts in self._facts.items()}
        self._uncalled = branches.uncalled_lines(functions)
        self._assigned = set().union(*(facts.assigned for facts in self._facts.values()))
        self._known = {}  # name -> its status
        return {path: list(self._in_file(path)) for path in self.sources}

    def _in_file(self, path):
        """Yields (status, line) of all that a file uses."""
        source = self.sources[path]
        if source.error is not None:
            yield statuses.Status("syntax", statuses.CANNOT, source.error), source.line
            return
        for row in source.fixes:
            yield statuses.of_row(row), 0
        facts = self._facts[path]
        for change, line in facts.changes:
            if differences.is_here(change):
                yield statuses.of_change(change), line
        used = [*self._names_in(path, facts.uses), *facts.of_keras1]
        bad = {line for status, line in used if status.status in statuses.STOPS}
        unused = guards.unused_fallbacks(facts.fallbacks, bad)
        harmless = facts.harmless.union(self._uncalled[path], unused)
        for status, line in used:
            is_optional = "." not in status.name and line in facts.optional
            if status.status in statuses.ABSENT and (
                line in harmless or is_optional or self._is_assigned(status.name)
            ):
                continue
            yield status, line

    def _is_assigned(self, name):
        """Tells whether the codebase itself assigns a name, or a module that it is in."""
        parts = name.split(".")
        return any(".".join(parts[:end]) in self._assigned for end in range(1, len(parts) + 1))

    def _names_in(self, path, names):
        """Yields (status, line) of the names that a file uses, harmless ones included."""
        for name, line, is_module in names:
            if self._places.owns(name, path):
                status = self._of_own(name, path) if is_module else None
            else:
                status = _of_folder_above(self._status(name), path)
            if status is not None:
                yield status, line

    def _status(self, name):
        """Returns the `Status` of a name, with the command for what the requirements name."""
        if name not in self._known:
            status = statuses.of(name)
            if status is not None and status.status in statuses.ABSENT and not status.install:
                status = status._replace(install=self.libraries.command_for(status.name))
            self._known[name] = status
        return self._known[name]

    def _of_own(self, name, path):
        """Returns the status of an import of the user's own module; None for one that is there."""
        if self._places.find(name, path):
            return None
        folder = os.path.dirname(self._places.find(name.partition(".")[0], path))
        return statuses.Status(name, statuses.MISSING, "no such module in " + folder)


def statuses_in(path):
    """Returns the `statuses.Status` of what one file uses; compat must be active."""
    return [status for status, _ in Examination([path]).statuses()[path]]


def _of_folder_above(status, path):
    """Returns a status that names the folder of a missing package that is the user's own."""
    if status is None or status.status not in statuses.ABSENT or "." in status.name:
        return status
    folder = search.folder_above(status.name, path)
    if folder is None:
        return status
    return status._replace(why=f"it is in {folder}: add this folder to PYTHONPATH", install=None)


def _imported_names(module):
    """Returns (dots, name) of each module that imports may run: those of its packages, too."""
    names = {}
    for level, base, taken in (*module.imports, *module.later):
        wholes = [f"{base}.{name}".lstrip(".") for name in taken] or [base]
        for whole in wholes + [""] * (level > 0):
            parts = whole.split(".")
            names.update({(level, ".".join(parts[: end + 1])): None for end in range(len(parts))})
    return names
