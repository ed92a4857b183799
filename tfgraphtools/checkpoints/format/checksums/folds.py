"""A long buffer made short without a change of its CRC-32C, at the speed of memory.

A CRC is the remainder of a division of polynomials over GF(2), so a multiple of its
polynomial may be added anywhere. The one used here has four terms only,

    x**5685 + x**1362 + x**426 + 1,

and over GF(2) the square of a polynomial has the same terms with doubled exponents.
So a bit may be dropped if it is added 5685 - 1362, 5685 - 426 and 5685 bits further
on; and, squared six times, so may a word of 64 bits, that many words further on.
Many neighbours go at once, as far as 5685 - 1362 reaches, with one exclusive or for
each of the three places.
"""

#: How far on a bit is added: the exponents are found by search, `test_checksums` divides by them.
NEAR, FAR, FARTHEST = 5685 - 1362, 5685 - 426, 5685
_SCALES = (4, 1)  # multiples of the distances in `short_by_ints`, both powers of two
_WORDS = 1 << 16  # words that `short_by_numpy` copies at a time: they stay in the cache


def short_by_ints(data, register):
    """Returns 711 bytes of the same CRC-32C as ``data``, by integers of Python.

    Args:
      data: a buffer of at least twice as many bytes.
      register: the register before ``data``; the result is to be read from register 0.
    """
    for scale in _SCALES:
        if len(data) > 2 * FARTHEST * scale // 8:
            data, register = _shortened(data, register, scale), 0
    return data


def _shortened(data, register, scale):
    """Returns the last ``FARTHEST * scale`` bits, with all that came before added to them."""
    near, far, farthest = NEAR * scale, FAR * scale, FARTHEST * scale
    step = near // 8  # bytes
    bits = 8 * step
    mask = (1 << bits) - 1
    first = len(data) % step or step
    kept = (int.from_bytes(data[:first], "little") ^ register) << farthest - 8 * first
    for start in range(first, len(data), step):
        dropped = kept & mask
        entering = int.from_bytes(data[start : start + step], "little") ^ dropped
        kept >>= bits
        kept ^= entering << farthest - bits ^ dropped << far - bits ^ dropped << near - bits
    # Zeros before the first bit that is set change nothing when the register is 0.
    return (kept << -farthest % 8).to_bytes((farthest + 7) // 8, "little")


def short_by_numpy(data, register):
    """Returns 45,480 bytes of the same CRC-32C as ``data``, by NumPy.

    Args:
      data: a buffer of more bytes than that; their number is a multiple of 8.
      register: the register before ``data``; the result is to be read from register 0.
    """
    import numpy as np

    source = np.frombuffer(data, "<u8")
    words = np.zeros(FARTHEST + min(len(source), _WORDS), np.uint64)  # kept, then entering
    entered = 0
    for start in range(0, len(source), _WORDS):
        words[:FARTHEST] = words[entered : entered + FARTHEST].copy()
        part = source[start : start + _WORDS]
        entered = len(part)
        words[FARTHEST : FARTHEST + entered] = part
        if not start:
            words[FARTHEST] ^= np.uint64(register)
        _drop(words, entered)
    return words[entered : entered + FARTHEST].astype("<u8").tobytes()


def _drop(words, count):
    """Adds the first ``count`` words to those further on, as if they were dropped."""
    import numpy as np

    for start in range(0, count, NEAR):
        dropped = words[start : min(start + NEAR, count)]
        for distance in (NEAR, FAR, FARTHEST):
            place = words[start + distance : start + distance + len(dropped)]
            np.bitwise_xor(place, dropped, out=place)
