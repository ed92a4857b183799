"""Bindings of names by assignments, read from the nodes of a module or function."""

import ast
import collections


def assigned_values(nodes):
    """Returns ({name: the values that assignments bind to it}, {name: how often it is bound}).

    A name that is bound more often than it has values is also a loop's, or that of ``x += 1``.
    """
    values, bound = {}, collections.Counter()
    for node in nodes:
        if isinstance(node, ast.Assign):
            for targets in node.targets:
                for target, value in _pairs(targets, node.value):
                    if isinstance(target, ast.Name):
                        values.setdefault(target.id, []).append(value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound[node.id] += 1
    return values, bound


def _pairs(target, value):
    """Returns (target, value) of an assignment, one by one where both are tuples."""
    is_both = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
    if is_both and not any(isinstance(item, ast.Starred) for item in target.elts + value.elts):
        return zip(target.elts, value.elts)
    return [(target, value)]


def assigned_names(nodes, is_such):
    """Returns the names of variables to which code assigns a value for which a test holds.

    Args:
      nodes: the nodes of a module or function.
      is_such: function of the value's expression.
    """
    return {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and is_such(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
