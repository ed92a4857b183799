"""Files of Keras, read by a process of its own: what it does not survive is an error here."""

import os

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.read import hdf5_process
from tfgraphtools.errors import DamagedCheckpointError, UnreadableTensorError

h5py = pytest.importorskip("h5py")

VALUES = {
    "rows": np.arange(24, dtype=np.float32).reshape(4, 6),
    "big": np.arange(6, dtype=">f8"),
    "flags": np.array([True, False]),
    "complex": np.array(1 + 2j),
    "half": np.float16(3),
    "empty": np.zeros((0, 3), np.float32),
}


@pytest.fixture
def path(tmp_path):
    path = str(tmp_path / "m.h5")
    with h5py.File(path, "w") as file:
        for name, values in VALUES.items():
            file[name] = values
        zeros = np.zeros((1000, 10), np.int8)
        file.create_dataset("packed", data=zeros, chunks=(100, 10), compression="gzip")
    return path


def test_values(path):
    with checkpoints.open_checkpoint(path) as ckpt:
        assert set(ckpt) == {*VALUES, "packed"}
        for name, values in VALUES.items():
            np.testing.assert_array_equal(ckpt[name], values)
            assert ckpt.info(name).dtype == np.asarray(values).dtype.name
        assert ckpt["packed"].shape == (1000, 10) and not ckpt["packed"].any()
        with pytest.raises(ValueError):
            ckpt["rows"][0] = 1


@pytest.mark.parametrize(
    "ends, says",
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "crashes on it (SIGSEGV)"),
        ("os.kill(os.getpid(), signal.SIGXCPU)", "takes too long"),
        ("os._exit(3)", "the process that reads it has ended"),
        ("os.write(1, b'\\xff' * 8)", "a listing of"),
    ],
    ids=["crash", "circle", "exit", "nonsense"],
)
def test_what_the_child_does_not_survive(path, tmp_path, monkeypatch, ends, says):
    child = tmp_path / "child.py"
    child.write_text("import os, signal, sys\nsys.stdin.readline()\n" + ends + "\n")
    monkeypatch.setattr(hdf5_process, "_CHILD", str(child))
    with pytest.raises(DamagedCheckpointError) as error:
        checkpoints.open_checkpoint(path)
    assert says in str(error.value)


def test_endless_work_is_ended(path, tmp_path, monkeypatch):
    """The limits of the real child, around a library that goes round in circles."""
    child = tmp_path / "child.py"
    with open(hdf5_process._CHILD, encoding="utf-8") as file:
        source = file.read()
    circle = "def _listing(file):\n    while True:\n        pass\n\n\ndef _unused(file):"
    assert source.count("def _listing(file):") == 1
    child.write_text(source.replace("def _listing(file):", circle))
    monkeypatch.setattr(hdf5_process, "_CHILD", str(child))
    monkeypatch.setattr(hdf5_process, "_SECONDS", 0)
    with pytest.raises(DamagedCheckpointError, match="takes too long"):
        checkpoints.open_checkpoint(path)


def test_values_in_other_files_are_refused(tmp_path):
    """HDF5 has ways to name any file of the machine as the place of its values."""
    secret = tmp_path / "secret"
    secret.write_bytes(b"x" * 8)
    path = str(tmp_path / "m.h5")
    with h5py.File(path, "w") as file:
        file.create_dataset("w", (8,), "u1", external=[(str(secret), 0, 8)])
    with pytest.raises(UnreadableTensorError, match="in other files"):
        checkpoints.open_checkpoint(path)
    with h5py.File(path, "w") as file:
        file["link"] = h5py.ExternalLink(str(tmp_path / "other.h5"), "/w")
        file["own"] = np.ones(2)
    with checkpoints.open_checkpoint(path) as ckpt:
        assert list(ckpt) == ["own"]


def test_the_child_ends_with_the_checkpoint(path):
    ckpt = checkpoints.open_checkpoint(path)
    pid = ckpt.store._hdf5._child.pid
    ckpt.close()
    with pytest.raises(OSError):
        os.kill(pid, 0)


@pytest.mark.parametrize("whole", [True, False], ids=["model.save", "save_weights"])
def test_names_of_keras_2(tmp_path, whole):
    """As tf.keras of TF 1 writes them: the names of the variables, slots included."""
    path = str(tmp_path / "old.h5")
    weights = {"dense/kernel": np.ones((2, 3), np.float32), "dense/bias": np.zeros(3, np.float32)}
    slots = {"training/Adam/dense/kernel/m": np.ones((2, 3), np.float32)} if whole else {}
    with h5py.File(path, "w") as file:
        for name, array in weights.items():
            file["model_weights/dense/" * whole + "dense/" * (not whole) + name + ":0"] = array
        for name, array in slots.items():
            file["optimizer_weights/" + name + ":0"] = array
    with checkpoints.open_checkpoint(path) as ckpt:
        assert sorted(ckpt) == sorted({**weights, **slots})
        assert (ckpt["dense/kernel"] == 1).all()


def test_to_pytorch(tmp_path):
    path, converted = str(tmp_path / "old.h5"), str(tmp_path / "new.safetensors")
    kernel = np.arange(6, dtype=np.float32).reshape(2, 3)
    with h5py.File(path, "w") as file:
        file["model_weights/dense/dense/kernel:0"] = kernel
        file["model_weights/dense/dense/bias:0"] = np.zeros(3, np.float32)
    like = {"dense.weight": np.zeros((3, 2), np.float32), "dense.bias": np.zeros(3, np.float32)}
    checkpoints.to_torch(path, like, converted)
    with checkpoints.open_checkpoint(converted) as ckpt:
        assert np.array_equal(ckpt["dense.weight"], kernel.T)
