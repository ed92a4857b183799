"""Which keyword arguments a function or class certainly refuses, read from its source."""

import ast
import functools

from tfgraphtools.compat.doctor import installed

#: The arguments that every layer of Keras 2 has, behind its ``**kwargs``.
_OF_LAYERS = (
    "batch_input_shape batch_size dtype input_dtype input_shape name trainable weights".split()
)


def parameters(name):
    """The names of all parameters of a function or class; None where it may take others.

    Args:
      name: its full name, in a package whose sources `installed` reads.
    """
    found = _definition(name)
    if found is None:
        return None
    file, node = found
    function = _init(file, node) if isinstance(node, ast.ClassDef) else node
    if function is None or function.decorator_list:
        return None
    of = function.args
    names = [one.arg for one in [*getattr(of, "posonlyargs", []), *of.args, *of.kwonlyargs]]
    if of.kwarg is None:
        return names
    return names + _OF_LAYERS if _is_layer(file, node) else None


def _definition(name):
    """(file, its ``def`` or ``class``) of a full name, or None."""
    if name.startswith("keras.backend.") and name.count(".") == 2:
        name = name.replace("backend", "backend.tensorflow_backend")
    parts = name.split(".")
    here = installed.top(parts[0])
    for part in parts[1:-1]:
        here = installed.submodule(here, part) if here else None
    return _in_file(here, parts[-1]) if here else None


@functools.lru_cache(None)
def _in_file(file, name):
    """(file, ``def`` or ``class``) that a module binds to a name; None if that is not certain."""
    tree = installed.tree_of(file)
    found, stars = [], []
    for node in _statements(tree.body) if tree else ():
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            stars.append(node)
        elif name in _bound(node):
            found.append(node)
    if len(found) == 1:
        return _bound_to(found[0], file, name)
    if found:
        return None
    places = [installed.module_of(node, file) for node in stars]
    got = [_in_file(place, name) for place in places if place and place != file]
    return next(filter(None, reversed(got)), None)


def _statements(body):
    """Those of a module, with those in ``if`` and ``try``."""
    for node in body:
        yield node
        for inner in ("body", "orelse", "finalbody"):
            if isinstance(node, (ast.If, ast.Try)):
                yield from _statements(getattr(node, inner, []))
        for handler in getattr(node, "handlers", ()):
            yield from _statements(handler.body)


def _bound(node):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(one.asname or one.name).partition(".")[0] for one in node.names}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return set()


def _bound_to(node, file, name):
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return file, node
    if isinstance(node, ast.ImportFrom):
        original = next(one.name for one in node.names if (one.asname or one.name) == name)
        place = installed.module_of(node, file)
        return _in_file(place, original) if place and place != file else None
    if isinstance(node, ast.Assign):
        return _value(node.value, file)
    return None


def _value(node, file):
    """What ``other`` or ``module.other`` is bound to."""
    if isinstance(node, ast.Name):
        return _in_file(file, node.id)
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return None
    for statement in installed.tree_of(file).body:
        if isinstance(statement, ast.ImportFrom) and node.value.id in _bound(statement):
            package = installed.module_of(statement, file)
            place = installed.submodule(package, node.value.id) if package else None
            return _in_file(place, node.attr) if place else None
    return None


def _init(file, node):
    """The ``__init__`` of a class, its own or that of its only base; None for none."""
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and one.name == "__init__":
            return one
    base = _value(node.bases[0], file) if len(node.bases) == 1 else None
    return _init(*base) if base and isinstance(base[1], ast.ClassDef) else None


def _is_layer(file, node):
    base = _value(node.bases[0], file) if len(getattr(node, "bases", ())) == 1 else None
    return bool(base) and base[1].name == "Layer" and "keras" in base[0]


def forget():
    """Reads the sources again at the next use."""
    _in_file.cache_clear()
