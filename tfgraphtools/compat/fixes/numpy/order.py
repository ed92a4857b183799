"""The order of equal numbers in ``argsort``, ``argpartition`` and ``partition``, as in NumPy 1.18.

NumPy 1 sorted by one algorithm; since 1.25 numbers of two to eight bytes are sorted or selected by
the processor's vectors where it has them, and equal ones (and NaNs) come out in another order:
``np.argsort(lengths)`` makes other batches. A long double has no vectors, so NumPy still
sorts it by NumPy 1's algorithm, as fast as NumPy 1 was, and it holds every such number exactly.
"""

import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.engine.rows import Fix, Table
from tfgraphtools.compat.fixes.build import in_place_of

SINCE = "NumPy 1.25"
WHY = "places equal numbers in the order of NumPy 1"

#: The place of `kind` behind the array.
_PLACE_OF_KIND = {"argsort": 1, "argpartition": 2, "partition": 2}

_DEFAULTS = (None, "quicksort", "introselect")


def is_concerned(dtype):
    """Tells whether vectors may sort numbers of the type, and a long double holds them."""
    if dtype.kind not in "fiu" or dtype.itemsize not in (2, 4, 8):
        return False
    return sys.modules["numpy"].finfo("longdouble").nmant >= 63  # of Intel's processors


def wide(array, name, arguments, options):
    """Returns the array in a type that is sorted as in NumPy 1, or None where its own is."""
    numpy = sys.modules["numpy"]
    if type(array) in (list, tuple):
        array = numpy.asarray(array)
    classes = (numpy.ndarray, numpy.matrix, numpy.memmap, numpy.ma.MaskedArray)
    if type(array) not in classes or not is_concerned(array.dtype):
        return None
    place = _PLACE_OF_KIND[name]
    kind = arguments[place] if len(arguments) > place else options.get("kind")
    return array.astype("longdouble") if kind in _DEFAULTS and not options.get("stable") else None


@in_place_of("numpy.argsort numpy.argpartition numpy.partition", SINCE, WHY)
def _function(original, used, a, *arguments, **options):
    name = original.__name__
    widened = wide(a, name, arguments, options)
    if widened is None:
        return original(a, *arguments, **options)
    used()
    result = original(widened, *arguments, **options)
    if name == "partition":
        return result.astype(sys.modules["numpy"].asarray(a).dtype)
    return result


def _method(owner, function, *arguments, **options):
    """Calls ``owner.argsort(...)`` or ``owner.argpartition(...)``."""
    name = function.__name__
    widened = None if rows.is_off(ROW.name) else wide(owner, name, arguments, options)
    if widened is None:
        return function(*arguments, **options)
    rows.used(ROW)
    return getattr(widened, name)(*arguments, **options)


def _in_place(owner, function, *arguments, **options):
    """Calls ``owner.partition(...)``."""
    widened = None if rows.is_off(ROW.name) else wide(owner, "partition", arguments, options)
    if widened is None:
        return function(*arguments, **options)
    rows.used(ROW)
    widened.partition(*arguments, **options)
    owner[...] = widened
    return None


#: For `arithmetic.methods`: name of a method -> what is called for it.
METHODS = {"argsort": _method, "argpartition": _method, "partition": _in_place}

ROW = Fix(
    "numpy.order_of_equals",
    SINCE,
    "x.argsort(): " + WHY,
    cannot="pass kind='stable' if the order of equal numbers matters",
)

TABLE = Table("the order of equal numbers", "calls", _function)
OF_METHODS = Table("the order of equal numbers, by methods", "listed", [ROW])
