"""SSTable: the sorted table of keys and values that holds every index (and all of V1).

    file  = block... metaindex-block index-block footer
    block = entry... restarts[] count    then 1 byte kind and 4 bytes masked crc
    entry = varint shared, varint unshared, varint length, key suffix, value

A key shares its first bytes with the key before. The index block maps a key
that is not below the last one of a block to the block's (offset, size). The
footer (48 bytes) holds where the metaindex and the index block are.

The writer gives, byte for byte, what TF's table builder gives uncompressed.
"""

import collections
import struct

from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask
from tfgraphtools.checkpoints.format.snappy import decompress
from tfgraphtools.checkpoints.format.wire import Malformed, read_varint, varint

MAGIC = 0xDB4775248B80FB57
_FOOTER = 48
_TRAILER = 5  # the kind of compression and the checksum
_NONE, _SNAPPY = 0, 1

BLOCK_SIZE = 262144
_RESTART_INTERVAL = 16

#: Prefix compression makes a block's keys longer than the block. TF restarts
#: every 16 keys, so that they are at most 16 times longer; a file that claims
#: much more only wants to fill our memory.
_LARGEST_KEY_RATIO = 64

Handle = collections.namedtuple("Handle", "last_key offset size")


def is_table(data):
    """Tells whether ``data`` ends as an SSTable does."""
    return len(data) >= _FOOTER and struct.unpack_from("<Q", data, len(data) - 8)[0] == MAGIC


class Table:
    """A table in memory, or in a memory map: its blocks are read and checked when asked for.

    Args:
      data: the whole file, bytes or a memoryview.

    Raises:
      Malformed: the footer or the index block is damaged.
    """

    def __init__(self, data):
        if len(data) < _FOOTER:
            raise Malformed(f"{len(data)} bytes, too few for a table")
        if not is_table(data):
            raise Malformed("a file without the table's magic number at its end")
        self._data = data
        footer = bytes(data[len(data) - _FOOTER :])
        position = 0
        for _ in range(2):  # the metaindex block first: nobody uses it
            offset, position = read_varint(footer, position)
            size, position = read_varint(footer, position)
        self._index_offset = offset
        index = self._block(offset, size, "the table's own index")
        self.handles = list(self._handles(index))

    def _handles(self, index):
        """Yields the blocks in their order. Blocks that overlap would be read over and over."""
        end = 0
        for key, value in entries(index):
            offset, position = read_varint(value, 0)
            size, _ = read_varint(value, position)
            if offset < end or offset + size + _TRAILER > self._index_offset:
                raise Malformed("a table whose blocks overlap")
            end = offset + size + _TRAILER
            yield Handle(key, offset, size)

    def block(self, number):
        """Returns the checked, decompressed bytes of a data block."""
        _, offset, size = self.handles[number]
        return self._block(offset, size, f"index block {number}")

    def _block(self, offset, size, place):
        if offset + size + _TRAILER > len(self._data):
            raise Malformed(f"{place}: past the end of the file")
        end = offset + size
        stored = struct.unpack_from("<I", self._data, end + 1)[0]
        if mask(crc32c(self._data[offset : end + 1])) != stored:
            raise Malformed(f"{place}: checksum")
        kind = self._data[end]
        if kind == _NONE:
            return self._data[offset:end]
        if kind == _SNAPPY:
            return decompress(self._data[offset:end])
        raise Malformed(f"{place}: compression of an unknown kind {kind}")

    def items(self):
        """Yields (key, value) of the whole table, keys strictly ascending."""
        last = None
        for number in range(len(self.handles)):
            for key, value in entries(self.block(number)):
                if last is not None and key <= last:
                    raise Malformed("a table whose keys are not in order")
                last = key
                yield key, value


def entries(block):
    """Yields (key, value) of a block; values are slices of it."""
    if len(block) < 4:
        raise Malformed("a block that is cut short")
    end = len(block) - 4 - 4 * struct.unpack_from("<I", block, len(block) - 4)[0]
    position, key, budget = 0, b"", _LARGEST_KEY_RATIO * len(block)
    if end < 0:
        raise Malformed("a block with more restarts than bytes")
    while position < end:
        shared, unshared, length = block[position], block[position + 1], block[position + 2]
        if (shared | unshared | length) < 0x80:  # all three are one byte, as nearly always
            position += 3
        else:
            shared, position = read_varint(block, position)
            unshared, position = read_varint(block, position)
            length, position = read_varint(block, position)
        value = position + unshared
        if shared > len(key) or value + length > end:
            raise Malformed("a block with an entry that does not fit")
        key = key[:shared] + bytes(block[position:value])
        budget -= len(key)
        if budget < 0:
            raise Malformed("a block whose keys are far longer than itself")
        position = value + length
        yield key, block[value:position]


# Writing --------------------------------------------------------------------


def write_table(items, block_size=BLOCK_SIZE):
    """Returns the bytes of a table.

    Args:
      items: (key, value) pairs of bytes, keys strictly ascending.
      block_size: bytes after which a block is closed.
    """
    out = bytearray()
    index = _BlockBuilder(interval=1)
    block = _BlockBuilder(_RESTART_INTERVAL)
    pending = None  # the handle of a closed block: its index key needs the next key
    for key, value in items:
        if block.last is not None and key <= block.last:
            raise ValueError(f"keys not ascending: {key!r} after {block.last!r}")
        # TF gives an entry of two blocks' size a block of its own.
        if block.used and len(key) + len(value) >= 2 * block_size:
            pending = _append_block(out, block)
        if pending is not None:
            index.add(_separator(block.last, key), pending)
            pending = None
        block.add(key, value)
        if block.size() >= block_size:
            pending = _append_block(out, block)
    if block.used:
        pending = _append_block(out, block)
    metaindex = _append_block(out, _BlockBuilder(_RESTART_INTERVAL))
    if pending is not None:
        index.add(_successor(block.last), pending)
    footer = metaindex + _append_block(out, index)
    return bytes(out) + footer.ljust(_FOOTER - 8, b"\0") + struct.pack("<Q", MAGIC)


class _BlockBuilder:
    """Collects the entries of one block; ``last`` outlives `finish`."""

    def __init__(self, interval):
        self._interval = interval
        self.last = None
        self._clear()

    def _clear(self):
        self._buffer = bytearray()
        self._restarts = [0]
        self._since_restart = 0

    @property
    def used(self):
        return bool(self._buffer)

    def size(self):
        return len(self._buffer) + 4 * len(self._restarts) + 4

    def add(self, key, value):
        shared = 0
        if self._since_restart == self._interval:
            self._restarts.append(len(self._buffer))
            self._since_restart = 0
        elif self._buffer:
            shared = _common(self.last, key)
        self._buffer += varint(shared) + varint(len(key) - shared) + varint(len(value))
        self._buffer += key[shared:] + value
        self._since_restart += 1
        self.last = key

    def finish(self):
        count = len(self._restarts)
        done = bytes(self._buffer) + struct.pack(f"<{count + 1}I", *self._restarts, count)
        self._clear()
        return done


def _append_block(out, builder):
    """Appends a finished block and returns its handle, encoded."""
    contents = builder.finish() + bytes([_NONE])
    handle = varint(len(out)) + varint(len(contents) - 1)
    out += contents + struct.pack("<I", mask(crc32c(contents)))
    return handle


def _common(a, b):
    """Returns the number of first bytes that two keys share."""
    shortest = min(len(a), len(b))
    for i in range(shortest):
        if a[i] != b[i]:
            return i
    return shortest


def _separator(low, high):
    """Returns a short key k with low <= k < high."""
    i = _common(low, high)
    if i < min(len(low), len(high)) and low[i] < 0xFF and low[i] + 1 < high[i]:
        return low[:i] + bytes([low[i] + 1])
    return low


def _successor(key):
    """Returns a short key that is not below ``key``."""
    for i, byte in enumerate(key):
        if byte != 0xFF:
            return key[:i] + bytes([byte + 1])
    return key
