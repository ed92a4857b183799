"""Functions that Numba compiles: they stay as they are written.

Numba reads the code of a function and knows few calls; what the rewrites put there is none of
them. The arithmetic of such functions is Numba's own, whatever NumPy is installed.
"""

import ast
import contextlib

from tfgraphtools.compat.engine import nodes

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@contextlib.contextmanager
def set_aside(tree):
    """Takes the bodies of such functions out of a tree, and puts them back at the end."""
    names = _names_of_numba(tree)
    taken = []
    for node in ast.walk(tree) if names else ():
        if isinstance(node, _FUNCTIONS) and any(_root(one) in names for one in node.decorator_list):
            taken.append((node, node.body))
    for node, body in taken:
        node.body = [ast.copy_location(ast.Pass(), body[0])]
    yield
    for node, body in taken:
        node.body = body


def _names_of_numba(tree):
    """Returns the names by which a module calls Numba and what it imports from there."""
    names = set()
    if "numba" not in nodes.imported_roots(tree):
        return names
    for node in nodes.nodes_of(tree, ast.Import):
        for alias in node.names:
            if alias.name.partition(".")[0] == "numba":
                names.add(alias.asname or "numba")
    for node in nodes.nodes_of(tree, ast.ImportFrom):
        if (node.module or "").partition(".")[0] == "numba":
            names.update(alias.asname or alias.name for alias in node.names)
    return names


def _root(decorator):
    """The first name of ``nb.jit`` or ``jit(nopython=True)``; None of anything else."""
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
