"""Snappy decompression: what TF2's own index files and old V1 checkpoints may use.

We never write it. The format is Google's "snappy format description": a varint
of the length, then literals and copies from what was decompressed before. The
densest element says 64 bytes in 3, so that no block can grow by more than 22 times.
"""

from tfgraphtools.checkpoints.format.wire import Malformed, read_varint


def decompress(data):
    """Returns the bytes that ``data`` stands for; `Malformed` if it is no snappy stream."""
    data = bytes(data)
    length, position = read_varint(data, 0)
    out = bytearray()
    while position < len(data):
        tag = data[position]
        position += 1
        if tag & 3 == 0:
            size, position = _literal_size(data, position, tag)
            if size > len(data) - position:
                raise Malformed("a compressed block that ends inside a literal")
            out += data[position : position + size]
            position += size
        else:
            size, distance, position = _copy(data, position, tag)
            _copy_back(out, size, distance)
        if len(out) > length:
            break
    if len(out) != length:
        raise Malformed("a compressed block of another length than it claims")
    return bytes(out)


def _literal_size(data, position, tag):
    size = tag >> 2
    if size < 60:
        return size + 1, position
    count = size - 59
    return int.from_bytes(data[position : position + count], "little") + 1, position + count


def _copy(data, position, tag):
    """Returns (size, distance, next position) of a copy element."""
    if tag & 3 == 1:
        return (tag >> 2 & 7) + 4, tag >> 5 << 8 | data[position], position + 1
    count = 2 if tag & 3 == 2 else 4
    distance = int.from_bytes(data[position : position + count], "little")
    return (tag >> 2) + 1, distance, position + count


def _copy_back(out, size, distance):
    """Appends ``size`` bytes from ``distance`` back; they may overlap what is appended."""
    if not 0 < distance <= len(out):
        raise Malformed("a compressed block that copies from before its start")
    start = len(out) - distance
    while size > 0:
        piece = out[start : start + size]
        out += piece
        start += len(piece)
        size -= len(piece)
