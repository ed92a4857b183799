"""CRC-32C (Castagnoli): the checksum of every block and tensor of a checkpoint.

Fastest first; all give the same number:

- google-crc32c, awscrt or crc32c, where installed (10 GB/s),
- NumPy, for large buffers (6 GB/s), and integers of Python (0.5 GB/s) for smaller
  ones and where NumPy is not imported: they make a buffer short (`folds`),
- a table of what a byte does to the register, for the rest.
"""

import functools
import struct
import sys

from tfgraphtools.checkpoints.format.checksums import crc_packages, folds
from tfgraphtools.checkpoints.format.checksums.joined_crc import CRC32C

_ONES = 0xFFFFFFFF
_MASK_DELTA = 0xA282EAD8
_WORTH_INTS = 1 << 11  # bytes: below, the table is as fast
_WORTH_NUMPY = 1 << 18  # bytes: below, integers are as fast
_WORTH_AN_IMPORT = 1 << 25  # bytes: below, integers are faster than importing NumPy


def crc32c(data, crc=0):
    """Returns the CRC-32C of ``data``, or of what gave ``crc`` followed by ``data``.

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
    if len(view) >= _WORTH_NUMPY and _numpy_pays(len(view)):
        whole = len(view) & ~7
        view, crc = folds.short_by_numpy(view[:whole], crc) + bytes(view[whole:]), 0
    if len(view) >= _WORTH_INTS:
        view, crc = folds.short_by_ints(view, crc), 0
    return _by_table(memoryview(view), crc) ^ _ONES


_so_far = [0]  # bytes that were left to integers because NumPy is not imported


def _numpy_pays(size):
    """Tells whether to use NumPy: it is there, or there was so much to do that its import pays."""
    if "numpy" in sys.modules:
        return True
    _so_far[0] += size
    return _so_far[0] > _WORTH_AN_IMPORT


def mask(crc):
    """Returns the form in which a checksum is stored: a CRC of data that holds CRCs is weak."""
    return ((crc >> 15 | crc << 17) + _MASK_DELTA) & _ONES


def unmask(stored):
    """Returns the checksum whose `mask` is in the file."""
    rotated = stored - _MASK_DELTA & _ONES
    return (rotated >> 17 | rotated << 15) & _ONES


def implementation():
    """Returns what computes checksums of large tensors: an installed package, or NumPy."""
    extend = _compiled()
    return "NumPy" if extend is None else extend.package


def _compiled():
    """Returns ``extend(crc, data)`` of the fastest package that is installed, or None."""
    return crc_packages.fastest()


@functools.lru_cache(maxsize=None)
def _tables():
    """Returns four tables of 256: what byte b does to the register, 0 to 3 bytes later."""
    first = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ CRC32C if byte & 1 else byte >> 1
        first.append(byte)
    tables = [first]
    for _ in range(3):
        tables.append([first[value & 255] ^ value >> 8 for value in tables[-1]])
    return tables


def _by_table(view, crc):
    """Returns the register after a small buffer, by the table, four bytes a step."""
    t0, t1, t2, t3 = _tables()
    whole = len(view) & ~3
    if whole:
        for word in struct.unpack(f"<{whole // 4}I", view[:whole]):
            crc ^= word
            crc = t3[crc & 255] ^ t2[crc >> 8 & 255] ^ t1[crc >> 16 & 255] ^ t0[crc >> 24]
    for byte in view[whole:]:
        crc = t0[(crc ^ byte) & 255] ^ crc >> 8
    return crc
