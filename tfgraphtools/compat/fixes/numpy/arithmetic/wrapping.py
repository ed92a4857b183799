"""Integers too big for their type, which wrapped around: ``np.uint8(300)`` is 44.

NumPy 2 raises OverflowError for those of Python. What raises it is done again here with
the number as int64, of which the lowest bits stay, as in NumPy 1; nothing else is touched.
"""

import ast
import sys

from tfgraphtools.compat.engine.rows import Fix, Table, used
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import walking
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.numpy import stored_items

_INTEGERS = (
    "int8 uint8 int16 uint16 int32 uint32 int64 uint64 byte ubyte short ushort intc uintc "
    "int_ uint longlong ulonglong intp uintp"
).split()


@walking
def integers(tree):
    """Makes calls of NumPy's integer types, and items that refuse a value, go through here."""
    return _Integers(tree)


class _Integers(stored_items.Stores):
    def __init__(self, tree):
        super().__init__(tree)
        self.names = {
            alias.asname or alias.name
            for node in trees.nodes_of(tree, ast.ImportFrom)
            for alias in node.names
            if node.module == "numpy" and alias.name in _INTEGERS
        }
        if not self.names and trees.read_attributes(tree).isdisjoint(_INTEGERS):
            self.idle += ("visit_Call",)

    def visit_Call(self, node):
        function = node.func
        name = getattr(function, "attr", None)
        if name in _INTEGERS or getattr(function, "id", None) in self.names:
            return trees.wrap_call("__numpy1_integer__", node)
        return node


def integer(*arguments, **options):
    """Returns ``np.uint8(x)``, whatever x is; the first argument is the class."""
    function, *arguments = arguments
    try:
        return function(*arguments, **options)
    except OverflowError:
        numpy = sys.modules["numpy"]
        if not isinstance(function, type) or not issubclass(function, numpy.integer):
            raise
        used(ROW)
        return numpy.asarray(*arguments).astype(function)[()]


def wrapped(array, value):
    """Returns `value` in the type of an array that refused it; raises again for what is none."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(array, numpy.ndarray) or array.dtype.kind not in "ui":
        raise
    used(ROW)
    return numpy.asarray(value).astype(array.dtype)


def _fill(owner, function, value):
    try:
        return function(value)
    except OverflowError:
        return function(wrapped(owner, value))


#: name of a method -> what is called for it; see `methods`.
METHODS = {"fill": _fill}


@in_place_of(
    "numpy.full numpy.full_like", "NumPy 2.0", "a fill value too big for the type wraps around"
)
def _full(original, used, shape, fill_value, dtype=None, *arguments, **options):
    try:
        return original(shape, fill_value, dtype, *arguments, **options)
    except OverflowError:
        import numpy

        used()
        dtype = shape.dtype if dtype is None else dtype
        value = numpy.asarray(fill_value).astype(dtype)
        return original(shape, value, dtype, *arguments, **options)


#: function -> (the names of its array and of what it puts there, the position of the latter).
_PUTTING = {
    "fill_diagonal": ("a", "val", 1),
    "insert": ("arr", "values", 2),
    "place": ("arr", "vals", 2),
    "put": ("a", "v", 2),
    "putmask": ("a", "values", 2),
}


@in_place_of(
    "numpy.fill_diagonal numpy.insert numpy.place numpy.put numpy.putmask",
    "NumPy 2.0",
    "a value too big for the type of the array wraps around",
)
def _put(original, used, *arguments, **options):
    try:
        return original(*arguments, **options)
    except OverflowError:
        owner, name, place = _PUTTING[original.__name__]
        array = arguments[0] if arguments else options[owner]
        if len(arguments) > place:
            value = wrapped(array, arguments[place])
            arguments = (*arguments[:place], value, *arguments[place + 1 :])
        else:
            options[name] = wrapped(array, options[name])
        used()
        return original(*arguments, **options)


ROW = Fix(
    "numpy.wrapping",
    "NumPy 2.0",
    "integers too big for their type wrap around: np.uint8(300), x[0] = 300",
    integers,
)

TABLE = Table("integers that wrap around", "syntax", [ROW])

CALLS = Table("functions in which integers wrap around", "calls", _full + _put)

HELPERS = {"__numpy1_integer__": integer}
