"""CRC-32C (Castagnoli): the checksum of every block and tensor of a checkpoint.

Three ways, fastest first; all give the same number:

- google-crc32c, awscrt or crc32c, where installed (10 GB/s),
- NumPy, for buffers of 4 KiB and more (500 MB/s): the buffer is cut into lanes
  that advance side by side, two bytes a step, and are then combined,
- plain Python (30 MB/s), for what is smaller; the index of an ordinary
  checkpoint needs no more, and so no NumPy import.

How a register advances over zeros is in `crc_joins`.
"""

import functools
import struct
import sys

from tfgraphtools.checkpoints.format import crc_packages
from tfgraphtools.checkpoints.format.crc_joins import CRC32C, advance, times

_ONES = 0xFFFFFFFF
_MASK_DELTA = 0xA282EAD8
_SMALLEST_LANES = 1 << 12  # bytes: below, plain Python is as fast
_WORTH_AN_IMPORT = 1 << 20  # bytes: below, plain Python is faster than importing NumPy
_LARGEST_LANES = 1 << 23  # bytes in one go: the working set stays in the cache


def crc32c(data, crc=0):
    """The CRC-32C of ``data``, or of what gave ``crc`` followed by ``data``.

    Args:
      data: bytes, or anything with a C-contiguous buffer.
      crc: the checksum of the bytes before, to go on from.

    Example:
      >>> hex(crc32c(b"123456789"))
      '0xe3069283'
    """
    extend = _compiled()
    if extend is not None and isinstance(data, bytes):
        return extend(crc, data)
    view = memoryview(data)
    view = view.cast("B") if view.nbytes else b""
    if extend is not None:
        return extend(crc, view)
    crc ^= _ONES
    position, left = 0, len(view)
    while left >= _SMALLEST_LANES and _numpy_pays(left):
        size = min(1 << (left.bit_length() - 1), _LARGEST_LANES)
        crc = _advance(crc, size) ^ _lanes(view[position : position + size])
        position += size
        left -= size
    return _plain(view[position:], crc) ^ _ONES


_so_far = [0]  # bytes that were left to plain Python because NumPy is not imported


def _numpy_pays(size):
    """Whether to use NumPy: it is there, or there was so much to do that its import pays."""
    if "numpy" in sys.modules:
        return True
    _so_far[0] += size
    return _so_far[0] > _WORTH_AN_IMPORT


def mask(crc):
    """The form in which a checksum is stored: a CRC of data that holds CRCs is weak."""
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & _ONES


def unmask(stored):
    """The checksum whose `mask` is in the file."""
    rotated = stored - _MASK_DELTA & _ONES
    return (rotated >> 17 | rotated << 15) & _ONES


def implementation():
    """What computes the checksums of large tensors: a package that is installed, or NumPy."""
    extend = _compiled()
    return "NumPy" if extend is None else extend.package


def _compiled():
    """``extend(crc, data)`` of the fastest package that is installed, or None."""
    return crc_packages.fastest()


@functools.lru_cache(maxsize=None)
def _tables():
    """Four tables of 256: what byte b does to the register, 0 to 3 bytes later."""
    first = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ CRC32C if byte & 1 else byte >> 1
        first.append(byte)
    tables = [first]
    for _ in range(3):
        tables.append([first[value & 255] ^ value >> 8 for value in tables[-1]])
    return tables


def _plain(view, crc):
    """Advances the register over a small buffer, four bytes a step."""
    t0, t1, t2, t3 = _tables()
    whole = len(view) & ~3
    if whole:
        for word in struct.unpack(f"<{whole // 4}I", view[:whole]):
            crc ^= word
            crc = t3[crc & 255] ^ t2[crc >> 8 & 255] ^ t1[crc >> 16 & 255] ^ t0[crc >> 24]
    for byte in view[whole:]:
        crc = t0[(crc ^ byte) & 255] ^ crc >> 8
    return crc


# Advancing over zeros -------------------------------------------------------


def _advance(crc, size):
    """The register after ``size`` zero bytes, a power of two."""
    return times(_zeros_matrix(size), crc)


def _zeros_matrix(size):
    return advance(CRC32C, size.bit_length() + 2)  # 8 bits a byte


# NumPy lanes ----------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def _pair_table():
    """What a pair of bytes does to the register: 65,536 values."""
    import numpy as np

    one, two = (np.array(table, np.uint32) for table in _tables()[:2])
    pair = np.arange(1 << 16, dtype=np.uint32)
    return two[pair & 255] ^ one[pair >> 8]


@functools.lru_cache(maxsize=None)
def _advance_tables(size):
    """`_advance` as four tables of 256, to apply to many registers at once."""
    import numpy as np

    matrix = _zeros_matrix(size)
    tables = np.zeros((4, 256), np.uint32)
    for byte in range(4):
        for k in range(8):
            known = tables[byte, : 1 << k]
            tables[byte, 1 << k : 2 << k] = known ^ np.uint32(matrix[8 * byte + k])
    return tables


def _lanes(view):
    """The register after a buffer of 2**k bytes, from 0."""
    import numpy as np

    bits = len(view).bit_length() - 1
    segment = 1 << max(6, min(10, bits // 2 - 1))  # bytes a lane: many lanes, few steps
    lanes = len(view) // segment
    steps = np.frombuffer(view, "<u2").reshape(lanes, segment // 2).T.copy()
    table = _pair_table()
    registers = np.zeros(lanes, np.uint32)
    changed = np.empty(lanes, np.uint32)
    pairs = np.empty(lanes, np.uint16)
    for step in steps:
        np.bitwise_xor(registers.astype(np.uint16), step, out=pairs)
        np.take(table, pairs, out=changed, mode="clip")
        registers >>= np.uint32(16)
        registers ^= changed
    return _combined(registers, segment)


def _combined(registers, size):
    """One register out of those of neighbouring lanes of ``size`` bytes."""
    while len(registers) > 1:
        t0, t1, t2, t3 = _advance_tables(size)
        left, right = registers[0::2], registers[1::2]
        left = t0[left & 255] ^ t1[left >> 8 & 255] ^ t2[left >> 16 & 255] ^ t3[left >> 24]
        registers = left ^ right
        size *= 2
    return int(registers[0])
