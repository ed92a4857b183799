"""The order of equal numbers in ``argsort`` and ``argpartition``, as in NumPy 1.

NumPy 1 sorted by one algorithm; since 1.25 numbers of four and eight bytes are sorted by the
processor's vectors where it has them, and equal ones (and NaNs) come out in another order:
``np.argsort(-scores)[:k]`` names other items. A long double has no vectors, so NumPy still
sorts it by NumPy 1's algorithm, and it holds every such number exactly.
"""

import functools
import sys

from tfgraphtools.compat.engine import nodes, rows
from tfgraphtools.compat.engine.rewrite.walk import Visitor, walking
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.build import made

_SINCE = "NumPy 1.25"
_WHY = "equal numbers are in the order of NumPy 1"

#: name -> the algorithm that NumPy calls its default.
_ALGORITHMS = {"argsort": "quicksort", "argpartition": "introselect"}

#: The place of `kind` behind the array.
_PLACE_OF_KIND = {"argsort": 1, "argpartition": 2}


def _is_concerned(array, name, arguments, options):
    """Whether the order of equal numbers in this array is another one by now."""
    numpy = sys.modules["numpy"]
    classes = (numpy.ndarray, numpy.matrix, numpy.memmap, numpy.ma.MaskedArray)
    if type(array) not in classes:
        return False
    if array.dtype.kind not in "fiu" or array.dtype.itemsize not in (4, 8):
        return False
    if numpy.finfo(numpy.longdouble).nmant < 63:  # no Intel processor: there are no such vectors
        return False
    place = _PLACE_OF_KIND[name]
    kind = arguments[place] if len(arguments) > place else options.get("kind")
    return kind in (None, _ALGORITHMS[name]) and not options.get("stable")


def _as_before(function, array, name, arguments, options):
    """(what the method of that name gave in NumPy 1, whether it is something else today)."""
    numpy = sys.modules["numpy"]
    today = function(*arguments, **options)
    before = getattr(array.astype(numpy.longdouble), name)(*arguments, **options)
    return before, not numpy.array_equal(today, before)


def _function(name):
    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def call(a, *arguments, **options):
            array = real.asarray(a) if isinstance(a, (list, tuple)) else a
            if not _is_concerned(array, name, arguments, options):
                return function(a, *arguments, **options)
            method = functools.partial(function, array)
            found, is_other = _as_before(method, array, name, arguments, options)
            if is_other:
                used()
            return found

        return call

    return made("numpy." + name, _SINCE, _WHY)(provide)


@walking
def methods(tree):
    """Has ``x.argsort()`` sort as NumPy 1, where x is an array."""
    return _Calls()


class _Calls(Visitor):
    def visit_Call(self, node):
        self.generic_visit(node)
        if getattr(node.func, "attr", None) in _ALGORITHMS:
            return nodes.through("__numpy1_order__", node)
        return node


def ordered(function, *arguments, **options):
    """``function(...)``; a method of an array is that one of NumPy 1."""
    array, name = getattr(function, "__self__", None), getattr(function, "__name__", None)
    if array is None or rows.is_off(METHODS.name) or name not in _ALGORITHMS:
        return function(*arguments, **options)
    if "numpy" not in sys.modules or not _is_concerned(array, name, arguments, options):
        return function(*arguments, **options)
    found, is_other = _as_before(function, array, name, arguments, options)
    if is_other:
        rows.used(METHODS)
    return found


METHODS = Row("numpy.order_of_equals", _SINCE, "x.argsort(): " + _WHY, methods)

TABLE = Table("the order of equal numbers", "calls", [_function(name) for name in _ALGORITHMS])
SYNTAX = Table("the order of equal numbers, by methods", "syntax", [METHODS])

HELPERS = {"__numpy1_order__": ordered}
