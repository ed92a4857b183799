"""Methods that NumPy's arrays had."""

import operator
import sys

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import left, of


def _itemset(array):
    def itemset(*arguments):
        place = arguments[:-1]
        if len(place) == 1 and not isinstance(place[0], tuple):
            array.flat[place[0]] = arguments[-1]
        else:
            array[place[0] if len(place) == 1 else place] = arguments[-1]

    return itemset


def _newbyteorder(array):
    return lambda order="S": array.view(array.dtype.newbyteorder(order))


def _ptp(array):
    numpy = sys.modules["numpy"]
    return lambda *arguments, **options: numpy.ptp(array, *arguments, **options)


def _row(method, since, why, function):
    return left(f"numpy.ndarray.{method}", since, why, of("numpy"), {method: function})


TABLE = Table(
    "methods that NumPy's arrays had",
    "listed",
    [
        _row("tostring", "NumPy 2.3", "array.tobytes()", operator.attrgetter("tobytes")),
        _row("ptp", "NumPy 2.0", "numpy.ptp(array)", _ptp),
        _row("itemset", "NumPy 2.0", "array[i] = x", _itemset),
        _row("newbyteorder", "NumPy 2.0", "a view of the array", _newbyteorder),
    ],
)
