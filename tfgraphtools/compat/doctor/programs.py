"""The modules of a codebase that are Python 2's by their company (see `python2_programs`).

`run` finds out as it imports: from the moment at which a module begins to run that only
Python 2 can parse, or that certainly imports such a one, it and every module that comes after
it is Python 2's as well. Here the imports of each program are followed in the order in which
`run` would meet them.
"""

import ast
import os
from typing import Dict, NamedTuple, Set, Tuple

from tfgraphtools import deep_recursion
from tfgraphtools.compat.fixes.python2 import ahead


class Import(NamedTuple):
    """An import statement: its leading dots, its module, and the names taken from that."""

    level: int
    module: str
    names: Tuple[str, ...]


class Module(NamedTuple):
    """What is known of a file.

    Fields:
      only_python2: whether no Python 3 can parse it.
      is_python3: whether it is Python 3's by itself, as far as is known.
      starts: whether it says what it does as a script.
      imports: those that run when the module does.
      later: those inside functions.
      certain: those of `imports` that run whatever happens.
    """

    only_python2: bool
    is_python3: bool
    starts: bool
    imports: Tuple[Import, ...]
    later: Tuple[Import, ...]
    certain: Tuple[Import, ...]


@deep_recursion.retried
def module_of_code(code, python2_row):
    """Returns the `Module` of a source of Python 3, as `module_of` does of its tree."""
    return module_of(ast.parse(code), python2_row)


def module_of(tree, python2_row):
    """Returns the `Module` of a tree.

    Args:
      tree: as `run` compiles it.
      python2_row: the row by which it is Python 2's by itself, or None.
    """
    reader = _Imports()
    reader.visit(tree)
    return Module(
        python2_row is not None and python2_row.name == "python2.syntax",
        python2_row is None,
        reader.starts,
        tuple(reader.now),
        tuple(reader.later),
        tuple(Import(*certain) for certain in ahead.certain_imports(tree)),
    )


class _Imports(ast.NodeVisitor):
    def __init__(self):
        self.now, self.later, self.starts = [], [], False

    def visit_Import(self, node):
        self.now += [Import(0, alias.name, ()) for alias in node.names]

    def visit_ImportFrom(self, node):
        names = tuple(alias.name for alias in node.names)
        self.now.append(Import(node.level, node.module or "", names))

    def visit_FunctionDef(self, node):
        inside = _Imports()
        for statement in node.body:
            inside.visit(statement)
        self.later += inside.now + inside.later

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Name(self, node):
        self.starts = self.starts or node.id == "__name__"


def in_company(modules, root):
    """Returns the paths of the modules that are Python 2's by their company in some program.

    A program is a file that says what it does as a script, or that no other imports. A module
    that no Python 2 could compile is not looked for: it is read as Python 3's in any company.

    Args:
      modules: path -> `Module`.
      root: the folder of the codebase, in which programs are taken to be run.
    """
    if not any(module.only_python2 for module in modules.values()):
        return set()
    by_file = {os.path.abspath(path): module for path, module in modules.items()}
    codebase = _codebase(by_file, root)
    imported = _imported(codebase)
    programs = [path for path in by_file if by_file[path].starts or path not in imported]
    runs = (_run(path, codebase) for path in programs or by_file)
    followers = set().union(*(program.followers for program in runs))
    return {path for path in modules if os.path.abspath(path) in followers}


def packages(modules, root):
    """Returns path -> the folders of the packages as whose modules programs import it.

    None stands for a module that is in no package. As Python does, each program looks in its own
    folder, ``sys.path[0]``; a module that is imported counts as a program of its own only where
    no other program imports it.

    Args:
      modules: path -> `Module`, absolute paths.
      root: the folder of the codebase, which programs have on their path, too.
    """
    codebase = _codebase(modules, root)
    imported = _imported(codebase)
    of_all = {}
    for path in [path for path in modules if path not in imported] or modules:
        for other, folders in _run(path, codebase).packages.items():
            of_all.setdefault(other, set()).update(folders)
    return of_all


class _Codebase(NamedTuple):
    """The modules of a codebase.

    Fields:
      by_file: absolute path -> `Module`.
      root: the folder that all programs have on their path.
      folders: those that hold modules, at whatever depth.
    """

    by_file: Dict[str, Module]
    root: str
    folders: Set[str]


def _codebase(by_file, root):
    folders, waiting = set(), {os.path.dirname(path) for path in by_file}
    while waiting:
        folders |= waiting
        waiting = {os.path.dirname(folder) for folder in waiting} - folders
    return _Codebase(by_file, os.path.abspath(root), folders)


def _imported(codebase):
    """Returns the paths that another file imports, in whatever program."""
    by_file, by_folder, imported = codebase.by_file, {}, set()
    for path in by_file:
        by_folder.setdefault(os.path.dirname(path), []).append((path, _own_package(path)))
    for folder, waiting in by_folder.items():
        program = _Program(codebase, folder)
        seen = set(waiting)
        while waiting:
            path, package = waiting.pop()
            for statement in (*by_file[path].imports, *by_file[path].later):
                reached = set(program.modules(statement, package))
                imported.update(other for other, _ in reached if other != path)
                waiting += reached - seen
                seen |= reached
    return imported


def _own_package(path):
    """Returns the package of a file that is run by itself: that of an ``__init__.py``, or None."""
    folder, name = os.path.split(path)
    return folder if name == "__init__.py" else None


def _run(path, codebase):
    program = _Program(codebase, os.path.dirname(path))
    program.start(path, _own_package(path))
    return program


class _Program:
    """One program: what happens to its modules, from its first import to its last.

    Args:
      codebase: the `_Codebase`.
      folder: where its main module is, ``sys.path[0]``.
    """

    def __init__(self, codebase, folder):
        self._by_file, self._known = codebase.by_file, codebase.folders
        self._folders = [folder, codebase.root]
        self._is_python2 = False
        self._waiting = []
        self._looked_at = set()
        self.ran, self.followers = set(), set()
        self.packages = {}  # path -> the folders of the packages in which imports found it

    def start(self, path, package=None):
        """Runs it; what its functions import comes when all modules have run."""
        self._execute(path, package)
        while self._waiting:
            self._import(*self._waiting.pop(0))

    def _execute(self, path, package):
        self.packages.setdefault(path, set()).add(package)
        if path in self.ran:
            return
        self.ran.add(path)
        module = self._by_file[path]
        self._is_python2 = self._is_python2 or self._leads_to_python2(path, package)
        if self._is_python2 and module.is_python3:
            self.followers.add(path)
        for statement in module.imports:
            self._import(statement, package)
        self._waiting += [(statement, package) for statement in module.later]

    def _leads_to_python2(self, path, package):
        """Tells whether only Python 2 can parse a module, or one that it certainly imports."""
        if self._by_file[path].only_python2:
            return True
        for statement in self._by_file[path].certain:
            for other, its_package in self.modules(statement, package):
                if other not in self._looked_at:
                    self._looked_at.add(other)
                    if self._leads_to_python2(other, its_package):
                        return True
        return False

    def _import(self, statement, package):
        """Runs what an import of a module in the folder `package` (or in none) runs."""
        for path, its_package in self.modules(statement, package):
            self._execute(path, its_package)

    def modules(self, statement, package):
        """Returns what an import runs: [(path, the folder of its package or None), ...]."""
        for folder, is_package in self._places(statement.level, package):
            modules = self._below(statement, folder, is_package)
            if modules is not None:
                return list(filter(None, modules))
        return []

    def _places(self, level, package):
        if level:
            folder = package
            for _ in range(level - 1):
                folder = folder and os.path.dirname(folder)
            return [(folder, True)] if folder else []
        own = [(package, True)] if package else []  # an implicit relative import
        return own + [(folder, False) for folder in self._folders]

    def _below(self, statement, folder, is_package):
        """Returns the modules of an import in a folder; None where there is no such module."""
        modules = []
        for part in filter(None, statement.module.split(".")):
            modules.append(self._module(folder, part, is_package))
            folder, is_package = os.path.join(folder, part), True
            if not modules[-1] and folder not in self._known:
                return None
        return modules + [self._module(folder, name, is_package) for name in statement.names]

    def _module(self, folder, name, is_package):
        path = self._file(folder, name)
        if path is None:
            return None
        if path.endswith("__init__.py"):
            return path, os.path.join(folder, name)
        return path, folder if is_package else None

    def _file(self, folder, name):
        for path in (os.path.join(folder, name, "__init__.py"), os.path.join(folder, name + ".py")):
            if path in self._by_file:
                return path
        return None
