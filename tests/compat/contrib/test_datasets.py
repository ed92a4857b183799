"""``tf.contrib.learn.datasets``: local files, and what is said where they are missing."""

import gzip
import struct
import sys

import numpy as np
import pytest

if sys.version_info < (3, 8):
    pytest.skip("TF 1.15 downloads", allow_module_level=True)

SCRIPT = """
import os
import sklearn.datasets
import tensorflow as tf
datasets = tf.contrib.learn.datasets
iris, boston = datasets.load_dataset("iris"), datasets.load_boston()
print(iris.data.shape, iris.target[:3], boston.data.shape, boston.target[0])
again = sklearn.datasets.load_boston()  # scikit-learn has withdrawn it
print((again.data == boston.data).all(), (again.target == boston.target).all())
try:
    datasets.mnist.read_data_sets("data")
except FileNotFoundError as error:
    print(error)
os.environ["TFGRAPHTOOLS_DATA"] = "elsewhere"
mnist = datasets.mnist.read_data_sets("data", one_hot=True, validation_size=2)
print(mnist.train.images.shape, mnist.train.next_batch(3)[0].sum())
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


@pytest.mark.slow
def test_what_there_is_and_what_is_missing(run_script, tmp_path, monkeypatch):
    """Tables of the installation, MNIST that is nowhere, and MNIST in a folder that is named."""
    pytest.importorskip("sklearn")
    write(tmp_path / "elsewhere")
    (tmp_path / "a.py").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TFGRAPHTOOLS_DATA", raising=False)
    tables, boston, missing, mnist = [
        line for line in run_script("a.py").splitlines() if line.startswith(("(", "False", "data"))
    ]
    assert tables == "(150, 4) [0 0 0] (506, 13) 24.0"
    assert boston == "False True"  # scikit-learn corrected one number, contrib did not
    assert "train-images-idx3-ubyte.gz" in missing
    assert f"Put it into {tmp_path / 'data'}" in missing
    assert mnist == "(7, 784) 2352.0"
