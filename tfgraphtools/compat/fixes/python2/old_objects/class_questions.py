"""What Python 2's code asks of classes themselves, where today's answer is another."""

import ast

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


def is_method(function, methods):
    """Tells whether a called function is ``A.f``, where the class A of the module defines f."""
    if not isinstance(function, ast.Attribute):
        return False
    return function.attr in methods.get(getattr(function.value, "id", None), ())


def methods_of(tree):
    """Returns {class: the methods that its body defines} of a module."""
    return {
        node.name: {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }


def check_self(call):
    """Makes ``A.f(value)`` refuse a value that is no object of A."""
    first = call.args[0]
    name = trees.constant(call.func.attr, call)
    cls = ast.copy_location(trees.name_load(call.func.value.id), first)
    if isinstance(first, ast.Starred):
        first.value = trees.call("__python2_selves__", cls, name, first.value, at=first)
    else:
        call.args[0] = trees.call("__python2_self__", cls, name, first, at=first)
