"""Damaged and hostile forms of checkpoint files, for the fuzz tests."""

import io
import json
import struct
import zipfile

from tfgraphtools.checkpoints.format import bundle, ordered_code, sstable
from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask


def mutations(data, rng):
    """One damaged form of a file."""
    data = bytearray(data)
    kind = rng.randrange(6)
    if kind == 0:
        return bytes(data[: rng.randrange(len(data) + 1)])
    if kind == 1:
        return bytes(rng.getrandbits(8) for _ in range(rng.randrange(200)))
    for _ in range(rng.choice([1, 1, 2, 5, 30])):
        if not data:
            break
        at = rng.randrange(len(data))
        if kind == 2:
            data[at] ^= 1 << rng.randrange(8)
        elif kind == 3:
            data[at] = rng.choice([0, 1, 0x7F, 0x80, 0xFF])
        elif kind == 4:
            length = rng.randrange(1, 9)
            data[at : at + length] = bytes(rng.getrandbits(8) for _ in range(length))
        else:
            data[at : at + rng.randrange(4)] = b""
    return bytes(data)


def with_valid_checksums(data, rng):
    """A table with damaged entries and right checksums: it gets past the first door."""
    try:
        items = [(key, bytes(value)) for key, value in sstable.Table(data).items()]
    except Exception:  # the corpus is intact
        raise AssertionError("the corpus is damaged")
    for _ in range(rng.choice([1, 1, 3])):
        at = rng.randrange(len(items))
        key, value = items[at]
        if rng.random() < 0.7 and value:
            value = mutations(value, rng)
        else:
            key = mutations(key, rng) if key else b"\0"
        items[at] = key, value
    items = sorted(dict(items).items())
    table = bytearray(sstable.write_table(items, rng.choice([64, 4096])))
    if rng.random() < 0.2:  # damage inside a block, with the block's checksum made right again
        handles = sstable.Table(bytes(table)).handles
        _, offset, size = rng.choice(handles)
        for _ in range(3):
            table[offset + rng.randrange(size)] = rng.choice([0, 1, 0x7F, 0xFF, rng.getrandbits(8)])
        if rng.random() < 0.5:
            table[offset + size] = 1  # "snappy"
        crc = mask(crc32c(bytes(table[offset : offset + size + 1])))
        table[offset + size + 1 : offset + size + 5] = struct.pack("<I", crc)
    return bytes(table)


HOSTILE_SIZES = [0, 1, 2, 7, 64, 1 << 16, 1 << 31, 1 << 40, 1 << 62, (1 << 63) - 1, 1 << 64, -1]


def hostile_npz(data, rng):
    """An npz whose records are right and whose arrays claim what they are not."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w") as damaged:
        infos = archive.infolist()
        victim = rng.randrange(len(infos))
        for number, info in enumerate(infos):
            content, name = archive.read(info), info.filename
            if number == victim:
                content, name = _hostile_member(content, name, rng)
            kind = zipfile.ZIP_DEFLATED if rng.random() < 0.3 else zipfile.ZIP_STORED
            damaged.writestr(name, content, kind)
    return out.getvalue()


def _hostile_member(content, name, rng):
    kind = rng.randrange(4)
    if kind == 0:
        return mutations(content, rng), name
    if kind == 1:
        return content, rng.choice([".npy", "a.npy.npy", "../x.npy", "notes.txt", "\u00e9.npy"])
    shape = tuple(rng.choice(HOSTILE_SIZES) for _ in range(rng.choice([1, 2, 3, 33, 70])))
    descr = rng.choice(["<f4", "|u1", "|O", "<U5", "|S3", ">c16", "<f2", "|V4", "<M8[s]", "|b1"])
    text = f"{{'descr': {descr!r}, 'fortran_order': {rng.random() < 0.5}, 'shape': {shape!r}, }}"
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text) + 1) + text.encode() + b"\n"
    return head + content[128:], name


def hostile_safetensors(data, rng):
    """A header that is JSON, of the right length, and says what is not so."""
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    name = rng.choice(list(header))
    kind = rng.randrange(5)
    if kind == 0:
        header[name] = rng.choice([None, 3, [], {}, "x", {"dtype": [], "shape": {}}])
    elif kind == 1 and "shape" in header[name]:
        header[name]["shape"] = [rng.choice(HOSTILE_SIZES) for _ in range(rng.choice([1, 3, 70]))]
    elif kind == 2 and "data_offsets" in header[name]:
        header[name]["data_offsets"] = [rng.choice(HOSTILE_SIZES), rng.choice(HOSTILE_SIZES)]
    elif kind == 3:
        header["__metadata__"] = {"__tfgraphtools__": _hostile_manifest(name, rng)}
    else:
        header[rng.choice(["", "\ud800", "a" * 70000, "\0x"])] = header.pop(name)
    text = json.dumps(header).encode("utf-8", "surrogatepass")
    return struct.pack("<Q", len(text)) + text + data[8 + length :]


def _hostile_manifest(name, rng):
    huge = rng.choice(HOSTILE_SIZES)
    said = {
        "name": rng.choice(["", "x", 3, None, "\0a"]),
        "dtype": rng.choice(["string", "bfloat16", "variant", "no", 7, None, "complex64"]),
        "shape": rng.choice([None, [], [rng.choice(HOSTILE_SIZES)] * 3, "x", [1] * 70]),
        "slices": rng.choice([None, [], [[[0, 1]]], [[[0, None]]], [[[huge, 2]]]]),
    }
    chosen = {key: value for key, value in said.items() if rng.random() < 0.5}
    return json.dumps({"version": rng.choice([1, 1, 1, 2]), "tensors": {name: chosen}})


# Indexes whose checksums are right and whose claims are not ----------------------


def entry(**fields):
    return bundle.serialize_entry(bundle.Entry(**fields))


def header(shards=1):
    return bundle.serialize_header(bundle.Header(num_shards=shards))


HUGE = 1 << 40
BOMBS = {
    "the-most-shards": [
        (b"", header((1 << 31) - 1)),
        (b"w", entry(dtype=4, shape=(8, 8), size=64, shard=5)),
    ],
    "a-shape-that-overflows": [
        (b"", header()),
        (b"w", entry(dtype=1, shape=(1 << 62, 1 << 62, 0, 2), size=0)),
    ],
    "a-shape-of-many-ones": [(b"", header()), (b"w", entry(dtype=4, shape=(1,) * 20000, size=1))],
    "strings-of-a-huge-shape": [
        (b"", header()),
        (b"w", entry(dtype=7, shape=(1 << 62, 1 << 62), size=8)),
    ],
    "a-huge-shape": [(b"", header()), (b"w", entry(dtype=1, shape=(HUGE, HUGE), size=4))],
    "a-huge-shape-that-fits-its-size": [
        (b"", header()),
        (b"w", entry(dtype=4, shape=(HUGE,), size=HUGE)),
    ],
    "many-strings": [(b"", header()), (b"w", entry(dtype=7, shape=(HUGE,), size=8))],
    "many-variants": [(b"", header()), (b"w", entry(dtype=21, shape=(HUGE,), size=8))],
    "many-shards": [(b"", header(1 << 50)), (b"w", entry(dtype=4, shape=(1,), size=1))],
    "slices-that-are-not-there": [
        (b"", header()),
        (b"w", entry(dtype=4, shape=(HUGE,), slices=(((0, HUGE),),))),
    ],
    "slices-that-share-their-bytes": [(b"", header())]
    + sorted(
        [
            (
                b"w",
                entry(
                    dtype=4,
                    shape=(8 << 10, 8),
                    slices=tuple(((i * 8, 8), (0, None)) for i in range(1 << 10)),
                ),
            )
        ]
        + [
            (
                ordered_code.slice_key(b"w", ((i * 8, 8), (0, None))),
                entry(dtype=4, shape=(8, 8), size=64),
            )
            for i in range(1 << 10)
        ]
    ),
    "strings-of-forty-dimensions": [
        (b"", header()),
        (b"w", entry(dtype=7, shape=(1,) * 40, size=5)),
    ],
    "slices-of-forty-dimensions": [
        (b"", header()),
        (b"w", entry(dtype=4, shape=(1,) * 40, slices=(((0, None),) * 40,))),
        (ordered_code.slice_key(b"w", ((0, None),) * 40), entry(dtype=4, shape=(1,) * 40, size=1)),
    ],
    "a-tensor-of-a-thousand-dimensions": [
        (b"", header()),
        (b"w", entry(dtype=4, shape=(1,) * 1000, size=1)),
    ],
}


def write_bomb(name, prefix):
    """Writes one of `BOMBS` with a shard of 64 bytes, and returns its prefix."""
    prefix, items = str(prefix), BOMBS[name]
    with open(prefix + ".index", "wb") as file:
        file.write(sstable.write_table(items[:1] + sorted(items[1:])))
    with open(bundle.shard_path(prefix, 0, 1), "wb") as file:
        file.write(b"\0" * 64)
    return prefix
