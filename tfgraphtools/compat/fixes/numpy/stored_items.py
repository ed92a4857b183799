"""Assignments to items of arrays, ``x[i] = value``, that ask again where NumPy refuses the value.

A target ``x[i]`` becomes ``__numpy1_items__(x)[i]``, wherever Python has targets: so Python
itself evaluates all parts, in its order, and stores. What is no array comes back as it is.
`one_element` and `arithmetic.wrapping` say what is stored in an array then.
"""

import ast

from tfgraphtools.compat.engine.translate import in_place, trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor

#: Nodes at the right of an assignment that are certainly no array of one element.
_NO_ARRAYS = (
    ast.Dict,
    ast.DictComp,
    ast.JoinedStr,
    ast.Lambda,
    ast.ListComp,
    ast.Set,
    ast.SetComp,
)


class Stores(Visitor):
    """A rewrite of all statements and expressions that have targets.

    Args:
      is_done: whether another visitor of this class does it.
    """

    def __init__(self, is_done=False):
        self._is_done = is_done

    def visit_Assign(self, node):
        """Rewrites ``x[i] = y[j] = value``."""
        if not (self._is_done or _fits(node.value)):
            node.targets = [_guarded(target) for target in node.targets]
        return node

    def visit_AnnAssign(self, node):
        """Rewrites ``x[i]: int = value``."""
        if not (self._is_done or node.value is None or _fits(node.value)):
            node.target = _guarded(node.target)
        return node

    def visit_For(self, node):
        """Rewrites ``for x[i] in values``."""
        if not self._is_done:
            node.target = _guarded(node.target)
        return node

    visit_AsyncFor = visit_comprehension = visit_For

    def visit_withitem(self, node):
        """Rewrites ``with opened as x[i]``."""
        if not self._is_done and node.optional_vars is not None:
            node.optional_vars = _guarded(node.optional_vars)
        return node

    def visit_Expr(self, node):
        """Rewrites what `in_place` has made of ``x[i] += value``."""
        call = node.value
        if isinstance(call, ast.Call) and getattr(call.func, "id", None) == in_place.PUT:
            place = call.args[0].func
            if place.id == in_place.ITEM:
                place.id = "__numpy1_stored_item__"
        return node


def _fits(node):
    """Tells whether every NumPy stores it alike: no array, and no integer beyond a byte."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_fits(item) for item in node.elts)
    if isinstance(node, ast.Constant):
        return type(node.value) is not int or 0 <= node.value < 128
    return isinstance(node, _NO_ARRAYS)


def _guarded(target):
    """Returns a target whose items of arrays are stored by a helper."""
    if isinstance(target, (ast.Tuple, ast.List)):
        target.elts = [_guarded(part) for part in target.elts]
    elif isinstance(target, ast.Starred):
        target.value = _guarded(target.value)
    elif isinstance(target, ast.Subscript) and not _is_no_item(target.slice):
        target.value = trees.call("__numpy1_items__", target.value, at=target.value)
    return target


def _is_no_item(index):
    """Tells whether an index is certainly no array's."""
    return isinstance(index, ast.Constant) and isinstance(index.value, str)
