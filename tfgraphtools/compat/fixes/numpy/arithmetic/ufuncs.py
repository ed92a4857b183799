"""Ufuncs of two arguments whose results have the types of NumPy 1."""

import functools
import operator
import sys

from tfgraphtools.compat.fixes.build import provides
from tfgraphtools.compat.fixes.numpy.arithmetic import promotion


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
        self._signed_first = kind in promotion.SIGNED_FIRST
        self._divides = kind == "FloorDiv"

    def __call__(self, *arguments, **options):
        if list in map(type, arguments[:2]):
            numpy = sys.modules["numpy"]
            arguments = [numpy.asarray(a) if type(a) is list else a for a in arguments]
        if len(arguments) == 2 and not options:
            return self._call(*arguments)
        if len(arguments) >= 2 and "dtype" not in options:
            arguments = (*promotion.operands(*arguments[:2]), *arguments[2:])
        return self._real(*arguments, **options)

    def outer(self, a, b, **options):
        """Returns ``ufunc.outer(a, b)``: only a single number at the right counted by its value."""
        numpy = sys.modules["numpy"]
        a, b = numpy.asanyarray(a), numpy.asanyarray(b)
        if not b.ndim and "dtype" not in options:
            a, b = promotion.operands(a, b, self._signed_first)
        outer = functools.partial(self._real.outer, **options)
        return (promotion.dividing(outer) if self._divides else outer)(a, b)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._real, name)

    def __reduce__(self):
        return _numpys_own, (self.__name__,)

    def __repr__(self):
        return repr(self._real)


class MaskedUfunc(Ufunc):
    """A function of `numpy.ma` of two arguments, which gives Python's numbers a type first."""

    def __call__(self, *arguments, **options):
        if len(arguments) < 2:
            return self._real(*arguments, **options)
        a, b = arguments[:2]
        if not promotion.is_masked(a) and not promotion.is_masked(b):
            numpy = sys.modules["numpy"]
            a, b = numpy.ma.asanyarray(a), numpy.ma.asanyarray(b)
            if a.ndim and not b.ndim:
                b = arguments[1]
            elif b.ndim and not a.ndim:
                a = arguments[0]
        a, b = promotion.operands(a, b, self._signed_first)
        return self._real(a, b, *arguments[2:], **options)


def _numpys_own(name):
    import numpy

    return operator.attrgetter(name)(numpy)


_KINDS = {
    "divmod": "FloorDiv",
    "floor_divide": "FloorDiv",
    "mod": "Mod",
    "remainder": "Mod",
    "fmod": "Mod",
    "power": "Pow",
    "left_shift": "LShift",
    "right_shift": "RShift",
    "bitwise_and": "BitAnd",
    "bitwise_or": "BitOr",
    "bitwise_xor": "BitXor",
}
_UFUNCS = (
    "add subtract multiply divide true_divide floor_divide mod remainder fmod power maximum "
    "minimum fmax fmin arctan2 hypot copysign nextafter logaddexp logaddexp2 heaviside "
    "left_shift right_shift bitwise_and bitwise_or bitwise_xor divmod gcd lcm "
    "less less_equal greater greater_equal equal not_equal"
).split()

#: The ufuncs of masked arrays.
MASKED = (
    "add subtract multiply divide true_divide floor_divide mod remainder fmod power "
    "arctan2 hypot maximum minimum bitwise_and bitwise_or bitwise_xor "
    "less less_equal greater greater_equal equal not_equal"
).split()


def _ufunc(name):
    why = "the result for numbers with arrays and scalars has NumPy 1's type"
    own = name.rpartition(".")[2]

    def provide(real, used):
        make = Ufunc if own == name else MaskedUfunc
        return make(name, getattr(real, own), _KINDS.get(own))

    return provides("numpy." + name, "NumPy 2.0", why)(provide)


ROWS = [
    *[_ufunc(name) for name in _UFUNCS],
    *[_ufunc("ma." + name) for name in MASKED],
]
