"""The operators of user code, rewritten to ask `promotion` first."""

import ast

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.engine.translate import in_place, trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking
from tfgraphtools.compat.fixes.numpy.arithmetic import class_checks, promotion, python_numbers
from tfgraphtools.compat.fixes.python2 import integer_division

#: Displays: what they are added to is a list or a text, and no number.
_NO_NUMBERS = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.JoinedStr, ast.Set)


@walking
def numpy_operators(tree):
    """Makes operators such as ``a + b``, also in place, return the types of NumPy 1."""
    return _Operators(python_numbers.in_tree(tree), in_place.InPlace(tree))


class _Operators(Visitor):
    def __init__(self, of_python, statements):
        self.of_python = of_python  # nodes without a number of NumPy
        self.in_place = statements

    def visit_BinOp(self, node):
        kind = type(node.op).__name__
        if (
            node in self.of_python
            or kind not in promotion.OPERATORS
            or _are_no_numbers(node.left, node.right, kind)
        ):
            return node
        by_helper = trees.call(f"__numpy1_{kind}__", node.left, node.right, at=node)
        if kind in _COUNTING and _is_whole(node.right) and node.left.__class__ is ast.Name:
            return class_checks.or_for_class("__numpy1_int_class__", node, by_helper, node.left)
        return by_helper

    def visit_AugAssign(self, node):
        kind = type(node.op).__name__
        if node in self.of_python:
            return node
        if kind not in promotion.OPERATORS or _are_no_numbers(node.target, node.value, kind):
            return node
        return self.in_place.assigned(node, f"__numpy1_i{kind}__", self.later)

    def visit_Call(self, node):
        name = getattr(node.func, "id", None)
        if name in _DIVISIONS:
            node.func = trees.name_at(_DIVISIONS[name], node.func)
        elif name == in_place.PUT:
            function = node.args[2]
            function.id = _DIVISIONS.get(function.id, function.id)
        return node


_DIVISIONS = {
    "__python2_divide__": "__numpy1_python2_divide__",
    "__python2_divide_in_place__": "__numpy1_python2_divide_in_place__",
}


def _are_no_numbers(left, right, kind):
    """Tells whether NumPy certainly has no part in it: two literals, or a list, a text."""
    literals = _literal(left), _literal(right)
    if str in literals or None not in literals:
        return True
    if kind == "FloorDiv":  # the quotient of a list by an array is an array, and by 0.0 nan
        return False
    return isinstance(left, _NO_NUMBERS) or isinstance(right, _NO_NUMBERS)


#: Operators of counters, such as ``i + 1``.
_COUNTING = ("Add", "Sub", "Mult")


def _is_whole(node):
    return node.__class__ is ast.Constant and node.value.__class__ is int


#: What may be a literal, beside constants.
_LITERALS = frozenset((ast.BinOp, ast.Dict, ast.List, ast.Set, ast.Tuple, ast.UnaryOp))


def _literal(node):
    """Returns the class of a literal; None for what is none."""
    kind = node.__class__
    if kind is ast.Constant:
        return node.value.__class__
    if kind not in _LITERALS:
        return None
    try:
        return type(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError):
        return None


TABLE = Table(
    "arithmetic of NumPy 1",
    "syntax",
    [promotion.PROMOTION._replace(run=numpy_operators)],
)


HELPERS = {
    **in_place.HELPERS,
    "__numpy1_python2_divide__": promotion.binary(integer_division.divide),
    "__numpy1_python2_divide_in_place__": promotion.binary(integer_division.divide_in_place),
}
for _kind, (_operator, _in_place) in promotion.OPERATORS.items():
    HELPERS[f"__numpy1_{_kind}__"] = promotion.binary(_operator, _kind)
    HELPERS[f"__numpy1_i{_kind}__"] = promotion.binary(_in_place, _kind, in_place=True)
