"""Larger structures of TF1 code: explained, moved and probed alike, against numeric slopes."""

import numpy as np
import pytest

pytestmark = pytest.mark.quick


def _rnn(tf, v1, w):
    cell = v1.nn.rnn_cell.LSTMCell(2)
    outputs, _ = v1.nn.dynamic_rnn(
        cell, tf.ones([2, 3, 2]) * w, dtype=tf.float32, sequence_length=[2, 3]
    )
    return tf.reduce_sum(outputs**2)


def _embedding_in_loop(tf, v1, w):
    def body(i, a):
        rows = tf.nn.embedding_lookup(tf.reshape(w * w, [1, 1]), [0])
        return i + 1, a + tf.reduce_sum(rows)

    return v1.while_loop(lambda i, a: i < 3, body, [tf.constant(0), w * 1.0])[1]


def _function_with_loop(tf, v1, w):
    @tf.function
    def power(a):
        return tf.while_loop(lambda i, c: i < 3, lambda i, c: (i + 1, c * w), [tf.constant(0), a])[
            1
        ]

    return power(w * 1.0)


STRUCTURES = {
    "switch_case": lambda tf, v1, w: tf.switch_case(
        v1.placeholder_with_default(1, []), [lambda: w * 1.0, lambda: w * w * 3.0, lambda: w * 2.0]
    ),
    "case": lambda tf, v1, w: v1.case(
        [(w < 0.0, lambda: w * 1.0), (w > 1.0, lambda: w * w * 3.0)], default=lambda: w * 5.0
    ),
    "embedding in a loop": _embedding_in_loop,
    "tf.function in tf.function": lambda tf, v1, w: tf.function(
        lambda a: tf.function(lambda b: b * w)(a) * a
    )(w * 1.0),
    "loop in tf.function": _function_with_loop,
    "LSTM": _rnn,
}


@pytest.mark.costly(in_ci=4)
@pytest.mark.parametrize("kind", STRUCTURES)
def test_structures(tf, v1, graph, variables, control_flow, gradients, kind):
    w = v1.get_variable("w", initializer=1.5)
    try:
        v1.set_random_seed(1)
        y = tf.identity(STRUCTURES[kind](tf, v1, w))
    except AttributeError as error:  # the RNN cells left TF 2 with Keras 3
        assert kind == "LSTM" and not tf.__version__.startswith("1.")
        pytest.skip(str(error))
    assert gradients.explain_gradient(y, w).verdict(w) == "live"
    d, at = tf.constant(0.3), v1.placeholder(tf.float32, [])
    moved = gradients.graph_replace(y, {w: w + d})
    slope = v1.gradients(moved, d)[0]
    assign = v1.assign(w, at)
    initialize = v1.global_variables_initializer()
    with v1.Session() as session:
        session.run(initialize)
        probe = gradients.GradientProbe(session, y, w)

        def value(tensor, w_now):
            session.run(getattr(assign, "op", assign), {at: w_now})
            return session.run(tensor)

        def numeric(w_now):
            return (value(y, w_now + 1e-2) - value(y, w_now - 1e-2)) / 2e-2

        assert value(moved, 1.5) == pytest.approx(value(y, 1.8), rel=1e-4)
        assert value(slope, 1.5) == pytest.approx(numeric(1.8), rel=1e-2)
        wanted = numeric(1.5)
        value(y, 1.5)
        np.testing.assert_allclose(probe.run(), wanted, rtol=1e-2)
