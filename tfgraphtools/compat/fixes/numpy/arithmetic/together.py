"""Functions that bring several arrays and numbers to one type, which NumPy 1 chose otherwise.

``np.r_[np.float16(1), 0.9]``, ``np.concatenate``, ``np.result_type``, and membership
(``np.in1d``), where NumPy 1 compared an array with one number after the other.
"""

import functools

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides
from tfgraphtools.compat.fixes.numpy.arithmetic import common_types, promotion

_SINCE = "NumPy 2.0"


def _asked(real, used, values, dtype):
    """Says that the row was used where NumPy 2 would choose another type."""
    try:
        today = real.result_type(*values)
    except (OverflowError, TypeError):
        today = None
    if today != dtype:
        used()


class _Concatenator:
    """``np.r_`` or ``np.c_`` whose single numbers have no more than the type of the arrays."""

    def __init__(self, numpy, name, used):
        self._numpy, self._name, self._used = numpy, name, used

    def __getitem__(self, key):
        real = getattr(self._numpy, self._name)
        items = key if isinstance(key, tuple) else (key,)
        is_single = [type(item) in _singles(self._numpy) for item in items]
        if not any(is_single) or any(isinstance(item, str) for item in items[1:]):
            return real[key]
        singles = [
            self._numpy.array(item).dtype for item, single in zip(items, is_single) if single
        ]
        others = [
            self._numpy.r_[item].dtype
            if isinstance(item, slice)
            else self._numpy.asarray(item).dtype
            for item, single in zip(items, is_single)
            if not single and not isinstance(item, str)
        ]
        if any(dtype.kind not in "biufc" for dtype in singles + others):
            return real[key]
        dtype = common_types.of_kinds(others, singles)
        single_items = [item for item, single in zip(items, is_single) if single]
        _asked(self._numpy, self._used, [*others, *single_items], dtype)
        return real[
            tuple(
                self._numpy.array(item).astype(dtype)[()] if single else item
                for item, single in zip(items, is_single)
            )
        ]

    def __getattr__(self, name):
        return getattr(getattr(self._numpy, self._name), name)

    def __len__(self):
        return 0


@functools.lru_cache(maxsize=None)
def _singles(numpy):
    """Returns the types that count as single numbers."""
    return frozenset(numpy.ScalarType) - {str, bytes, memoryview}


def _concatenator(name):
    def provide(real, used):
        return _Concatenator(real, name, used)

    return provides("numpy." + name, _SINCE, "the kind of a single number decides the result type")(
        provide
    )


@provides(
    "numpy.result_type", _SINCE, "the value of a single number with arrays decides the result type"
)
def _result_type(real, used):
    @functools.wraps(real.result_type)
    def result_type(*arrays_and_dtypes):
        dtype = None
        if not all(isinstance(value, (type, str, real.dtype)) for value in arrays_and_dtypes):
            dtype = common_types.by_values(arrays_and_dtypes)
            if dtype is not None:
                _asked(real, used, arrays_and_dtypes, dtype)
        return real.result_type(*arrays_and_dtypes) if dtype is None else dtype

    return result_type


def _flat(name, place):
    """Returns a row of a function that joins arrays and numbers into a flat array."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def join(*arguments, **options):
            if place is not None and hasattr(arguments[0], "__next__"):
                used()
                arguments = (list(arguments[0]), *arguments[1:])
            parts = arguments if place is None else arguments[0]
            if place is None or _axis(arguments, options) is None:
                items = [real.asarray(part) for part in parts]
                dtype = common_types.by_values(items) if any(not i.ndim for i in items) else None
                if dtype is not None and "dtype" not in options:
                    _asked(real, used, parts, dtype)
                    items = [item.astype(dtype) for item in items]
                    arguments = items if place is None else (items, *arguments[1:])
            return function(*arguments, **options)

        return join

    why = "the flat result for numbers and arrays has NumPy 1's type"
    return provides("numpy." + name, _SINCE, why)(provide)


def _axis(arguments, options):
    return arguments[1] if len(arguments) > 1 else options.get("axis", 0)


@provides(
    "numpy.isin",
    _SINCE,
    "a few float64 values are converted to the type of a float32 array before they are compared",
)
def _isin(real, used):
    return functools.wraps(real.isin)(members(real, used))


def members(real, used):
    """Returns ``np.isin``: beside few numbers NumPy 1 compared the array with each by its value."""

    def isin(element, test_elements, assume_unique=False, invert=False, **options):
        array, few = real.asarray(element), real.ravel(test_elements)
        are_floats = array.dtype.kind == few.dtype.kind == "f" and array.dtype != few.dtype
        if not are_floats or len(few) >= 10 * array.size**0.145:  # NumPy sorts them then
            return real.isin(element, test_elements, assume_unique, invert, **options)
        used()
        flat = array.ravel()
        is_member = real.zeros(flat.shape, bool)
        for number in few:
            is_member |= flat == promotion.beside_array(number, number.dtype, flat.dtype)
        return (~is_member if invert else is_member).reshape(array.shape)

    return isin


TABLE = Table(
    "functions of arrays and numbers with a common type",
    "calls",
    [
        _concatenator("r_"),
        _concatenator("c_"),
        _result_type,
        _flat("concatenate", 0),
        _flat("union1d", None),
        _isin,
    ],
)
