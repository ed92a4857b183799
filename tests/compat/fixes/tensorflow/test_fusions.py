"""Layer normalizations keep their epsilon, and mish runs, where oneDNN makes one op of several."""

import pytest

from tfgraphtools import compat

if compat.is_tf1():
    pytest.skip("compat acts on TF 2.x", allow_module_level=True)

SCRIPT = """\
import itertools
import numpy as np
import tensorflow as tf

FORMS = {
    "rsqrt": lambda x, mean, variance: (x - mean) * tf.rsqrt(variance + 0.1) * scale + offset,
    "divided": lambda x, mean, variance: (x - mean) / tf.sqrt(variance + 0.1) * scale + offset,
    "batch": lambda x, mean, variance: tf.nn.batch_normalization(
        x, mean, variance, offset, scale, 0.1
    ),
}

def written_out(x, axis, form):
    mean, variance = tf.nn.moments(x, axis, keep_dims=True)
    return FORMS[form](x, mean, variance)

session = tf.InteractiveSession()
values = np.random.RandomState(0).randn(3, 8).astype("f")
for holds, form, rank in itertools.product(["variables", "constants"], sorted(FORMS), [2, 3]):
    x = tf.placeholder(tf.float32, [None] + [1] * (rank - 2) + [8])
    if holds == "variables":
        scale, offset = tf.Variable(tf.fill([8], 2.0)), tf.Variable(tf.ones([8]))
        session.run(tf.global_variables_initializer())
    else:
        scale, offset = tf.constant([2.0] * 8), tf.constant([1.0] * 8)
    fed = values.reshape([3] + [1] * (rank - 2) + [8])
    found = session.run(written_out(x, [rank - 1], form), {x: fed}).reshape(values.shape)
    centred = values - values.mean(1, keepdims=True)
    wanted = centred / np.sqrt(values.var(1, keepdims=True) + 0.1) * 2 + 1
    print(holds, form, rank, abs(found - wanted).max() < 1e-5)

with tf.Graph().as_default() as graph:
    scale, offset = tf.constant([2.0] * 8), tf.constant([1.0] * 8)
    y = tf.identity(written_out(tf.placeholder(tf.float32, [None, 8], "x"), [-1], "batch"), "y")
    proto = graph.as_graph_def()
for node in proto.node:
    if node.name.endswith("reduction_indices"):
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto([1]))
with tf.Graph().as_default(), tf.Session() as session:
    tf.import_graph_def(proto, name="")
    print("imported", abs(session.run("y:0", {"x:0": values}) - wanted).max() < 1e-5)

with tf.Graph().as_default(), tf.Session() as session:
    y = tf.layers.conv2d(tf.ones([1, 4, 4, 3]), 2, 3, use_bias=False)
    y = tf.layers.batch_normalization(y, training=False)
    mish = y * tf.tanh(tf.nn.softplus(y))
    session.run(tf.global_variables_initializer())
    print("mish", session.run(mish).shape)
"""


def test_one_op_of_several(tf1_run, tmp_path):
    """oneDNN, which the environment chooses at import, gives other numbers in plain TF 2.x."""
    (tmp_path / "norms.py").write_text(SCRIPT)
    done = tf1_run("norms.py", environment={"TF_ENABLE_ONEDNN_OPTS": "1"})
    lines = done.stdout.splitlines()
    assert len(lines) == 14, done.stderr
    assert lines[-1] == "mish (1, 2, 2, 2)"
    assert [line for line in lines[:-1] if not line.endswith(" True")] == []
