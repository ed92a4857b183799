"""One step or none: kills, full disks, two writers, leftovers."""

import errno
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from call_counts import counted_calls
from checkpoint_files import ROOT, copy_checkpoint, files_of, write_first
from kills import Killed, kill_at

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.checkpoints.plans import overlay, staging, transaction
from tfgraphtools.errors import CastError, DestinationError

KILLS = int(os.environ.get("TFGRAPHTOOLS_KILLS", "6"))  # of each kind


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A checkpoint of some megabytes, so that a write takes a while, in two shards."""
    folder = tmp_path_factory.mktemp("source")
    random_state = np.random.RandomState(0)
    tensors = {f"layer_{i}/w": random_state.randn(250, 250).astype(np.float32) for i in range(24)}
    seed = write_first(folder / "seed")
    with checkpoints.open_checkpoint(seed) as ckpt:
        checkpoints.plan(ckpt, add=tensors).apply(folder / "model")
    for path in folder.glob("seed*"):
        path.unlink()
    return str(folder / "model")


def fingerprint(prefix):
    """What a checkpoint holds, checked: {name: (dtype, shape, crc)}."""
    report = checkpoints.verify(prefix)
    assert report.ok, str(report)
    with checkpoints.open_checkpoint(prefix) as ckpt:
        infos = {name: ckpt.info(name) for name in ckpt}
    return {name: (info.dtype, info.shape, info.crc) for name, info in infos.items()}


def shards_and_index(prefix):
    """The names that belong to the checkpoint in force at a prefix."""
    with checkpoints.open_checkpoint(prefix) as ckpt:
        base, count = os.path.basename(prefix), ckpt.num_shards
    return {base + ".index"} | {
        os.path.basename(bundle.shard_path(base, i, count)) for i in range(count)
    }


WRITES = {
    "rename": ("out", {"rename": [["layer_(.*)", r"l\1"]]}, {}),
    "rename-in-place": ("model", {"rename": [["layer_(.*)", r"l\1"]]}, {}),
    "compact-in-place": ("model", {"drop": "layer_1.*"}, {"compact": True}),
    "cast-in-place": ("model", {"cast": "float64"}, {}),
}

CHILD = """
import json, sys
from tfgraphtools import checkpoints
folder, target, arguments, options = sys.argv[1], sys.argv[2], *map(json.loads, sys.argv[3:5])
with checkpoints.open_checkpoint(folder + "/model") as ckpt:
    plan = checkpoints.plan(ckpt, **arguments)
    print("ready", flush=True)
    plan.apply(folder + "/" + target, overwrite=True, **options)
    print("done", flush=True)
"""


def start(folder, target, arguments, options):
    import json

    words = [str(folder), target, json.dumps(arguments), json.dumps(options)]
    return subprocess.Popen(
        [sys.executable, "-c", CHILD] + words, cwd=str(ROOT), stdout=subprocess.PIPE
    )


def recovered(folder):
    """Cleans up and returns the names in the folder."""
    checkpoints.recover(folder)
    return set(os.listdir(str(folder)))


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(WRITES))
def test_killed_at_a_random_moment(kind, source, tmp_path):
    """The old checkpoint is whole or the new one is, and nothing else is left."""
    target, arguments, options = WRITES[kind]
    (tmp_path / "done").mkdir()
    copy_checkpoint(source, tmp_path / "done" / "model")
    child = start(tmp_path / "done", target, arguments, options)
    child.stdout.readline()
    begun = time.time()
    assert child.wait() == 0
    child.stdout.close()
    longest = time.time() - begun
    new = fingerprint(str(tmp_path / "done" / target))
    old = fingerprint(source)
    assert new != old
    outcomes = set()
    for i in range(KILLS):
        folder = tmp_path / str(i)
        folder.mkdir()
        copy_checkpoint(source, folder / "model")
        child = start(folder, target, arguments, options)
        child.stdout.readline()
        time.sleep(random.random() * longest)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        prefix = str(folder / target)
        if not os.path.exists(prefix + ".index"):
            assert target == "out"
            assert recovered(folder) == shards_and_index(str(folder / "model"))
            outcomes.add("none")
            continue
        state = fingerprint(prefix)  # before any recovery: this is what a reader sees
        assert state in (old, new)
        outcomes.add("new" if state == new else "old")
        wanted = shards_and_index(prefix) | shards_and_index(str(folder / "model"))
        assert recovered(folder) == wanted
        assert fingerprint(prefix) == state
    print(kind, outcomes)


@pytest.mark.parametrize("kind", sorted(WRITES))
def test_killed_between_any_two_system_calls(kind, model, tmp_path, monkeypatch):
    """Every rename, link, flush and removal of a write, one after the other."""
    target, arguments, options = WRITES[kind]
    arguments = (
        {"rename": [["float(.*)", r"f\1"]]}
        if "rename" in arguments
        else (
            {"drop": "float32/.*"} if "drop" in arguments else {"cast": {"float32/.*": "float64"}}
        )
    )
    prefix = str(tmp_path / "out") if target == "out" else model
    old = fingerprint(model)
    pristine = files_of(tmp_path)
    step, outcomes = 0, []
    while True:
        for name in os.listdir(str(tmp_path)):
            os.remove(str(tmp_path / name))
        for name, data in pristine.items():
            (tmp_path / name).write_bytes(data)
        with monkeypatch.context() as patch, checkpoints.open_checkpoint(model) as ckpt:
            kill_at(patch, step)
            try:
                checkpoints.plan(ckpt, **arguments).apply(prefix, overwrite=True, **options)
                break
            except Killed:
                pass
        exists = os.path.exists(prefix + ".index")
        state = fingerprint(prefix) if exists else None
        outcomes.append(state)
        left = shards_and_index(model) | (shards_and_index(prefix) if exists else set())
        assert recovered(tmp_path) == left, f"after system call {step}"
        if exists:
            assert fingerprint(prefix) == state
        step += 1
    new = fingerprint(prefix)
    assert step > 3 and set(map(str, outcomes)) <= {str(old), str(new), "None"}
    assert str(new) in set(map(str, outcomes)) | {str(new)}
    assert recovered(tmp_path) == shards_and_index(model) | shards_and_index(prefix)


# A full disk -----------------------------------------------------------------------------


class FullDisk:
    """A file that takes so many bytes and then fails as a full disk does."""

    def __init__(self, file, room):
        self._file, self._room = file, room

    def write(self, data):
        if len(data) > self._room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._room -= len(data)
        return self._file.write(data)

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self._file.close()


@pytest.mark.parametrize("in_place", [False, True], ids=["beside", "in-place"])
@pytest.mark.parametrize("room", [0, 1000, 3000])
@pytest.mark.parametrize("where", ["overlay", "copy", "index", "sync"])
def test_a_full_disk_leaves_everything_as_it_was(
    model, tmp_path, monkeypatch, where, room, in_place
):
    def full_open(path, mode="r", **named):
        return FullDisk(open(path, mode, **named), room)

    def refuse(*unused, **named):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    arguments, options = {"cast": {"float32/.*": "float64", "float64/.*": "complex128"}}, {}
    if where == "overlay":
        room = min(room, 500)
        monkeypatch.setattr(overlay, "open", full_open, raising=False)
    elif where == "copy":
        arguments, options = {"drop": "float32/.*"}, {"compact": True}
        monkeypatch.setattr(overlay, "open", full_open, raising=False)
    elif where == "index":
        room = min(room, 1000)
        monkeypatch.setattr(
            staging,
            "open",
            lambda path, mode="r", **n: (full_open if "w" in mode else open)(path, mode, **n),
            raising=False,
        )
    else:
        monkeypatch.setattr(os, "fsync", refuse)
        if room:
            pytest.skip("the same whatever the room")
    before = files_of(tmp_path)
    with checkpoints.open_checkpoint(model) as ckpt:
        plan = checkpoints.plan(ckpt, **arguments)
        with pytest.raises(DestinationError, match="No space left.*Nothing was changed"):
            plan.apply(model if in_place else tmp_path / "out", overwrite=True, **options)
    assert files_of(tmp_path) == before and recovered(tmp_path) == set(before)


def test_a_real_full_disk(source):
    """A small tmpfs, where we may mount one."""
    mount = f"/dev/shm/tfgraphtools-full-{os.getpid()}"
    os.makedirs(mount)
    try:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", mount],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if done.returncode:
            pytest.skip("may not mount a tmpfs")
        try:
            with checkpoints.open_checkpoint(source) as ckpt:
                for arguments in ({}, {"cast": {"layer_.*": "float64"}}):
                    with pytest.raises(DestinationError, match="No space left"):
                        checkpoints.plan(ckpt, **arguments).apply(mount + "/out")
                    assert os.listdir(mount) == []
        finally:
            subprocess.run(["umount", mount])
    finally:
        os.rmdir(mount)


# Errors and locks --------------------------------------------------------------------------


def test_a_refused_cast_leaves_no_litter_in_place(model, tmp_path):
    before = files_of(tmp_path)
    with checkpoints.open_checkpoint(model) as ckpt:
        with pytest.raises(CastError):
            checkpoints.plan(ckpt, cast={"int64/.*": "int8"}).apply(model, overwrite=True)
    assert files_of(tmp_path) == before and recovered(tmp_path) == set(before)


def test_two_writers_of_one_prefix(model, tmp_path):
    with checkpoints.open_checkpoint(model) as ckpt:
        plan = checkpoints.plan(ckpt)
        with transaction.Transaction(str(tmp_path / "out"), overwrite=False):
            with pytest.raises(DestinationError, match="another process"):
                plan.apply(tmp_path / "out")
            plan.apply(tmp_path / "other")  # which must leave the running write alone
            assert checkpoints.recover(tmp_path) == 0
        plan.apply(tmp_path / "out")


def test_in_place_again_and_again(model, tmp_path):
    """The number of shards does not grow without end, and nothing is left behind."""
    for i in range(6):
        with checkpoints.open_checkpoint(model) as ckpt:
            checkpoints.plan(
                ckpt,
                cast={"float32/matrix": "float64" if i % 2 else "float16"},
                allow=["underflow"],
                rename={},
            ).apply(model, overwrite=True, compact=i % 3 == 2)
        assert set(os.listdir(str(tmp_path))) == shards_and_index(model)
        assert checkpoints.verify(model).ok
    with checkpoints.open_checkpoint(model) as ckpt:
        assert ckpt.num_shards <= 4


def test_a_reader_beside_a_writer_finds_one_or_the_other(model):
    """Each open finds a whole checkpoint, whatever moment of an in-place write it meets."""
    import threading

    failures, done = [], threading.Event()

    def rewrite():
        try:
            for i in range(25):
                with checkpoints.open_checkpoint(model) as ckpt:
                    plan = checkpoints.plan(ckpt, cast={"int8/cube": "int16" if i % 2 else "int32"})
                    plan.apply(model, overwrite=True, compact=i % 3 == 0)
        except Exception as error:
            failures.append(error)
        done.set()

    writer = threading.Thread(target=rewrite)
    writer.start()
    opened = 0
    while not done.is_set():
        with checkpoints.open_checkpoint(model) as ckpt:
            for name in ckpt:
                ckpt.check(name)
        opened += 1
    writer.join()
    assert not failures and opened


def test_a_checkpoint_replaced_while_it_is_opened(model, monkeypatch):
    """Between its index and its shards: the new checkpoint is opened instead."""
    from tfgraphtools.checkpoints.read.tensor_stores import BundleStore

    real, calls = BundleStore.require_shards, []

    def replaced_first(self):
        calls.append(self)
        if len(calls) == 1:
            with checkpoints.open_checkpoint(model) as ckpt:
                plan = checkpoints.plan(ckpt, cast={"int8/cube": "int16"})
                plan.apply(model, overwrite=True, compact=True)
        real(self)

    monkeypatch.setattr(BundleStore, "require_shards", replaced_first)
    with checkpoints.open_checkpoint(model) as ckpt:
        assert ckpt["int8/cube"].dtype == np.int16 and len(calls) == 3


def test_what_is_not_ours_is_left_alone(model, tmp_path):
    for name in (".tfgraphtools-notes", "model.ckpt.data-00007-of-00009", "x.data-00000-of-00001"):
        (tmp_path / name).write_text("precious")
    with checkpoints.open_checkpoint(model) as ckpt:
        checkpoints.plan(ckpt, cast={"float32/.*": "float64"}).apply(model, overwrite=True)
    assert checkpoints.recover(tmp_path) == 0
    assert (tmp_path / "model.ckpt.data-00007-of-00009").exists()
    assert {".tfgraphtools-notes", "x.data-00000-of-00001"} <= set(os.listdir(str(tmp_path)))


def test_a_damaged_index_keeps_all_shards(model, tmp_path, monkeypatch):
    """If it is not known which shards are in use, none is removed."""
    with monkeypatch.context() as patch, checkpoints.open_checkpoint(model) as ckpt:
        kill_at(patch, 6)
        with pytest.raises(Killed):
            checkpoints.plan(ckpt, cast={"float32/.*": "float64"}).apply(model, overwrite=True)
    with open(model + ".index", "r+b") as file:
        file.write(b"\xff")
    shards = {name for name in os.listdir(str(tmp_path)) if ".data-" in name}
    assert {name for name in recovered(tmp_path) if ".data-" in name} == shards


def test_a_later_save_leaves_a_linked_copy_alone(v1, tmp_path):
    with v1.Graph().as_default(), v1.Session() as session:
        variable = v1.get_variable("w", initializer=np.float32([1, 2]))
        session.run(v1.global_variables_initializer())
        saver = v1.train.Saver()
        saver.save(session, str(tmp_path / "m"), write_meta_graph=False)
        with checkpoints.open_checkpoint(tmp_path / "m") as ckpt:
            checkpoints.plan(ckpt, rename={"w": "v"}).apply(tmp_path / "copy")
        session.run(variable.assign([3, 4]))
        saver.save(session, str(tmp_path / "m"), write_meta_graph=False)
    with checkpoints.open_checkpoint(tmp_path / "copy") as ckpt:
        assert ckpt["v"].tolist() == [1, 2]


@pytest.mark.parametrize("count", [(1 << 31) - 1, 70000, 0])
def test_an_index_that_claims_many_shards_is_overwritten(count, model, tmp_path):
    """Names are looked up in the folder, not counted through."""
    path = tmp_path / "out.index"
    index = bundle.Index(bundle.Header(num_shards=count), {}, {})
    path.write_bytes(bundle.serialize_index(index))
    with checkpoints.open_checkpoint(model) as ckpt, counted_calls() as calls:
        checkpoints.plan(ckpt, cast={"float32/.*": "float64"}).apply(
            tmp_path / "out", overwrite=True
        )
    assert calls[0] < 70000
    assert checkpoints.verify(tmp_path / "out").ok


def test_a_damaged_index_can_be_overwritten(model, tmp_path):
    """Which shards it had is not known: they stay."""
    (tmp_path / "out.index").write_bytes(b"no index")
    (tmp_path / "out.data-00000-of-00002").write_bytes(b"precious")
    with checkpoints.open_checkpoint(model) as ckpt:
        checkpoints.plan(ckpt).apply(tmp_path / "out", overwrite=True)
    assert checkpoints.verify(tmp_path / "out").ok
    assert (tmp_path / "out.data-00000-of-00002").read_bytes() == b"precious"


def test_shards_of_a_later_checkpoint_under_the_same_names(model, monkeypatch):
    """The index is read, then the checkpoint is replaced twice: its shards have the names again."""
    from tfgraphtools.checkpoints.read.tensor_stores import BundleStore

    real, calls = BundleStore.require_shards, []

    def replaced_twice(self):
        calls.append(self)
        if len(calls) == 1:
            for dtype in ("int16", "int32"):
                with checkpoints.open_checkpoint(model) as ckpt:
                    plan = checkpoints.plan(ckpt, cast={"int8/cube": dtype})
                    plan.apply(model, overwrite=True, compact=True)
            assert os.path.exists(self.path(0)) and self.num_shards == 1
        real(self)

    monkeypatch.setattr(BundleStore, "require_shards", replaced_twice)
    with checkpoints.open_checkpoint(model) as ckpt:
        assert ckpt["int8/cube"].dtype == np.int32 and len(calls) == 4
