"""Assignments to items of arrays, ``x[i] = value``, that ask again where NumPy refuses the value.

A target ``x[i]`` becomes ``__numpy1_items__(x)[i]``, wherever Python has targets: so Python
itself evaluates all parts, in its order, and stores. What is no array comes back as it is.
The frequent ``x[i] = value`` of a function holds the parts in variables, which is faster.
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
      tree: the module.
      is_done: whether another visitor of this class does it.
    """

    def __init__(self, tree, is_done=False):
        self._is_done = is_done
        self.idle += _METHODS if is_done else ()
        self._parts = in_place.InPlace(tree)

    def visit_Assign(self, node):
        """Rewrites ``x[i] = y[j] = value``."""
        if self._is_done or _fits(node.value):
            return node
        if len(node.targets) == 1 and _is_plain_item(node.targets[0]):
            if self._parts.is_in_function(node):
                return self._caught(node)
        node.targets = [_guarded(target) for target in node.targets]
        return node

    def _caught(self, node):
        """Returns the statements of ``x[i] = value`` of a function: what is refused costs more."""
        item, held = node.targets[0], []
        value = self._parts.held(node, node.value, "__value__", held)
        item.value = self._parts.held(node, item.value, "__owner__", held)
        item.slice = self._parts.held(node, item.slice, "__index__", held)
        parts = [trees.as_read(part) for part in (item.value, item.slice, value)]
        refused = ast.If(
            test=ast.UnaryOp(op=ast.Not(), operand=trees.call("__numpy1_store__", *parts, at=node)),
            body=[ast.Raise(exc=None, cause=None)],
            orelse=[],
        )
        kinds = trees.name_load("__numpy1_refusals__")
        handler = ast.ExceptHandler(type=kinds, name=None, body=[refused])
        stored = ast.Assign(targets=[item], value=value, type_comment=None)
        caught = ast.Try(body=[stored], handlers=[handler], orelse=[], finalbody=[])
        return in_place.in_order(held, [caught], node)

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


#: The methods that do nothing where another visitor does it.
_METHODS = tuple(name for name in vars(Stores) if name.startswith("visit_"))


def _fits(node):
    """Tells whether every NumPy stores it alike: no array, and no integer beyond a byte."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_fits(item) for item in node.elts)
    if isinstance(node, ast.Constant):
        return type(node.value) is not int or 0 <= node.value < 128
    return isinstance(node, _NO_ARRAYS)


def _is_plain_item(target):
    """Tells whether it is an item whose index is an expression, without slices."""
    if not isinstance(target, ast.Subscript) or _is_no_item(target.slice):
        return False
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    kinds = {type(part).__name__ for part in parts}
    return kinds.isdisjoint(("ExtSlice", "Index", "Slice", "Starred"))  # the second: Python 3.8


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
