"""TF's data types by their number in the files: name, size, and the NumPy type of the bytes.

Types that NumPy does not have (bfloat16, float8, float4) are kept as integers of their
size, the *storage* type, in which they are copied, sliced and transposed without
loss. Asked for values, they are widened to float32, which is exact.
"""

import collections
import functools

from tfgraphtools.errors import ArgumentError, UnreadableTensorError

#: ``storage``: the NumPy type of the bytes, without the byte order; None where there is none.
#: ``kind``: f float, i int, u unsigned, c complex, b bool, s string, x something that is no array.
DType = collections.namedtuple("DType", "number name size storage kind")

_TABLE = [
    DType(1, "float32", 4, "f4", "f"),
    DType(2, "float64", 8, "f8", "f"),
    DType(3, "int32", 4, "i4", "i"),
    DType(4, "uint8", 1, "u1", "u"),
    DType(5, "int16", 2, "i2", "i"),
    DType(6, "int8", 1, "i1", "i"),
    DType(7, "string", None, None, "s"),
    DType(8, "complex64", 8, "c8", "c"),
    DType(9, "int64", 8, "i8", "i"),
    DType(10, "bool", 1, "?", "b"),
    DType(11, "qint8", 1, "i1", "i"),
    DType(12, "quint8", 1, "u1", "u"),
    DType(13, "qint32", 4, "i4", "i"),
    DType(14, "bfloat16", 2, "u2", "f"),
    DType(15, "qint16", 2, "i2", "i"),
    DType(16, "quint16", 2, "u2", "u"),
    DType(17, "uint16", 2, "u2", "u"),
    DType(18, "complex128", 16, "c16", "c"),
    DType(19, "float16", 2, "f2", "f"),
    DType(20, "resource", None, None, "x"),
    DType(21, "variant", None, None, "x"),
    DType(22, "uint32", 4, "u4", "u"),
    DType(23, "uint64", 8, "u8", "u"),
    DType(24, "float8_e5m2", 1, "u1", "f"),
    DType(25, "float8_e4m3fn", 1, "u1", "f"),
    DType(26, "float8_e4m3fnuz", 1, "u1", "f"),
    DType(27, "float8_e4m3b11fnuz", 1, "u1", "f"),
    DType(28, "float8_e5m2fnuz", 1, "u1", "f"),
    DType(29, "int4", 1, "i1", "i"),
    DType(30, "uint4", 1, "u1", "u"),
    DType(31, "int2", 1, "i1", "i"),
    DType(32, "uint2", 1, "u1", "u"),
    DType(33, "float4_e2m1fn", 1, "u1", "f"),
]
_BY_NUMBER = {dtype.number: dtype for dtype in _TABLE}
_BY_NAME = {dtype.name: dtype for dtype in _TABLE}
_BY_NAME["half"] = _BY_NAME["float16"]
STRING, VARIANT, RESOURCE = 7, 21, 20


def _is_numpys(dtype):
    """Tells whether NumPy has the type, under the same name."""
    kinds = {"f": "float", "i": "int", "u": "uint", "c": "complex"}
    if dtype.storage is None or dtype.name == "bool":
        return dtype.name == "bool"
    return dtype.name == f"{kinds[dtype.storage[0]]}{8 * dtype.size}"


#: The names of the numeric types that NumPy has, and of the floating-point types that it lacks.
IN_NUMPY = tuple(dtype.name for dtype in _TABLE if _is_numpys(dtype))
FOREIGN_FLOATS = tuple(d.name for d in _TABLE if d.kind == "f" and d.name not in IN_NUMPY)

#: Exponent bits, mantissa bits and bias of the float8 types, and whether they have infinities.
_FLOAT8 = {24: (2, 15), 25: (3, 7), 26: (3, 8), 27: (3, 11), 28: (2, 16)}


def by_number(number):
    """Returns the type of a number; an unknown one is named after it and has no values."""
    known = _BY_NUMBER.get(number)
    return known or DType(number, f"dtype-{number}", None, None, "x")


def by_name(name, place):
    """Returns the type of a name, or of a NumPy type; `ArgumentError` if there is none."""
    known = _BY_NAME.get(name if isinstance(name, str) else getattr(name, "name", None))
    if known is None:
        known = _BY_NAME.get(getattr(name, "__name__", None))
    if known is None:
        raise ArgumentError(
            place,
            "a data type that checkpoints have",
            repr(name),
            "Use one of {}.".format(
                ", ".join(sorted(dtype.name for dtype in _TABLE if dtype.storage))
            ),
        )
    return known


def is_exact_in(stored, other):
    """Tells whether a type holds every value of another one, both by name.

    NumPy knows bfloat16 once TensorFlow was imported, and not before: it is not asked.
    """
    import numpy as np

    if stored == other:
        return True
    stored = "float32" if stored in FOREIGN_FLOATS else stored
    if stored not in IN_NUMPY or other not in IN_NUMPY:
        return False
    return np.can_cast(stored, other, "safe")


def of_array(array, place):
    """Returns the type in which a NumPy array is stored."""
    if array.dtype.kind in "OSU":
        return _BY_NUMBER[STRING]
    return by_name(array.dtype.name, place)


def storage(dtype, big_endian=False):
    """Returns the NumPy type of the stored bytes."""
    import numpy as np

    if dtype.storage is None:
        raise UnreadableTensorError(
            "a tensor of type " + dtype.name,
            "a type whose values are an array",
            dtype.name,
            "Its bytes are checked, kept, renamed and copied, but it has no values to show.",
        )
    native = np.dtype(dtype.storage)
    return native.newbyteorder(">" if big_endian else "<") if dtype.size > 1 else native


def widened(raw, dtype):
    """Returns an array of the storage type as NumPy's type, or float32 where it has none."""
    import numpy as np

    if dtype.name == "bfloat16":
        return (raw.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if dtype.number in _FLOAT8:
        return _float8_values(dtype.number)[raw]
    if dtype.name == "float4_e2m1fn":
        halves = np.array([0, 1, 2, 3, 4, 6, 8, 12], np.float32) / np.float32(2)
        return np.concatenate([halves, -halves])[raw & 0x0F]
    return raw


def narrowed(values, dtype):
    """Returns the storage form of floats in a type NumPy may lack, rounded to even."""
    import numpy as np

    if dtype.name == "bfloat16":
        bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
        rounded = (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) >> np.uint32(
            16
        )
        quiet = bits >> np.uint32(16) | np.uint32(0x40)  # rounding could turn a NaN into infinity
        return np.where(np.isnan(values), quiet, rounded).astype(np.uint16)
    if dtype.kind == "f" and dtype.storage[0] == "u":
        raise ArgumentError(
            "a cast", "a type of two bytes or more", dtype.name, "Cast to float16 or bfloat16."
        )
    return values.astype(storage(dtype))


@functools.lru_cache(maxsize=None)
def _float8_values(number):
    """Returns the 256 values of a float8 type, as float32."""
    import numpy as np

    mantissa_bits, bias = _FLOAT8[number]
    byte = np.arange(256)
    sign = np.where(byte & 0x80, -1.0, 1.0)
    exponent = (byte & 0x7F) >> mantissa_bits
    mantissa = (byte & (1 << mantissa_bits) - 1) / float(1 << mantissa_bits)
    normal = (1 + mantissa) * 2.0 ** (exponent - bias)
    values = sign * np.where(exponent > 0, normal, mantissa * 2.0 ** (1 - bias))
    if number == 24:  # e5m2 is the upper half of float16, infinities included
        values = (byte.astype(np.uint16) << 8).astype(np.uint16).view(np.float16)
    elif number == 25:
        values[byte & 0x7F == 0x7F] = np.nan
    else:  # "uz": no infinity, no negative zero, whose place holds the only NaN
        values[0x80] = np.nan
    return values.astype(np.float32)
