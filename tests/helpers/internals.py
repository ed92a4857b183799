"""Attributes of TensorFlow's internals that our source names, read from its syntax trees."""

import ast
import importlib
import pathlib
import re
import types

_SPEC = re.compile(r"(tensorflow\.python[\w.]*):([\w.]+)")


def named(folder):
    """The dotted chains below ``tensorflow.python`` that the files of a folder name, sorted.

    Args:
      folder: the folder of Python files, all of which are read.

    Returns:
      names such as ``tensorflow.python.framework.ops.Graph._create_op_internal``.
    """
    chains = set()
    for path in pathlib.Path(str(folder)).rglob("*.py"):
        chains |= _chains_of(ast.parse(path.read_text(encoding="utf-8")))
    return sorted(chains)


def _chains_of(tree):
    aliases = {}  # local name -> the dotted names that a file gives it
    chains = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and _is_internal(node.module):
            for item in node.names:
                aliases.setdefault(item.asname or item.name, set()).add(
                    f"{node.module}.{item.name}"
                )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            spec = _SPEC.fullmatch(node.value)
            if spec:
                chains.add(".".join(spec.groups()))
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            name = node.value.args[0] if node.value.args else None
            if isinstance(name, ast.Constant) and _is_internal(name.value):
                for target in node.targets:
                    aliases.setdefault(getattr(target, "id", ""), set()).add(name.value)
    for names in aliases.values():
        chains |= names
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            root, path = _path_of(node)
            chains.update(f"{name}.{path}" for name in aliases.get(root, ()))
        for owner, name in _pairs_of(node):
            root, path = _path_of(owner)
            inside = path + "." if path else ""
            chains.update(f"{one}.{inside}{name}" for one in aliases.get(root, ()))
            if isinstance(owner, ast.Constant) and _is_internal(owner.value):
                chains.add(f"{owner.value}.{name}".replace(":", "."))
    return chains


def _pairs_of(node):
    """What may be an owner and the name of its attribute: ``f(owner, "name")`` and in tuples."""
    items = getattr(node, "elts", None) or getattr(node, "args", None)
    items = items if isinstance(items, list) else ()
    return [
        (owner, name.value)
        for owner, name in zip(items, items[1:])
        if isinstance(name, ast.Constant) and isinstance(name.value, str)
    ]


def _is_internal(name):
    return isinstance(name, str) and name.startswith("tensorflow.python")


def _path_of(node):
    """(the local name at the root of a chain of attributes or None, the attributes)."""
    path = []
    while isinstance(node, ast.Attribute):
        path.append(node.attr)
        node = node.value
    return getattr(node, "id", None), ".".join(reversed(path))


def resolved(chains):
    """Those of the chains that exist: name -> (its owner, a module or class; its attribute)."""
    owners = {}
    for chain in chains:
        owner, attributes = _owner_of(chain)
        for attribute in attributes:
            value = vars(owner).get(attribute, owners)
            if value is owners:
                break
            owners[f"{_name_of(owner)}.{attribute}"] = owner, attribute
            if not isinstance(value, type):
                break
            owner = value
    return {
        name: place
        for name, place in sorted(owners.items())
        if not isinstance(vars(place[0])[place[1]], types.ModuleType)
    }


def _name_of(owner):
    inside = f"{owner.__module__}.{owner.__qualname__}" if isinstance(owner, type) else None
    return inside or owner.__name__


def _owner_of(chain):
    """(the innermost module of a dotted name, the attributes that follow)."""
    parts = chain.split(".")
    for count in range(len(parts), 0, -1):
        try:
            return importlib.import_module(".".join(parts[:count])), parts[count:]
        except ImportError:
            continue
    raise AssertionError(chain)
