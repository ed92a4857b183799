"""Integers too big for their type, which wrapped around: ``np.uint8(300)`` is 44.

NumPy 2 raises OverflowError for those of Python. What raises it is done again here with
the number as int64, of which the lowest bits stay, as in NumPy 1; nothing else is touched.
"""

import ast
import functools
import sys

from tfgraphtools.compat.engine.rows import Row, Table, used
from tfgraphtools.compat.engine.translate import trees
from tfgraphtools.compat.engine.translate.tree_walk import Visitor, walking
from tfgraphtools.compat.fixes.build import provides
from tfgraphtools.compat.fixes.numpy import stored_items

_INTEGERS = (
    "int8 uint8 int16 uint16 int32 uint32 int64 uint64 byte ubyte short ushort intc uintc "
    "int_ uint longlong ulonglong intp uintp"
).split()


@walking
def integers(tree):
    """Makes calls of NumPy's integer types, and items that refuse a value, go through here."""
    return _Integers(tree)


class _Integers(Visitor):
    def __init__(self, tree):
        self.names = {
            alias.asname or alias.name
            for node in trees.nodes_of(tree, ast.ImportFrom)
            for alias in node.names
            if node.module == "numpy" and alias.name in _INTEGERS
        }

    def visit_Call(self, node):
        self.generic_visit(node)
        function = node.func
        name = getattr(function, "attr", None)
        if name in _INTEGERS or getattr(function, "id", None) in self.names:
            return trees.through("__numpy1_integer__", node)
        return node

    def visit_Assign(self, node):
        self.generic_visit(node)
        return stored_items.guarded(node)


def integer(function, *arguments, **options):
    """Returns ``np.uint8(x)``, whatever x is."""
    try:
        return function(*arguments, **options)
    except OverflowError:
        numpy = sys.modules["numpy"]
        if not isinstance(function, type) or not issubclass(function, numpy.integer):
            raise
        used(ROW)
        return numpy.asarray(*arguments).astype(function)[()]


def wrapped(array, value, say=lambda: used(ROW)):
    """Returns `value` in the type of an array that refused it; raises again for what is none."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(array, numpy.ndarray) or array.dtype.kind not in "ui":
        raise
    say()
    return numpy.asarray(value).astype(array.dtype)


def _storing(place, *say):
    """Returns a method that stores the value at this place of its arguments."""

    def call(owner, function, *arguments, **options):
        try:
            return function(*arguments, **options)
        except OverflowError:
            if len(arguments) <= place:
                raise
            value = wrapped(owner, arguments[place], *say)
            return function(*arguments[:place], value, *arguments[place + 1 :], **options)

    return call


#: name of a method -> what is called for it; see `methods`.
METHODS = {"fill": _storing(0), "put": _storing(1)}


def _filling(name):
    """Returns a row of full or full_like: argument 1 is the value, then the type."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def fill(shape, fill_value, dtype=None, *arguments, **options):
            try:
                return function(shape, fill_value, dtype, *arguments, **options)
            except OverflowError:
                used()
                dtype = shape.dtype if dtype is None else dtype
                value = real.asarray(fill_value).astype(dtype)
                return function(shape, value, dtype, *arguments, **options)

        return fill

    return provides("numpy." + name, "NumPy 2.0", "a fill value too big for the type wraps around")(
        provide
    )


def _into(name, place):
    """Returns a row of a function that puts the value at this place into its first argument."""

    def provide(real, used):
        function = getattr(real, name)
        call = _storing(place, used)

        @functools.wraps(function)
        def store(array, *arguments, **options):
            return call(array, functools.partial(function, array), *arguments, **options)

        return store

    return provides("numpy." + name, "NumPy 2.0", "integers too big for the array wrap around")(
        provide
    )


@provides("numpy.fromiter", "NumPy 2.0", "integers too big for the type wrap around")
def _fromiter(real, used):
    @functools.wraps(real.fromiter)
    def fromiter(iter, dtype, *arguments, **options):
        if real.dtype(dtype).kind not in "ui":
            return real.fromiter(iter, dtype, *arguments, **options)
        items = list(iter)
        try:
            return real.fromiter(items, dtype, *arguments, **options)
        except OverflowError:
            used()
            items = real.asarray(items).astype(dtype)
            return real.fromiter(items, dtype, *arguments, **options)

    return fromiter


ROW = Row(
    "numpy.wrapping",
    "NumPy 2.0",
    "integers too big for their type wrap around: np.uint8(300), x[0] = 300",
    integers,
)

TABLE = Table("integers that wrap around", "syntax", [ROW])

CALLS = Table(
    "functions in which integers wrap around",
    "calls",
    [
        _filling("full"),
        _filling("full_like"),
        *[_into(name, 1) for name in ("place", "putmask", "put", "insert")],
        _into("copyto", 0),
        _fromiter,
    ],
)

HELPERS = {"__numpy1_integer__": integer}
