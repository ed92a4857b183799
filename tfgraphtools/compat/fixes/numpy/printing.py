"""How NumPy's scalars print in user code: ``[0.5]``, not ``[np.float32(0.5)]``.

NumPy has one mode for the whole process, which is left alone. So the places where user
code makes text (``print``, ``str``, ``repr``, ``%``, ``format``, f-strings, logging, pprint, the
value of a notebook's cell) use NumPy 1's mode while they do so, if a number or an array of NumPy
is in it.
"""

import ast
import operator
import sys

from tfgraphtools.compat.engine import nodes, rows
from tfgraphtools.compat.engine.replacing import replaces
from tfgraphtools.compat.engine.rewrite.walk import Visitor, walking
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.numpy.arithmetic import promotion

_CONTAINERS = (list, tuple, dict, set, frozenset)

#: What stands at the right of ``text % [x]``, in which the rewrite of operators has no part.
_DISPLAYS = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.Set)

#: How deep containers are looked into.
_DEPTH = 12

#: Functions whose arguments become text one by one.
_PRINTS = ("print", "__python2_print__")

#: What ``f"{x!r}"`` has for its letter.
_REPR = ord("r")


@walking
def texts(tree):
    """Makes text of user code show NumPy's scalars as numbers."""
    return _Texts(nodes.bound_names(tree))


class _Texts(Visitor):
    def __init__(self, bound):
        self.builtins = {*_PRINTS, "str", "__python2_str__", "repr", "map"} - bound

    def visit_Call(self, node):
        self.generic_visit(node)
        name = getattr(node.func, "id", None)
        if name == "__numpy1_format__":  # of `one_element`
            return nodes.through("__numpy1_in_mode__", node)
        if isinstance(node.func, ast.Attribute):
            if node.func.attr == "format":
                return nodes.through("__numpy1_in_mode__", node)
        elif name not in self.builtins:
            return node
        elif name in _PRINTS or "str" in name:
            node.args = [_shown(argument) for argument in node.args]
        elif name == "repr" and len(node.args) == 1 and not node.keywords:
            return nodes.through("__numpy1_in_mode__", node)
        elif name == "map" and node.args and getattr(node.args[0], "id", None) in self.builtins:
            helper = _MAPPED.get(node.args[0].id)
            if helper:
                node.args[0] = ast.copy_location(nodes.load(helper), node.args[0])
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        is_text = nodes.word(node.left) is not None or isinstance(node.right, _DISPLAYS)
        if isinstance(node.op, ast.Mod) and is_text:
            return nodes.call("__numpy1_percent__", node.left, node.right, at=node)
        return node

    def visit_FormattedValue(self, node):
        self.generic_visit(node)
        if node.conversion == _REPR:
            node.value = nodes.call("__numpy1_repr__", node.value, at=node.value)
            node.conversion = -1
        elif node.format_spec is None:
            node.value = _shown(node.value)
        return node


#: Functions in ``map(str, xs)`` -> helpers.
_MAPPED = {"str": "__numpy1_str__", "repr": "__numpy1_repr__"}


def _shown(argument):
    """The argument of ``print`` or ``str``, which may become text here already."""
    if isinstance(argument, (ast.Constant, ast.JoinedStr)):
        return argument
    if isinstance(argument, ast.Starred):
        value = nodes.call("__numpy1_all_shown__", argument.value, at=argument)
        return ast.copy_location(ast.Starred(value=value, ctx=ast.Load()), argument)
    return nodes.call("__numpy1_shown__", argument, at=argument)


# What the rewritten code calls ----------------------------------------------


def differs(value, depth=_DEPTH):
    """Tells whether the representation of a value has a number or an array of NumPy in it."""
    if isinstance(value, _CONTAINERS) and depth:
        items = (*value, *value.values()) if isinstance(value, dict) else value
        return any(differs(item, depth - 1) for item in items)
    return promotion.IS_NUMPYS[type(value)]


def in_mode(function, *arguments, **options):
    """``function(...)``, in NumPy 1's mode if such a value is among what it gets.

    Of a method ``format`` only that of text is concerned.
    """
    owner = getattr(function, "__self__", None)
    is_others = not isinstance(owner, str) and getattr(function, "__name__", "") == "format"
    if is_others or not (differs(arguments) or differs(options)):
        return function(*arguments, **options)
    return _with_mode(function, *arguments, **options)


def _with_mode(function, *arguments, **options):
    numpy = sys.modules["numpy"]
    if rows.is_off(SCALARS.name) or numpy.get_printoptions()["legacy"]:  # the user's choice
        return function(*arguments, **options)
    rows.used(SCALARS)
    with numpy.printoptions(legacy="1.21"):
        return function(*arguments, **options)


def percent(text, values):
    """``text % values``."""
    return in_mode(operator.mod, text, values)


def shown(value):
    """The value, or its text where that of NumPy 2 is another."""
    cls = type(value)
    if isinstance(value, _CONTAINERS):
        return _with_mode(str, value) if differs(value) else value
    if promotion.IS_NUMPYS[cls] and value.dtype.kind in "OV":
        return _with_mode(str, value)
    return value


def all_shown(values):
    """``*values`` of ``print(*values)``."""
    return [shown(value) for value in values]


def str_(value=""):
    """``str`` in ``map(str, values)``."""
    return str(shown(value))


def repr_(value):
    """``repr``."""
    return in_mode(repr, value)


# Libraries that user code has make text -------------------------------------


SCALARS = Row(
    "numpy.scalar_printing",
    "NumPy 2.0",
    "scalars in lists, dicts and tuples print as numbers: {'acc': 0.5}",
    texts,
)

#: Who may stand between user code and the record of a message.
_LOGGING = ("logging", "absl", "tensorflow", "tensorflow_estimator")


@replaces("logging:LogRecord.getMessage", row=SCALARS, through=_LOGGING)
def get_message(original, self):
    if not differs((self.msg, self.args)):
        return original(self)
    return _with_mode(original, self)


@replaces("pprint:PrettyPrinter.pformat", row=SCALARS)
def _pformat(original, self, value):
    return _with_mode(original, self, value) if differs(value) else original(self, value)


@replaces("pprint:PrettyPrinter.pprint", row=SCALARS)
def _pprint(original, self, value):
    return _with_mode(original, self, value) if differs(value) else original(self, value)


@replaces(
    "IPython.core.displayhook:DisplayHook.__call__", row=SCALARS, through=("IPython", "traitlets")
)
def _display(original, self, result=None):
    return _with_mode(original, self, result) if differs(result) else original(self, result)


REPLACEMENTS = (get_message, _pformat, _pprint, _display)

TABLE = Table("how NumPy prints", "syntax", [SCALARS])

HELPERS = {
    "__numpy1_in_mode__": in_mode,
    "__numpy1_percent__": percent,
    "__numpy1_shown__": shown,
    "__numpy1_all_shown__": all_shown,
    "__numpy1_str__": str_,
    "__numpy1_repr__": repr_,
}
