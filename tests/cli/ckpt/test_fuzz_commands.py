"""Every command that reads, on damaged and hostile files: an exit code and one line at most.

`TFGRAPHTOOLS_FUZZ` sets the number of inputs, `TFGRAPHTOOLS_FUZZ_SEED` the seed.
"""

import collections
import contextlib
import io
import os
import random
import resource
import shutil
import signal
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

from tfgraphtools import checkpoints, cli

INPUTS = int(os.environ.get("TFGRAPHTOOLS_FUZZ", "1500"))
SECONDS = 5
_BASE, _FACTOR = 4 << 20, 4  # bytes, and times the file: what a command may allocate

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
    ["convert", "IN", "OUT", "--to", "object"],
    ["rename", "IN", "--in-place", "--rule", "(.*)", r"x/\1"],
]


class TooLong(BaseException):
    """A command took more than its seconds of the processor."""


def _alarm(*unused):
    raise TooLong()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """[(folder of a checkpoint, the name to pass, the file to damage, how else to damage it)]."""
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
    found = [
        (folder / "v2", "m", "m.index", with_valid_checksums),
        (folder / "v2", "m", "m.index", with_valid_checksums),
        (folder / "v2", "m.index", "m.data-00000-of-00001", None),
        (folder / "v2", "", "checkpoint", None),
        (folder / "npz", "m.npz", "m.npz", hostile_npz),
        (folder / "safetensors", "m.safetensors", "m.safetensors", hostile_safetensors),
    ]
    with contextlib.suppress(ImportError):
        import h5py

        (folder / "keras").mkdir()
        with h5py.File(str(folder / "m.h5"), "w") as file:
            file["layers/dense/vars/0"] = tensors["a/w"]
            file["layers/dense/vars"].attrs["name"] = "a"
        with zipfile.ZipFile(str(folder / "keras" / "m.keras"), "w") as archive:
            archive.write(str(folder / "m.h5"), "model.weights.h5")
        found.append((folder / "keras", "m.keras", "m.keras", None))
    return found, good


def one_input(number, corpus, folder, rng):
    """(words of a command, a damaged input in place)."""
    cases, good = corpus
    source, name, file, special = cases[number % len(cases)]
    there = folder / "in"
    shutil.rmtree(str(there), ignore_errors=True)
    shutil.rmtree(str(folder / "out"), ignore_errors=True)
    shutil.copytree(str(source), str(there))
    (folder / "out").mkdir()
    data = (there / file).read_bytes()
    damaged = special(data, rng) if special and rng.random() < 0.6 else mutations(data, rng)
    (there / file).write_bytes(damaged)
    words = rng.choice(COMMANDS)
    size = sum(path.stat().st_size for path in there.iterdir())
    return filled(words, str(there / name), good, str(folder / "out" / "m")), size


def filled(words, source, good, out):
    """The words of a command with paths for IN, GOOD, OUT and OUT.npz."""
    paths = {"IN": source, "GOOD": good, "OUT": out}
    found = ["ckpt"]
    for word in words:
        stem, dot, ending = word.partition(".")
        found.append(paths[stem] + dot + ending if stem in paths else word)
    return found


class Limits:
    """At most so many seconds of the processor and so much memory. Flushes are left out."""

    def __enter__(self):
        self._previous = signal.signal(signal.SIGPROF, _alarm)
        self._limits = resource.getrlimit(resource.RLIMIT_AS)
        with open("/proc/self/statm") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now + (2 << 30), self._limits[1]))
        self._fsync, os.fsync = os.fsync, lambda descriptor: None
        return self

    def __exit__(self, *unused):
        os.fsync = self._fsync
        resource.setrlimit(resource.RLIMIT_AS, self._limits)
        signal.signal(signal.SIGPROF, self._previous)

    def culprit(self, words, size, traced):
        """(exit code or what went wrong, the lines that it said), and whether that is right."""
        out, err = io.StringIO(), io.StringIO()
        if traced:
            tracemalloc.start()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = cli.main(words)
        except (Exception, TooLong) as error:
            code = repr(error)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if traced:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            if peak > _BASE + _FACTOR * size:
                code = f"{peak} bytes for {size}"
        said = [line for line in err.getvalue().splitlines() if line[:5] != "note:"]
        return code, said, code in (0, 1, 2) and (code == 2) == (len(said) == 1)


def test_every_command_on_damaged_files(corpus, tmp_path):
    seed = int(os.environ.get("TFGRAPHTOOLS_FUZZ_SEED", "1"))
    keep = os.environ.get("TFGRAPHTOOLS_FUZZ_KEEP")
    rng, codes, culprits = random.Random(seed), collections.Counter(), []
    with Limits() as limits:
        for number in range(INPUTS):
            words, size = one_input(number, corpus, tmp_path, rng)
            code, said, is_right = limits.culprit(words, size, number % 5 == 0)
            codes[str(code)[:60]] += 1
            if not is_right:
                culprits.append((number, code, words[1:3], said[-3:]))
                if keep:
                    kept = os.path.join(keep, f"{seed}-{number}")
                    shutil.copytree(str(tmp_path / "in"), kept)
                    with open(kept + ".txt", "w") as file:
                        file.write(repr((words, code, said)))
    print(codes)
    assert not culprits, culprits[:5]
    assert {"0", "1", "2"} <= set(codes)


@pytest.mark.parametrize("name", sorted(BOMBS))
def test_every_command_on_hostile_indexes(name, corpus, tmp_path):
    culprits = []
    with Limits() as limits:
        for number, words in enumerate(COMMANDS):
            shutil.rmtree(str(tmp_path), ignore_errors=True)
            tmp_path.mkdir()
            (tmp_path / "out").mkdir()
            prefix = write_bomb(name, tmp_path / "m")
            words = [word.replace("a/w", "w") for word in words]
            words = filled(words, prefix, corpus[1], str(tmp_path / "out" / "m"))
            size = sum(p.stat().st_size for p in tmp_path.iterdir())
            code, said, is_right = limits.culprit(words, size, number % 5 == 0)
            if not is_right:
                culprits.append((code, words[1:], said))
    assert not culprits, culprits[:5]
