"""Classes of Python 2 without `object` among their bases: names were looked up depth first."""

import ast

from tfgraphtools.analysis.scopes import nodes_of

FIX = "python2.classes"


def differences(tree):
    """Yields (line, class, fix, why) of classes whose attributes Python 3 finds in another base.

    Of two bases with one ancestor Python 2 asked the ancestor before the second base.

    Args:
      tree: the `ast.Module`.
    """
    if any(getattr(target, "id", "") == "__metaclass__" for target in _targets(tree)):
        return
    classes = {node.name: node for node in nodes_of(tree) if isinstance(node, ast.ClassDef)}
    for node in classes.values():
        order = _depth_first(node, classes, set())
        if order is None or len(order) == len(set(order)):
            continue
        for name, first in sorted(_owners(order).items()):
            today = _owners(_merged(order)).get(name)
            if today is not first:
                why = f"Python 3 takes {name} of {today.name}, Python 2 took that of {first.name}"
                yield node.lineno, node.name, FIX, why + ": these classes have no base `object`"
                break


def _targets(tree):
    return [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]


def _depth_first(node, classes, above):
    """Returns a class and its ancestors, as Python 2 asks them; None with one of elsewhere."""
    order = [node]
    for base in node.bases:
        ancestor = classes.get(getattr(base, "id", None))
        if ancestor is None or ancestor.name in above or node.keywords:
            return None
        part = _depth_first(ancestor, classes, above | {node.name})
        if part is None:
            return None
        order += part
    return order


def _merged(order):
    """Returns the ancestors in Python 3's order: one that stands twice comes last."""
    return [node for place, node in enumerate(order) if node not in order[place + 1 :]]


def _owners(order):
    """Returns name -> the first class of an order that defines it."""
    owners = {}
    for node in order:
        for statement in node.body:
            names = [getattr(statement, "name", None)]
            if isinstance(statement, ast.Assign):
                names = [getattr(target, "id", None) for target in statement.targets]
            for name in filter(None, names):
                owners.setdefault(name, node)
    return owners
