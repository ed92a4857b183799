"""Definitions of names in installed packages, read from their sources: none is imported.

A module's names are those that its own level binds. What a module makes while it runs (a module
with ``__getattr__``, an extension in C) cannot be read: it is `OPEN`.
"""

import ast
import functools
import importlib.machinery
import os
import re
from typing import Any, NamedTuple

from tfgraphtools.analysis.source_tables import names_bound, own_level, table_of

MODULE, CLASS, VALUE, OPEN = "module", "class", "value", "open"


class Definition(NamedTuple):
    """The meaning of a name in a library.

    Fields:
      kind: `MODULE`, `CLASS`, `VALUE` (whose attributes nobody can read) or `OPEN`.
      file: of a module: its source, a folder without ``__init__.py``, or ""; of a class: the
        source in which it stands.
      node: of a class: its `ast.ClassDef`.
    """

    kind: str
    file: str = ""
    node: Any = None


A_VALUE = Definition(VALUE)
_OPEN = Definition(OPEN)


#: The functions of which `kept` keeps the answers.
_KEPT_ANSWERS = []


def kept(function):
    """Returns a function about installed packages that keeps its answers until `forget`."""
    _KEPT_ANSWERS.append(functools.lru_cache(None)(function))
    return _KEPT_ANSWERS[-1]


@kept
def top(root):
    """Returns the `Definition` that ``import root`` gives, or None where nothing is installed."""
    try:
        spec = importlib.machinery.PathFinder.find_spec(root)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    if spec.origin and spec.origin.endswith(".py"):
        return Definition(MODULE, spec.origin)
    folders = list(spec.submodule_search_locations or ())
    return Definition(MODULE, os.path.join(folders[0], "__init__.py")) if folders else _OPEN


def is_namespace(definition):
    """Tells whether a package is a folder without ``__init__.py``, to which others add modules."""
    is_named = definition.kind == MODULE and definition.file
    return bool(is_named) and not os.path.isfile(definition.file)


def submodule(file, name):
    """Returns the `Definition` of a module in the package of an ``__init__.py``, or None."""
    folder, leaf = os.path.split(file)
    if leaf != "__init__.py":
        return None
    definitions = (_module_at(os.path.join(parent, name)) for parent in _folders(folder))
    return next(filter(None, definitions), None)


def _folders(folder):
    """Returns the folders of a package: several where it has no ``__init__.py``."""
    if os.path.isfile(os.path.join(folder, "__init__.py")):
        return [folder]
    spec = importlib.machinery.PathFinder.find_spec(os.path.basename(folder))
    folders = list(getattr(spec, "submodule_search_locations", None) or ())
    return folders if folder in folders else [folder]


def _module_at(path):
    package = os.path.join(path, "__init__.py")
    if os.path.isfile(package):
        return Definition(MODULE, package)
    if any(os.path.isfile(path + kind) for kind in importlib.machinery.EXTENSION_SUFFIXES):
        return _OPEN
    if os.path.isfile(path + ".py"):
        return Definition(MODULE, path + ".py")
    return Definition(MODULE, package) if os.path.isdir(path) else None


def member(definition, name):
    """Returns the `Definition` of an attribute of a module or a class, or None."""
    if definition.kind == CLASS:
        return _of_class(definition, name, ())
    if definition.kind != MODULE:
        return definition
    if name in ("__name__", "__doc__", "__file__", "__dict__", "__path__", "__spec__"):
        return A_VALUE
    return _of_module(definition.file, name, ())


def binds(definition, name):
    """Tells whether a module binds a name itself."""
    table = table_of(definition.file) if definition.kind == MODULE else None
    return table is not None and name in table.names


def missing(name, definition):
    """Returns the beginning of a dotted name that its package certainly has not, or None.

    Args:
      name: "librosa.output.write_wav".
      definition: that of the package, or None.
    """
    parts = name.split(".")
    for end, part in enumerate(parts[1:], 2):
        if definition is None or is_open(definition):
            return None
        definition = submodule(definition.file, part) or member(definition, part)
        if definition is None:
            is_of_python = part.startswith("__") and part.endswith("__")
            return None if is_of_python else ".".join(parts[:end])
    return None


def is_open(definition):
    """Tells whether what a name means may have attributes that no source says."""
    if definition.kind != MODULE or not os.path.isfile(definition.file):
        return True
    table = table_of(definition.file)
    return table is None or table.is_open


def names_of(definition):
    """Returns the public names of a module, or () where they cannot be read."""
    table = table_of(definition.file) if definition.kind == MODULE else None
    if table is None:
        return ()
    names = {name for name in table.names if not name.startswith("_")}
    for node in table.stars:
        names.update(names_of(imported_module(node, definition.file)))
    return sorted(names)


def _of_module(file, name, seen):
    table = table_of(file)
    if table is None or (file, name) in seen:
        return _OPEN
    seen = (*seen, (file, name))
    if name in table.names:
        return _bound(table.names[name][-1], name, file, seen)
    if table.messages is not None:  # protoc's: its source holds the names of its messages
        return A_VALUE if re.search(rf"{name}(?![A-Za-z0-9_])", table.messages) else None
    is_open = table.is_open
    for node in table.stars:
        module = imported_module(node, file)
        definition = of_star(module, name, seen)
        if definition is not None and definition.kind != OPEN:
            return definition
        is_open = is_open or definition is not None
    if _imports_submodule(file, name):
        return submodule(file, name)
    return _OPEN if is_open else None


def of_star(module, name, seen=()):
    """Returns the `Definition` that ``from module import *`` gives for a name, or None."""
    if module.kind != MODULE:
        return _OPEN
    table = table_of(module.file)
    if table is not None and (
        name not in table.listed if table.listed is not None else name.startswith("_")
    ):
        return None
    definition = _of_module(module.file, name, seen)
    if definition is None and submodule(module.file, name) is not None:
        return _OPEN  # it is there if the package has imported it
    return definition


def _imports_submodule(file, name):
    """Tells whether the import of a package imports its module, which makes it an attribute."""
    if submodule(file, name) is None:
        return False
    inside = os.path.join(os.path.dirname(file), name)
    return any(path.startswith((inside + os.sep, inside + ".")) for path in loaded(file))


@kept
def loaded(file):
    """Returns the sources of a package that the import of its ``__init__.py`` runs.

    Of a module that is no package it is the module alone: beside it are other packages.
    """
    is_package = os.path.basename(file) == "__init__.py"
    inside = os.path.dirname(file) + os.sep if is_package else file
    sources, waiting = set(), [file]
    while waiting:
        path = waiting.pop()
        if path in sources or not path.startswith(inside):
            continue
        sources.add(path)
        table = table_of(path)
        if table is not None:
            nodes = [node for nodes in table.names.values() for node in nodes] + table.stars
            waiting.extend(module for node in nodes for module in _imported_files(node, path))
    return sources


def _imported_files(node, file):
    """Yields the sources of the modules that a statement in a file imports."""
    if isinstance(node, ast.Import):
        modules = [_module_named(alias.name) for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        module = imported_module(node, file)
        modules = [module, *(submodule(module.file, alias.name) for alias in node.names)]
    else:
        modules = []
    for module in modules:
        if module is not None:
            yield module.file


def _bound(node, name, file, seen):
    """Returns the `Definition` that a statement at a module's level binds to a name."""
    if isinstance(node, ast.ClassDef):
        return Definition(CLASS, file, node)
    if isinstance(node, ast.ImportFrom):
        alias = next(alias for alias in node.names if (alias.asname or alias.name) == name)
        module = imported_module(node, file)
        if module.kind != MODULE:
            return _OPEN
        definition = _of_module(module.file, alias.name, seen)
        if definition is None or definition.kind == OPEN:
            definition = (
                submodule(module.file, alias.name) or A_VALUE
            )  # it is there: it was imported
        return definition
    if isinstance(node, ast.Import):
        alias = next(
            imported
            for imported in node.names
            if (imported.asname or imported.name.partition(".")[0]) == name
        )
        return _module_named(alias.name if alias.asname else name) or _OPEN
    if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Name, ast.Attribute)):
        return of_expression(node.value, file, seen) or A_VALUE
    return A_VALUE


def of_expression(node, file, seen=()):
    """Returns the `Definition` of ``a.b.c`` at a module's level, or None."""
    if isinstance(node, ast.Attribute):
        owner = of_expression(node.value, file, seen)
        return None if owner is None else member(owner, node.attr)
    return _of_module(file, node.id, seen) if isinstance(node, ast.Name) else None


def _module_named(name):
    parts = name.split(".")
    definition = top(parts[0])
    for part in parts[1:]:
        definition = submodule(definition.file, part) if definition is not None else None
    return definition


@kept
def _folder_of_package(folder):
    """Returns the folder that holds the topmost package of which a folder is a part."""
    is_package = os.path.isfile(os.path.join(folder, "__init__.py"))
    return _folder_of_package(os.path.dirname(folder)) if is_package else folder


def _beside(name, file):
    """Returns the `Definition` of a module of a package beside that of a file, or None.

    It is not on ``sys.path`` where the packages were installed apart.
    """
    root, *parts = name.split(".")
    folder = _folder_of_package(os.path.dirname(file))
    path = os.path.join(folder, root, "__init__.py")
    definition = Definition(MODULE, path) if os.path.isfile(path) else None
    if definition is None and os.path.basename(folder) == root:  # it has no __init__.py
        definition = Definition(MODULE, os.path.join(folder, "__init__.py"))
    for part in parts:
        definition = submodule(definition.file, part) if definition is not None else None
    return definition


def imported_module(node, file):
    """Returns the `Definition` of the module from which an `ast.ImportFrom` in a file imports."""
    if not node.level:
        return _beside(node.module, file) or _module_named(node.module) or _OPEN
    folder = os.path.dirname(file)
    for _ in range(node.level - 1):
        folder = os.path.dirname(folder)
    definition = Definition(MODULE, os.path.join(folder, "__init__.py"))
    for part in (node.module or "").split("."):
        definition = (
            submodule(definition.file, part) if definition is not None and part else definition
        )
    return definition or _OPEN


def _of_class(definition, name, seen):
    """Returns the `Definition` of a class's attribute; None where no base has it."""
    node, file = definition.node, definition.file
    if hasattr(object, name) or name in ("__dict__", "__module__", "__name__", "__qualname__"):
        return A_VALUE
    if name in _bound_in(node.body):
        return A_VALUE
    if any(keyword.arg == "metaclass" for keyword in node.keywords) or (file, node.name) in seen:
        return _OPEN
    if node.decorator_list and any(not _keeps(decorator) for decorator in node.decorator_list):
        return _OPEN
    is_open = False
    for base in node.bases:
        owner = of_expression(base, file)
        if getattr(base, "id", None) == "object":
            continue
        if owner is None or owner.kind != CLASS:
            is_open = True
            continue
        member_of_base = _of_class(owner, name, (*seen, (file, node.name)))
        if member_of_base is not None and member_of_base.kind != OPEN:
            return member_of_base
        is_open = is_open or member_of_base is not None
    return _OPEN if is_open else None


#: Decorators that give back the class that they get.
_KEEPING = ("export", "deprecated", "total_ordering", "register", "doc_controls", "keras_export")


def _keeps(decorator):
    return any(word in ast.dump(decorator) for word in _KEEPING)


def _bound_in(statements):
    names = set()
    for node in own_level(statements):
        names.update(names_bound(node))
    return names


def forget():
    """Looks for the packages again at the next use."""
    table_of.cache_clear()
    for function in _KEPT_ANSWERS:
        function.cache_clear()
