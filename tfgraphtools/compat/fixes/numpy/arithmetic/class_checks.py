"""Checks of a variable's class that stand in the rewritten code, before a helper is called."""

import ast

from tfgraphtools.compat.engine.translate import trees


def or_for_class(cls, node, by_helper, name):
    """Returns what a helper does; the node itself, where a variable is of the class."""
    if not isinstance(name, ast.Name):
        return by_helper
    test = is_of_class(name, cls, node)
    choice = trees.placed(ast.IfExp(test=test, body=node, orelse=by_helper), node)
    choice.by_helper = by_helper
    return choice


def general(node):
    """Returns the call of a helper of what `or_for_class` returned; any other node itself."""
    return getattr(node, "by_helper", node)


def is_of_class(name, helper, at):
    """Returns ``type(name) is`` the class that a helper is."""
    read = trees.name_at(name.id, name)
    test = ast.Compare(
        left=trees.call("__numpy1_type__", read, at=at),
        ops=[ast.Is()],
        comparators=[trees.name_at(helper, at)],
    )
    return trees.placed(test, at)
