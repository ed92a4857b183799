"""The results of ``a + b`` of NumPy scalars and arrays, as in NumPy 1.

NumPy 2 lets Python's numbers take the type of the other operand and gives a
NumPy scalar's type its full weight beside an array; NumPy 1 did it the other
way round, by value. So ``np.uint8(200) + 100`` is 44 where it was 300, and
``sess.run(loss) * 0.5`` is a float32 where it was a float64. NumPy has no switch
for it any more, so the operators of user code are asked here first.

Not restored: complex ``//`` (NumPy dropped it), masked arrays of no dimension. Comparisons are
in `comparisons`, NumPy's functions (``np.add(np.uint8(200), 100)``) in `results`.

Source of the rules: NumPy 1.18, ``PyArray_ResultType`` (array_coercion by category).
"""

import operator
import sys

from tfgraphtools.compat.engine import rows
from tfgraphtools.compat.fixes.numpy.arithmetic import powers

#: Functions that user code calls for an operator: helper's suffix -> (function, function in place).
OPERATORS = {
    "Add": (operator.add, operator.iadd),
    "Sub": (operator.sub, operator.isub),
    "Mult": (operator.mul, operator.imul),
    "Div": (operator.truediv, operator.itruediv),
    "FloorDiv": (operator.floordiv, operator.ifloordiv),
    "Mod": (operator.mod, operator.imod),
    "Pow": (operator.pow, operator.ipow),
    "LShift": (operator.lshift, operator.ilshift),
    "RShift": (operator.rshift, operator.irshift),
    "BitAnd": (operator.and_, operator.iand),
    "BitOr": (operator.or_, operator.ior),
    "BitXor": (operator.xor, operator.ixor),
}

PROMOTION = rows.Fix(
    "numpy.promotion",
    "NumPy 2.0",
    "arithmetic of NumPy scalars and arrays has the result types of NumPy 1: "
    "np.uint8(200) + 100 is 300, np.float32(1) * 0.5 a float64, np.float32(0.9) < 0.9",
    cannot="it depends on the values: NumPy 2 uses only the types of the operands. Convert where "
    "it matters: np.float64(x)",
)


class _Numpys(dict):
    """class -> whether its objects are scalars and arrays of NumPy; asked once a class."""

    def __missing__(self, cls):
        numpy = sys.modules.get("numpy")
        is_numpys = numpy is not None and issubclass(cls, (numpy.ndarray, numpy.generic))
        self[cls] = is_numpys
        return is_numpys


IS_NUMPYS = _Numpys()

#: Kinds of dtypes by NumPy 1's categories; those of no category are left alone.
_CATEGORY = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 2}

#: Python's numbers, and the dtypes that NumPy 1 gave them (but for ints beyond int64).
_PYTHONS = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}

#: Beside an array of these types a Python number within its limit changes nothing.
_PLAIN_ARRAYS = "fd"
_LIMITS = {float: 1e38, int: 2**15}

#: Operators for which NumPy 1 looked for the first loop that took the values: beside
#: an unsigned array an integer too big for it made the result signed.
SIGNED_FIRST = ("FloorDiv", "Mod", "Pow", "LShift", "RShift", "BitAnd", "BitOr", "BitXor")


#: Scalars of 8 and 16 bits -> those by which a quotient was a float32: of arrays it is a float64.
_SMALL = {
    "int8": {"int8"},
    "uint8": {"uint8"},
    "int16": {"int8", "uint8", "int16"},
    "uint16": {"uint8", "uint16"},
}


def binary(function, kind=None, in_place=False):
    """Returns the helper for one operator: ``function(a, b)`` with the types of NumPy 1."""
    signed_first = kind in SIGNED_FIRST
    if kind == "FloorDiv":
        function = dividing(function)
    small = _SMALL if kind == "Div" else {}
    raises = kind == "Pow" and not in_place

    def general(a, b):
        type_a, type_b = type(a), type(b)
        if not (IS_NUMPYS[type_a] or IS_NUMPYS[type_b]):
            return function(a, b)
        if raises and type_a.__name__ == "ndarray":
            power = powers.fast(a, b)
            if power is not None:
                rows.used(PROMOTION)
                return power
        if small and _name_of(b) in small.get(type_a.__name__, ()):
            rows.used(PROMOTION)
            single = sys.modules["numpy"].float32
            a, b = single(a), single(b)
        elif not _is_plain(a, b, type_a, type_b):
            if in_place and hasattr(a, "__setitem__"):  # an array, which stays itself
                b = operands(a, b)[1]
            else:
                a, b = operands(a, b, signed_first)
        return function(a, b)

    quick = _QUICK.get(kind)
    return general if quick is None else quick(general, _NUMBERS if in_place else PLAIN)


def _name_of(number):
    """Returns the name of a number's type, which may be that of an array without dimensions."""
    is_array = type(number).__name__ == "ndarray" and not number.ndim
    return number.dtype.name if is_array else type(number).__name__


#: Classes whose objects are no numbers of NumPy, and hold none.
PLAIN = frozenset((int, float, str, bool, type(None)))
_NUMBERS = frozenset((int, float, bool))  # which no operator in place refuses

#: Operators -> what makes a helper quick for values of plain classes.
_QUICK = {
    "Add": lambda general, plain: (
        lambda a, b: a + b if type(a) in plain and type(b) in plain else general(a, b)
    ),
    "Sub": lambda general, plain: (
        lambda a, b: a - b if type(a) in plain and type(b) in plain else general(a, b)
    ),
    "Mult": lambda general, plain: (
        lambda a, b: a * b if type(a) in plain and type(b) in plain else general(a, b)
    ),
    "Div": lambda general, plain: (
        lambda a, b: a / b if type(a) in plain and type(b) in plain else general(a, b)
    ),
}


def dividing(function):
    """Returns ``//`` or ``divmod`` whose quotient by 0.0 is nan, as it was, and not infinite."""

    def divide(a, b):
        result = function(a, b)
        quotient = result[0] if type(result) is tuple else result
        is_float = IS_NUMPYS[type(quotient)] and quotient.dtype.kind == "f"
        if not is_float or not (b == 0 if type(b) in _PYTHONS else _has_zero(b)):
            return result
        rows.used(PROMOTION)
        numpy = sys.modules["numpy"]
        if quotient.ndim and quotient is a:  # in place
            quotient[numpy.broadcast_to(numpy.equal(b, 0), quotient.shape)] = numpy.nan
            return result
        changed = numpy.where(numpy.equal(b, 0), numpy.nan, quotient).astype(quotient.dtype)
        changed = changed if quotient.ndim else changed[()]
        return (changed, *result[1:]) if type(result) is tuple else changed

    return divide


def _has_zero(divisor):
    numpy = sys.modules["numpy"]
    return not is_masked(divisor) and not numpy.all(divisor)


def _is_plain(a, b, type_a, type_b):
    """Tells whether it is one of the frequent cases in which both NumPys agree."""
    if type_a is type_b:
        return not hasattr(a, "__setitem__") or bool(a.ndim) == bool(b.ndim)
    if type_b in _LIMITS:
        return _is_plain_array(a, type_a) and -_LIMITS[type_b] < b < _LIMITS[type_b]
    if type_a in _LIMITS:
        return _is_plain_array(b, type_b) and -_LIMITS[type_a] < a < _LIMITS[type_a]
    return False


def _is_plain_array(value, cls):
    return cls.__name__ == "ndarray" and value.ndim > 0 and value.dtype.char in _PLAIN_ARRAYS


def is_plain_beside(array, number):
    """Tells, by a quick look, whether an array of floats keeps its type beside a number."""
    limit = _LIMITS.get(type(number))
    return limit is not None and -limit < number < limit and _is_plain_array(array, type(array))


def mixed_operands(a, b):
    """Returns the `operands` of two values, where NumPy 1 and 2 may differ."""
    type_a, type_b = type(a), type(b)
    if IS_NUMPYS[type_a] or IS_NUMPYS[type_b]:
        if not _is_plain(a, b, type_a, type_b) and not rows.is_off(PROMOTION.name):
            return operands(a, b)
    return a, b


def operands(a, b, signed_first=False):
    """Returns the operands in types for which NumPy 2 gives what NumPy 1 gave for `a` and `b`.

    It does nothing to two arrays, and to what is no number.
    """
    type_a, type_b = _dtype(a), _dtype(b)
    if type_a is None or type_b is None:
        return a, b
    array_a, array_b = getattr(a, "ndim", 0) > 0, getattr(b, "ndim", 0) > 0
    if array_a and array_b:
        return a, b
    rows.used(PROMOTION)
    if array_a:
        return a, _beside(a, b, type_b, signed_first)
    if array_b:
        return _beside(b, a, type_a, signed_first), b
    return _strong(a, type_a), _strong(b, type_b)


def _dtype(value):
    """Returns the dtype by which NumPy 1 counted a number; None for what is none."""
    numpy = sys.modules["numpy"]
    if type(value) is int and not -(2**63) <= value < 2**63:
        dtype = numpy.asarray(value).dtype  # uint64, or an object
    elif type(value) in _PYTHONS:
        dtype = numpy.dtype(_PYTHONS[type(value)])
    elif IS_NUMPYS[type(value)]:
        dtype = value.dtype
        if not value.ndim and is_masked(value):
            return None  # which the conversions here would uncover
    else:
        return None
    return dtype if dtype.kind in _CATEGORY else None


def _strong(value, dtype):
    """Returns a scalar whose type is never promoted down."""
    return dtype.type(value) if type(value) in _PYTHONS else value


def is_masked(value):
    """Tells whether it is of numpy.ma, which gives Python's numbers a type of their own."""
    return type(value).__module__.startswith("numpy.ma")


def _beside(array, value, dtype, signed_first):
    operand = beside_array(value, dtype, array.dtype, signed_first)
    if operand is value and type(value) in _PYTHONS and is_masked(array):
        return sys.modules["numpy"].asarray(value).astype(array.dtype)
    return operand


def beside_array(value, dtype, array_dtype, signed_first=False):
    """Returns a scalar beside an array: only its category and its size count, not its type."""
    numpy = sys.modules["numpy"]
    if _CATEGORY[dtype.kind] > _CATEGORY[array_dtype.kind]:
        return _strong(value, dtype)
    least = numpy.min_scalar_type(value)
    if least.kind == "u" and int(value) < 2 ** (8 * least.itemsize - 1):
        too_big = array_dtype.kind == "u" and least.itemsize > array_dtype.itemsize
        if array_dtype.kind != "u" or (signed_first and too_big):
            least = numpy.dtype(f"i{least.itemsize}")
    result = numpy.promote_types(least, array_dtype)
    if result == array_dtype and type(value) in _PYTHONS:
        return value  # NumPy 2 does the same by itself
    return numpy.asarray(value)[()].astype(result)
