"""Damaged and hostile files: an error of ours or a result; no other exception, hang or flood.

`TFGRAPHTOOLS_FUZZ` sets the number of inputs.
"""

import os
import random
import tracemalloc

import pytest
from checkpoint_damage import BOMBS, mutations, with_valid_checksums, write_bomb
from checkpoint_files import copy_checkpoint, make_checkpoints

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.graphs import metagraph
from tfgraphtools.errors import TfgraphtoolsError

INPUTS = int(os.environ.get("TFGRAPHTOOLS_FUZZ", "600"))

#: The readers may allocate this much beyond a multiple of the file: their own objects.
_BASE, _FACTOR = 3 << 20, 100


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
    files = []
    with checkpoints.open_checkpoint(this_tf / make_checkpoints.CASES["v2"]) as ckpt:
        keep = ["float32/.*", "string/.*", "bool/cube"]
        plan = checkpoints.plan(
            ckpt,
            partition={"int32/matrix": (2, 0), "string/vector": (2, 0)},
            add={"object": [b"x" * 50]},
            drop="(?!{}|int32/matrix).*".format("|".join(keep)),
        )
        plan.apply(folder / "v2", compact=True)
    files.append((str(folder / "v2"), ".index"))
    files.append((str(folder / "v2"), ".data-00000-of-00001"))
    for case in ("v1", "v1_sliced"):
        files.append((copy_checkpoint(this_tf / make_checkpoints.CASES[case], folder / case), ""))
    return files


@pytest.mark.slow
@pytest.mark.once
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


@pytest.mark.parametrize("name", sorted(BOMBS))
def test_bombs(name, tmp_path):
    prefix = write_bomb(name, tmp_path / "bomb")
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
