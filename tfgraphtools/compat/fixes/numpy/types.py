"""Functions of dtypes that left NumPy."""

from tfgraphtools.compat.engine.rows import Table
from tfgraphtools.compat.fixes.build import provides
from tfgraphtools.compat.fixes.numpy.arithmetic import common_types


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


@provides("numpy.issctype", "NumPy 2.0", "whether an object is a scalar type")
def _issctype(real):
    return lambda rep: isinstance(rep, type) and issubclass(rep, real.generic)


@provides("numpy.issubsctype", "NumPy 2.0", "numpy.issubdtype of the types of two arrays or dtypes")
def _issubsctype(real):
    return lambda arg1, arg2: issubclass(_dtype(real, arg1).type, _dtype(real, arg2).type)


@provides("numpy.sctype2char", "NumPy 2.0", "the character of a dtype")
def _sctype2char(real):
    return lambda sctype: real.dtype(sctype).char


@provides("numpy.maximum_sctype", "NumPy 2.0", "the widest type of the same kind")
def _maximum_sctype(real):
    widest = {"i": real.int64, "u": real.uint64, "f": real.longdouble, "c": real.clongdouble}
    return lambda t: widest.get(_dtype(real, t).kind, _dtype(real, t).type)


def _dtype(real, value):
    """Returns the dtype that is given, or that of an array or scalar."""
    return value.dtype if isinstance(value, (real.ndarray, real.generic)) else real.dtype(value)


@provides("numpy.find_common_type", "NumPy 2.0", "the common type of arrays and of scalars by kind")
def _find_common_type(real):
    return common_types.of_kinds


TABLE = Table(
    "functions of dtypes that left NumPy",
    "names",
    [
        _sctypes,
        _cast,
        _obj2sctype,
        _issctype,
        _issubsctype,
        _sctype2char,
        _maximum_sctype,
        _find_common_type,
    ],
)
