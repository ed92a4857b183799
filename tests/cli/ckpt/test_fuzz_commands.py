"""Every command that reads, on damaged and hostile files: an exit code and one line at most.

`TFGRAPHTOOLS_FUZZ` sets the number of inputs, `TFGRAPHTOOLS_FUZZ_SEED` the seed.
"""

import collections
import contextlib
import os
import random
import shutil
import tracemalloc
import zipfile

import numpy as np
import pytest
from checkpoint_damage import (
    BOMBS,
    hostile_npz,
    hostile_safetensors,
    mutations,
    with_valid_checksums,
    write_bomb,
)
from checkpoint_files import write_first
from command_limits import Limits, filled

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.format import wire

pytestmark = pytest.mark.slow

INPUTS = int(os.environ.get("TFGRAPHTOOLS_FUZZ", "500"))

COMMANDS = [
    ["ls", "IN"],
    ["ls", "IN", "--tree", "--json"],
    ["show", "IN", "a/w"],
    ["show", "IN", "b", "--slice", "0:1", "--json"],
    ["verify", "IN"],
    ["verify", "IN", "--json", "--salvage", "OUT"],
    ["verify", "IN", "--against", "GOOD"],
    ["verify", "GOOD", "--against", "IN"],
    ["diff", "IN", "GOOD"],
    ["diff", "GOOD", "IN", "--deep"],
    ["rename", "IN", "OUT", "--rule", "(.*)", r"x/\1"],
    ["rename", "IN", "OUT", "--rule", "(.*)", r"x/\1", "--compact"],
    ["strip", "IN", "--dry-run", "--match", ".*w"],
    ["cast", "IN", "OUT", "--to", "float16", "--allow", "overflow", "underflow"],
    ["partition", "IN", "OUT", "--into", "a/w", "2"],
    ["partition", "IN", "OUT", "--into", "a/w", "2", "--axis", "1"],
    ["partition", "IN", "OUT", "--into", "p", "1"],
    ["merge", "OUT", "GOOD", "IN"],
    ["average", "OUT", "IN", "GOOD"],
    ["split", "IN", "OUT", "--match", "a/.*"],
    ["convert", "IN", "OUT.npz", "--to", "npz"],
    ["convert", "IN", "OUT.npz", "--to", "npz", "--compress"],
    ["convert", "IN", "OUT.safetensors", "--to", "safetensors"],
    ["convert", "IN", "--to", "safetensors", "--dry-run"],
    ["convert", "IN", "OUT", "--to", "tf1"],
    ["convert", "IN", "OUT", "--to", "object", "--rule", "(.*)", r"net/\1"],
    ["rename", "IN", "--in-place", "--rule", "(.*)", r"x/\1"],
    ["rename", "GOOD", "IN", "--rule", "(.*)", r"x/\1", "--force"],
    ["families", "IN"],
    ["strip", "IN", "OUT"],
]
OF_GRAPHS = [
    ["doctor", "GOOD", "IN"],
    ["doctor", "GOOD", "IN", "--json"],
    ["convert", "GOOD", "OUT", "--to", "object", "--meta", "IN", "--rule", "(.*)", r"net/\1"],
]
OF_MAPS = [
    ["rename", "GOOD", "OUT", "--map", "IN"],
    ["verify", "GOOD", "--against", "GOOD", "--map", "IN"],
    ["convert", "GOOD", "OUT", "--to", "object", "--map", "IN"],
]


@pytest.fixture(autouse=True)
def not_traced():
    """Tracing slows everything down: it ends with a test."""
    yield
    tracemalloc.stop()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Cases, those to try rarely, and an intact checkpoint.

    A case: (folder, the name to pass, the file to damage, how else to damage it, commands).
    """
    folder = tmp_path_factory.mktemp("corpus")
    numbers = np.random.RandomState(0)
    tensors = {
        "a/w": numbers.randn(4, 6).astype(np.float32),
        "b": np.arange(5, dtype=np.int64),
        "p": numbers.randn(6, 2).astype(np.float64),
        "s": ["one", "two"],
        "g/w": numbers.randn(3).astype(np.float16),
        "g/w/Adam": numbers.randn(3).astype(np.float16),
        "flag": np.array([True, False]),
    }
    good = write_intact(folder, tensors)
    cases = [
        (folder / "v2", "m", "m.index", with_valid_checksums, COMMANDS),
        (folder / "v2", "m", "m.index", with_valid_checksums, COMMANDS),
        (folder / "v2", "m.index", "m.data-00000-of-00001", None, COMMANDS),
        (folder / "v2", "", "checkpoint", None, COMMANDS),
        (folder / "object", "m", "m.index", with_valid_checksums, COMMANDS),
        (folder / "object", "m", "m.data-00001-of-00002", None, COMMANDS),
        (folder / "npz", "m.npz", "m.npz", hostile_npz, COMMANDS),
        (folder / "safetensors", "m.safetensors", "m.safetensors", hostile_safetensors, COMMANDS),
        (folder / "graph", "m.meta", "m.meta", None, OF_GRAPHS),
        (folder / "map", "m.json", "m.json", None, OF_MAPS),
    ]
    return cases, write_weights(folder, tensors["a/w"]), good


def write_intact(folder, tensors):
    """One file of each format, of the tensors; returns the prefix of the checkpoint."""
    seed = write_first(folder / "seed")
    (folder / "good").mkdir()
    with checkpoints.open_checkpoint(seed) as ckpt:
        checkpoints.plan(ckpt, drop=".*", add=tensors).apply(folder / "good" / "one")
    (folder / "v2").mkdir()
    with checkpoints.open_checkpoint(folder / "good" / "one") as ckpt:
        checkpoints.plan(ckpt, partition={"p": (2, 0)}).apply(folder / "v2" / "m", compact=True)
    good = str(folder / "v2" / "m")
    for kind in ("npz", "safetensors"):
        (folder / kind).mkdir()
    checkpoints.to_npz(good, folder / "npz" / "m.npz")
    checkpoints.to_safetensors(good, folder / "safetensors" / "m.safetensors")
    (folder / "object").mkdir()
    checkpoints.to_object_based(
        good, folder / "object" / "m", rules=[("(.*)", r"net/\1")], drop_optimizer=True
    )
    (folder / "graph").mkdir()
    (folder / "graph" / "m.meta").write_bytes(small_graph())
    (folder / "map").mkdir()
    (folder / "map" / "m.json").write_text('{"rename": [["a/(.*)", "c/\\\\1"]], "drop": ["b"]}')
    return good


def write_weights(folder, array):
    """The cases of weights of Keras, for each of which a process is started."""
    with contextlib.suppress(ImportError):
        import h5py

        for kind in ("h5", "keras"):
            (folder / kind).mkdir()
        with h5py.File(str(folder / "h5" / "m.h5"), "w") as file:
            file["layers/dense/vars/0"] = array
            file["layers/dense/vars"].attrs["name"] = "a"
        with zipfile.ZipFile(str(folder / "keras" / "m.keras"), "w") as archive:
            archive.write(str(folder / "h5" / "m.h5"), "model.weights.h5")
        return [
            (folder / "h5", "m.h5", "m.h5", None, COMMANDS),
            (folder / "keras", "m.keras", "m.keras", None, COMMANDS),
        ]
    return []


def small_graph():
    """A MetaGraphDef: a variable with its slot, restored and assigned, and a sparse update."""

    def message(*fields):
        return b"".join(
            wire.bytes_field(n, v if isinstance(v, bytes) else v.encode()) for n, v in fields
        )

    def attribute(name, value):
        return 5, message((1, name), (2, value))

    def node(name, op, inputs=(), attributes=()):
        return 1, message((1, name), (2, op), *((3, source) for source in inputs), *attributes)

    dtype = attribute("dtype", wire.number_field(6, 1))
    shape = message((2, wire.number_field(1, 4)), (2, wire.number_field(1, 6)))
    shaped = attribute("shape", wire.bytes_field(7, shape))
    names = wire.number_field(1, 7) + message(
        (2, message((2, wire.number_field(1, 1)))), (8, "a/w")
    )
    nodes = [
        node("a/w", "VariableV2", (), [dtype, shaped]),
        node("a/w/Adam", "VariableV2", (), [dtype, shaped]),
        node("save/names", "Const", (), [attribute("value", wire.bytes_field(8, names))]),
        node("save/restore", "RestoreV2", ["save/Const", "save/names", "save/shapes"]),
        node("save/Assign", "Assign", ["a/w", "save/restore"]),
        node("train", "SparseApplyAdam", ["a/w", "a/w/Adam", "a/w/Adam_1"]),
        node("norm", "FusedBatchNorm", ["x"], [attribute("is_training", wire.number_field(5, 1))]),
    ]
    return message((2, message(*nodes)))


def one_input(number, corpus, folder, rng):
    """(words of a command, a damaged input in place)."""
    cases, rare, good = corpus
    if rare and number % 30 == 7:
        cases, number = rare, number // 30
    source, name, file, special, commands = cases[number % len(cases)]
    there = folder / "in"
    shutil.rmtree(str(there), ignore_errors=True)
    shutil.rmtree(str(folder / "out"), ignore_errors=True)
    shutil.copytree(str(source), str(there))
    (folder / "out").mkdir()
    data = (there / file).read_bytes()
    damaged = special(data, rng) if special and rng.random() < 0.6 else mutations(data, rng)
    (there / file).write_bytes(damaged)
    words = rng.choice(commands)
    size = sum(path.stat().st_size for path in there.iterdir())
    return filled(words, paths(there / name, good, folder)), size


def paths(source, good, folder):
    return {"IN": str(source), "GOOD": good, "OUT": str(folder / "out" / "m")}


@pytest.mark.once
def test_every_command_on_damaged_files(corpus, tmp_path):
    seed = int(os.environ.get("TFGRAPHTOOLS_FUZZ_SEED", "1"))
    keep = os.environ.get("TFGRAPHTOOLS_FUZZ_KEEP")
    rng, codes, culprits = random.Random(seed), collections.Counter(), []
    with Limits() as limits:
        for number in range(INPUTS):
            words, size = one_input(number, corpus, tmp_path, rng)
            code, lines, is_right = limits.traced(words, size)
            codes[str(code)[:60]] += 1
            if not is_right:
                culprits.append((number, code, words[1:3], lines[-3:]))
                if keep:
                    kept = os.path.join(keep, f"{seed}-{number}")
                    shutil.copytree(str(tmp_path / "in"), kept)
                    with open(kept + ".txt", "w") as file:
                        file.write(repr((words, code, lines)))
    print(codes)
    assert not culprits, culprits[:5]
    assert {"0", "1", "2"} <= set(codes)


@pytest.mark.once
@pytest.mark.parametrize("name", sorted(BOMBS))
def test_every_command_on_hostile_indexes(name, corpus, tmp_path):
    culprits = []
    with Limits() as limits:
        for words in COMMANDS:
            shutil.rmtree(str(tmp_path), ignore_errors=True)
            tmp_path.mkdir()
            (tmp_path / "out").mkdir()
            prefix = write_bomb(name, tmp_path / "m")
            words = [word.replace("a/w", "w") for word in words]
            words = filled(words, paths(prefix, corpus[2], tmp_path))
            size = sum(p.stat().st_size for p in tmp_path.iterdir())
            code, lines, is_right = limits.traced(words, size)
            if not is_right:
                culprits.append((code, words[1:], lines))
    assert not culprits, culprits[:5]
