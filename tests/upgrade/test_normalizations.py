"""Layer normalizations for which plain TF 2 takes another epsilon: `upgrade` says where."""

import json
import os
import subprocess
import sys

import pytest

from tfgraphtools import compat

_REST = "    return (x - m) * tf.rsqrt(v + 1e-12) * g + b\n"

#: name: (the body of ``def norm(x, g, b)``, whether it is to be said)
CASES = {
    "moments": ("    m, v = tf.nn.moments(x, [1], keep_dims=True)\n" + _REST, True),
    "an axis that is no list": ("    m, v = tf.nn.moments(x, 1, keep_dims=True)\n" + _REST, True),
    "a word": ("    m, v = tf.nn.moments(x, axes=(1,), keep_dims=True)\n" + _REST, True),
    "an axis of the shape": (
        "    m, v = tf.nn.moments(x, [len(x.shape) - 1], keep_dims=True)\n" + _REST,
        True,
    ),
    "batch_normalization": (
        "    m, v = tf.nn.moments(x, [1], keep_dims=True)\n"
        "    return tf.nn.batch_normalization(x, m, v, b, g, 1e-12)\n",
        True,
    ),
    "means": (
        "    m = tf.reduce_mean(x, axis=1, keepdims=True)\n"
        "    v = tf.reduce_mean(tf.squared_difference(x, m), axis=1, keepdims=True)\n" + _REST,
        True,
    ),
    "squares with a name": (
        "    m = tf.reduce_mean(x, axis=1, keepdims=True)\n    s = tf.squared_difference(x, m)\n"
        "    v = tf.reduce_mean(s, axis=1, keepdims=True)\n" + _REST,
        True,
    ),
    "another kind of square": (
        "    m = tf.reduce_mean(x, axis=1, keepdims=True)\n"
        "    v = tf.reduce_mean(tf.square(x - m), axis=1, keepdims=True)\n" + _REST,
        False,
    ),
    "an axis that is an argument": (
        "    def inner(x, axis=-1, *, more=[-1]):\n"
        "        m, _ = tf.nn.moments(x, axis, keep_dims=True)\n"
        "        _, v = tf.nn.moments(x, more, keep_dims=True)\n"
        "        return (x - m) * tf.rsqrt(v + 1e-12)\n"
        "    return inner(x) * g + b\n",
        False,
    ),
    "from the end": ("    m, v = tf.nn.moments(x, [-1], keep_dims=True)\n" + _REST, False),
    "over the batch": (
        "    m, v = tf.nn.moments(tf.transpose(x), [0])\n"
        "    return (x - m[:, None]) * tf.rsqrt(v + 1e-12)[:, None] * g + b\n",
        False,
    ),
    "means of something else": (
        "    y = tf.reduce_mean(x, axis=1, keepdims=True)\n    return (x - y) * g + b\n",
        False,
    ),
}

_HEAD = "import tensorflow as tf\ndef norm(x, g, b):\n"
_REAL = """
import json, sys
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
from tensorflow.python.util import _pywrap_util_port
if not _pywrap_util_port.IsMklEnabled():
    raise SystemExit("{}")
right = {}
for name, body in json.load(sys.stdin).items():
    space = {"tf": tf}
    exec("def norm(x, g, b):\\n" + body, space)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 4])
        g, b = tf.Variable(np.ones(4, "f")), tf.Variable(np.zeros(4, "f"))
        y = tf.identity(space["norm"](x, g, b), name="y")
        session.run(tf.global_variables_initializer())
        value = np.array([[0.01, 0.02, 0.03, 0.04]], "f")
        got = [session.run(y, {x: value})]
        frozen = tf.graph_util.convert_variables_to_constants(session, session.graph_def, ["y"])
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.import_graph_def(frozen, return_elements=[x.name, y.name])
        got.append(session.run(y, {x: value}))
    wanted = (value - value.mean()) / value.std()
    right[name] = bool(np.allclose(got, [wanted] * 2, rtol=1e-3))
print(json.dumps(right))
"""


@pytest.mark.parametrize("case", CASES)
def test_said(case, upgraded):
    body, is_said = CASES[case]
    upgraded(_HEAD + body + "with tf.Session() as session:\n    norm(tf.ones([1, 4]), 1.0, 0.0)\n")
    notes = [note for note in upgraded.report.notes if "epsilon 0.001" in note]
    assert len(notes) == is_said
    if is_said:
        assert ".py:3" in notes[0]
    left = [finding.fix for _, finding in upgraded.report.unresolved()]
    is_certain = is_said and case not in ("an axis of the shape", "batch_normalization")
    assert set(left) == ({"sessions.fusions"} if is_certain else set())


def test_of_contrib(upgraded):
    upgraded("import tensorflow as tf\ntf.contrib.layers.layer_norm(tf.ones([1, 4]))\n")
    assert "epsilon 0.001" in upgraded.report.notes[-1] and ".py:2" in upgraded.report.notes[-1]


@pytest.mark.slow
def test_what_is_said_is_wrong_and_all_else_is_right():
    """The oracle is NumPy, beside plain TensorFlow that runs the graph, and the graph frozen."""
    if compat.is_tf1():
        pytest.skip("compares today's TensorFlow")
    bodies = {name: body for name, (body, _) in CASES.items() if name != "means of something else"}
    done = subprocess.run(
        [sys.executable, "-c", _REAL],
        input=json.dumps(bodies),
        env=dict(os.environ, TF_ENABLE_ONEDNN_OPTS="1"),
        capture_output=True,
        text=True,
    )
    if done.stderr.endswith("{}\n"):
        pytest.skip("this TensorFlow has no oneDNN")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {name: not CASES[name][1] for name in bodies}
