"""Questions of Python 2's code to classes themselves, where today's answer is another."""

import ast
import copy

from tfgraphtools.analysis import assignments, scopes
from tfgraphtools.compat.engine.translate import trees

#: Comparisons of classes themselves.
IDENTITIES = (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)

#: What is one class today.
_ERRORS = {"IOError", "OSError", "EnvironmentError", "WindowsError"}


def noted_error(node, classes):
    """Returns a node that gives the notice about errors first, where one of the classes is one."""
    if not any(getattr(cls, "id", None) in _ERRORS for cls in classes):
        return node
    return trees.call("__python2_noted__", trees.constant("error_names", node), node, at=node)


def may_be_method(function, classes):
    """Tells whether a called function is ``A.f``, where A may be a class."""
    if not isinstance(function, ast.Attribute):
        return False
    owner = function.value
    if isinstance(owner, ast.Name):
        return owner.id in classes
    root, parts = scopes.dotted(owner)
    return root is not None and parts[-1].lstrip("_")[:1].isupper()


def classes_of(tree):
    """Returns the names by which a module may know classes: its own, imported, others of them."""
    nodes = scopes.nodes_of(tree)
    names = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            names.update(alias.asname or alias.name for alias in node.names)
    return names | assignments.assigned_names(
        nodes, lambda value: scopes.dotted(value)[0] is not None and _last(value) in names
    )


def _last(value):
    return value.id if isinstance(value, ast.Name) else value.attr


def as_unbound(node):
    """Returns ``A.f`` as a value that refuses a first argument which is no object of A."""
    cls, name = copy.deepcopy(node.value), trees.constant(node.attr, node)
    return trees.call("__python2_unbound__", node, cls, name, at=node)


def check_self(call):
    """Makes ``A.f(value)`` refuse a value that is no object of A."""
    first = call.args[0]
    name = trees.constant(call.func.attr, call)
    cls = copy.deepcopy(call.func.value)
    if isinstance(first, ast.Starred):
        first.value = trees.call("__python2_selves__", cls, name, first.value, at=first)
    else:
        call.args[0] = trees.call("__python2_self__", cls, name, first, at=first)
