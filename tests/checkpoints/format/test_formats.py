"""The small formats: varints, messages, snappy, OrderedCode, tables, strings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfgraphtools.checkpoints.format import (
    dtypes,
    extents,
    ordered_code,
    snappy,
    sstable,
    string_tensors,
    wire,
)
from tfgraphtools.checkpoints.format.wire import Malformed
from tfgraphtools.errors import DamagedCheckpointError

few = settings(max_examples=60, deadline=None)


# Varints and messages ---------------------------------------------------------


@pytest.mark.parametrize(
    "value, data",
    [
        (0, b"\0"),
        (127, b"\x7f"),
        (128, b"\x80\x01"),
        (300, b"\xac\x02"),
        (-1, b"\xff" * 9 + b"\x01"),
        (1 << 63, b"\x80" * 9 + b"\x01"),
    ],
)
def test_varint(value, data):
    assert wire.varint(value) == data
    read, position = wire.read_varint(data + b"x", 0)
    assert position == len(data) and read == value & (1 << 64) - 1


@pytest.mark.parametrize("data", [b"\xff" * 10, b"\xff" * 9 + b"\x02", b"\x80" * 11])
def test_a_varint_that_is_too_long_is_malformed(data):
    with pytest.raises(Malformed):
        wire.read_varint(data, 0)


@pytest.mark.parametrize(
    "data",
    [b"\x08", b"\x0a\x05ab", b"\x0b", b"\x0d\0\0", b"\x09\0", b"\x00\x01"],
    ids=["no value", "short bytes", "group", "short fixed32", "short fixed64", "field 0"],
)
def test_a_bad_message_is_an_error_that_names_the_file(data):
    with pytest.raises(DamagedCheckpointError, match="some.index"):
        with wire.reading("some.index"):
            list(wire.fields(data))


def test_messages_agree_with_protobuf():
    """The same message, by the protobuf library."""
    pytest.importorskip("tensorflow")
    from tensorflow.core.protobuf import tensor_bundle_pb2

    from tfgraphtools.checkpoints.format import bundle

    entry = tensor_bundle_pb2.BundleEntryProto(
        dtype=9, shard_id=3, offset=1 << 40, size=7, crc32c=0xDEADBEEF
    )
    for size in (0, 3, 1 << 33):
        entry.shape.dim.add(size=size)
    for start, length in ((0, 4), (2, 0), (0, None)):
        extent = entry.slices.add().extent.add(start=start)
        if length is not None:
            extent.length = length
    data = entry.SerializeToString()
    ours = bundle.parse_entry(data)
    assert ours == bundle.Entry(
        9, (0, 3, 1 << 33), 3, 1 << 40, 7, 0xDEADBEEF, (((0, 4),), ((2, 0),), ((0, None),))
    )
    assert bundle.serialize_entry(ours) == data


# Snappy -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data, decompressed",
    [
        (b"\x00", b""),
        (b"\x03\x08abc", b"abc"),
        (b"\x08\x00a\x0d\x01", b"aaaaaaaa"),  # a copy of 7 from 1 back, in two bytes
        (b"\x06\x04ab\x0e\x02\x00", b"ababab"),  # a copy of 4 from 2 back, in three
        (b"\x06\x04ab\x0f\x02\x00\x00\x00", b"ababab"),  # in five
        (b"\x3d\xf0\x3c" + b"x" * 61, b"x" * 61),  # a literal whose length takes a byte
    ],
    ids=["empty", "literal", "copy1", "copy2", "copy4", "long literal"],
)
def test_snappy(data, decompressed):
    assert snappy.decompress(data) == decompressed


@pytest.mark.parametrize(
    "data",
    [b"", b"\x05\x08abc", b"\x02\x08abc", b"\x04\x0d\x01", b"\x03\x08ab", b"\xff\xff\xff\x7f\x00a"],
    ids=["nothing", "too short", "too long", "copy of nothing", "cut literal", "a bomb"],
)
def test_bad_snappy(data):
    with pytest.raises((Malformed, IndexError)):
        snappy.decompress(data)


@few
@given(st.lists(st.sampled_from([b"model/", b"kernel", b"\0\1", b"x" * 70]), max_size=200))
def test_snappy_agrees_with_the_real_compressor(pieces):
    cramjam = pytest.importorskip("cramjam")
    data = b"".join(pieces)
    assert snappy.decompress(bytes(cramjam.snappy.compress_raw(data))) == data


# OrderedCode --------------------------------------------------------------------

numbers = st.one_of(st.integers(0, 70), st.integers(0, 1 << 62))
some_extents = st.lists(st.one_of(st.just((0, None)), st.tuples(numbers, numbers)), max_size=5).map(
    tuple
)


@few
@given(st.binary(max_size=20), some_extents)
def test_slice_keys_round_trip(name, parts):
    assert ordered_code.parse_slice_key(ordered_code.slice_key(name, parts)) == (name, parts)


@few
@given(
    *[
        st.tuples(
            st.binary(max_size=4),
            st.lists(st.tuples(numbers, numbers), min_size=2, max_size=2).map(tuple),
        )
    ]
    * 2
)
def test_the_order_of_keys_is_that_of_what_they_hold(first, second):
    keys = [ordered_code.slice_key(*x) for x in (first, second)]
    assert (keys[0] < keys[1]) == (first < second)


@pytest.mark.parametrize("value", [-(1 << 63), -(1 << 40), -65, -64, -1, 0, 63, 64, 1 << 62])
def test_signed_numbers(value):
    data = ordered_code._signed(value)
    assert ordered_code._read_signed(data, 0) == (value, len(data))


@pytest.mark.parametrize("cut", range(1, 14))
def test_a_cut_slice_key_is_malformed(cut):
    key = ordered_code.slice_key(b"name", ((1000, 70), (0, None)))
    with pytest.raises((Malformed, IndexError)):
        ordered_code.parse_slice_key(key[:cut])


# Tables -------------------------------------------------------------------------

tables = st.dictionaries(st.binary(max_size=30), st.binary(max_size=60), max_size=80)


@few
@given(tables, st.sampled_from([1, 64, 300, sstable.BLOCK_SIZE]))
def test_tables_round_trip(contents, block_size):
    data = sstable.write_table(sorted(contents.items()), block_size)
    read = [(key, bytes(value)) for key, value in sstable.Table(data).items()]
    assert read == sorted(contents.items())


@pytest.mark.parametrize(
    "low, high, key",  # as LevelDB's FindShortestSeparator and FindShortSuccessor
    [
        (b"abc1x", b"abc9", b"abc2"),
        (b"abc1x", b"abc2", b"abc1x"),
        (b"abc", b"abcd", b"abc"),
        (b"a\xffx", b"b", b"a\xffx"),
        (b"abc", None, b"b"),
        (b"\xff\xffa", None, b"\xff\xffb"),
        (b"\xff", None, b"\xff"),
    ],
)
def test_index_keys(low, high, key):
    assert (sstable._successor(low) if high is None else sstable._separator(low, high)) == key


def test_keys_out_of_order_are_refused():
    with pytest.raises(ValueError):
        sstable.write_table([(b"b", b""), (b"a", b"")])


def test_every_flipped_byte_of_a_table_is_found():
    items = [(b"", b"h")] + [(b"key%02d" % i, b"value") for i in range(40)]
    data = sstable.write_table(items, 128)
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 0x10
        try:
            read = [(key, bytes(value)) for key, value in sstable.Table(bytes(damaged)).items()]
        except (Malformed, IndexError):
            continue
        # Only the metaindex block and the padding of the footer may change unseen.
        assert read == items and position > len(data) * 0.7


def test_a_flipped_index_byte_names_its_block():
    data = bytearray(sstable.write_table([(b"", b"h"), (b"a", b"b")]))
    data[2] ^= 1
    with pytest.raises(Malformed, match="index block 0: checksum"):
        list(sstable.Table(bytes(data)).items())


def test_a_table_cannot_claim_more_memory_than_it_has():
    long = b"k" * 6000
    items = [(long + b"%06d" % i, b"") for i in range(300)]
    builder = sstable._BlockBuilder(interval=1 << 30)  # no restarts: every key shares 6,000 bytes
    for key, value in items:
        builder.add(key, value)
    with pytest.raises(Malformed, match="keys"):
        list(sstable.entries(builder.finish()))


# Strings ------------------------------------------------------------------------


@few
@given(st.lists(st.binary(max_size=200), max_size=20), st.booleans())
def test_strings_round_trip(values, big_endian):
    data, crc = string_tensors.encode(values, big_endian)
    assert string_tensors.decode(data, len(values), big_endian) == (values, crc)


@pytest.mark.parametrize("position", range(11))
def test_flipped_bytes_of_strings_are_found(position):
    data, crc = string_tensors.encode([b"ab", b"", b"cde"])
    damaged = bytearray(data)
    damaged[position] ^= 0x01
    try:
        values, computed_crc = string_tensors.decode(bytes(damaged), 3)
    except (Malformed, IndexError):
        return
    assert position >= 7 and computed_crc != crc  # the lengths have a checksum of their own


# Types and extents ----------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "float8_e5m2",
        "float8_e4m3fn",
        "float8_e4m3fnuz",
        "float8_e4m3b11fnuz",
        "float8_e5m2fnuz",
        "bfloat16",
    ],
)
def test_types_that_numpy_lacks(name):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    dtype = dtypes.by_name(name, "a test")
    raw = np.arange(1 << 8 * dtype.size).astype(dtype.storage)
    wanted = raw.view(getattr(ml_dtypes, name)).astype(np.float32)
    assert np.array_equal(dtypes.widened(raw, dtype), wanted, equal_nan=True)


def test_rounding_to_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    values = (
        np.random.RandomState(0)
        .randint(0, 1 << 32, 100000, np.uint64)
        .astype(np.uint32)
        .view(np.float32)
    )
    ours = dtypes.widened(
        dtypes.narrowed(values, dtypes.by_name("bfloat16", "")), dtypes.by_name("bfloat16", "")
    )
    wanted = values.astype(ml_dtypes.bfloat16).astype(np.float32)
    assert np.array_equal(ours, wanted, equal_nan=True)


@pytest.mark.parametrize(
    "boxes, shape, wrong",
    [
        ([((0, 2), (0, 3)), ((2, 4), (0, 3))], (4, 3), None),
        ([((0, 4), (0, 1)), ((0, 4), (1, 3))], (4, 3), None),
        ([()], (), None),
        ([((0, 0),)], (0,), None),
        ([((0, 2), (0, 3))], (4, 3), "6 of 12"),
        ([((0, 3), (0, 3)), ((2, 4), (0, 3))], (4, 3), "overlap"),
        ([((0, 2), (0, 2)), ((0, 2), (1, 3)), ((2, 4), (0, 2))], (4, 3), "overlap"),
    ],
)
def test_cover(boxes, shape, wrong):
    if wrong is None:
        extents.check_cover(boxes, shape)
    else:
        with pytest.raises(Malformed, match=wrong):
            extents.check_cover(boxes, shape)


def test_thousands_of_slices_take_no_square_of_their_number():
    side = 80
    boxes = [((i, i + 1), (j, j + 1)) for i in range(side) for j in range(side)]
    extents.check_cover(boxes, (side, side))


@pytest.mark.parametrize(
    "stored, other, expected",
    [
        ("bfloat16", "bfloat16", True),
        ("bfloat16", "float32", True),
        ("float32", "bfloat16", False),
        ("float16", "bfloat16", False),
        ("float8_e5m2", "float64", True),
        ("int32", "float64", True),
        ("int64", "int32", False),
        ("string", "float32", False),
    ],
    ids=str,
)
def test_which_type_holds_another(stored, other, expected):
    assert dtypes.is_exact_in(stored, other) is expected
