"""``array == []`` and ``array == "text"``, as NumPy 1 answered: that they are not equal.

Where an array and the other side cannot be compared number by number, NumPy 1 gave
one False (and True for ``!=``); NumPy 2 raises, or gives an array of them. Where
nothing is compared (``array != []`` of one number), NumPy 1 took the empty answer
for False. And ``np.float32(0.9) < 0.9`` compared float64, as `promotion` tells.
"""

import ast
import operator
import sys

from tfgraphtools.compat.engine.rows import Fix, Table, used
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking
from tfgraphtools.compat.fixes.numpy.arithmetic import (
    class_checks,
    compared_kinds,
    containers,
    empty_truth,
    promotion,
    python_numbers,
)

_OPERATORS = {
    ast.Eq: "__numpy1_equal__",
    ast.NotEq: "__numpy1_unequal__",
    ast.Lt: "__numpy1_less__",
    ast.LtE: "__numpy1_less_equal__",
    ast.Gt: "__numpy1_greater__",
    ast.GtE: "__numpy1_greater_equal__",
}
_CONTAINS = (ast.In, ast.NotIn)


@walking
def comparisons(tree):
    """Makes ``a == b``, ``a < b`` and other comparisons call helpers here."""
    picking = trees.BuiltinNames(tree, containers.PICKING)
    return _Comparisons(python_numbers.in_tree(tree), picking)


class _Comparisons(Visitor):
    def __init__(self, of_python, picking):
        self.of_python = of_python  # nodes without a number of NumPy
        self.picking = picking
        self.asked = {}  # what stands for a comparison -> the comparison

    def visit_Compare(self, node):
        sides = node.left, *node.comparators
        if node in self.of_python:
            return node
        if len(sides) > 2:
            return _chained(node)
        helper = _OPERATORS.get(type(node.ops[0]))
        if type(node.ops[0]) in _CONTAINS:
            return _contained(node) if _may_contain_numbers(*sides) else node
        if helper is None or any(_is_plain(side) for side in sides):
            return self._asked(node, helper)
        return _compared(helper, node, *sides)

    def _asked(self, node, helper):
        """Returns a comparison with a small number, which an array of text answers once.

        Where only its truth is asked for, it stays: there NumPy 2 raises, or agrees.
        """
        sides = node.left, node.comparators[0]
        others = [side for side in sides if not _is_number(side)]
        if type(node.ops[0]) not in (ast.Eq, ast.NotEq) or len(others) != 1:
            return node
        compared = trees.call(helper, *sides, at=node)
        new = class_checks.or_for_class("__numpy1_int_class__", node, compared, others[0])
        self.asked[new] = node
        return new

    def _in_truth(self, node):
        """Returns an expression whose truth alone counts, with comparisons that were there."""
        if isinstance(node, ast.BoolOp):
            node.values[:] = map(self._in_truth, node.values)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node.operand = self._in_truth(node.operand)
        return self.asked.get(node, node)

    def visit_If(self, node):
        node.test = self._in_truth(node.test)
        return node

    visit_While = visit_Assert = visit_IfExp = visit_If

    def visit_comprehension(self, node):
        node.ifs[:] = map(self._in_truth, node.ifs)
        return node

    def visit_UnaryOp(self, node):
        return self._in_truth(node)

    def visit_BoolOp(self, node):
        node.values[:-1] = map(self._in_truth, node.values[:-1])
        return node

    def visit_Call(self, node):
        if node in self.of_python:
            return node
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in _ASSERTIONS:
                return trees.wrap_call("__numpy1_assertion__", node)
            if node.func.attr in containers.METHODS:
                return _of_sequence(node)
        elif node.func in self.picking:
            name, count = node.func.id, _count_of_arguments(node)
            helper = containers.PICKING[name].get(count, f"__numpy1_{name}__")
            node.func = trees.name_at(helper, node.func)
        return node


def _count_of_arguments(call):
    """Returns the number of arguments of a call; None where it does not show, or some are named."""
    if call.keywords or any(isinstance(each, ast.Starred) for each in call.args):
        return None
    return len(call.args)


def _of_sequence(node):
    """Returns ``x.index(value)``, or a call of another such method, by a helper."""
    name, count = node.func.attr, _count_of_arguments(node)
    if count is None:
        return trees.wrap_call("__numpy1_sequence__", node)
    if count and _is_found_alike(node.args[0]):
        return node
    if count == 1 and name in containers.OF_ONE:
        value = node.args[0]
        by_helper = trees.call(containers.OF_ONE[name], node.func, value, at=node)
        if not trees.is_path(node.func):
            return by_helper
        by_python = ast.Call(func=trees.as_read(node.func), args=node.args, keywords=[])
        by_python = ast.copy_location(by_python, node)
        owner = node.func.value
        if name == "index" and isinstance(value, ast.Name) and isinstance(owner, ast.Name):
            by_helper = trees.call("__numpy1_index_in__", by_python, owner, value, at=node)
        return class_checks.or_for_class(
            "__numpy1_text_class__", by_python, by_helper, node.args[0]
        )
    if not count and name in containers.OF_NONE:
        return trees.wrap_call(containers.OF_NONE[name], node)
    return trees.wrap_call("__numpy1_sequence__", node) if count else node


def _is_found_alike(node):
    """Tells whether both NumPys find a constant in the same places, whatever is there."""
    return isinstance(node, (ast.JoinedStr)) or (isinstance(node, ast.Constant) and _is_exact(node))


def _compared(helper, node, left, right):
    """Returns the comparison by a helper; beside a length, only where a variable is no int."""
    lengths = [_is_length(side) for side in (left, right)]
    others = [side for side, is_length in zip((left, right), lengths) if not is_length]
    if not others:
        return node
    compared = trees.call(helper, left, right, at=node)
    if len(others) == 2:
        return _or_for_text(node, compared, left, right)
    return class_checks.or_for_class("__numpy1_int_class__", node, compared, others[0])


def _or_for_text(node, compared, left, right):
    """Returns the comparison by a helper; with a text, only where a variable is none."""
    for text, other in ((left, right), (right, left)):
        if isinstance(text, ast.Constant) and type(text.value) is str:
            return class_checks.or_for_class("__numpy1_text_class__", node, compared, other)
    return compared


def _is_length(node):
    """Tells whether it is ``len(x)``, or another integer of Python."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", None) in ("len", "ord")
    return isinstance(node, ast.Constant) and type(node.value) is int


def _chained(node):
    """Makes the operands of ``a < b < c``, each evaluated once or not at all, wide numbers."""
    sides = [node.left, *node.comparators]
    mixed = set()  # places of operands whose comparison depends on their types
    for place, operation in enumerate(node.ops):
        pair = sides[place : place + 2]
        if type(operation) in _OPERATORS and not any(map(_is_plain, pair)):
            mixed.update((place, place + 1))
    for place in mixed:
        if not isinstance(sides[place], ast.Constant):
            sides[place] = _widened(sides[place])
    node.left, *node.comparators = sides
    return node


def _widened(side):
    wide = trees.call("__numpy1_wide__", side, at=side)
    if not isinstance(side, ast.Name):
        return wide
    test = class_checks.is_of_class(side, "__numpy1_int_class__", side)
    read = trees.name_at(side.id, side)
    return ast.copy_location(ast.IfExp(test=test, body=read, orelse=wide), side)


def _contained(node):
    """Rewrites ``a in b`` and ``a not in b``."""
    sides = node.left, node.comparators[0]
    if all(isinstance(side, ast.Name) for side in sides):  # both may be read twice
        names = [trees.name_at(side.id, side) for side in sides]
        by_python = ast.copy_location(ast.Compare(sides[0], [ast.In()], [sides[1]]), node)
        is_text = class_checks.is_of_class(names[0], "__numpy1_text_class__", node)
        is_dict = class_checks.is_of_class(names[1], "__numpy1_dict__", node)
        holds = trees.call("__numpy1_holds__", *names, at=node)
        holds = ast.copy_location(ast.BoolOp(op=ast.Or(), values=[is_text, is_dict, holds]), node)
        is_in = ast.copy_location(ast.BoolOp(op=ast.And(), values=[by_python, holds]), node)
    else:
        is_in = trees.call("__numpy1_in__", *sides, at=node)
        if trees.is_path(sides[1]):
            by_python = ast.Compare(sides[0], [ast.In()], [trees.as_read(sides[1])])
            by_python = ast.copy_location(by_python, node)
            is_in = class_checks.or_for_class("__numpy1_text_class__", by_python, is_in, sides[0])
    if isinstance(node.ops[0], ast.In):
        return is_in
    return ast.copy_location(ast.UnaryOp(op=ast.Not(), operand=is_in), node)


def _may_contain_numbers(value, container):
    """Tells whether ``value in container`` may compare numbers in a list or tuple."""
    if isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and _is_text(value)):
        return False
    if isinstance(container, (ast.List, ast.Tuple, ast.Set)):
        return not all(isinstance(i, ast.Constant) and _is_exact(i) for i in container.elts)
    return not isinstance(container, (ast.Constant, ast.Dict, ast.DictComp, ast.SetComp, ast.Set))


def _is_text(constant):
    return isinstance(constant.value, (str, bytes))


#: Methods of unittest, which compares in a module that is no user code.
_ASSERTIONS = ("assertEqual", "assertNotEqual", "assertEquals", "assertNotEquals")


def _is_plain(node):
    """Tells whether it is ``__name__``, or a constant that both NumPys compare alike."""
    if isinstance(node, ast.Name):
        return node.id == "__name__"
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", None) in ("type", "id")
    return isinstance(node, ast.Constant) and not _is_text(node) and _is_exact(node)


def _is_number(node):
    return isinstance(node, ast.Constant) and type(node.value) in (int, bool)


def _is_exact(constant):
    """Tells whether both NumPys compare a constant alike with a number of any type."""
    value = constant.value
    if type(value) is int:
        return -containers.EXACT <= value <= containers.EXACT
    return not isinstance(value, (float, complex))


class _Special(dict):
    """class -> whether its objects are NumPy's, or containers that may hold such."""

    def __missing__(self, cls):
        self[cls] = promotion.IS_NUMPYS[cls] or containers.compares_items(cls)
        return self[cls]


_IS_SPECIAL = _Special()


_PLAIN = promotion.PLAIN

#: Operators -> what makes a helper quick for values of classes that are none of NumPy's.
_QUICK = {
    operator.eq: lambda general: (
        lambda a, b: a == b if type(a) in _PLAIN and type(b) in _PLAIN else general(a, b)
    ),
    operator.ne: lambda general: (
        lambda a, b: a != b if type(a) in _PLAIN and type(b) in _PLAIN else general(a, b)
    ),
    operator.lt: lambda general: (
        lambda a, b: a < b if type(a) in _PLAIN and type(b) in _PLAIN else general(a, b)
    ),
    operator.le: lambda general: (
        lambda a, b: a <= b if type(a) in _PLAIN and type(b) in _PLAIN else general(a, b)
    ),
    operator.gt: lambda general: (
        lambda a, b: a > b if type(a) in _PLAIN and type(b) in _PLAIN else general(a, b)
    ),
    operator.ge: lambda general: (
        lambda a, b: a >= b if type(a) in _PLAIN and type(b) in _PLAIN else general(a, b)
    ),
}


def comparing(function, answer):
    """Returns the helper for one operator; `answer` where the sides cannot be compared."""
    is_equal = not answer

    def helper(a, b):
        if not (_IS_SPECIAL[a.__class__] or _IS_SPECIAL[b.__class__]):
            return function(a, b)
        numpy = sys.modules.get("numpy")
        if numpy is None or not (isinstance(a, numpy.ndarray) or isinstance(b, numpy.ndarray)):
            result = function(*promotion.mixed_operands(a, b))
            if result is is_equal and containers.are_containers(a, b):
                return answer if not containers.is_equal(a, b) else result
            return result
        if compared_kinds.are_strangers(a, b):
            used(ROW)
            return answer
        try:
            result = function(*promotion.mixed_operands(a, b))
            return empty_truth.truth(result)
        except ValueError as error:
            if "broadcast" not in str(error) and "inhomogeneous" not in str(error):
                raise
            used(ROW)
            return answer

    return _QUICK[function](helper)


def ordering(function):
    """Returns the helper for ``<``, ``<=``, ``>`` and ``>=``."""

    def helper(a, b):
        if not (_IS_SPECIAL[a.__class__] or _IS_SPECIAL[b.__class__]):
            return function(a, b)
        if containers.are_containers(a, b):
            return containers.ordered(function, a, b)
        return empty_truth.truth(function(*promotion.mixed_operands(a, b)))

    return _QUICK[function](helper)


def asserted(*sides, **options):
    """Calls ``test.assertNotEqual(a, b)``, whose sides are compared as those of user code."""
    method, *sides = sides
    if len(sides) > 1 and any(promotion.IS_NUMPYS[type(side)] for side in sides[:2]):
        a, b, *message = sides
        if HELPERS["__numpy1_unequal__"](a, b) is True:  # one answer: they cannot be compared
            a, b = _Shown(a), _Shown(b)
        sides = (a, b, *message)
    return method(*sides, **options)


class _Shown:
    """An object that equals no other, and is shown as the value it stands for."""

    def __init__(self, value):
        self._value = value

    def __repr__(self):
        return repr(self._value)


ROW = Fix(
    "numpy.compared",
    "NumPy 1.25",
    "an array that cannot be compared with the other operand (array == [], array == 'a') is not "
    "equal to it",
    comparisons,
    cannot="compare arrays of the same shape: NumPy 2 raises otherwise",
)

#: name of a function of `operator` -> the helper that compares so.
HELPER_OF = {
    "eq": "__numpy1_equal__",
    "ne": "__numpy1_unequal__",
    "lt": "__numpy1_less__",
    "le": "__numpy1_less_equal__",
    "gt": "__numpy1_greater__",
    "ge": "__numpy1_greater_equal__",
}

TABLE = Table("comparisons of NumPy 1", "syntax", [ROW])

HELPERS = {
    "__numpy1_dict__": dict,
    "__numpy1_int_class__": int,
    "__numpy1_text_class__": str,
    "__numpy1_type__": type,
    "__numpy1_equal__": comparing(operator.eq, False),
    "__numpy1_unequal__": comparing(operator.ne, True),
    "__numpy1_assertion__": asserted,
    "__numpy1_less__": ordering(operator.lt),
    "__numpy1_less_equal__": ordering(operator.le),
    "__numpy1_greater__": ordering(operator.gt),
    "__numpy1_greater_equal__": ordering(operator.ge),
}
