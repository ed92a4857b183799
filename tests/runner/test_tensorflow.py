"""What TensorFlow itself does with user code: AutoGraph, compat.v1, activate()."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from tfgraphtools import compat
from tfgraphtools.compat import legacy

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def printed_under_run(compat_server, tmp_path):
    """A function that gives what a script prints as JSON under ``run`` with these words."""

    def printed(name, text, *words):
        (tmp_path / name).write_text(text)
        return json.loads(compat_server.run(tmp_path, *words, name).checked().splitlines()[-1])

    return printed


def printed(folder, name, text, *words):
    """What a script prints as JSON, run by ``python`` with these words."""
    (folder / name).write_text(text)
    done = subprocess.run(
        [sys.executable, *words, name],
        cwd=str(folder),
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


AUTOGRAPH = """\
# Python 2: whole numbers divide to whole numbers, also in what AutoGraph compiles anew.
import json
import numpy as np
import tensorflow as tf

def halved(x):
    if x > 2:
        n = 7 / 2
    else:
        n = 5 / 2
    return n

class Halves(object):
    @staticmethod
    def of(x):
        n = np.uint8(200) + 100
        while x < 0:
            x += 1
        return n

def first(dataset):
    value = tf.data.make_one_shot_iterator(dataset).get_next()
    return tf.Session().run(value)

ds = tf.data.Dataset.range(4, 5)
found = [
    first(ds.map(halved)),
    first(ds.map(lambda x: x * 0 + 9 / 2)),
    first(ds.map(Halves.of)),
    tf.Session().run(tf.function(halved)(tf.constant(1))),
]
print json.dumps([int(x) for x in found])
"""


def test_autograph_compiles_translated_source(printed_under_run):
    assert printed_under_run("maps.py", AUTOGRAPH) == [3, 4, 300, 2]


V1 = """\
import json
{}
print(json.dumps([tf.executing_eagerly(), hasattr(tf.constant(1.0), "graph")]))
"""


@pytest.mark.parametrize(
    "statement, words, eager",
    [
        ("import tensorflow.compat.v1 as tf", (), False),
        ("from tensorflow.compat import v1 as tf", (), False),
        ("import tensorflow.compat.v1 as tf\ntf.enable_eager_execution()", (), True),
        ("import tensorflow.compat.v1 as tf", ("--v2-behavior",), True),
        ("import tensorflow.compat.v2 as tf", (), True),
    ],
)
def test_compat_v1_gets_graph_mode(statement, words, eager, printed_under_run):
    assert printed_under_run("v1.py", V1.format(statement), *words)[0] is eager


FOR_TF2 = """\
import json
import tensorflow as tf
import tensorflow.keras.backend as K
from tensorflow.keras import layers

@tf.function
def double(x):
    return 2 * x

def data():
    return tf.data.Dataset.from_tensors(({"x": [[1.0], [2.0]]}, [[2.0], [4.0]])).repeat(9)

def model(features, labels, mode):
    w = tf.compat.v1.get_variable("w", [], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean(tf.square(features["x"] * w - labels))
    rate = tf.compat.v1.train.GradientDescentOptimizer(0.1)
    train = rate.minimize(loss, tf.compat.v1.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

estimator = tf.estimator.Estimator(model, "m")
estimator.train(data, steps=1)
w = float(estimator.get_variable_value("w"))
print(json.dumps([w, tf.executing_eagerly(), int(double(tf.constant(2)))]))
"""


@pytest.mark.skipif(legacy.find() is None, reason="needs the legacy installation")
def test_code_for_tf2_gets_the_estimator_and_stays_eager(printed_under_run):
    """One step of rate 0.1 from w = 0 towards 2 * x is 0.1 * mean(2 * x * 2x) = 1."""
    assert printed_under_run("for_tf2.py", FOR_TF2) == [1.0, True, 4]


ACTIVATE = """\
import json, os
from tfgraphtools import compat

with compat.activate():
    import tensorflow as tf
    x = tf.placeholder(tf.float32, [None, 3])
    y = tf.layers.dense(x, 2)
    made = [isinstance(x, tf.Tensor)]
    made += [y.shape.as_list(), tf.executing_eagerly()]
    cell = tf.nn.rnn_cell.LSTMCell(2).state_size.c
    made += [cell]
import tensorflow
print(json.dumps(made + [hasattr(tensorflow, "placeholder"), "TF_USE_LEGACY_KERAS" in os.environ]))
"""


def test_activate_as_the_docs_have_it(tmp_path):
    """A script that is running already: in the block its imports give the 1.x API."""
    values = printed(tmp_path, "block.py", ACTIVATE)
    assert values == [True, [None, 2], False, 2, False, False]
