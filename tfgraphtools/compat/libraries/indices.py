"""One-element arrays as whole numbers: ``stream.read(n)``, ``range(n)``, ``x.reshape(n, 784)``.

The reader of MNIST files that half of the early scripts copied takes sizes out of a
file as arrays of one number. Until 1.12 NumPy let those stand for that number.
"""

import ast
import sys

from tfgraphtools.compat.python2 import nodes
from tfgraphtools.compat.rows import Row, Table, used

#: Functions and methods of Python and NumPy that take sizes, by the last part of their name.
_TAKE_SIZES = frozenset(
    "arange empty full ones randint range read repeat reshape resize seek tile xrange zeros".split()
)

#: What Python 2's range and xrange have become by now.
_TAKE_SIZES_TOO = frozenset(["__python2_range__", "__python2_xrange__"])

_REFUSED = "only integer scalar arrays can be converted to a scalar index"


def sizes(tree, path):
    """Has ``f(n)`` take an array of one whole number, where f is a function that takes sizes."""
    return _Calls().visit(tree)


class _Calls(ast.NodeTransformer):
    def visit_Call(self, node):
        self.generic_visit(node)
        function = node.func
        name = getattr(function, "attr", None) or getattr(function, "id", None)
        if name in _TAKE_SIZES | _TAKE_SIZES_TOO and not _are_literals(node):
            node.args.insert(0, function)
            node.func = ast.copy_location(nodes.load("__numpy1_sized__"), function)
        return node


def _are_literals(node):
    values = node.args + [keyword.value for keyword in node.keywords]
    return all(isinstance(value, ast.Constant) for value in values)


def sized(function, *arguments, **options):
    """``function(...)``, once more with numbers where it refuses arrays of one number."""
    try:
        return function(*arguments, **options)
    except TypeError as error:
        if str(error) != _REFUSED or _is_users(function):
            raise
        numbers = tuple(_as_size(value) for value in arguments)
        named = {name: _as_size(value) for name, value in options.items()}
        same = all(new is old for new, old in zip(numbers, arguments))
        if same and all(named[name] is options[name] for name in options):
            raise
    used(ROW)
    return function(*numbers, **named)


def _is_users(function):
    """Whether the script defines it: what it has done before it failed must not be done twice."""
    from tfgraphtools.compat import importer

    builtins = getattr(function, "__globals__", {}).get("__builtins__")
    return builtins is importer.user_builtins()


def _as_size(value):
    """`value` with a number in the place of each array of one whole number."""
    if type(value) in (tuple, list):
        items = [_as_size(item) for item in value]
        changed = any(new is not old for new, old in zip(items, value))
        return type(value)(items) if changed else value
    if not isinstance(value, sys.modules["numpy"].ndarray):
        return value
    is_one = value.ndim > 0 and value.size == 1 and value.dtype.kind in "iu"
    return value.item() if is_one else value


ROW = Row(
    "numpy.one_element_size",
    "NumPy 1.12",
    "an array of one whole number is a size: stream.read(n), range(n), x.reshape(n, 784)",
    sizes,
)

TABLE = Table("arrays of one number as sizes", "syntax", [ROW])

HELPERS = {"__numpy1_sized__": sized}
