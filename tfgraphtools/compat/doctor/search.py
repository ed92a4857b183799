"""Folders in which the imports of a codebase look: ``sys.path`` as its sources edit it."""

import ast
import functools
import glob
import os
import pathlib
import sys

from tfgraphtools.analysis import constant_values
from tfgraphtools.compat.doctor import projects, statuses

_TREE_WIDE = ("append", "insert", "extend")


def folders_added(source, roots):
    """Returns the folders that a source adds to ``sys.path``, as far as they can be told.

    Args:
      source: the `source_files.Source`.
      roots: the folders in which it is run.
    """
    if b"sys" not in source.data and b"addsitedir" not in source.data:
        return []
    try:
        tree = ast.parse(source.data)  # as it is written: `run` rewrites what is evaluated here
    except (SyntaxError, ValueError):
        tree = source.tree
    reader = _Reader(source.path)
    reader.visit(tree)
    starts = [*map(os.path.abspath, roots), os.path.dirname(os.path.abspath(source.path))]
    folders = [os.path.join(start, folder) for folder in reader.folders for start in starts]
    return [
        folder for folder in dict.fromkeys(map(os.path.normpath, folders)) if os.path.isdir(folder)
    ]


class _Reader(ast.NodeVisitor):
    def __init__(self, path):
        self.folders = []
        path = os.path.abspath(path)
        self._known = {"__file__": path, "sys.path": [os.path.dirname(path)], **_CONSTANTS}
        self._functions = dict(_FUNCTIONS, currentframe=lambda: path)

    def visit_Assign(self, node):
        names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        value = self._value(node.value)
        for name in names:
            self._known[name] = value
        if any(_is_sys_path(target) for target in node.targets):
            self._add_all(node.value)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        if _is_sys_path(node.target):
            self._add_all(node.value)

    def visit_For(self, node):
        values = self._value(node.iter)
        if isinstance(node.target, ast.Name) and isinstance(values, (list, tuple)):
            for value in values:
                self._known[node.target.id] = value
                for statement in node.body:
                    self.visit(statement)
            return
        self.generic_visit(node)

    def visit_Call(self, node):
        self.generic_visit(node)
        name = getattr(node.func, "attr", None)
        if name == "addsitedir" and node.args:
            self._add(self._value(node.args[0]))
        elif name in _TREE_WIDE and _is_sys_path(node.func.value) and node.args:
            if name == "extend":
                self._add_all(node.args[0])
            else:
                self._add(self._value(node.args[-1]))

    def _add_all(self, node):
        if isinstance(node, ast.BinOp):
            self._add_all(node.left)
            self._add_all(node.right)
        elif isinstance(node, (ast.List, ast.Tuple)):
            for item in node.elts:
                self._add(self._value(item))
        else:
            for value in self._value(node) or ():
                self._add(value)

    def _add(self, value):
        if isinstance(value, str) and value:
            self.folders.append(value)

    def _value(self, node):
        """Returns what an expression of paths gives, or None."""
        known = constant_values.value_of(node, self._known, self._functions)
        return known and known[0]


def _unchanged(path):
    return path


_CONSTANTS = {"os.curdir": os.curdir, "os.pardir": os.pardir, "os.sep": os.sep}
_FUNCTIONS = {
    "abspath": _unchanged,
    "realpath": _unchanged,
    "normpath": os.path.normpath,
    "expanduser": os.path.expanduser,
    "dirname": os.path.dirname,
    "join": os.path.join,
    "getcwd": lambda: ".",
    "Path": pathlib.PurePath,
    "PurePath": pathlib.PurePath,
    "str": str,
    "fspath": os.fspath,
    "getfile": _unchanged,
}


def _is_sys_path(node):
    node = node.value if isinstance(node, ast.Subscript) else node
    return constant_values.full_name(node) in ("sys.path", "path")


class Places:
    """The folders in which imports look, and the files that they find there.

    Args:
      folders: those that every program has: the working folder, PYTHONPATH, edits.
    """

    def __init__(self, folders):
        listed = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        self.folders = list(dict.fromkeys([*folders, *filter(None, listed)]))
        self._modules = {}  # (name, the file that imports it) -> the file or folder, or None
        self._has_code = {}  # file or folder -> whether it is a module of the user's
        self._holders = {}  # first part of a module's name -> the folders that have it, in order
        for folder in self.folders:
            for root in _roots_in(folder):
                self._holders.setdefault(root, []).append(folder)

    def find(self, name, path):
        """Returns the file or folder of an import in the file `path`; None where there is none.

        A package without ``__init__.py`` is a folder.
        """
        if (name, path) not in self._modules:
            parts, own = name.split("."), os.path.dirname(os.path.abspath(path))
            nearest = [own] if parts[0] in _roots_in(own) else []
            folders = [*nearest, *self._holders.get(parts[0], ())]
            modules = (_module_in(folder, parts) for folder in folders)
            self._modules[name, path] = next(filter(None, modules), None)
        return self._modules[name, path]

    def owns(self, name, path):
        """Tells whether the first part of the name is a module of the user's.

        A folder without ``__init__.py`` is one only where it has Python sources and nothing is
        installed under its name.
        """
        root = name.partition(".")[0]
        module = self.find(root, path)
        if module is None or root in sys.builtin_module_names:
            return False
        if module not in self._has_code:
            is_file = os.path.isfile(module)
            self._has_code[module] = is_file or (
                _has_sources(module) and not statuses.is_installed(root)
            )
        return self._has_code[module]

    def relative(self, level, name, path):
        """Returns the file or folder of a relative import; None where there is none."""
        folder = os.path.dirname(os.path.abspath(path))
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        return _module_in(folder, name.split(".")) if name else folder


def folder_above(name, path):
    """Returns the nearest folder above a file's own with a module or package of sources, or None.

    It looks no higher than the folder of the repository, the home folder or six levels.
    """
    folder = os.path.dirname(os.path.abspath(path))
    for _ in range(6):
        if projects.is_top(folder):
            return None
        folder = os.path.dirname(folder)
        places = [folder, *projects.sources_of(folder)]
        for place in [place for place in places if name in _roots_in(place)]:
            module = _module_in(place, [name])
            if module and (os.path.isfile(module) or glob.glob(glob.escape(module) + "/*.py")):
                return place
    return None


def forget():
    """Makes the folders be read again: files may have come since."""
    _roots_in.cache_clear()
    _has_sources.cache_clear()


@functools.lru_cache(maxsize=None)
def _roots_in(folder):
    """Returns the first parts of what a folder holds: the names that imports may find there."""
    try:
        return frozenset(entry.partition(".")[0] for entry in os.listdir(folder or "."))
    except OSError:
        return frozenset()


@functools.lru_cache(maxsize=None)
def _has_sources(folder):
    return any(name.endswith(".py") for _, _, files in os.walk(folder) for name in files)


def _module_in(folder, parts):
    stem = os.path.join(folder, *parts)
    for place in (os.path.join(stem, "__init__.py"), stem + ".py", stem + ".so"):
        if os.path.isfile(place):
            return place
    if os.path.isdir(stem):
        return stem
    return next(iter(glob.glob(glob.escape(stem) + ".*.so")), None)
