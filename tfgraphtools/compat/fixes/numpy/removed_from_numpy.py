"""Names that left NumPy."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides, standing
from tfgraphtools.compat.fixes.numpy.arithmetic import common_types


@standing("numpy.asscalar", "NumPy 1.23", "numpy.asscalar(a) is a.item()")
def _asscalar(a):
    return a.item()


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


@provides("numpy.in1d", "NumPy 2.0", "numpy.isin of flat arrays")
def _in1d(real):
    return lambda ar1, ar2, *options, **named: real.isin(real.ravel(ar1), ar2, *options, **named)


@provides("numpy.sctypes", "NumPy 2.0", "the scalar types by their kinds")
def _sctypes(real):
    return {
        "int": [real.int8, real.int16, real.int32, real.int64],
        "uint": [real.uint8, real.uint16, real.uint32, real.uint64],
        "float": [real.float16, real.float32, real.float64, real.longdouble],
        "complex": [real.complex64, real.complex128, real.clongdouble],
        "others": [bool, object, bytes, str, real.void],
    }


@provides("numpy.cast", "NumPy 2.0", "numpy.cast[dtype](x) is numpy.asarray(x).astype(dtype)")
def _cast(real):
    class Casts:
        def __getitem__(self, dtype):
            return lambda x: real.asarray(x).astype(dtype)

    return Casts()


@provides("numpy.obj2sctype", "NumPy 2.0", "the scalar type of a dtype")
def _obj2sctype(real):
    def obj2sctype(rep, default=None):
        try:
            return real.dtype(rep).type
        except TypeError:
            return default

    return obj2sctype


@provides("numpy.find_common_type", "NumPy 2.0", "the common type of arrays and of scalars by kind")
def _find_common_type(real):
    return common_types.of_kinds


TABLE = Table(
    "functions and constants that left NumPy",
    "names",
    [
        _asscalar,
        _ninf,
        _asfarray,
        _msort,
        _in1d,
        _sctypes,
        _cast,
        _obj2sctype,
        _find_common_type,
    ],
)
