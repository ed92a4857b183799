"""Which names a source uses: followed through imports and assignments."""

import ast

import pytest

from tfgraphtools.analysis import library_uses

pytestmark = pytest.mark.quick

CASES = {
    "alias": ("import tensorflow as tf\ntf.a.b(1)", ["tensorflow:1", "tensorflow.a.b:2"]),
    "plain": ("import tensorflow\ntensorflow.a", ["tensorflow:1", "tensorflow.a:2"]),
    "submodule": (
        "import tensorflow.contrib.slim\ntensorflow.nn.relu",
        ["tensorflow.contrib.slim:1", "tensorflow.nn.relu:2"],
    ),
    "submodule-as": (
        "import tensorflow.contrib.slim as slim\nslim.conv2d()",
        ["tensorflow.contrib.slim:1", "tensorflow.contrib.slim.conv2d:2"],
    ),
    "from": (
        "from tensorflow.contrib import rnn, layers as l\nrnn.A\nl.b",
        [
            "tensorflow.contrib.rnn:1",
            "tensorflow.contrib.layers:1",
            "tensorflow.contrib.rnn.A:2",
            "tensorflow.contrib.layers.b:3",
        ],
    ),
    "one of two imports": (
        "try:\n  from keras import backend as K\nexcept ImportError:\n"
        "  from tensorflow.keras import backend as K\nK.a",
        ["keras.backend:2", "tensorflow.keras.backend:4", "tensorflow.keras.backend.a:5"],
    ),
    "imported-below-a-function": (
        "def f(): return tf.a\nimport tensorflow as tf",
        ["tensorflow.a:1", "tensorflow:2"],
    ),
    "star": ("from tensorflow import *", ["tensorflow:1"]),
    "relative": ("from .utils import tf\ntf.a", []),
    "assigned": (
        "import tensorflow as tf\nL = tf.layers\nL.dense",
        ["tensorflow:1", "tensorflow.layers:2", "tensorflow.layers.dense:3"],
    ),
    "rebound": ("import tensorflow as tf\ntf = None\ntf.a", ["tensorflow:1"]),
    "in-a-function": (
        "def f():\n  import tensorflow as tf\n  tf.a\ntf.b",
        ["tensorflow:2", "tensorflow.a:3"],
    ),
    "hidden-by-an-argument": ("import tensorflow as tf\ndef f(tf): tf.a", ["tensorflow:1"]),
    "default-of-an-argument": (
        "import tensorflow as tf\ndef f(x=tf.a, *, y=tf.b): pass",
        ["tensorflow:1", "tensorflow.a:2", "tensorflow.b:2"],
    ),
    "decorator-and-base": (
        "import tensorflow as tf\n@tf.a\nclass C(tf.B):\n  x = tf.c",
        ["tensorflow:1", "tensorflow.a:2", "tensorflow.B:3", "tensorflow.c:4"],
    ),
    "attribute-of-a-call": (
        "import tensorflow as tf\ntf.a(tf.b).c",
        ["tensorflow:1", "tensorflow.a:2", "tensorflow.b:2"],
    ),
    "getattr": (
        "import tensorflow as tf\ngetattr(tf.nn, 'x')",
        ["tensorflow:1", "tensorflow.nn.x:2", "tensorflow.nn:2"],
    ),
    "lambda-and-comprehension": (
        "import numpy as np\nf = lambda x: np.a\n[np.b for i in np.c]",
        ["numpy:1", "numpy.a:2", "numpy.b:3", "numpy.c:3"],
    ),
    "stored": ("import tensorflow as tf\ntf.a.b = 3", ["tensorflow:1"]),
    "asked for": (
        "import tensorflow as tf\nhasattr(tf, 'a')\ngetattr(tf, 'b', 1)",
        ["tensorflow:1"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_uses(case):
    text, wanted = CASES[case]
    assert [f"{use.name}:{use.line}" for use in library_uses.of(ast.parse(text)).uses] == wanted
