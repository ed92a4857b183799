"""Functions of NumPy 2 whose results have other types than NumPy 1's.

`scripts/removals` finds them: it calls every function of both NumPys with the same
arguments, and compares the types of what comes back.
"""

import functools
import inspect
import sys

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides
from tfgraphtools.compat.fixes.numpy.arithmetic import common_types, promotion, ufuncs


def _answering(name, why, change, since="NumPy 2.0"):
    """Returns a row: ``change(numpy, result, arguments, options)`` gives the function's result."""

    def provide(real, used):
        function = getattr(real, name.rpartition(".")[2])

        @functools.wraps(function)
        def call(*arguments, **options):
            result = function(*arguments, **options)
            changed = change(real, result, arguments, options)
            if changed is not result:
                used()
            return changed

        return call

    return provides("numpy." + name, since, why)(provide)


def _as_list(real, result, arguments, options):
    return list(result) if isinstance(result, tuple) else result


def _as_int(real, result, arguments, options):
    return int(result) if isinstance(result, real.integer) else result


@provides("numpy.unique", "NumPy 1.21", "keeps every nan, and the inverse is flat")
def _unique(real, used):
    @functools.wraps(real.unique)
    def unique(ar, *arguments, **options):
        if _keeps_nans(real.unique) and real.asarray(ar).dtype.kind in "fc":
            used()
            options.setdefault("equal_nan", False)
        result = real.unique(ar, *arguments, **options)
        asked = [
            options.get(name, len(arguments) > at and arguments[at])
            for at, name in enumerate(("return_index", "return_inverse"))
        ]
        place = 1 + bool(asked[0])
        if not asked[1] or result[place].ndim == 1:
            return result
        used()
        return (*result[:place], result[place].reshape(-1), *result[place + 1 :])

    return unique


def _keeps_nans(unique):
    return "equal_nan" in inspect.signature(unique).parameters  # since NumPy 1.24


def _as_float(real, result, arguments, options):
    """Integers that were asked to be rounded became float64 (float16 for bytes)."""
    if getattr(result, "dtype", None) is None or result.dtype.kind not in "iub":
        return result
    if options.get("out") is not None:
        return result
    return result.astype(_ROUNDED.get(result.dtype.itemsize, real.float64))


_ROUNDED = {1: "float16", 2: "float32"}


def _of_plain_numbers(name):
    """Returns a row of a function like nonzero, which treated a number as an array of one."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def call(a, *arguments, **options):
            if not arguments and not options and real.ndim(a) == 0:
                used()
                a = real.atleast_1d(a)
            return function(a, *arguments, **options)

        return call

    return provides(
        "numpy." + name, "NumPy 2.1", "treats a single number as an array of one element"
    )(provide)


@provides(
    "numpy.where",
    "NumPy 2.0",
    "numbers have NumPy 1's types; the result for a single number is an array",
)
def _where(real, used):
    choose = _of_plain_numbers("where").provide(real, used)

    @functools.wraps(real.where)
    def where(condition, *values):
        return choose(
            condition, *(promotion.mixed_operands(*values) if len(values) == 2 else values)
        )

    return where


@provides(
    "numpy.clip",
    "NumPy 2.0",
    "the result for arrays and scalars with number bounds has NumPy 1's type",
)
def _clip(real, used):
    @functools.wraps(real.clip)
    def clip(a, *bounds, **options):
        if options.get("out") is None and len(bounds) < 3:
            a, bounds, options = bounded(a, bounds, options)
        return real.clip(a, *bounds, **options)

    return clip


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


@provides("numpy.can_cast", "NumPy 2.0", "the value of a single number decides")
def _can_cast(real, used):
    @functools.wraps(real.can_cast)
    def can_cast(from_, *arguments, **options):
        if isinstance(from_, (real.generic, real.ndarray)) and from_.ndim == 0:
            from_ = from_.item() if from_.dtype.kind in "bui" else from_[()]
        elif type(from_) not in (bool, int, float, complex):
            return real.can_cast(from_, *arguments, **options)
        used()
        values = (from_, -from_ - 1) if type(from_) is int and from_ >= 0 else (from_,)
        least = [real.min_scalar_type(value) for value in values]
        return any(real.can_cast(dtype, *arguments, **options) for dtype in least)

    return can_cast


_LISTS = "atleast_1d atleast_2d atleast_3d broadcast_arrays gradient meshgrid".split()

TABLE = Table(
    "results that had other types in NumPy 1",
    "calls",
    [
        *[_answering(name, "returns several arrays as a list", _as_list) for name in _LISTS],
        *[
            _answering("ma." + name, "returns several arrays as a list", _as_list)
            for name in _LISTS[:3]
        ],
        _answering("count_nonzero", "returns a Python int", _as_int, "NumPy 2.4"),
        _unique,
        *[
            _answering(name, "integers become float64", _as_float, "NumPy 2.1")
            for name in ("floor", "ceil", "trunc", "fix")
        ],
        _of_plain_numbers("nonzero"),
        _where,
        _clip,
        _can_cast,
        *ufuncs.ROWS,
    ],
)
