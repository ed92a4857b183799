"""Private names of an installed base class that user classes read and that it no longer has."""

import ast

from tfgraphtools.analysis import keywords, library_sources
from tfgraphtools.analysis.library_sources import CLASS, MODULE, Definition
from tfgraphtools.analysis.scopes import nodes_of


def missing(tree, names, libraries):
    """Yields (node, class of the library, name) of each ``self._name`` that nothing binds.

    Only classes are looked at whose one base is a class of a library that is read from its
    sources, down to its last base. Public names are left out: they may be made in many ways.

    Args:
      tree: an `ast.Module`.
      names: its `resolving.Names`.
      libraries: the `installed.Libraries`.
    """
    nodes = list(nodes_of(tree))
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    bound = {node.attr for node in nodes if _binds(node)}
    bound |= {node.value for node in nodes if isinstance(getattr(node, "value", None), str)}
    bound |= {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and _is_stored(node)}
    for user_class in classes:
        base = _base(user_class, names, libraries)
        if base is None:
            continue
        name, definition = base
        for node in ast.walk(user_class):
            is_own = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self"
            if not is_own or node.attr in bound or not _is_private(node.attr):
                continue
            if library_sources.member(definition, node.attr) is None:
                if not _is_named(definition, node.attr):
                    yield node, name, node.attr


def _binds(node):
    return isinstance(node, ast.Attribute) and _is_stored(node)


def _is_stored(node):
    return not isinstance(node.ctx, ast.Load)


def _is_private(name):
    return name.startswith("_") and not name.startswith("__")


def _base(user_class, names, libraries):
    """Returns (dotted name, `Definition`) of the library's class that is the one base, or None."""
    if len(user_class.bases) != 1 or user_class.keywords:
        return None
    name = names.here(user_class.bases[0])
    if name is None or name.startswith("@") or "." not in name:
        return None
    owner = libraries.owner(name)
    if owner is None or owner.kind != MODULE:
        return None
    definition = keywords.definition_of(owner.file, name.rpartition(".")[2])
    if definition is None or not isinstance(definition[1], ast.ClassDef):
        return None
    return name, Definition(CLASS, *definition)


def _is_named(definition, name):
    """Tells whether the class or a base of it uses an attribute, which a method may set."""
    while definition is not None and definition.kind == CLASS:
        nodes = list(ast.walk(definition.node))
        if any(name in (getattr(n, "attr", ""), getattr(n, "value", "")) for n in nodes):
            return True
        bases = definition.node.bases
        if len(bases) > 1:
            return True
        if not bases or getattr(bases[0], "id", "") == "object":
            return False
        definition = library_sources.of_expression(bases[0], definition.file)
    return True
