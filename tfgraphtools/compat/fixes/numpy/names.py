"""Names that left NumPy."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides, standing
from tfgraphtools.compat.fixes.numpy.arithmetic import together


@standing("numpy.asscalar", "NumPy 1.23", "numpy.asscalar(a) is a.item()")
def _asscalar(a):
    return a.item()


@standing(
    "numpy.issubclass_", "NumPy 2.0", "issubclass that returns False if an argument is not a class"
)
def _issubclass(arg1, arg2):
    return isinstance(arg1, type) and issubclass(arg1, arg2)


@provides("numpy.NINF", "NumPy 2.0", "numpy.NINF is -numpy.inf")
def _ninf(real):
    return -real.inf


@provides("numpy.asfarray", "NumPy 2.0", "an array of floats")
def _asfarray(real):
    def asfarray(a, dtype=real.float64):
        is_inexact = real.issubdtype(dtype, real.inexact)
        return real.asarray(a, dtype=dtype if is_inexact else real.float64)

    return asfarray


@provides("numpy.msort", "NumPy 2.0", "numpy.msort(a) is numpy.sort(a, axis=0)")
def _msort(real):
    return lambda a: real.sort(a, axis=0)


@provides("numpy.alen", "NumPy 1.23", "the length of an array; 1 for a number")
def _alen(real):
    return lambda a: len(real.atleast_1d(a))


@provides("numpy.in1d", "NumPy 2.0", "numpy.isin of flat arrays")
def _in1d(real):
    isin = together.members(real, used=lambda: None)
    return lambda ar1, ar2, *options, **named: isin(real.ravel(ar1), ar2, *options, **named)


@provides("numpy.trapz", "NumPy 2.4", "numpy.trapz is numpy.trapezoid")
def _trapz(real):
    return real.trapezoid if hasattr(real, "trapezoid") else real.trapz


@provides("numpy.loads", "NumPy 1.22", "numpy.loads is pickle.loads")
def _loads(real):
    from tfgraphtools.compat.engine import views

    return views.module("pickle").loads


TABLE = Table(
    "functions and constants that left NumPy",
    "names",
    [
        _asscalar,
        _issubclass,
        _ninf,
        _asfarray,
        _msort,
        _alen,
        _in1d,
        _trapz,
        _loads,
    ],
)
