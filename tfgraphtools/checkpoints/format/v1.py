"""V1 checkpoints (SavedTensorSlices): tables that hold the tensors themselves.

One table per shard. The key "" holds the list of tensors (name, shape, dtype,
slices), every other key is a slice key with a SavedSlice, whose TensorProto has
the values as numbers: packed floats, or varints for every integer type. What a
tensor's file has is decoded when it is asked for.
"""

import bisect
import struct

from tfgraphtools.checkpoints.format import dtypes, ordered_code
from tfgraphtools.checkpoints.format import extents as _extents
from tfgraphtools.checkpoints.format.bundle import parse_shape
from tfgraphtools.checkpoints.format.sstable import Table, entries
from tfgraphtools.checkpoints.format.wire import (
    Malformed,
    expect_bytes,
    expect_int,
    fields,
    last_fields,
    text,
    utf8,
)

#: The field of TensorProto that holds the values, and the NumPy type in which it does.
#: Varints are decoded as 64 bits first; half is its 16 bits as an integer.
_FIXED = {1: 5, 2: 6, 8: 9, 18: 12}
_VARINTS = {
    3: 7,
    4: 7,
    5: 7,
    6: 7,
    9: 10,
    10: 11,
    11: 7,
    12: 7,
    13: 7,
    14: 13,
    15: 7,
    16: 7,
    17: 7,
    19: 13,
    22: 16,
    23: 17,
}
_STRING_VALUES = 8


class Shard:
    """One V1 table: what it lists, and the values of its slices."""

    def __init__(self, file):
        self._table = Table(file.view(0, file.size))
        self._last_keys = [handle.last_key for handle in self._table.handles]
        self._block = (None, None)  # the number and bytes of the block read last
        #: {name: (dtype, shape, [extents, ...])}
        self.tensors = dict(self._listed())

    def _listed(self):
        first = next(iter(entries(self._read_block(0))), None) if self._last_keys else None
        if first is None or first[0] != b"":
            raise Malformed("a table without the list of its tensors")
        meta = expect_bytes(last_fields(first[1]).get(1, b""))
        for number, value in fields(meta):
            if number == 1:
                yield _parse_listed(expect_bytes(value))

    def _read_block(self, number):
        if self._block[0] != number:
            self._block = (number, self._table.block(number))
        return self._block[1]

    def values(self, name, extents, dtype):
        """Returns the values of a slice, flat, in the storage type (bytes objects for strings)."""
        key = ordered_code.slice_key(utf8(name), extents)
        block = bisect.bisect_left(self._last_keys, key)
        if block < len(self._last_keys):
            for entry_key, value in entries(self._read_block(block)):
                if entry_key == key:
                    return _parse_values(value, dtype)
        raise Malformed("no values for a slice that is listed")


def _parse_listed(data):
    name, shape, dtype, slices = "", (), 0, []
    for number, value in fields(data):
        if number == 1:
            name = text(value)
        elif number == 2:
            shape = parse_shape(expect_bytes(value))
        elif number == 3:
            dtype = expect_int(value)
        elif number == 4:
            slices.append(_extents.parse(expect_bytes(value)))
    return name, (dtype, shape, slices)


def _parse_values(saved_slices, dtype):
    saved_slice = expect_bytes(last_fields(saved_slices).get(2, b""))
    return tensor_values(expect_bytes(last_fields(saved_slice).get(3, b"")), dtype)


def tensor_values(proto, dtype):
    """Returns a TensorProto's flat ``*_val``: an array, or a list of bytes for strings."""
    if dtype.number == dtypes.STRING:
        return [bytes(expect_bytes(v)) for n, v in fields(proto) if n == _STRING_VALUES]
    if dtype.number in _FIXED:
        return _fixed_values(proto, _FIXED[dtype.number], dtype)
    if dtype.number in _VARINTS:
        return _varint_values(proto, _VARINTS[dtype.number], dtype)
    raise Malformed(f"values of type {dtype.name}, which a TensorProto cannot list")


def _fixed_values(proto, field, dtype):
    import numpy as np

    item = "<I" if dtype.name in ("float32", "complex64") else "<Q"
    pieces = [
        struct.pack(item, value) if isinstance(value, int) else value
        for number, value in fields(proto)
        if number == field
    ]
    data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
    if len(data) % dtype.size:
        raise Malformed("values that are cut short")
    return np.frombuffer(data, dtypes.storage(dtype))


def _varint_values(proto, field, dtype):
    import numpy as np

    pieces = []
    for number, value in fields(proto):
        if number == field and isinstance(value, int):
            pieces.append(np.array([value], np.uint64))
        elif number == field:
            pieces.extend(_decode_varints(value))
    target = dtypes.storage(dtype)
    if dtype.name == "float16":
        return _joined(pieces, np.dtype("<u2")).view(target)
    return _joined(pieces, target)


def _joined(pieces, target):
    import numpy as np

    # Negative numbers are sign-extended to 64 bits: the low bytes are what is meant.
    kept = [piece != 0 if target.kind == "b" else piece.astype(target) for piece in pieces]
    return np.concatenate(kept) if kept else np.zeros(0, target)


_PIECE = 1 << 18  # bytes decoded at once: the decoder takes some 40 times as much


def _decode_varints(data):
    """Yields arrays of uint64: packed varints, a piece at a time."""
    import numpy as np

    octets = np.frombuffer(data, np.uint8)
    position = 0
    while position < len(octets):
        piece = octets[position : position + _PIECE]
        ends = np.flatnonzero(piece < 0x80)
        if not len(ends):
            raise Malformed("a varint that does not end")
        starts = np.concatenate([[0], ends[:-1] + 1])
        sizes = ends - starts + 1
        if sizes.max() > 10:
            raise Malformed("a varint of more than 10 bytes")
        values = np.zeros(len(ends), np.uint64)
        for k in range(sizes.max()):
            longer = sizes > k
            bits = (piece[starts[longer] + k] & 0x7F).astype(np.uint64)
            values[longer] |= bits << np.uint64(7 * k)
        yield values
        position += int(ends[-1]) + 1
