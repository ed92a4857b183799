"""Code of today stays as it is: no false alarms."""

import importlib.util
import os
import pathlib

import pytest

from tfgraphtools import upgrade

SOURCES = {
    "tf2": "import tensorflow as tf\n\n@tf.function\ndef f(x):\n    return tf.nn.dropout(x, 0.5)\n",
    "keras": "import tensorflow as tf\nm = tf.keras.Sequential([tf.keras.layers.Dense(1)])\n",
    "explicit": "import tensorflow as tf\ns = tf.compat.v1.Session()\n"
    "tf.compat.v1.layers.dense(x, 1)\n",
    "v1-alias": "import tensorflow.compat.v1 as tf\ntf.disable_eager_execution()\n"
    "with tf.Session() as s:\n    tf.layers.dense(x, 1)\n",
    "two-versions": "import tensorflow as tf\nif tf.__version__ >= '2':\n"
    "    Session = tf.compat.v1.Session\nelse:\n    Session = tf.Session\ntf.function(f)\n",
    "guarded": "try:\n    from tensorflow.contrib import slim\nexcept ImportError:\n"
    "    import tf_slim as slim\nimport tensorflow as tf\ntf.data.Dataset\n",
    "numpy": "import numpy as np\nx = np.array([1.0]) / np.concatenate([a, b]).sum()\n",
    "library": "import json, re, pickle\njson.load(f)\nre.split('a', b)\npickle.load(f)\n",
    "inner": "from tensorflow.python.ops import rnn_cell_impl, array_ops\nrnn_cell_impl.x\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_unchanged(name, upgraded):
    assert upgraded(SOURCES[name]) == SOURCES[name]


def test_tensorflows_own_sources():
    """A part of them; TFGRAPHTOOLS_ALL_SOURCES=1 reads all."""
    found = importlib.util.find_spec("tensorflow")
    if found is None:
        pytest.skip("no TensorFlow here")
    top = pathlib.Path(found.origin).parent / "python"
    parts = ["framework", "training", "summary"]
    folders = [top] if os.environ.get("TFGRAPHTOOLS_ALL_SOURCES") else [top / p for p in parts]
    if not folders[0].is_dir():
        pytest.skip("TensorFlow 1.15 keeps them elsewhere")
    report = upgrade.examine([str(folder) for folder in folders])
    assert len(report.files) > 50 and not report.changed, "\n".join(report.diff())
