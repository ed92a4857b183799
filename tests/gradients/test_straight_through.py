"""Straight-through functions: the value bit for bit, the surrogate gradient, everywhere."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError

pytestmark = pytest.mark.quick

POINTS = [-2.5, -1.5, -0.5, 0.0, 0.5, 1.0, 1.5, 1.6, 2.0, 7.9]

# name -> (the hard function, in NumPy; the gradient at each point)
HARD = {
    "floor": (np.floor, np.ones_like),
    "ceil": (np.ceil, np.ones_like),
    "round": (np.round, np.ones_like),
    "sign": (np.sign, np.ones_like),
    "clip_sign": (np.sign, lambda x: (np.abs(x) <= 1).astype(x.dtype)),
    "to_integer": (np.trunc, np.ones_like),
}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("name", HARD)
def test_value_and_gradient(tf, v1, graph, gradients, evaluate, name, dtype):
    hard, slope = HARD[name]
    x = tf.cast(tf.constant(POINTS), dtype)
    y = getattr(gradients, name)(x)
    gradient = v1.gradients(y, x, tf.cast([3.0] * len(POINTS), dtype))[0]
    assert y.dtype == gradient.dtype == x.dtype
    points = np.float64(evaluate(tf.cast(x, tf.float64)))
    value, gradient = evaluate([tf.cast(y, tf.float64), tf.cast(gradient, tf.float64)])
    np.testing.assert_array_equal(value, hard(points))
    np.testing.assert_array_equal(gradient, 3 * slope(points))


@pytest.mark.parametrize("name", HARD)
def test_value_is_the_op_s_own_bit_for_bit(tf, graph, gradients, evaluate, name):
    functions = {
        "floor": tf.floor,
        "ceil": tf.math.ceil,
        "round": tf.round,
        "sign": tf.sign,
        "clip_sign": tf.sign,
        "to_integer": lambda x: tf.cast(tf.cast(x, tf.int32), x.dtype),
    }
    x = tf.constant(np.random.RandomState(0).randn(1000).astype(np.float32) * 3)
    ours, theirs = evaluate([getattr(gradients, name)(x), functions[name](x)])
    assert ours.tobytes() == theirs.tobytes()


def test_any_function_of_one_tensor(tf, v1, graph, gradients, evaluate):
    x = tf.constant([0.2, 0.7, -3.0])
    y = gradients.straight_through(lambda a: tf.cast(a > 0.5, tf.float32), x)
    boolean = gradients.straight_through(lambda a: a > 0.5, x)
    values = evaluate([y, boolean, v1.gradients(y * y, x)[0]])
    np.testing.assert_array_equal(values[0], [0, 1, 0])
    np.testing.assert_array_equal(values[1], [0, 1, 0])
    np.testing.assert_array_equal(values[2], [0, 2, 0])


def test_second_derivative_is_that_of_the_identity(tf, v1, graph, gradients, evaluate):
    x = tf.constant(1.6)
    y = gradients.floor(x)
    first = v1.gradients(y**3.0, x)[0]  # 3 * floor(x)^2
    second = v1.gradients(first, x)[0]  # 6 * floor(x)
    assert evaluate([first, second]) == [3.0, 6.0]


def test_sparse_gradients_pass(tf, v1, graph, variables, gradients, evaluate):
    """An upstream gradient of rows, with a row named twice."""
    w = v1.get_variable("w", initializer=[[1.2], [2.7], [3.1]])
    for name in ("floor", "clip_sign"):
        rows = tf.gather(getattr(gradients, name)(w), [0, 0])
        gradient = tf.convert_to_tensor(v1.gradients(2.0 * rows, w)[0])
        wanted = [[4.0], [0], [0]] if name == "floor" else [[0.0], [0], [0]]
        np.testing.assert_array_equal(evaluate(gradient), wanted)


@pytest.mark.parametrize("kind", ["cond", "while", "map_fn", "tf.function"])
def test_inside_bodies(tf, v1, graph, control_flow, gradients, gradient_at, kind):
    x = tf.constant([1.6, 2.2])
    y = {
        "cond": lambda: v1.cond(
            v1.placeholder_with_default(True, []), lambda: 2.0 * gradients.round(x), lambda: x
        ),
        "while": lambda: v1.while_loop(
            lambda i, a: i < 1, lambda i, a: (i + 1, 2.0 * gradients.round(a)), [tf.constant(0), x]
        )[1],
        "map_fn": lambda: tf.map_fn(lambda a: 2.0 * gradients.round(a), x),
        "tf.function": lambda: tf.function(lambda a: 2.0 * gradients.round(a))(x),
    }[kind]()
    np.testing.assert_array_equal(gradient_at(y, x), [2.0, 2.0])


def test_a_layer_before_it_learns(tf, v1, graph, variables, gradients, session):
    w = v1.get_variable("w", initializer=0.4)
    step = v1.train.GradientDescentOptimizer(0.1).minimize((gradients.round(w) - 3.0) ** 2.0)
    opened = session()
    for _ in range(20):
        opened.run(step)
    assert round(float(opened.run(w))) == 3


@pytest.mark.parametrize(
    "call, match",
    [
        (lambda g, tf: g.floor(tf.constant([1, 2])), "float dtype.*int32"),
        (lambda g, tf: g.straight_through(lambda a: a[:1], tf.constant([1.0, 2.0])), "shape"),
        (
            lambda g, tf: g.straight_through(lambda a: tf.cast(a, tf.float64), tf.constant(1.0)),
            "float64",
        ),
        (lambda g, tf: g.to_integer(tf.constant(1.0), tf.float64), "integer dtype.*float64"),
    ],
    ids=["integer-x", "shape", "float-dtype", "not-an-integer-dtype"],
)
def test_bad_arguments(tf, graph, gradients, call, match):
    with pytest.raises(ArgumentError, match=match):
        call(gradients, tf)
