"""The checksum of two neighbours from the checksums of each, for any CRC of 32 bits.

A CRC is linear over GF(2): that of ``a + b`` is that of ``a``, advanced over as many
zero bits as ``b`` has, xor that of ``b``. Advancing is a matrix, and doubling the
number of bits squares it (as in zlib's crc32_combine).
"""

import functools

#: The reversed polynomials of zip's CRC-32 and of CRC-32C.
CRC32, CRC32C = 0xEDB88320, 0x82F63B78


def joined(polynomial, first, second, size):
    """Returns the checksum of two neighbours; ``size`` is the bytes of the second one."""
    power, bits = 3, size  # a byte is 2**3 bits
    while bits:
        if bits & 1:
            first = times(advance(polynomial, power), first)
        bits >>= 1
        power += 1
    return first ^ second


@functools.lru_cache(maxsize=None)
def advance(polynomial, power):
    """Returns the columns of the matrix that advances a register over 2**power zero bits."""
    if not power:
        return [polynomial] + [1 << k for k in range(31)]
    half = advance(polynomial, power - 1)
    return [times(half, column) for column in half]


def times(matrix, vector):
    """Returns a matrix, given by its columns, times a vector of bits."""
    out = 0
    for column in matrix:
        if vector & 1:
            out ^= column
        vector >>= 1
    return out
