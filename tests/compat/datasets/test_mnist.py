"""MNIST of the tutorials: local files, 1.15's batches, and what is said when they are missing."""

import gzip
import struct
import sys

import numpy as np
import pytest

if sys.version_info < (3, 8):
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

SCRIPT = """
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data
tf.set_random_seed(4)
mnist = input_data.read_data_sets("data", one_hot=True, validation_size=5)
print(mnist.train.num_examples, mnist.validation.images.shape, mnist.test.labels.dtype)
for _ in range(6):
    images, labels = mnist.train.next_batch(9)
    print(images.sum(), images.dtype, labels.argmax(1), mnist.train.epochs_completed)
print(mnist.train.next_batch(2, shuffle=False)[0][:, :3])
seeded = input_data.read_data_sets("data", seed=3, reshape=False, dtype=tf.uint8,
                                   validation_size=0)
print(seeded.train.images.shape, seeded.train.next_batch(4)[1])
print(input_data.read_data_sets("data", validation_size=0).validation.images.shape)
fake = input_data.read_data_sets("data", fake_data=True, one_hot=True)
print(fake.train.num_examples, fake.train.next_batch(1, fake_data=True)[1])
"""


def write(folder, suffix=".gz"):
    """Small files in MNIST's format."""
    folder.mkdir(parents=True)
    random = np.random.RandomState(0)
    for name, count in (("train", 25), ("t10k", 6)):
        images = random.randint(256, size=(count, 28, 28)).astype(np.uint8)
        labels = random.randint(10, size=count).astype(np.uint8)
        parts = [
            ("images-idx3", struct.pack(">4I", 2051, count, 28, 28), images),
            ("labels-idx1", struct.pack(">2I", 2049, count), labels),
        ]
        for kind, head, values in parts:
            opener = gzip.open if suffix else open
            with opener(str(folder / f"{name}-{kind}-ubyte{suffix}"), "wb") as file:
                file.write(head + values.tobytes())


def test_batches_of_1_15(tf1_run, tf1_python, tmp_path):
    import subprocess

    write(tmp_path / "data")
    (tmp_path / "script.py").write_text(SCRIPT)
    ours = tf1_run("script.py")
    theirs = subprocess.run(
        [tf1_python, "script.py"], cwd=str(tmp_path), text=True, capture_output=True
    )
    assert ours.returncode == 0, ours.stderr
    assert theirs.returncode == 0, theirs.stderr

    def kept(text):  # 1.15 pads the path of an extracted file in the same words
        return [line for line in text.splitlines() if not line.startswith("Extracting")]

    assert kept(ours.stdout) == kept(theirs.stdout)


def test_missing_files_are_named(tmp_path, monkeypatch):
    from tfgraphtools.compat.datasets import mnist
    from tfgraphtools.errors import MissingDataError

    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("TFGRAPHTOOLS_DATA", raising=False)
    with pytest.raises(MissingDataError) as caught:
        mnist.load(tmp_path / "nothing")
    text = str(caught.value)
    for name, size in mnist.FILES:
        assert f"{name} ({size:,} bytes)" in text
    assert str(tmp_path / "nothing") in text and "TFGRAPHTOOLS_DATA" in text


@pytest.mark.parametrize("suffix", [".gz", ""])
def test_where_files_are_found(tmp_path, monkeypatch, suffix):
    from tfgraphtools.compat.datasets import mnist

    write(tmp_path / "shared" / "mnist", suffix)
    monkeypatch.setenv("TFGRAPHTOOLS_DATA", str(tmp_path / "shared"))
    images, labels, test_images, test_labels = mnist.load(tmp_path / "nothing")
    assert images.shape == (25, 28, 28, 1) and test_labels.shape == (6,)


def test_the_archive_of_keras(tmp_path, monkeypatch):
    from tfgraphtools.compat.datasets import mnist

    arrays = {
        "x_train": np.zeros((3, 28, 28), np.uint8),
        "y_train": np.arange(3),
        "x_test": np.ones((2, 28, 28), np.uint8),
        "y_test": np.arange(2),
    }
    np.savez(str(tmp_path / "mnist.npz"), **arrays)
    images, labels, test_images, test_labels = mnist.load(tmp_path)
    assert images.shape == (3, 28, 28, 1) and test_images.max() == 1


def test_a_file_of_another_format(tmp_path):
    from tfgraphtools.compat.datasets import mnist

    write(tmp_path / "data", "")
    (tmp_path / "data" / "train-labels-idx1-ubyte").write_bytes(b"0123456789")
    with pytest.raises(ValueError, match="Invalid magic number"):
        mnist.load(tmp_path / "data")
