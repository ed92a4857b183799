"""Damaged and hostile files: an error of ours or a result; no other exception, hang or flood.

`TFGRAPHTOOLS_FUZZ` sets the number of inputs.
"""

import os
import random
import struct
import tracemalloc

import pytest
from checkpoint_files import copy_checkpoint, make_checkpoints

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.format import bundle, ordered_code, sstable
from tfgraphtools.checkpoints.format.crc32c import crc32c, mask
from tfgraphtools.checkpoints.graphs import metagraph
from tfgraphtools.errors import TfgraphtoolsError

INPUTS = int(os.environ.get("TFGRAPHTOOLS_FUZZ", "600"))

#: The readers may allocate this much beyond a multiple of the file: their own objects.
_BASE, _FACTOR = 3 << 20, 100


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


def use_everything(prefix):
    """Opens a checkpoint and reads all of it; errors of ours end it."""
    report = checkpoints.verify(prefix)
    str(report)
    with checkpoints.open_checkpoint(prefix, allow_missing_shards=True) as ckpt:
        rows = checkpoints.listing(ckpt)
        for row in rows:
            for call in (ckpt.info, ckpt.__getitem__, ckpt.raw):
                try:
                    call(row.name)
                except TfgraphtoolsError:
                    pass
        str(checkpoints.plan(ckpt))


@pytest.fixture(scope="module")
def corpus(this_tf, tmp_path_factory):
    """Small checkpoints of each kind, and for each the file to damage."""
    folder = tmp_path_factory.mktemp("corpus")
    found = []
    with checkpoints.open_checkpoint(this_tf / make_checkpoints.CASES["v2"]) as ckpt:
        keep = ["float32/.*", "string/.*", "bool/cube"]
        plan = checkpoints.plan(
            ckpt,
            partition={"int32/matrix": (2, 0), "string/vector": (2, 0)},
            add={"object": [b"x" * 50]},
            drop="(?!{}|int32/matrix).*".format("|".join(keep)),
        )
        plan.apply(folder / "v2", compact=True)
    found.append((str(folder / "v2"), ".index"))
    found.append((str(folder / "v2"), ".data-00000-of-00001"))
    for case in ("v1", "v1_sliced"):
        found.append((copy_checkpoint(this_tf / make_checkpoints.CASES[case], folder / case), ""))
    return found


def test_fuzz(corpus, tmp_path):
    seed = int(os.environ.get("TFGRAPHTOOLS_FUZZ_SEED", "1"))
    rng = random.Random(seed)
    originals = [
        (
            copy_checkpoint(prefix, tmp_path / f"case{i}"),
            ending,
            open(prefix + ending, "rb").read(),
        )
        for i, (prefix, ending) in enumerate(corpus)
    ]
    opened = 0
    for number in range(INPUTS):
        prefix, ending, data = originals[number % len(originals)]
        is_table = "data-" not in ending
        damaged = (
            with_valid_checksums(data, rng)
            if is_table and rng.random() < 0.6
            else mutations(data, rng)
        )
        with open(prefix + ending, "wb") as file:
            file.write(damaged)
        try:
            use_everything(prefix)
            opened += 1
        except TfgraphtoolsError as error:
            str(error)
        except Exception as error:
            with open(str(tmp_path / "culprit"), "wb") as file:
                file.write(damaged)
            raise AssertionError(
                "input {} of {}: {!r}".format(number, ending or "V1", error)
            ) from error
    assert 0 < opened < INPUTS  # some damage is seen at once, some only in the tensors


def test_memory_stays_within_the_files(corpus, tmp_path):
    rng = random.Random(2)
    originals = [
        (
            copy_checkpoint(prefix, tmp_path / f"case{i}"),
            ending,
            open(prefix + ending, "rb").read(),
        )
        for i, (prefix, ending) in enumerate(corpus)
    ]
    for number in range(40):
        prefix, ending, data = originals[number % len(originals)]
        damaged = with_valid_checksums(data, rng) if "data-" not in ending else mutations(data, rng)
        with open(prefix + ending, "wb") as file:
            file.write(damaged)
        size = sum(
            os.path.getsize(str(path)) for path in tmp_path.glob(os.path.basename(prefix) + "*")
        )
        tracemalloc.start()
        try:
            use_everything(prefix)
        except TfgraphtoolsError:
            pass
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert peak < _BASE + _FACTOR * size, number


def entry(**fields):
    return bundle.serialize_entry(bundle.Entry(**fields))


def header(shards=1):
    return bundle.serialize_header(bundle.Header(num_shards=shards))


HUGE = 1 << 40
BOMBS = {
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


@pytest.mark.parametrize("name", sorted(BOMBS))
def test_bombs(name, tmp_path):
    prefix = str(tmp_path / "bomb")
    items = BOMBS[name]
    with open(prefix + ".index", "wb") as file:
        file.write(sstable.write_table(items[:1] + sorted(items[1:])))
    with open(bundle.shard_path(prefix, 0, 1), "wb") as file:
        file.write(b"\0" * 64)
    tracemalloc.start()
    try:
        for read in (
            lambda ckpt: ckpt["w"],
            lambda ckpt: ckpt.raw("w"),
        ):  # raw looks at no checksum
            with pytest.raises(TfgraphtoolsError):
                with checkpoints.open_checkpoint(prefix) as ckpt:
                    read(ckpt)
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < _BASE + _FACTOR * os.path.getsize(prefix + ".index")
    assert checkpoints.verify(prefix).damaged in (["w"], [])


def test_graphs_are_fuzzed_too(tf, v1, tmp_path):
    with v1.Graph().as_default() as graph:
        v1.get_variable("a/w", (2, 3), use_resource=False)
        v1.train.Saver()
        path = str(tmp_path / "m.meta")
        v1.train.export_meta_graph(path, graph=graph)
    with open(path, "rb") as file:
        data = file.read()
    rng = random.Random(3)
    for _ in range(INPUTS // 4):
        with open(path, "wb") as file:
            file.write(mutations(data, rng))
        try:
            metagraph.read(path)
        except TfgraphtoolsError:
            pass


def test_nothing_is_unpickled(monkeypatch, corpus):
    import pickle

    calls = []

    def refuse(*unused, **named):
        calls.append(unused)
        raise AssertionError("pickle")

    monkeypatch.setattr(pickle, "loads", refuse)
    monkeypatch.setattr(pickle, "load", refuse)
    for prefix, _ in corpus:
        use_everything(prefix)
    assert not calls
