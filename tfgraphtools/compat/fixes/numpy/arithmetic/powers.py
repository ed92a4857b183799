"""``array ** number`` by the functions that NumPy 1 called for some exponents.

``x ** 1``, ``** -1``, ``** 0``, ``** 0.5`` and ``** 2`` were ``positive``, ``reciprocal``, ones,
``sqrt`` and ``square``, which keep the type of the array; also of one without dimensions, beside
which a number counts otherwise. Where NumPy 2 gives the same by itself, this does nothing.

Source: ``fast_scalar_power`` of NumPy 1.18.
"""

import sys

_OF_FLOATS = {1.0: "positive", -1.0: "reciprocal", 0.5: "sqrt", 2.0: "square"}


def fast(array, number):
    """Returns what NumPy 1 gave by such a function; None where it took the usual way."""
    numpy = sys.modules["numpy"]
    kind = array.dtype.kind
    if kind in "fc" and array.ndim or kind not in "biufc":
        return None
    if not isinstance(number, (int, float, numpy.integer, numpy.floating)) and not (
        type(number) is numpy.ndarray and number.ndim == 0 and number.dtype.kind in "iuf"
    ):
        return None
    exponent = float(number) if abs(number) < 3 else 3.0
    if kind in "fc":
        if exponent == 0:
            return array.dtype.type(1)
        return getattr(numpy, _OF_FLOATS[exponent])(array) if exponent in _OF_FLOATS else None
    if exponent != 2:
        return None
    if kind == "b" or numpy.asarray(number).dtype.kind != "f":
        return numpy.square(array)
    return numpy.asarray(numpy.square(array.astype(numpy.float64)))
