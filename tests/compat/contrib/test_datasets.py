"""``tf.contrib.learn.datasets``: local files, and what is said where they are missing."""

import gzip
import os
import struct
import subprocess
import sys

import numpy as np
import pytest

if sys.version_info < (3, 8):
    pytest.skip("TF 1.15 downloads", allow_module_level=True)

MNIST = """
import tensorflow as tf
mnist = tf.contrib.learn.datasets.mnist.read_data_sets("data", one_hot=True, validation_size=2)
print(mnist.train.images.shape, mnist.train.next_batch(3)[0].sum())
"""

TABLES = """
import tensorflow as tf
iris = tf.contrib.learn.datasets.load_dataset("iris")
boston = tf.contrib.learn.datasets.load_boston()
print(iris.data.shape, iris.target[:3], boston.data.shape, boston.target[0])
"""


def write(folder):
    folder.mkdir()
    for name, count in (("train", 9), ("t10k", 4)):
        images = np.full([count, 28, 28], 255, np.uint8)
        for kind, head, data in (
            ("images-idx3", struct.pack(">4I", 2051, count, 28, 28), images),
            ("labels-idx1", struct.pack(">2I", 2049, count), np.zeros(count, np.uint8)),
        ):
            with gzip.open(str(folder / f"{name}-{kind}-ubyte.gz"), "wb") as file:
                file.write(head + data.tobytes())


def test_tables_of_the_installation(run_script, tmp_path):
    (tmp_path / "a.py").write_text(TABLES)
    assert run_script(tmp_path / "a.py").split("\n")[0] == "(150, 4) [0 0 0] (506, 13) 24.0"


def test_mnist_from_a_named_folder(run_script, tmp_path, monkeypatch):
    write(tmp_path / "elsewhere")
    (tmp_path / "a.py").write_text(MNIST)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TFGRAPHTOOLS_DATA", str(tmp_path / "elsewhere"))
    assert run_script("a.py").strip().endswith("(7, 784) 2352.0")


def test_what_is_missing_is_named(legacy_cache, tmp_path):
    (tmp_path / "a.py").write_text(MNIST)
    root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
    done = subprocess.run(
        [sys.executable, "-m", "tfgraphtools", "run", "a.py"],
        cwd=str(tmp_path),
        env=dict(os.environ, PYTHONPATH=root, TFGRAPHTOOLS_CACHE=str(legacy_cache)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "train-images-idx3-ubyte.gz" in done.stderr
    assert f"Put it into {tmp_path / 'data'}" in done.stderr
