"""Functions that bring several arrays and numbers to one type, which NumPy 1 chose otherwise.

``np.r_[np.float16(1), 0.9]``, ``np.concatenate`` and ``np.result_type``.
"""

import functools

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of, provides
from tfgraphtools.compat.fixes.numpy.arithmetic import common_types

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


@in_place_of(
    "numpy.result_type", _SINCE, "the value of a single number with arrays decides the result type"
)
def _result_type(original, used, *arrays_and_dtypes):
    import numpy

    if all(isinstance(value, (type, str, numpy.dtype)) for value in arrays_and_dtypes):
        return original(*arrays_and_dtypes)
    dtype = common_types.by_values(arrays_and_dtypes)
    if dtype is None:
        return original(*arrays_and_dtypes)
    _asked(numpy, used, arrays_and_dtypes, dtype)
    return dtype


@in_place_of(
    "numpy.concatenate", _SINCE, "the flat result for numbers and arrays has NumPy 1's type"
)
def _concatenate(original, used, arrays, *arguments, **options):
    import numpy

    if hasattr(arrays, "__next__"):
        used()
        arrays = list(arrays)
    axis = arguments[0] if arguments else options.get("axis", 0)
    if axis is None and "dtype" not in options:
        items = [numpy.asarray(array) for array in arrays]
        dtype = common_types.by_values(items) if any(not i.ndim for i in items) else None
        if dtype is not None:
            _asked(numpy, used, arrays, dtype)
            arrays = [item.astype(dtype) for item in items]
    return original(arrays, *arguments, **options)


TABLE = Table(
    "functions of arrays and numbers with a common type",
    "calls",
    [_concatenator("r_"), _concatenator("c_"), *_result_type, *_concatenate],
)
