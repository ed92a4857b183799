"""``hash`` of Python 2.7 on 64 bits, which was the same in each run.

Source: ``stringobject.c``, ``floatobject.c``, ``longobject.c``, ``tupleobject.c`` and
``setobject.c`` of Python 2.7.
"""

import functools
import math

from tfgraphtools.compat.fixes.python2.library.byte_texts import ByteText

_MASK = 2**64 - 1


def hash_(value):
    """Returns the hash of a value; of types that have none of their own here, today's.

    That of None, of functions and of objects without ``__hash__`` was an address.
    """
    kind = type(value)
    compute = _OF_TYPE.get(kind)
    if compute is not None:
        return compute(value)
    if isinstance(value, bytes):
        return _of_items(bytes(value))
    if isinstance(value, (tuple, frozenset)):  # a named tuple
        return (_of_tuple if isinstance(value, tuple) else _of_set)(value)
    if kind.__module__ == "numpy" and hasattr(value, "item"):
        return hash_(value.item())
    return hash(value)


def is_known(value):
    """Tells whether Python 2's hash of a value is known, and was no address."""
    kind = type(value)
    if isinstance(value, (tuple, frozenset)):
        return all(map(is_known, iter(value)))
    if kind in _OF_TYPE or isinstance(value, bytes) or kind.__module__ == "numpy":
        return True
    return "__python2__" in getattr(kind.__hash__, "__globals__", ())


def unsigned(value):
    """Returns the hash of a value as an unsigned number."""
    if value.__class__ is str:
        return _of_text(value) & _MASK
    return hash_(value) & _MASK


def _signed(number, instead=-2):
    number &= _MASK
    number = number - 2**64 if number >= 2**63 else number
    return instead if number == -1 else number


@functools.lru_cache(maxsize=100000)
def _of_text(text):
    return _of_items(text.encode("latin1") if text.isascii() else [ord(c) for c in text])


def _of_items(numbers):
    if not numbers:
        return 0
    result = numbers[0] << 7
    for number in numbers:
        result = (1000003 * result & _MASK) ^ number
    return _signed(result ^ len(numbers))


def _of_int(number):
    size = abs(number)
    while size > _MASK:  # digits of 30 bits, added in a circle of 64
        size = (size & _MASK) + (size >> 64)
    return _signed(size if number >= 0 else -size)


def _of_float(number):
    if not math.isfinite(number):
        return 0 if math.isnan(number) else (314159 if number > 0 else -271828)
    if number == int(number):
        return _of_int(int(number))
    fraction, exponent = math.frexp(number)
    fraction *= 2147483648.0
    high = int(fraction)
    low = int((fraction - high) * 2147483648.0)
    return _signed(high + low + (exponent << 15))


def _of_complex(number):
    return _signed(_of_float(number.real) + 1000003 * _of_float(number.imag))


def _of_tuple(items):
    result, factor, left = 0x345678, 1000003, len(items)
    for item in items:
        left -= 1
        result = (result ^ unsigned(item)) * factor & _MASK
        factor += 82520 + 2 * left
    return _signed(result + 97531)


def _of_set(items):
    result = 1927868237 * (len(items) + 1) & _MASK
    for item in frozenset.__iter__(items):
        one = unsigned(item)
        result ^= (one ^ (one << 16) ^ 89869747) * 3644798167 & _MASK
    return _signed(result * 69069 + 907133923, 590923713)


_OF_TYPE = {
    str: _of_text,
    ByteText: lambda text: _of_items(text.data),
    bytes: _of_items,
    int: _of_int,
    bool: _of_int,
    float: _of_float,
    complex: _of_complex,
    tuple: _of_tuple,
    frozenset: _of_set,
}
