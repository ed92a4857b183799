"""Resolves names in installed packages by reading their sources: none of it is imported.

A module's names are those that its own level binds. What a module makes while it runs (a module
with ``__getattr__``, an extension in C) cannot be read: it is `OPEN`.
"""

import ast
import functools
import importlib.machinery
import os
import re
import warnings
from typing import Any, NamedTuple

MODULE, CLASS, VALUE, OPEN = "module", "class", "value", "open"

#: What a module may do at its own level so that its names are not those that its source binds.
_OPEN_CALLS = {"exec", "globals", "locals", "setattr", "vars", "attach", "attach_stub"}

#: Folders whose modules exchange themselves in ``sys.modules`` for a wrapper of the same names.
_WRAPPED = os.path.join("tensorflow", "_api", "")


class Thing(NamedTuple):
    """What a name in a library is.

    Fields:
      kind: `MODULE`, `CLASS`, `VALUE` (whose attributes nobody can read) or `OPEN`.
      file: of a module: its source, a folder without ``__init__.py``, or ""; of a class: the
        source in which it stands.
      node: of a class: its `ast.ClassDef`.
    """

    kind: str
    file: str = ""
    node: Any = None


A_VALUE = Thing(VALUE)
_OPEN = Thing(OPEN)


class _Table(NamedTuple):
    """The names of a module: name -> [node that binds it]; whether it may have more."""

    names: Any
    stars: Any
    is_open: bool
    listed: Any  # __all__, where it is a literal
    messages: Any = None  # the source of a module of Protocol Buffers


@functools.lru_cache(None)
def top(root):
    """Returns the `Thing` that ``import root`` gives, or None where nothing is installed."""
    try:
        spec = importlib.machinery.PathFinder.find_spec(root)
    except (ImportError, ValueError):
        return None
    if spec is None:
        return None
    if spec.origin and spec.origin.endswith(".py"):
        return Thing(MODULE, spec.origin)
    folders = list(spec.submodule_search_locations or ())
    return Thing(MODULE, os.path.join(folders[0], "__init__.py")) if folders else _OPEN


def submodule(file, name):
    """Returns the `Thing` of a module in the package whose ``__init__.py`` is a file, or None."""
    folder, leaf = os.path.split(file)
    if leaf != "__init__.py":
        return None
    things = (_module_at(os.path.join(one, name)) for one in _folders(folder))
    return next(filter(None, things), None)


def _folders(folder):
    """The folders of a package: several where it has no ``__init__.py``, such as ``google``."""
    if os.path.isfile(os.path.join(folder, "__init__.py")):
        return [folder]
    spec = importlib.machinery.PathFinder.find_spec(os.path.basename(folder))
    folders = list(getattr(spec, "submodule_search_locations", None) or ())
    return folders if folder in folders else [folder]


def _module_at(path):
    package = os.path.join(path, "__init__.py")
    if os.path.isfile(package):
        return Thing(MODULE, package)
    if any(os.path.isfile(path + kind) for kind in importlib.machinery.EXTENSION_SUFFIXES):
        return _OPEN
    if os.path.isfile(path + ".py"):
        return Thing(MODULE, path + ".py")
    return Thing(MODULE, package) if os.path.isdir(path) else None


def member(thing, name):
    """Returns the `Thing` that an attribute of a module or a class is; None where there is none."""
    if thing.kind == CLASS:
        return _of_class(thing, name, ())
    if thing.kind != MODULE:
        return thing
    if name in ("__name__", "__doc__", "__file__", "__dict__", "__path__", "__spec__"):
        return A_VALUE
    return _of_module(thing.file, name, ())


def binds(thing, name):
    """Tells whether a module binds a name itself."""
    table = _table(thing.file) if thing.kind == MODULE else None
    return table is not None and name in table.names


def is_open(thing):
    """Tells whether what a name means may have attributes that no source says."""
    if thing.kind != MODULE or not os.path.isfile(thing.file):
        return True
    table = _table(thing.file)
    return table is None or table.is_open


def names_of(thing):
    """Returns the public names of a module, or () where they cannot be read."""
    table = _table(thing.file) if thing.kind == MODULE else None
    if table is None:
        return ()
    names = {name for name in table.names if not name.startswith("_")}
    for node in table.stars:
        names.update(names_of(_imported(node, thing.file)))
    return sorted(names)


def _of_module(file, name, seen):
    table = _table(file)
    if table is None or (file, name) in seen:
        return _OPEN
    seen = (*seen, (file, name))
    if name in table.names:
        return _bound(table.names[name][-1], name, file, seen)
    if table.messages is not None:  # protoc's: its source holds the names of its messages
        return A_VALUE if re.search(rf"{name}(?![A-Za-z0-9_])", table.messages) else None
    is_open = table.is_open
    for node in table.stars:
        module = _imported(node, file)
        thing = _of_star(module, name, seen)
        if thing is not None and thing.kind != OPEN:
            return thing
        is_open = is_open or thing is not None
    if _imports_submodule(file, name, table):
        return submodule(file, name)
    return _OPEN if is_open else None


def _of_star(module, name, seen):
    """The `Thing` that ``from module import *`` gives for a name, or None."""
    if module.kind != MODULE:
        return _OPEN
    table = _table(module.file)
    if table is not None and (
        name not in table.listed if table.listed is not None else name.startswith("_")
    ):
        return None
    thing = _of_module(module.file, name, seen)
    if thing is None and submodule(module.file, name) is not None:
        return _OPEN  # it is there if the package has imported it
    return thing


def _imports_submodule(file, name, table):
    """Tells whether a package's own level imports its module, which makes it an attribute."""
    thing = submodule(file, name)
    if thing is None:
        return False
    nodes = [node for nodes in table.names.values() for node in nodes] + table.stars
    modules = {_imported(node, file).file for node in nodes if isinstance(node, ast.ImportFrom)}
    inside = os.path.join(os.path.dirname(file), name)
    return any(one.startswith((inside + os.sep, inside + ".")) for one in modules)


def _bound(node, name, file, seen):
    """The `Thing` that a statement at a module's level binds to a name."""
    if isinstance(node, ast.ClassDef):
        return Thing(CLASS, file, node)
    if isinstance(node, ast.ImportFrom):
        alias = next(one for one in node.names if (one.asname or one.name) == name)
        module = _imported(node, file)
        if module.kind != MODULE:
            return _OPEN
        thing = _of_module(module.file, alias.name, seen)
        if thing is None or thing.kind == OPEN:
            thing = submodule(module.file, alias.name) or A_VALUE  # it is there: it was imported
        return thing
    if isinstance(node, ast.Import):
        alias = next(
            one for one in node.names if (one.asname or one.name.partition(".")[0]) == name
        )
        return _module_named(alias.name if alias.asname else name) or _OPEN
    if isinstance(node, ast.Assign) and isinstance(node.value, (ast.Name, ast.Attribute)):
        return _of_expression(node.value, file, seen) or A_VALUE
    return A_VALUE


def _of_expression(node, file, seen):
    """The `Thing` of ``a.b.c`` at a module's level, or None."""
    if isinstance(node, ast.Attribute):
        owner = _of_expression(node.value, file, seen)
        return None if owner is None else member(owner, node.attr)
    return _of_module(file, node.id, seen) if isinstance(node, ast.Name) else None


def _module_named(name):
    parts = name.split(".")
    thing = top(parts[0])
    for part in parts[1:]:
        thing = submodule(thing.file, part) if thing is not None else None
    return thing


def _beside(name, file):
    """The `Thing` of a module in the folder from which a file's own package comes, or None.

    It is not on ``sys.path`` where the package was installed apart.
    """
    root, *parts = name.split(".")
    folder, marker = file, os.sep + root + os.sep
    if marker not in file:
        return None
    folder = file[: file.rindex(marker)]
    thing = Thing(MODULE, os.path.join(folder, root, "__init__.py"))
    for part in parts:
        thing = submodule(thing.file, part) if thing is not None else None
    return thing


def _imported(node, file):
    """The `Thing` of the module from which an `ast.ImportFrom` in a file imports."""
    if not node.level:
        return _beside(node.module, file) or _module_named(node.module) or _OPEN
    folder = os.path.dirname(file)
    for _ in range(node.level - 1):
        folder = os.path.dirname(folder)
    thing = Thing(MODULE, os.path.join(folder, "__init__.py"))
    for part in (node.module or "").split("."):
        thing = submodule(thing.file, part) if thing is not None and part else thing
    return thing or _OPEN


def _of_class(thing, name, seen):
    """The `Thing` that an attribute of a class is; None where it and its bases have none."""
    node, file = thing.node, thing.file
    if hasattr(object, name) or name in ("__dict__", "__module__", "__name__", "__qualname__"):
        return A_VALUE
    if name in _bound_in(node.body):
        return A_VALUE
    if any(keyword.arg == "metaclass" for keyword in node.keywords) or (file, node.name) in seen:
        return _OPEN
    if node.decorator_list and any(not _keeps(one) for one in node.decorator_list):
        return _OPEN
    is_open = False
    for base in node.bases:
        owner = _of_expression(base, file, ())
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
    for node in _own_level(statements):
        names.update(_names_bound(node))
    return names


def _own_level(statements):
    """The statements of a module or class that run with it: not those of functions."""
    for node in statements:
        yield node
        for field in ("body", "orelse", "finalbody", "handlers"):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield from _own_level(getattr(node, field, ()))


def _names_bound(node):
    """The names that one statement binds, without those of statements in it."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.Import):
        return [one.asname or one.name.partition(".")[0] for one in node.names]
    if isinstance(node, ast.ImportFrom):
        return [one.asname or one.name for one in node.names if one.name != "*"]
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    targets += [one.optional_vars for one in getattr(node, "items", ())]
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.With)):
        nodes = (part for one in targets if one is not None for part in ast.walk(one))
        return [part.id for part in nodes if isinstance(part, ast.Name)]
    return []


@functools.lru_cache(None)
def _table(file):
    """The `_Table` of a source, or None where there is none that can be read."""
    try:
        with open(file, "rb") as source, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = source.read()
            tree = ast.parse(text)
    except FileNotFoundError:
        return _Table({}, [], False, None)  # a folder without __init__.py
    except (OSError, SyntaxError, ValueError):
        return None
    names, stars, is_open = {}, [], False
    for node in _own_level(tree.body):
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            stars.append(node)
        if isinstance(node, ast.Delete):
            for target in node.targets:
                names.pop(getattr(target, "id", None), None)
        for name in _names_bound(node):
            names.setdefault(name, []).append(node)
        is_open = is_open or _opens(node, file)
    if b"attach_stub" in text and _attaches_stub(tree) and os.path.isfile(file + "i"):
        return _table(file + "i")
    if b"global " in text:
        for node, name in _declared_global(tree):
            names.setdefault(name, [node])
    is_own = not file.endswith(os.path.join("tensorflow", "__init__.py"))
    is_open = is_open or "__getattr__" in names or ("__path__" in names and is_own)
    messages = text.decode("latin-1") if file.endswith("_pb2.py") else None
    return _Table(names, stars, is_open, _listed(names), messages)


def _attaches_stub(tree):
    """Tells whether a module takes its names from the ``.pyi`` beside it (lazy_loader)."""
    return any(
        getattr(node.func, "attr", getattr(node.func, "id", None)) == "attach_stub"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    )


def _declared_global(tree):
    """(node, name) of the module's variables that its functions make."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            for name in node.names:
                yield node, name


def _listed(names):
    """The names in ``__all__``, or None where it is not a literal."""
    nodes = names.get("__all__", ())
    if len(nodes) != 1 or not isinstance(nodes[0], ast.Assign):
        return None
    try:
        return frozenset(ast.literal_eval(nodes[0].value))
    except (ValueError, TypeError):
        return None


def _opens(node, file):
    """Tells whether a statement at a module's level may give the module other names."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return False
    if _WRAPPED in file or file.endswith(os.path.join("tensorflow", "__init__.py")):
        return False
    parts = [node.test] if hasattr(node, "test") else [getattr(node, "value", None)]
    parts += getattr(node, "targets", [])
    for part in parts:
        for inner in ast.walk(part) if part is not None else ():
            function = getattr(inner, "func", None)
            if getattr(function, "id", getattr(function, "attr", None)) in _OPEN_CALLS:
                return True
            if isinstance(inner, ast.Attribute) and inner.attr == "modules":
                return True
    return False


def forget():
    """Looks for the packages again at the next use."""
    top.cache_clear()
    _table.cache_clear()
