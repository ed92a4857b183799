"""Functions of NumPy 2 whose results have other types than NumPy 1's.

`scripts/removals` finds them: it calls every function of both NumPys with the same
arguments, and compares the types of what comes back.
"""

import functools

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import made
from tfgraphtools.compat.fixes.numpy import promotion


def _answering(name, why, change, since="NumPy 2.0"):
    """A function whose result is changed by ``change(numpy, result, arguments, options)``."""

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

    return made("numpy." + name, since, why)(provide)


def _as_list(real, result, arguments, options):
    return list(result) if isinstance(result, tuple) else result


def _as_int(real, result, arguments, options):
    return int(result) if isinstance(result, real.integer) else result


def _flat_inverse(real, result, arguments, options):
    """The inverse was flat, whatever the shape of the array."""
    asked = [
        options.get(name, len(arguments) > at and arguments[at])
        for at, name in enumerate(("return_index", "return_inverse"), 1)
    ]
    if not asked[1]:
        return result
    place = 1 + bool(asked[0])
    if result[place].ndim == 1:
        return result
    return (*result[:place], result[place].reshape(-1), *result[place + 1 :])


def _as_float(real, result, arguments, options):
    """Whole numbers that were asked to be rounded became float64 (float16 for bytes)."""
    if getattr(result, "dtype", None) is None or result.dtype.kind not in "iub":
        return result
    if options.get("out") is not None:
        return result
    return result.astype(_ROUNDED.get(result.dtype.itemsize, real.float64))


_ROUNDED = {1: "float16", 2: "float32"}


def _of_plain_numbers(name):
    """nonzero and its kin, which took a single number for an array of one."""

    def provide(real, used):
        function = getattr(real, name)

        @functools.wraps(function)
        def call(a, *arguments, **options):
            if not arguments and not options and real.ndim(a) == 0:
                used()
                a = real.atleast_1d(a)
            return function(a, *arguments, **options)

        return call

    return made("numpy." + name, "NumPy 2.1", "a single number is an array of one")(provide)


class Ufunc:
    """A ufunc of two arguments whose result has the type of NumPy 1.

    Args:
      name: its name in NumPy.
      real: NumPy's own.
      kind: the operator by whose rule it chooses its loop, or None.
    """

    def __init__(self, name, real, kind=None):
        self.__name__ = name
        self.__doc__ = real.__doc__
        self._real = real
        self._call = promotion.binary(real, kind)

    def __call__(self, *arguments, **options):
        if len(arguments) == 2 and not options:
            return self._call(*arguments)
        if len(arguments) >= 2 and "dtype" not in options:
            arguments = (*promotion.operands(*arguments[:2]), *arguments[2:])
        return self._real(*arguments, **options)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._real, name)

    def __reduce__(self):
        return _numpys_own, (self.__name__,)

    def __repr__(self):
        return repr(self._real)


def _numpys_own(name):
    import numpy

    return getattr(numpy, name)


_KINDS = {
    "floor_divide": "FloorDiv",
    "mod": "Mod",
    "remainder": "Mod",
    "power": "Pow",
}
_UFUNCS = (
    "add subtract multiply divide true_divide floor_divide mod remainder fmod power maximum "
    "minimum fmax fmin arctan2 hypot copysign nextafter logaddexp logaddexp2 heaviside"
).split()


def _ufunc(name):
    why = "numbers beside arrays and scalars have NumPy 1's result types"

    def provide(real, used):
        return Ufunc(name, getattr(real, name), _KINDS.get(name))

    return made("numpy." + name, "NumPy 2.0", why)(provide)


_LISTS = "atleast_1d atleast_2d atleast_3d broadcast_arrays gradient meshgrid".split()

TABLE = Table(
    "results that had other types in NumPy 1",
    "calls",
    [
        *[_answering(name, "several arrays come as a list", _as_list) for name in _LISTS],
        *[
            _answering("ma." + name, "several arrays come as a list", _as_list)
            for name in _LISTS[:3]
        ],
        _answering("count_nonzero", "the number is Python's own", _as_int, "NumPy 2.4"),
        _answering("unique", "the inverse is flat", _flat_inverse),
        *[
            _answering(name, "whole numbers become float64", _as_float, "NumPy 2.1")
            for name in ("floor", "ceil", "trunc", "fix")
        ],
        _of_plain_numbers("nonzero"),
        _of_plain_numbers("where"),
        *[_ufunc(name) for name in _UFUNCS],
    ],
)
