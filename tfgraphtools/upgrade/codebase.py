"""What the files of a codebase know of one another: imports, re-exports, who is a program.

A dotted name is a string: ``tensorflow.train.Saver``, or ``@/path/of/file.py::name`` for
what a file of the codebase itself defines.
"""

import ast
import os
from typing import Dict, FrozenSet, NamedTuple, Optional, Tuple

from tfgraphtools.upgrade import evidence
from tfgraphtools.upgrade.scopes import ALIAS, IMPORT, OTHER


class Facts(NamedTuple):
    """What is known of a file before any is rewritten.

    Fields:
      path: its absolute path.
      exports: name at module level -> dotted name.
      stars: dotted names of the modules of which it imports all.
      imports: the files of the codebase that it imports.
      era: `evidence.TF1`, `evidence.TF2`, `evidence.NEUTRAL`; None: it does not import TensorFlow.
      is_entry: whether it says what it does as a program.
      is_script: whether its module level does more than define.
      builds: whether its module level uses TensorFlow.
      says_behavior: whether it says itself which behaviour TensorFlow is to have.
      needs_keras: whether it uses what TensorFlow takes from tf_keras.
      takes: (path, name) of what it takes from other files of the codebase.
    """

    path: str
    exports: Dict[str, str]
    stars: Tuple[str, ...]
    imports: FrozenSet[str]
    era: Optional[str]
    is_entry: bool
    is_script: bool
    builds: bool
    says_behavior: bool = False
    takes: FrozenSet[Tuple[str, str]] = frozenset()
    needs_keras: bool = False


class Files:
    """The files of a codebase as modules: which of them an import means.

    Args:
      paths: absolute paths.
    """

    def __init__(self, paths):
        self._paths = frozenset(paths)
        self._found = {}
        self._top = os.path.commonpath([os.path.dirname(p) for p in paths]) if paths else ""

    def find(self, level, module, path):
        """The file that ``import module`` (or ``from ..module``) means in `path`, or None."""
        key = level, module, os.path.dirname(path)
        if key not in self._found:
            self._found[key] = self._look(level, module, path)
        return self._found[key]

    def _look(self, level, module, path):
        folder = os.path.dirname(path)
        if level:
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            return self._file(folder, module)
        while len(folder) >= len(self._top):
            found = self._file(folder, module)
            if found or folder == os.path.dirname(folder):
                return found
            folder = os.path.dirname(folder)
        return None

    def _file(self, folder, module):
        base = os.path.join(folder, *module.split(".")) if module else folder
        for path in (base + ".py", os.path.join(base, "__init__.py")):
            if path in self._paths:
                return path
        return None

    def beside(self, path, name):
        """Whether a module of this name lies in the folder of a file."""
        found = self._file(os.path.dirname(path), name)
        return found is not None and found != path

    def is_in_package(self, path):
        """Whether the folder of a file is a package."""
        return os.path.join(os.path.dirname(path), "__init__.py") in self._paths

    def submodule(self, path, name):
        """The file of the module `name` in the package whose ``__init__.py`` is `path`."""
        if os.path.basename(path) != "__init__.py":
            return None
        return self._file(os.path.dirname(path), name)


class Codebase:
    """All facts of all files.

    Args:
      facts: path -> `Facts`.
    """

    def __init__(self, facts, known=None):
        self.facts = facts
        self.files = Files(list(facts)) if known is None else known

    @property
    def says_behavior(self):
        """Whether some file itself says which behaviour TensorFlow is to have."""
        return any(facts.says_behavior for facts in self.facts.values())

    def taken_names(self):
        """path -> the names that other files take from it."""
        taken = {}
        for facts in self.facts.values():
            for path, name in facts.takes:
                taken.setdefault(path, set()).add(name)
        return taken

    def resolved(self, name):
        """The dotted name that a name means once re-exports are followed, or None."""
        for _ in range(20):
            if name is None or not name.startswith("@"):
                return name
            path, _, rest = name[1:].partition("::")
            if not rest:
                return name
            first, _, more = rest.partition(".")
            found = self._exported(path, first, set())
            if found is None:
                return None
            name = _joined(found, more)
        return None

    def _exported(self, path, name, seen):
        facts = self.facts.get(path)
        if facts is None or path in seen:
            return None
        seen.add(path)
        if name in facts.exports:
            return facts.exports[name]
        sub = self.files.submodule(path, name)
        if sub:
            return own(sub)
        for star in facts.stars:
            if star.startswith("@"):
                found = self._exported(star[1:].partition("::")[0], name, seen)
                if found:
                    return found
        return None

    def has_old_code(self):
        """Whether any file is TF 1's, or none knows of TF 2."""
        eras = {facts.era for facts in self.facts.values()}
        return evidence.TF1 in eras or evidence.TF2 not in eras

    def tf1_files(self):
        """The paths of the files whose ``tensorflow`` is TF 1's.

        A file that uses only what both have goes with those that it imports and that import it;
        where the whole codebase holds no TF 2 code, with the codebase.
        """
        eras = {path: facts.era for path, facts in self.facts.items()}
        found = {path for path, era in eras.items() if era == evidence.TF1}
        if not found:
            return found
        neutral = {path for path, era in eras.items() if era == evidence.NEUTRAL}
        if evidence.TF2 not in eras.values():
            return found | neutral
        linked = set(found)
        while True:
            reached = {p for p, f in self.facts.items() if f.imports & linked}
            reached |= {one for p in linked for one in self.facts[p].imports if one in eras}
            reached = {p for p in reached if eras[p] != evidence.TF2} - linked
            if not reached:
                return found | (neutral & linked)
            linked |= reached

    def entries(self, tf1_files):
        """The paths of the programs that lead to TF 1 code."""
        imported = {one for facts in self.facts.values() for one in facts.imports}
        return {
            path
            for path, facts in self.facts.items()
            if (facts.is_entry or (facts.is_script and path not in imported))
            and facts.era != evidence.TF2
            and self._reached(path) & tf1_files
        }

    def _reached(self, path):
        """A file and all that it imports, directly or not."""
        found, waiting = set(), [path]
        while waiting:
            one = waiting.pop()
            if one not in found and one in self.facts:
                found.add(one)
                waiting += self.facts[one].imports
        return found

    def keras(self, tf1_files, entries):
        """path -> whether it sets the variable for tf_keras; not for files that nothing starts."""
        needing = {path for path in tf1_files if self.facts[path].needs_keras}
        chosen = {}
        for path in entries:
            reached = self._reached(path)
            chosen.update(dict.fromkeys(reached - entries, False))
            chosen[path] = bool(reached & needing)
        return chosen

    def is_member(self, path):
        """Whether a file is imported as a module of a package, and is no program itself."""
        folder = os.path.dirname(path)
        return (
            self.files.is_in_package(path)
            and not self.facts[path].is_entry
            and any(
                path in facts.imports
                and (os.path.dirname(other) != folder or other.endswith("__init__.py"))
                for other, facts in self.facts.items()
            )
        )

    def builds_on_import(self, path, tf1_files):
        """Whether what a program imports uses TensorFlow while it is being imported."""
        reached = self._reached(path) - {path}
        return any(self.facts[one].builds for one in reached & tf1_files)


def own(path, name=""):
    """The dotted name of a file of the codebase, or of something in it."""
    return f"@{path}::{name}"


def _joined(base, more):
    if not more:
        return base
    return base + more if base.endswith("::") else f"{base}.{more}"


class Names:
    """The dotted names that expressions of one module mean.

    Args:
      found: its `scopes.Scopes`.
      path: its absolute path.
      codebase: the `Codebase`; None while that is being made.
      files: the `Files` of the codebase.
    """

    def __init__(self, found, path, files, codebase=None):
        self.scopes, self.path, self.files, self.codebase = found, path, files, codebase
        self._known = {}

    def of_binding(self, binding, depth=0):
        """The dotted name of a binding, or None."""
        if binding.kind == IMPORT:
            return self._imported(*binding.target)
        if binding.kind == ALIAS and depth < 5:
            return self.of(binding.target, binding.scope, depth + 1)
        return None

    def _imported(self, level, module, name):
        path = self.files.find(level, module, self.path)
        if path is not None and path != self.path:
            if name is None:
                return own(path)
            return self._resolved(own(path, name)) or own(path, name)
        if level:
            sub = name and self.files.find(level, f"{module}.{name}" if module else name, self.path)
            return own(sub) if sub else None
        if name is not None:
            sub = self.files.find(0, f"{module}.{name}", self.path)
            if sub and sub != self.path:
                return own(sub)
        return f"{module}.{name}" if name else module

    def _resolved(self, name):
        return self.codebase.resolved(name) if self.codebase and name else name

    def of_name(self, name, scope, depth=0):
        """The dotted name that a variable name means in a scope, or None.

        What several imports bind counts where they agree, with or without ``compat.v1``.
        """
        owner = scope.owner(name)
        if owner is None:
            return None
        key = id(owner), name
        if key not in self._known:
            self._known[key] = self._of_bindings(owner.names.get(name, []), depth)
        return self._known[key]

    def _of_bindings(self, bindings, depth):
        if not bindings or any(binding.kind == OTHER for binding in bindings):
            return None
        if any(b.kind == ALIAS for b in bindings) and len(bindings) > 1:
            return None
        found = {self.of_binding(binding, depth) for binding in bindings}
        if len(found) > 1:
            plain = {one.replace("tensorflow.compat.v1", "tensorflow") for one in found if one}
            found = plain if len(plain) == 1 and None not in found else {None}
        return found.pop()

    def of(self, node, scope, depth=0):
        """The dotted name of ``a.b.c``, or None."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        name = self.of_name(node.id, scope, depth)
        for part in reversed(parts):
            name = self.step(name, part)
        return name

    def step(self, name, part):
        """The dotted name of an attribute of what has the dotted name `name`, or None."""
        return self._resolved(_joined(name, part)) if name else None
