"""What an installed package lacks, read from its sources: nothing of it is executed."""

import ast
import functools
import importlib.machinery
import os
import warnings

from tfgraphtools.analysis import library_sources
from tfgraphtools.compat.fixes.keras import standalone


def lacks(name):
    """The beginning of a dotted name that its package certainly has not, or None.

    Args:
      name: of a package that is installed: ``librosa.output.write_wav``.
    """
    parts = name.split(".")
    file = top(parts[0])
    thing = library_sources.Definition(library_sources.MODULE, file) if file else None
    for end, part in enumerate(parts[1:], 2):
        if thing is None or library_sources.is_open(thing):
            return None
        thing = library_sources.submodule(thing.file, part) or library_sources.member(thing, part)
        if thing is None:
            return None if _is_of_python(part) else ".".join(parts[:end])
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


def forget():
    """Looks for the packages again at the next use."""
    top.cache_clear()
    tree_of.cache_clear()
    library_sources.forget()
