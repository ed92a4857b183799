"""Zeros that indices, masks, loop counts or equal terms decide; and live ones that look alike."""

import numpy as np
import pytest

pytestmark = pytest.mark.quick

X = np.float32([0.3, 0.7, 1.1])
#: x at which a live gradient shows somewhere: of both signs, small and large.
POINTS = [X, np.float32([-0.5, -0.499, -1.5]), np.float32([200.0, -20.0, 5.5])]


def _array(tf, *values):
    array = tf.TensorArray(tf.float32, len(values), element_shape=[3])
    for i, value in enumerate(values):
        array = array.write(i, value)
    return array


def _loop(tf, x, body, times=3):
    v1 = tf.compat.v1
    return v1.while_loop(lambda i, c: i < times, lambda i, c: (i + 1, body(i, c)), [0, x])[1]


def _written_at_2(tf, x):
    def body(i, array):
        value = tf.cond(tf.equal(i, 2), lambda: x, lambda: tf.ones([3]))
        return i + 1, array.write(i, value)

    array = tf.TensorArray(tf.float32, 4, element_shape=[3])
    return tf.compat.v1.while_loop(lambda i, a: i < 4, body, [0, array])[1].stack()


def _states(tf, x):
    weight = tf.compat.v1.placeholder_with_default(np.eye(3, dtype=np.float32), [3, 3])
    steps = tf.stack([tf.ones([3]), tf.ones([3]), x])
    return tf.scan(lambda h, e: tf.tanh(tf.linalg.matvec(weight, h) + e), steps, tf.zeros([3]))


def _either(tf, then, other):
    return tf.cond(tf.compat.v1.placeholder_with_default(True, []), then, other)


def _batch(tf, x):
    rows = tf.compat.v1.placeholder_with_default(np.ones([9, 3], np.float32), [None, 3])
    return rows * x


ZERO = {
    "another element": lambda tf, x: _array(tf, x, tf.ones([3])).read(1),
    "another row of a stack": lambda tf, x: _array(tf, x, tf.ones([3])).stack()[1],
    "rows before x": lambda tf, x: _written_at_2(tf, x)[:2],
    "states before x": lambda tf, x: _states(tf, x)[:2],
    "overwritten by the last iteration": lambda tf, x: _loop(
        tf, x, lambda i, c: tf.cond(tf.equal(i, 2), lambda: tf.zeros([3]), lambda: c * 2.0)
    ),
    "one iteration times 0": lambda tf, x: _loop(
        tf, x, lambda i, c: tf.tanh(c) * tf.cast(i - 1, tf.float32)
    ),
    "mask of False": lambda tf, x: tf.boolean_mask(x, [False] * 3),
    "no index": lambda tf, x: tf.gather(x, tf.zeros([0], tf.int32)),
    "indices beside x": lambda tf, x: tf.gather(tf.concat([tf.ones([2]), x], 0), [0, 1, 1]),
    "another partition": lambda tf, x: tf.dynamic_partition(
        tf.concat([x, tf.ones([3])], 0), [0, 0, 0, 1, 1, 1], 2
    )[1],
    "tanh - tanh": lambda tf, x: tf.tanh(x) - tf.tanh(x),
    "relu - relu": lambda tf, x: tf.nn.relu(x) - tf.nn.relu(x),
    "both sides of a choice cancel": lambda tf, x: tf.where(
        x > 0.5, x - x, tf.tanh(x) - tf.tanh(x)
    ),
    "a loop times 0, then exp": lambda tf, x: tf.exp(
        _loop(tf, x, lambda i, c: c * tf.cast(i - 1, tf.float32))
    ),
    "both branches cancel": lambda tf, x: _either(
        tf, lambda: x - x, lambda: tf.tanh(x) - tf.tanh(x)
    ),
    "another row, batch unknown": lambda tf, x: tf.concat([_batch(tf, x), tf.ones([1, 3])], 0)[-1],
}
LIVE = {
    "the row of x": lambda tf, x: _written_at_2(tf, x)[2],
    "state after x": lambda tf, x: _states(tf, x)[2],
    "each iteration a factor": lambda tf, x: _loop(
        tf, x, lambda i, c: c * tf.cast(i + 1, tf.float32)
    ),
    "relu far away": lambda tf, x: tf.nn.relu(x - 100.0),
    "relu - half a square": lambda tf, x: tf.nn.relu(x) - tf.square(x) / 2.0,
    "two slopes": lambda tf, x: tf.nn.leaky_relu(x, 0.1) - tf.nn.leaky_relu(x, 0.2),
    "two slopes in a loop": lambda tf, x: _loop(
        tf, x, lambda i, c: tf.nn.leaky_relu(c, 0.1) - tf.nn.leaky_relu(c, 0.2), 1
    ),
    "exp - tanh": lambda tf, x: tf.exp(x) - tf.tanh(x),
    "a flat sigmoid": lambda tf, x: tf.sigmoid(1000.0 * x + 500.0),
    "one branch cancels": lambda tf, x: _either(tf, lambda: x * x, lambda: tf.tanh(x) - tf.tanh(x)),
    "later rows, batch unknown": lambda tf, x: _batch(tf, x)[5:],
}


@pytest.mark.costly(in_ci=12)
@pytest.mark.parametrize("v2", [False, True], ids=["control-flow-v1", "control-flow-v2"])
@pytest.mark.parametrize("name", [*ZERO, *LIVE])
def test_verdict(tf, v1, gradients, name, v2):
    was_on = v1.control_flow_v2_enabled()
    (v1.enable_control_flow_v2 if v2 else v1.disable_control_flow_v2)()
    try:
        x = v1.placeholder_with_default(X, [3], name="x")
        y = tf.reduce_sum({**ZERO, **LIVE}[name](tf, x))
        explanation = gradients.explain_gradient(y, x)
        gradient = tf.convert_to_tensor(v1.gradients(y, x)[0])
    finally:
        (v1.enable_control_flow_v2 if was_on else v1.disable_control_flow_v2)()
    with v1.Session() as session:
        live = any(np.any(session.run(gradient, {x: point})) for point in POINTS)
    assert live == (name in LIVE), "the case is none"
    assert explanation.verdict(x) == ("live" if live else "zero"), str(explanation)
    assert live or explanation.blockers(x)
