"""The value of a variable at a line: the last assignment above it in its function."""

import ast
import collections

from tfgraphtools.analysis.scopes import nodes_of
from tfgraphtools.upgrade.clues import pairs

#: The value of a variable that no assignment of one name binds.
_UNKNOWN = ast.Pass()


def functions(tree):
    """Yields (nodes, assignments) of a module's own level and of each function.

    The assignments are {name: [(line, value)]}, those of the module's own level included.
    """
    of_module = _assignments(pairs.own_nodes(tree))
    for function in nodes_of(tree):
        if isinstance(function, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)):
            own = list(pairs.own_nodes(function))
            yield own, collections.ChainMap(_assignments(own), of_module)


def _assignments(own):
    values, others = {}, {}
    for node in own:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            values.setdefault(node.targets[0].id, []).append((node.lineno, node.value))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            others.setdefault(node.id, []).append((node.lineno, _UNKNOWN))  # a loop's, for example
    return {name: values.get(name, []) + lines for name, lines in others.items()}


def last(assignments, name, line):
    """Returns (line, value) of the last assignment to a name above a line; (0, None) without."""
    above = [pair for pair in assignments.get(name, ()) if pair[0] < line]
    return max(above, key=lambda pair: pair[0]) if above else (0, None)
