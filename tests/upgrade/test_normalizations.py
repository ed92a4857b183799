"""Layer normalizations for which plain TF 2 takes another epsilon: `upgrade` says where."""

import json
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
        "    v = tf.reduce_mean(tf.square(x - m), axis=1, keepdims=True)\n" + _REST,
        True,
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
right = {}
for name, body in json.load(sys.stdin).items():
    space = {"tf": tf}
    exec("def norm(x, g, b):\\n" + body, space)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 4])
        g, b = tf.Variable(np.ones(4, "f")), tf.Variable(np.zeros(4, "f"))
        y = space["norm"](x, g, b)
        session.run(tf.global_variables_initializer())
        value = np.array([[0.01, 0.02, 0.03, 0.04]], "f")
        got = session.run(y, {x: value})
    wanted = (value - value.mean()) / value.std()
    right[name] = bool(np.allclose(got, wanted, rtol=1e-3))
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


def test_of_contrib(upgraded):
    upgraded("import tensorflow as tf\ntf.contrib.layers.layer_norm(tf.ones([1, 4]))\n")
    assert "epsilon 0.001" in upgraded.report.notes[-1] and ".py:2" in upgraded.report.notes[-1]


def test_what_is_not_said_is_right():
    """The oracle is NumPy: plain TF computes as written what `upgrade` says nothing of."""
    if compat.is_tf1():
        pytest.skip("compares today's TensorFlow")
    bodies = {
        name: body
        for name, (body, is_said) in CASES.items()
        if not is_said and name != "means of something else"
    }
    done = subprocess.run(
        [sys.executable, "-c", _REAL],
        input=json.dumps(bodies),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == dict.fromkeys(bodies, True)
