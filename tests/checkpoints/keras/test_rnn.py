"""Recurrent cells: both sides' published formulas in NumPy give the same outputs.

That these formulas are what TensorFlow and Keras compute is shown with TF 1.15
itself in keras/test_migration.py.
"""

import numpy as np
import pytest

from tfgraphtools.checkpoints.matching import rnn
from tfgraphtools.errors import ArgumentError

pytestmark = pytest.mark.quick

STEPS, INPUTS, UNITS, PROJECTED = 6, 3, 4, 2


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


@pytest.fixture
def random():
    return np.random.RandomState(0)


@pytest.fixture
def x(random):
    return random.randn(STEPS, 2, INPUTS)


def tf1_lstm(x, kernel, bias, forget_bias, projection_kernel=None):
    """rnn_cell_impl.py: i, j, f, o; c' = c * sigmoid(f + forget_bias) + sigmoid(i) * tanh(j)."""
    h = np.zeros((2, UNITS if projection_kernel is None else projection_kernel.shape[1]))
    c, outputs = np.zeros((2, UNITS)), []
    for step in x:
        i, j, f, o = np.split(np.concatenate([step, h], 1) @ kernel + bias, 4, 1)
        c = c * sigmoid(f + forget_bias) + sigmoid(i) * np.tanh(j)
        h = sigmoid(o) * np.tanh(c)
        if projection_kernel is not None:
            h = h @ projection_kernel
        outputs.append(h)
    return np.stack(outputs)


def keras_lstm(x, kernel, recurrent_kernel, bias):
    """layers/rnn/lstm.py: i, f, c, o."""
    h = c = np.zeros((2, UNITS))
    outputs = []
    for step in x:
        i, f, j, o = np.split(step @ kernel + h @ recurrent_kernel + bias, 4, 1)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(j)
        h = sigmoid(o) * np.tanh(c)
        outputs.append(h)
    return np.stack(outputs)


@pytest.mark.parametrize("forget_bias", [0.0, 1.0, -0.5])
def test_lstm(random, x, forget_bias):
    kernel, bias = random.randn(INPUTS + UNITS, 4 * UNITS), random.randn(4 * UNITS)
    weights = rnn.lstm_to_keras(kernel, bias, forget_bias)
    wanted = tf1_lstm(x, kernel, bias, forget_bias)
    np.testing.assert_allclose(keras_lstm(x, **weights), wanted, rtol=0, atol=1e-12)
    back = rnn.lstm_from_keras(**weights, forget_bias=forget_bias)
    np.testing.assert_array_equal(back["kernel"], kernel)
    np.testing.assert_allclose(back["bias"], bias, rtol=0, atol=1e-15)


def test_without_a_forget_bias_every_bit_stays():
    kernel, bias = np.full((2, 4), -0.0), np.full(4, -0.0)
    weights = rnn.lstm_to_keras(kernel, bias, forget_bias=0.0)
    back = rnn.lstm_from_keras(**weights, forget_bias=-0.0)
    assert np.signbit(weights["bias"]).all() and np.signbit(back["bias"]).all()


def test_projected_lstm(random, x):
    kernel, bias = random.randn(INPUTS + PROJECTED, 4 * UNITS), random.randn(4 * UNITS)
    projection = random.randn(UNITS, PROJECTED)
    weights = rnn.lstm_to_keras(kernel, bias, 1.0, projection)
    dense = weights.pop("projection_kernel")
    wanted = tf1_lstm(x, kernel, bias, 1.0, projection)
    np.testing.assert_allclose(keras_lstm(x, **weights) @ dense, wanted, rtol=0, atol=1e-12)


def tf1_gru(x, gates_kernel, gates_bias, candidate_kernel, candidate_bias):
    """rnn_cell_impl.py: r, u; c = tanh([x, r * h] W + b); h' = u * h + (1 - u) * c."""
    h, outputs = np.zeros((2, UNITS)), []
    for step in x:
        gates = sigmoid(np.concatenate([step, h], 1) @ gates_kernel + gates_bias)
        r, u = np.split(gates, 2, 1)
        c = np.tanh(np.concatenate([step, r * h], 1) @ candidate_kernel + candidate_bias)
        h = u * h + (1 - u) * c
        outputs.append(h)
    return np.stack(outputs)


def keras_gru(x, kernel, recurrent_kernel, bias):
    """layers/rnn/gru.py: z, r, h; with two biases the reset gate comes after the product."""
    h, outputs = np.zeros((2, UNITS)), []
    input_bias, recurrent_bias = bias if bias.ndim == 2 else (bias, 0 * bias)
    for step in x:
        of_input = step @ kernel + input_bias
        gates = of_input[:, : 2 * UNITS] + h @ recurrent_kernel[:, : 2 * UNITS]
        z, r = np.split(sigmoid(gates + recurrent_bias[: 2 * UNITS]), 2, 1)
        own, own_bias = recurrent_kernel[:, 2 * UNITS :], recurrent_bias[2 * UNITS :]
        inner = r * (h @ own + own_bias) if bias.ndim == 2 else (r * h) @ own
        h = z * h + (1 - z) * np.tanh(of_input[:, 2 * UNITS :] + inner)
        outputs.append(h)
    return np.stack(outputs)


def test_gru(random, x):
    cell = {
        "gates_kernel": random.randn(INPUTS + UNITS, 2 * UNITS),
        "gates_bias": random.randn(2 * UNITS),
        "candidate_kernel": random.randn(INPUTS + UNITS, UNITS),
        "candidate_bias": random.randn(UNITS),
    }
    weights = rnn.gru_to_keras(**cell)
    np.testing.assert_allclose(keras_gru(x, **weights), tf1_gru(x, **cell), rtol=0, atol=1e-12)
    for name, array in rnn.gru_from_keras(**weights).items():
        np.testing.assert_array_equal(array, cell[name])


def test_cudnn_gru_is_undone(random):
    part = "candidate_input_projection", "candidate_hidden_projection"
    cell = {
        "gates_kernel": random.randn(INPUTS + UNITS, 2 * UNITS),
        "gates_bias": random.randn(2 * UNITS),
        part[0] + "_kernel": random.randn(INPUTS, UNITS),
        part[0] + "_bias": random.randn(UNITS),
        part[1] + "_kernel": random.randn(UNITS, UNITS),
        part[1] + "_bias": random.randn(UNITS),
    }
    weights = rnn.cudnn_gru_to_keras(**cell)
    assert weights["bias"].shape == (2, 3 * UNITS)
    for name, array in rnn.cudnn_gru_from_keras(**weights).items():
        np.testing.assert_array_equal(array, cell[name])


def test_basic_rnn_is_undone(random):
    kernel, bias = random.randn(INPUTS + UNITS, UNITS), random.randn(UNITS)
    weights = rnn.basic_rnn_to_keras(kernel, bias)
    assert weights["kernel"].shape == (INPUTS, UNITS)
    back = rnn.basic_rnn_from_keras(**weights)
    np.testing.assert_array_equal(back["kernel"], kernel)
    np.testing.assert_array_equal(back["bias"], bias)


@pytest.mark.parametrize(
    "convert, shapes",
    [
        (lambda k, b: rnn.lstm_to_keras(k, b, 1.0), ((9, 16), (15,))),
        (lambda k, b: rnn.lstm_to_keras(k, b, 1.0), ((3, 16), (16,))),
        (lambda k, b: rnn.lstm_to_keras(k, b, 1.0), ((9, 12), (16,))),
        (rnn.basic_rnn_to_keras, ((9, 3), (4,))),
        (rnn.basic_rnn_to_keras, ((9, 4), (4, 1))),
    ],
    ids=["bias-of-no-gates", "fewer-rows-than-units", "columns", "rnn-columns", "rnn-bias"],
)
def test_weights_of_something_else(convert, shapes):
    with pytest.raises(ArgumentError, match="These are not the weights of such a cell"):
        convert(*map(np.zeros, shapes))


def test_arguments_are_not_modified(random):
    kernel, bias = random.randn(INPUTS + UNITS, 4 * UNITS), random.randn(4 * UNITS)
    before = kernel.copy(), bias.copy()
    weights = rnn.lstm_to_keras(kernel, bias, 1.0)
    weights["kernel"][:] = weights["bias"][:] = 0
    np.testing.assert_array_equal(kernel, before[0])
    np.testing.assert_array_equal(bias, before[1])
