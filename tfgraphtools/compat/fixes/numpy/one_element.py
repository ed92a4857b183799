"""An array of one element in the place of a number, as NumPy took it until 2.4.

``float(x)``, ``"%f" % x``, ``math.exp(x)`` and ``losses[i] = x``, where x is what
``sess.run`` gave for a tensor of shape [1] or [1, 1], or such a tensor of eager execution.
What works by itself is not touched: only a refusal is asked again with the number.
"""

import ast
import functools
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.translate import in_place, trees
from tfgraphtools.compat.engine.translate.tree_walk import walking
from tfgraphtools.compat.fixes.numpy import scalar_printing, stored_items
from tfgraphtools.compat.fixes.numpy.arithmetic import promotion, python_numbers, wrapping
from tfgraphtools.compat.fixes.numpy.called_again import (
    calls_again,
    calls_again_with_one,
    each_changed,
)


@walking
def numbers(tree):
    """Makes conversions, ``%``, functions of math and items of arrays take such arrays."""
    return _Numbers(tree)


ROW = rows.Fix(
    "numpy.one_element",
    "NumPy 2.4",
    "an array of one element is a number: float(x), '%f' % x, math.exp(x), losses[i] = x",
    numbers,
    cannot="take the element: x.item()",
)


#: The classes that convert an array of one element.
_CONVERTING = ("float", "int", "complex")


class _Numbers(stored_items.Stores):
    def __init__(self, tree):
        super().__init__(tree, is_done=rows.is_on(wrapping.ROW))
        self.of_python = python_numbers.in_tree(tree)  # nodes without a number of NumPy
        self.classes = trees.BuiltinNames(tree, _CONVERTING)
        self.modules, self.functions = _names_of_math(tree)
        has_math = self.modules or self.functions
        if not has_math and trees.read_names(tree).isdisjoint(_CONVERTING):
            self.idle += ("visit_Call",)

    def visit_Call(self, node):
        if node in self.of_python:
            return node
        name = getattr(node.func, "id", None)
        if node.func in self.classes and len(node.args) == 1:
            suffix = "_of" if trees.has_one_argument(node) else ""
            helper = trees.name_load(f"__numpy1_{name}{suffix}__")
            node.func = ast.copy_location(helper, node.func)
        elif name in self.functions or self._is_of_math(node.func):
            suffix = "_of" if trees.has_one_argument(node) else ""
            return trees.wrap_call(f"__numpy1_number{suffix}__", node)
        return node

    def _is_of_math(self, function):
        of = getattr(function, "value", None)
        return isinstance(function, ast.Attribute) and getattr(of, "id", None) in self.modules

    def visit_BinOp(self, node):
        if node in self.of_python:
            return node
        if isinstance(node.op, ast.Mod) and trees.string_value(node.left) is not None:
            return trees.call("__numpy1_format__", node.left, node.right, at=node)
        return node


def _names_of_math(tree):
    """Returns (the names under which a tree has the module math, those of functions of it)."""
    modules, functions = set(), set()
    for node in trees.nodes_of(tree, ast.Import, ast.ImportFrom):
        if isinstance(node, ast.Import):
            modules.update(a.asname or a.name for a in node.names if a.name == "math")
        elif node.module == "math" and not node.level:
            functions.update(a.asname or a.name for a in node.names)
    if "math" not in trees.bound_names(tree):  # a text that is evaluated, or a star import
        modules.update({"math"} & trees.read_names(tree))
    return modules, functions


# Helpers that the rewritten code calls ----------------------------------------------


def _with_numbers(error, function, arguments, options):
    """Returns the arguments of a second call, with numbers in the place of such arrays."""
    again = each_changed(_as_item, arguments, options)
    if again is not None:
        rows.used(ROW)
    return again


#: Calls a class of numbers, or a function of the module math.
number = calls_again(TypeError, _with_numbers)
_number_of = calls_again_with_one(TypeError, _with_numbers)


def _converting(cls):
    """Returns ``float``, ``int`` or ``complex`` of one argument."""

    def convert(value):
        try:
            return cls(value)
        except TypeError as error:
            again = _with_numbers(error, cls, [value], {})
            if again is None:
                raise
        return cls(*again[0])

    return convert


def _as_item(value):
    return _array(value).item() if _is_one(value) else value


def store(array, index, value):
    """Tells whether ``array[index] = value``, which was refused, could be done with a number."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(array, numpy.ndarray):
        return False
    if isinstance(sys.exc_info()[1], OverflowError):
        if rows.is_off(wrapping.ROW.name):
            return False
        array[index] = wrapping.wrapped(array, value)
        return True
    if isinstance(value, (list, tuple)) or not rows.is_on(ROW):
        return False
    value = numpy.asarray(value)
    if not _is_one(value) or numpy.ndim(array[index]):
        return False
    rows.used(ROW)
    array[index] = value.reshape(())
    return True


class Items:
    """The items of an array, to which user code assigns."""

    __slots__ = ("array",)

    def __init__(self, array):
        self.array = array

    def __setitem__(self, index, value):
        try:
            self.array[index] = value
        except (TypeError, ValueError, OverflowError):
            if not store(self.array, index, value):
                raise


class _Arrays(dict):
    """class -> whether its objects are arrays of NumPy; asked once a class."""

    def __missing__(self, cls):
        self[cls] = promotion.IS_NUMPYS[cls] and issubclass(cls, sys.modules["numpy"].ndarray)
        return self[cls]


_IS_ARRAY = _Arrays()


def items(value):
    """Returns what stores items of a value: the value itself, where it is no array."""
    return Items(value) if _IS_ARRAY[type(value)] else value


class StoredItem(in_place.Item):
    """An item that an augmented assignment reads and stores."""

    __slots__ = ()

    def store(self, value):
        """Makes the item hold another value."""
        items(self.owner)[self.index] = value


def formatting(text, values):
    """Returns ``text % values``."""
    try:
        return text % values
    except TypeError:
        items = values if isinstance(values, tuple) else (values,)
        numbers = tuple(_as_number(item) for item in items)
        if all(number is item for number, item in zip(numbers, items)):
            raise
        rows.used(ROW)
        return text % numbers


def formatting_in_mode(text, values):
    """Returns ``text % values``, with NumPy's numbers as NumPy 1 shows them."""
    cls = values.__class__
    if cls in scalar_printing.PLAIN:
        return text % values
    if cls is tuple and scalar_printing.PLAIN.issuperset(map(type, values)):
        return text % values
    return scalar_printing.in_mode(formatting, text, values)


def modulo(a, b):
    """Returns ``a % b``, for the helper for ``%``."""
    if type(a) is str:
        return formatting_in_mode(a, b)
    return _modulo(a, b)


_modulo = promotion.binary(promotion.OPERATORS["Mod"][0], "Mod")


def _is_one(value):
    value = _array(value)
    return promotion.IS_NUMPYS[type(value)] and value.ndim > 0 and value.size == 1


def _array(value):
    """Returns the array of a tensor of eager execution, which converts as that does."""
    return value.numpy() if type(value).__name__ == "EagerTensor" else value


def _as_number(value):
    """Returns an array of one element as one that still converts to a number."""
    if not _is_one(value):
        return value
    numpy = sys.modules["numpy"]

    class Number(numpy.ndarray):
        def __float__(self):
            return float(self.item())

        def __int__(self):
            return int(self.item())

    return _array(value).view(Number)


_CLASSES = (float, int, complex)

HELPERS = {
    **{f"__numpy1_{cls.__name__}__": functools.partial(number, cls) for cls in _CLASSES},
    **{f"__numpy1_{cls.__name__}_of__": _converting(cls) for cls in _CLASSES},
    "__numpy1_format__": formatting,
    "__numpy1_format_in_mode__": formatting_in_mode,
    "__numpy1_number__": number,
    "__numpy1_number_of__": _number_of,
    "__numpy1_items__": items,
    "__numpy1_refusals__": (TypeError, ValueError, OverflowError),
    "__numpy1_store__": store,
    "__numpy1_stored_item__": StoredItem,
    "__numpy1_Mod__": modulo,
}

TABLE = rows.Table("arrays of one element as numbers", "syntax", [ROW])
