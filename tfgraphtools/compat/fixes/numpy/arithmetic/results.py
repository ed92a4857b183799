"""Functions of NumPy 2 whose results have other types than NumPy 1's."""

import inspect
import sys

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import in_place_of
from tfgraphtools.compat.fixes.numpy.arithmetic import common_types, promotion, ufuncs


@in_place_of(
    "numpy.atleast_1d numpy.atleast_2d numpy.atleast_3d numpy.broadcast_arrays numpy.gradient "
    "numpy.meshgrid",
    "NumPy 2.0",
    "returns several arrays as a list",
)
def _lists(original, used, *arguments, **options):
    result = original(*arguments, **options)
    if not isinstance(result, tuple):
        return result
    used()
    return list(result)


@in_place_of("numpy.count_nonzero", "NumPy 2.4", "returns a Python int")
def _count_nonzero(original, used, *arguments, **options):
    import numpy

    result = original(*arguments, **options)
    if not isinstance(result, numpy.integer):
        return result
    used()
    return int(result)


@in_place_of("numpy.unique", "NumPy 1.21", "keeps every nan, and the inverse is flat")
def _unique(original, used, ar, *arguments, **options):
    import numpy

    if _keeps_nans(original) and numpy.asarray(ar).dtype.kind in "fc":
        used()
        options.setdefault("equal_nan", False)
    result = original(ar, *arguments, **options)
    asked = [
        options.get(name, len(arguments) > at and arguments[at])
        for at, name in enumerate(("return_index", "return_inverse"))
    ]
    place = 1 + bool(asked[0])
    if not asked[1] or result[place].ndim == 1:
        return result
    used()
    return (*result[:place], result[place].reshape(-1), *result[place + 1 :])


def _keeps_nans(unique):
    return "equal_nan" in inspect.signature(unique).parameters  # since NumPy 1.24


#: Size of an integer -> the type that it was rounded to; of larger ones float64.
_ROUNDED = {1: "float16", 2: "float32"}


@in_place_of("numpy.floor numpy.ceil numpy.trunc numpy.fix", "NumPy 2.1", "integers become float64")
def _rounding(original, used, *arguments, **options):
    result = original(*arguments, **options)
    dtype = getattr(result, "dtype", None)
    if dtype is None or dtype.kind not in "iub" or options.get("out") is not None:
        return result
    used()
    return result.astype(_ROUNDED.get(dtype.itemsize, "float64"))


def _of_array(original, used, a, *values):
    """Calls nonzero, or where, which treated a single number as an array of one element."""
    import numpy

    if not values and numpy.ndim(a) == 0:
        used()
        a = numpy.atleast_1d(a)
    return original(a, *values)


@in_place_of(
    "numpy.where",
    "NumPy 2.0",
    "numbers have NumPy 1's types; the result for a single number is an array",
)
def _where(original, used, condition, *values):
    if len(values) == 2:
        values = promotion.mixed_operands(*values)
    return _of_array(original, used, condition, *values)


@in_place_of(
    "numpy.clip",
    "NumPy 2.0",
    "the result for arrays and scalars with number bounds has NumPy 1's type",
)
def _clip(original, used, a, *bounds, **options):
    if options.get("out") is None and len(bounds) < 3:
        a, bounds, options = bounded(a, bounds, options)
    return original(a, *bounds, **options)


def bounded(array, bounds, options):
    """Returns the arguments of ``clip`` in the type that NumPy 1 found for all of them together."""
    if hasattr(array, "iloc"):  # a column of pandas, which stays one
        return array, bounds, options
    numpy = sys.modules["numpy"]
    named = {name: value for name, value in options.items() if name in _BOUNDS}
    numbers = [number for number in (*bounds, *named.values()) if number is not None]
    if "dtype" in options or all(promotion.is_plain_beside(array, each) for each in numbers):
        return array, bounds, options
    if any(isinstance(number, (str, type)) for number in (array, *numbers)):
        return array, bounds, options
    dtype = common_types.by_values([array, *numbers])
    if dtype is None:
        return array, bounds, options

    def typed(value):
        return None if value is None else numpy.asanyarray(value, dtype)

    named = {name: typed(value) for name, value in named.items()}
    return typed(array), [typed(bound) for bound in bounds], dict(options, **named)


_BOUNDS = ("a_min", "a_max", "min", "max")


@in_place_of("numpy.can_cast", "NumPy 2.0", "the value of a single number decides")
def _can_cast(original, used, from_, *arguments, **options):
    import numpy

    if isinstance(from_, (numpy.generic, numpy.ndarray)) and from_.ndim == 0:
        from_ = from_.item() if from_.dtype.kind in "bui" else from_[()]
    elif type(from_) not in (bool, int, float, complex):
        return original(from_, *arguments, **options)
    used()
    values = (from_, -from_ - 1) if type(from_) is int and from_ >= 0 else (from_,)
    least = [numpy.min_scalar_type(value) for value in values]
    return any(original(dtype, *arguments, **options) for dtype in least)


TABLE = Table(
    "results that had other types in NumPy 1",
    "calls",
    [
        *_lists,
        *_count_nonzero,
        *_unique,
        *_rounding,
        *in_place_of(
            "numpy.nonzero", "NumPy 2.1", "treats a single number as an array of one element"
        )(_of_array),
        *_where,
        *_clip,
        *_can_cast,
        *ufuncs.ROWS,
    ],
)
