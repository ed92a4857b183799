"""Ufuncs of two arguments whose results have the types of NumPy 1."""

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

    def __call__(self, *arguments, **options):
        if list in map(type, arguments[:2]):
            numpy = sys.modules["numpy"]
            arguments = [numpy.asarray(a) if type(a) is list else a for a in arguments]
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


def _ufunc(name):
    why = "the result for numbers with arrays and scalars has NumPy 1's type"

    def provide(real, used):
        return Ufunc(name, getattr(real, name), _KINDS.get(name))

    return provides("numpy." + name, "NumPy 2.0", why)(provide)


ROWS = [_ufunc(name) for name in _UFUNCS]
