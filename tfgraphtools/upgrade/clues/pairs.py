"""Lists of pairs, ``list(zip(x, y))``: where they are made, and which functions get them."""

import ast

from tfgraphtools.analysis.assignments import assigned_names
from tfgraphtools.analysis.scopes import nodes_of

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)


def passed(tree, names, file_scopes):
    """Returns (dotted name of a function, place or keyword) of arguments that are lists of pairs.

    Args:
      tree: an `ast.Module`.
      names: its `resolving.Names`.
      file_scopes: its `scopes.Scopes`.
    """
    if not any(map(is_zipped, nodes_of(tree))):
        return frozenset()
    seen = set()
    for function, calls in _calls_by_function(tree).items():
        pair_names = made_in(function)
        for call in calls:
            passed_values = [
                *enumerate(call.args),
                *((keyword.arg, keyword.value) for keyword in call.keywords),
            ]
            places = [place for place, value in passed_values if is_pairs(value, pair_names)]
            name = _function(call.func, names, file_scopes) if places else None
            seen.update((name, place) for place in places if name)
    return frozenset(seen)


def _function(node, names, file_scopes):
    """Returns the dotted name of a function of the codebase that is called, or None."""
    if isinstance(node, ast.Name):
        return names.of(node, file_scopes.scope_of(node)) or f"@{names.path}::{node.id}"
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        owner = names.of(node.value, file_scopes.scope_of(node.value)) or ""
        return owner + node.attr if owner.endswith("::") else None
    return None


def is_zipped(node):
    """Tells whether an expression is ``list(zip(x, y))``, or ``zip(x, y)``, which becomes one."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "list" and node.args:
        node = node.args[0]
    is_zip = isinstance(node, ast.Call) and getattr(node.func, "id", None) == "zip"
    return is_zip and len(node.args) > 1


def is_pairs(node, pair_names):
    """Tells whether an expression is a list of pairs, given the variables that hold one."""
    return is_zipped(node) or getattr(node, "id", None) in pair_names


def made_in(function):
    """Returns the variables of a function, or module, to which lists of pairs are assigned."""
    return assigned_names(own_nodes(function), is_zipped)


def own_nodes(function):
    """Yields the nodes of a function, without those of functions in it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _FUNCTIONS):
            waiting.extend(ast.iter_child_nodes(node))


def _calls_by_function(tree):
    functions = [node for node in nodes_of(tree) if isinstance(node, _FUNCTIONS)]
    return {
        function: [node for node in own_nodes(function) if isinstance(node, ast.Call)]
        for function in functions
    }
