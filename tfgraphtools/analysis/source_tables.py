"""Names that a source binds at its own level."""

import ast
import functools
import os
import warnings
from typing import Any, NamedTuple

#: What a module may do at its own level so that its names are not those that its source binds.
_OPEN_CALLS = {"exec", "globals", "locals", "setattr", "vars", "attach", "attach_stub"}

#: Folders whose modules exchange themselves in ``sys.modules`` for a wrapper of the same names.
_WRAPPED = os.path.join("tensorflow", "_api", "")


class Table(NamedTuple):
    """The names of a module.

    Fields:
      names: name -> [nodes that bind it].
      stars: the `ast.ImportFrom`s of all names of other modules.
      is_open: whether it may have more names.
      listed: the names in ``__all__``, where that is a literal; else None.
      messages: the source of a module of Protocol Buffers; else None.
    """

    names: Any
    stars: Any
    is_open: bool
    listed: Any
    messages: Any = None


def own_level(statements):
    """Yields the statements of a module or class that run with it: not those of functions."""
    for node in statements:
        yield node
        for field in ("body", "orelse", "finalbody", "handlers"):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield from own_level(getattr(node, field, ()))


def names_bound(node):
    """Returns the names that one statement binds, without those of statements in it."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.Import):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [alias.asname or alias.name for alias in node.names if alias.name != "*"]
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    targets += [item.optional_vars for item in getattr(node, "items", ())]
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.With)):
        nodes = (part for target in targets if target is not None for part in ast.walk(target))
        names = [part for part in nodes if isinstance(part, ast.Name)]
        return [part.id for part in names if isinstance(part.ctx, ast.Store)]
    return []


@functools.lru_cache(None)
def table_of(file):
    """Returns the `Table` of a source, or None where there is none that can be read."""
    try:
        with open(file, "rb") as source, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = source.read()
            tree = ast.parse(text)
    except FileNotFoundError:
        return Table({}, [], False, None)  # a folder without __init__.py
    except (OSError, SyntaxError, ValueError):
        return None
    names, stars, is_open = {}, [], False
    for node in own_level(tree.body):
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            stars.append(node)
        if isinstance(node, ast.Delete):
            for target in node.targets:
                names.pop(getattr(target, "id", None), None)
        for name in names_bound(node):
            names.setdefault(name, []).append(node)
        is_open = is_open or _opens(node, file)
    if b"attach_stub" in text and _attaches_stub(tree) and os.path.isfile(file + "i"):
        return table_of(file + "i")
    if b"globals()" in text:
        is_open = is_open or _calls_a_loader(tree)
    if b"global " in text:
        for node, name in _declared_global(tree):
            names.setdefault(name, [node])
    is_own = not file.endswith(os.path.join("tensorflow", "__init__.py"))
    is_open = is_open or "__getattr__" in names or ("__path__" in names and is_own)
    messages = text.decode("latin-1") if file.endswith("_pb2.py") else None
    return Table(names, stars, is_open, _listed(names), messages)


def _calls_a_loader(tree):
    """Tells whether a module calls a function of its own that fills ``globals()``, as cv2 does."""
    loaders = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and "globals" in _called(node)
    }
    return any(
        isinstance(node, ast.Expr) and loaders & _called(node) for node in own_level(tree.body)
    )


def _called(node):
    """Returns the names of the functions that a node calls, without those of objects."""
    calls = (inner.func for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return {function.id for function in calls if isinstance(function, ast.Name)}


def _attaches_stub(tree):
    """Tells whether a module takes its names from the ``.pyi`` beside it (lazy_loader)."""
    return any(
        getattr(node.func, "attr", getattr(node.func, "id", None)) == "attach_stub"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    )


def _declared_global(tree):
    """Yields (node, name) of the module's variables that its functions make."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            for name in node.names:
                yield node, name


def _listed(names):
    """Returns the names in ``__all__``, or None where it is not a literal."""
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
