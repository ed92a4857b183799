"""TensorBundle (V2): the index of a checkpoint, read and written byte for byte.

``PREFIX.index`` is a table. The key "" holds the header (number of shards, byte
order, version); every other key is a tensor's name, or a slice key (they begin
with a zero byte, see `ordered_code`), with an entry: dtype, shape, and where the
bytes are (shard, offset, size) with their masked checksum. The entry of a
partitioned tensor lists its slices and has no bytes of its own. The bytes are in
``PREFIX.data-00000-of-00001``, one file per shard.
"""

import collections
import re

from tfgraphtools.checkpoints.format import extents as _extents
from tfgraphtools.checkpoints.format import ordered_code
from tfgraphtools.checkpoints.format.sstable import Table, write_table
from tfgraphtools.checkpoints.format.wire import (
    Malformed,
    bytes_field,
    expect_bytes,
    expect_int,
    fields,
    fixed32_field,
    number_field,
    read_varint,
    signed,
    text,
    utf8,
)

#: What a tensor's entry says. ``slices`` is a tuple of extents, for a partitioned tensor.
Entry = collections.namedtuple("Entry", "dtype shape shard offset size crc slices")
Entry.__new__.__defaults__ = (0, (), 0, 0, 0, 0, ())

#: ``version`` is the VersionDef as it was found, or as TF writes it today.
Header = collections.namedtuple("Header", "num_shards big_endian version")
Header.__new__.__defaults__ = (1, False, b"\x08\x01")

#: ``entries``: {name: Entry}; ``slices``: {name: {extents: Entry}}.
Index = collections.namedtuple("Index", "header entries slices")

_MOST_DIMENSIONS = 254  # of a TensorShape
_NEWEST_READER = 1  # what TF calls kTensorBundleVersion
_SHARD = re.compile(r"(?s)(.*)\.data-(\d{5,})-of-(\d{5,})")


def shard_path(prefix, shard, num_shards):
    """Returns the file of a shard."""
    return f"{prefix}.data-{shard:05d}-of-{num_shards:05d}"


def split_shard_path(path):
    """Returns (prefix, shard, number of shards) of a shard's file name, or None."""
    match = _SHARD.fullmatch(path)
    return match and (match.group(1), int(match.group(2)), int(match.group(3)))


# Reading --------------------------------------------------------------------


def parse_index(data):
    """Returns the `Index` in the bytes of an index file; `Malformed` if they are damaged."""
    items = Table(data).items()
    key, value = next(items, (None, None))
    if key != b"":
        raise Malformed("an index without a header")
    index = Index(parse_header(value), {}, {})
    shapes = {}  # models repeat their shapes: each is decoded once
    for key, value in items:
        entry = parse_entry(value, shapes)
        if entry.shard >= index.header.num_shards:
            raise Malformed(f"{key!r} in shard {entry.shard} of {index.header.num_shards}")
        if key[0]:
            index.entries[key.decode("utf-8", "surrogateescape")] = entry
        else:
            name, extents = ordered_code.parse_slice_key(key)
            index.slices.setdefault(text(name), {})[extents] = entry
    return index


def parse_header(data):
    """Returns the `Header` in the value of the first key."""
    num_shards, endianness, version = 0, 0, b""
    for number, value in fields(data):
        if number == 1:
            num_shards = signed(expect_int(value))
        elif number == 2:
            endianness = expect_int(value)
        elif number == 3:
            version = bytes(expect_bytes(value))
    oldest = dict(fields(version)).get(2, 0)
    if expect_int(oldest) > _NEWEST_READER:
        raise Malformed(f"a format that asks for readers of version {oldest}")
    if endianness > 1 or num_shards < 0:
        raise Malformed(f"a header with byte order {endianness}, {num_shards} shards")
    return Header(num_shards, endianness == 1, version)


def parse_entry(data, shapes=None):
    """Returns the `Entry` in a BundleEntryProto.

    Ten thousand of these are read for one listing: the loop takes tags of one
    byte, which are all that a writer makes, as they come.
    """
    dtype = shard = offset = size = crc = 0
    shape, slices = (), ()
    position, end = 0, len(data)
    while position < end:
        tag = data[position]
        position += 1
        if tag == 0x35:  # field 6, fixed32
            if position + 4 > end:
                raise Malformed("an entry that is cut short")
            crc = int.from_bytes(data[position : position + 4], "little")
            position += 4
            continue
        value = data[position]
        position += 1
        if value >= 0x80:
            value, position = read_varint(data, position - 1)
        if tag == 0x08:
            dtype = value
        elif tag == 0x12 or tag == 0x3A:
            message = data[position : position + value]
            position += value
            if position > end:
                raise Malformed("an entry that is cut short")
            if tag == 0x12:
                shape = _shape(bytes(message), shapes)
            else:
                slices += (_extents.parse(message),)
        elif tag == 0x18:
            shard = value
        elif tag == 0x20:
            offset = value
        elif tag == 0x28:
            size = value
        else:
            raise Malformed("an entry with an unknown field")
    if (dtype | shard | offset | size) >> 63:
        raise Malformed("an entry with a negative number")
    return Entry(dtype, shape, shard, offset, size, crc, slices)


def _shape(message, known):
    if known is None:
        return parse_shape(message)
    shape = known.get(message)
    if shape is None:
        shape = known[message] = parse_shape(message)
    return shape


def parse_shape(data):
    """Returns the sizes in a TensorShapeProto; one that is not fully known is malformed."""
    shape = []
    for number, value in fields(data):
        if number == 2:
            size = signed(dict(fields(expect_bytes(value))).get(1, 0))
            if size < 0:
                raise Malformed(f"a dimension of {size}")
            if len(shape) == _MOST_DIMENSIONS:
                raise Malformed(f"a shape of more than {_MOST_DIMENSIONS} dimensions")
            shape.append(size)
        elif number == 3 and value:
            raise Malformed("a shape of unknown rank")
    return tuple(shape)


# Writing --------------------------------------------------------------------


def serialize_index(index, block_size=None):
    """Returns the bytes of an index file."""
    items = [(utf8(name), serialize_entry(entry)) for name, entry in index.entries.items()]
    for name, slices in index.slices.items():
        for extents, entry in slices.items():
            items.append((ordered_code.slice_key(utf8(name), extents), serialize_entry(entry)))
    items.sort()
    first = [(b"", serialize_header(index.header))]
    return write_table(first + items, *([block_size] if block_size else []))


def serialize_header(header):
    """Returns the bytes of a `Header`."""
    version = bytes_field(3, header.version) if header.version else b""
    return number_field(1, header.num_shards) + number_field(2, int(header.big_endian)) + version


def serialize_entry(entry):
    """Returns the bytes of an `Entry` as protobuf writes them: in order, without zeros."""
    out = number_field(1, entry.dtype) + bytes_field(2, serialize_shape(entry.shape))
    out += number_field(3, entry.shard) + number_field(4, entry.offset)
    out += number_field(5, entry.size) + fixed32_field(6, entry.crc)
    for extents in entry.slices:
        out += bytes_field(7, _extents.serialize(extents))
    return out


def serialize_shape(shape):
    """Returns the bytes of a TensorShapeProto."""
    return b"".join(bytes_field(2, number_field(1, size)) for size in shape)
