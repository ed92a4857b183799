"""Strings and variants as a bundle stores them, with checksums of their own inside.

    strings = varint length...  masked crc of the lengths (4 bytes)  bytes...
    variants = (varint length  proto  masked crc so far (4 bytes))...

The checksums run over the lengths as fixed-size integers (uint32 for strings,
uint64 for those of 4 GiB and more and for variants), in the byte order of the
machine that wrote them, and not over the varints that are stored.
"""

from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask
from tfgraphtools.checkpoints.format.wire import Malformed, read_varint, varint

_CRC_SIZE = 4
_LARGEST_UINT32 = (1 << 32) - 1


def decode(data, count, big_endian=False):
    """Returns (list of ``count`` bytes objects, unmasked crc of everything).

    Raises:
      Malformed: the lengths do not fit the data, or their checksum is wrong.
    """
    if count > len(data):  # an empty string takes one byte
        raise Malformed(f"{len(data)} bytes for {count} strings")
    order = "big" if big_endian else "little"
    lengths, position = [], 0
    for _ in range(count):
        length, position = read_varint(data, position)
        lengths.append(length)
    crc = crc32c(b"".join(_fixed(length, order) for length in lengths))
    stored = bytes(data[position : position + _CRC_SIZE])
    if mask(crc) != int.from_bytes(stored, order):
        raise Malformed("strings whose lengths do not fit their checksum")
    position += _CRC_SIZE
    if position + sum(lengths) != len(data):
        raise Malformed(f"{len(data)} bytes for strings of {position + sum(lengths)}")
    crc = crc32c(data[position:], crc32c(stored, crc))
    strings = []
    for length in lengths:
        strings.append(bytes(data[position : position + length]))
        position += length
    return strings, crc


def encode(strings, big_endian=False):
    """Returns (bytes, unmasked crc) of a list of bytes objects; the reverse of `decode`."""
    order = "big" if big_endian else "little"
    crc = crc32c(b"".join(_fixed(len(string), order) for string in strings))
    check = mask(crc).to_bytes(_CRC_SIZE, order)
    body = b"".join(strings)
    crc = crc32c(body, crc32c(check, crc))
    return b"".join(varint(len(string)) for string in strings) + check + body, crc


def variants_crc(data, count, big_endian=False):
    """Returns the unmasked crc of ``count`` variants; `Malformed` if they do not fill the data."""
    order = "big" if big_endian else "little"
    crc = position = 0
    for _ in range(count):
        length, position = read_varint(data, position)
        end = position + length
        if end + _CRC_SIZE > len(data):
            raise Malformed("a variant that runs past its data")
        crc = crc32c(data[position:end], crc32c(length.to_bytes(8, order), crc))
        stored = bytes(data[end : end + _CRC_SIZE])
        if mask(crc) != int.from_bytes(stored, order):
            raise Malformed("a variant whose checksum is wrong")
        crc = crc32c(stored, crc)
        position = end + _CRC_SIZE
    if position != len(data):
        raise Malformed(f"{len(data)} bytes for variants of {position}")
    return crc


def _fixed(length, order):
    return length.to_bytes(4 if length <= _LARGEST_UINT32 else 8, order)
