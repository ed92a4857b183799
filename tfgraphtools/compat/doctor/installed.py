"""What an installed package lacks, read from its sources: nothing of it is executed."""

import ast
import functools
import importlib.machinery
import os
import warnings

from tfgraphtools.compat.fixes.keras import standalone

#: What a module may do so that its names are not those that its source binds.
_OPEN_CALLS = {"exec", "globals", "locals", "setattr", "vars", "__import__", "import_module"}


def lacks(name):
    """The beginning of a dotted name that its package certainly has not, or None.

    Args:
      name: of a package that is installed: ``librosa.output.write_wav``.
    """
    parts = name.split(".")
    here = top(parts[0])
    for end in range(1, len(parts)):
        bound = _names(here) if here else None
        if bound is None:  # what fills itself may fill its modules too
            return None
        inner = submodule(here, parts[end])
        if inner is None:
            is_there = parts[end] in bound or _is_of_python(parts[end])
            return None if is_there else ".".join(parts[: end + 1])
        here = inner
    return None


def _is_of_python(name):
    return name.startswith("__") and name.endswith("__")


@functools.lru_cache(None)
def top(root):
    """The file of a package outside Python's own library, or None."""
    if standalone.serves(root):
        return os.path.join(standalone.folder(), root, "__init__.py")
    spec = importlib.machinery.PathFinder.find_spec(root)
    origin = getattr(spec, "origin", None)
    if not origin or os.path.basename(origin) != "__init__.py" or "-packages" not in origin:
        return None
    return origin


def submodule(file, name):
    """The file of a module in a package: "" for a folder or for one in C; None for none."""
    folder, leaf = os.path.split(file)
    if leaf != "__init__.py":
        return None
    path = os.path.join(folder, name)
    if any(os.path.isfile(path + kind) for kind in importlib.machinery.EXTENSION_SUFFIXES):
        return ""
    for found in (os.path.join(path, "__init__.py"), path + ".py"):
        if os.path.isfile(found):
            return found
    return "" if os.path.isdir(path) else None


@functools.lru_cache(None)
def tree_of(file):
    """The `ast.Module` of a file, or None."""
    try:
        with open(file, "rb") as source, warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.parse(source.read())
    except (OSError, SyntaxError, ValueError):
        return None


@functools.lru_cache(None)
def _names(file):
    """The names that a module's source binds; None where it may have others."""
    tree = tree_of(file)
    if tree is None:
        return None
    nodes = list(ast.walk(tree))
    if any(_called(node) == "attach_stub" for node in nodes):
        stub = file + "i"
        return _names(stub) if os.path.isfile(stub) else None
    found = set()
    for node in nodes:
        more = _bound_by(node, file)
        if more is None:
            return None
        found |= more
    return found


def _bound_by(node, file):
    """The names that a node may bind; None where nobody can say."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return None if node.name == "__getattr__" else {node.name}
    if isinstance(node, ast.Name):
        if node.id == "__path__":
            return None  # the package has other folders too
        return set() if isinstance(node.ctx, ast.Load) else {node.id}
    if _called(node) in _OPEN_CALLS and not _only_reads(node, file):
        return None
    if isinstance(node, ast.Attribute) and node.attr == "modules":
        return None  # of sys, which may hold something else for this module
    if isinstance(node, ast.Import):
        return {(one.asname or one.name).partition(".")[0] for one in node.names}
    if isinstance(node, ast.ImportFrom):
        if node.names[0].name == "*":
            return _of_star(node, file)
        return {one.asname or one.name for one in node.names}
    return set()


def _only_reads(node, file):
    """Whether a call is one of Keras's ``globals()``, in which it looks up classes by name."""
    return _called(node) == "globals" and standalone.holds(file)


def _called(node):
    """The last name of what a call calls, or None."""
    function = getattr(node, "func", None)
    return getattr(function, "id", getattr(function, "attr", None))


def _of_star(node, file):
    """What ``from .part import *`` brings; None for a module of another package."""
    here = module_of(node, file)
    bound = _names(here) if here and here != file else None
    return None if bound is None else bound | _modules_beside(here)


def module_of(node, file):
    """The file of the module that an `ast.ImportFrom` in a file names; None where it is unknown."""
    folder = os.path.dirname(file)
    if not node.level:
        parts = (node.module or "").split(".")
        here = top(parts[0])
        parts = parts[1:]
    else:
        for _ in range(node.level - 1):
            folder = os.path.dirname(folder)
        here, parts = os.path.join(folder, "__init__.py"), (node.module or "").split(".")
    for part in parts:
        here = submodule(here, part) if here and part else here
    return here


def _modules_beside(file):
    """The names of the modules of a package: it has those that it has imported."""
    folder, leaf = os.path.split(file)
    if leaf != "__init__.py":
        return set()
    return {name.partition(".")[0] for name in os.listdir(folder)}


def forget():
    """Looks for the packages again at the next use."""
    top.cache_clear()
    tree_of.cache_clear()
    _names.cache_clear()
