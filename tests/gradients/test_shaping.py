"""Shaped gradients: the value bit for bit, the stated gradient, in every place and dtype."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError

X = np.float32([[0.1, -0.7, 3.3], [1e-8, 0.0, -5.5]])
UPSTREAM = np.float32([[1.0, -2.0, 0.25], [4.0, -0.5, 10.0]])
FROZEN = np.array([[True, False, False], [False, False, True]])

# name -> (the call, the gradient in NumPy)
SHAPED = {
    "scale": (lambda g, x: g.scale_gradient(x, 0.5), lambda u: 0.5 * u),
    "scale-0": (lambda g, x: g.scale_gradient(x, 0), lambda u: 0 * u),
    "reverse": (lambda g, x: g.reverse_gradient(x), lambda u: -u),
    "reverse-k": (lambda g, x: g.reverse_gradient(x, 0.25), lambda u: -0.25 * u),
    "clip": (lambda g, x: g.clip_gradient(x, -1.0, 2.0), lambda u: np.clip(u, -1, 2)),
    "clip-norm": (
        lambda g, x: g.clip_gradient(x, norm=2.0),
        lambda u: u * 2 / np.sqrt((u.astype(np.float64) ** 2).sum()),
    ),
    "clip-norm-within": (lambda g, x: g.clip_gradient(x, norm=100.0), lambda u: u),
    "mask": (lambda g, x: g.mask_gradient(x, FROZEN), lambda u: np.where(FROZEN, 0, u)),
    "mask-broadcast": (
        lambda g, x: g.mask_gradient(x, [True, False, False]),
        lambda u: np.where([True, False, False], 0, u),
    ),
}


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("name", SHAPED)
def test_value_and_gradient(tf, v1, graph, gradients, evaluate, name, dtype):
    call, wanted = SHAPED[name]
    x = tf.cast(tf.constant(X), dtype)
    y = call(gradients, x)
    gradient = v1.gradients(y, x, tf.cast(UPSTREAM, dtype))[0]
    assert y.dtype == gradient.dtype == x.dtype
    before, after, gradient = evaluate([tf.cast(t, tf.float64) for t in (x, y, gradient)])
    assert before.tobytes() == after.tobytes()
    tolerance = {"bfloat16": 1e-2, "float16": 1e-3}.get(dtype, 1e-6)
    np.testing.assert_allclose(gradient, wanted(UPSTREAM), rtol=tolerance)


def _bodies(tf, v1, shape, x):
    return {
        "cond": lambda: v1.cond(v1.placeholder_with_default(True, []), lambda: shape(x), lambda: x),
        "while": lambda: v1.while_loop(
            lambda i, a: i < 2, lambda i, a: (i + 1, shape(a)), [tf.constant(0), x]
        )[1],
        "map_fn": lambda: tf.map_fn(shape, x),
        "tf.function": lambda: tf.function(lambda a: shape(a))(x),
    }


@pytest.mark.parametrize("kind", ["cond", "while", "map_fn", "tf.function"])
def test_inside_bodies(tf, v1, graph, control_flow, gradients, gradient_at, kind):
    x, k = tf.constant([1.0, 2.0]), v1.placeholder_with_default(3.0, [])
    y = _bodies(tf, v1, lambda a: gradients.scale_gradient(a, k), x)[kind]()
    np.testing.assert_array_equal(gradient_at(y, x), [9.0 if kind == "while" else 3.0] * 2)


@pytest.mark.parametrize("kind", ["cond", "while", "map_fn", "tf.function"])
def test_all_shapes_inside_bodies(tf, v1, graph, control_flow, gradients, gradient_at, kind):
    x = tf.constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    def shape(a):
        a = gradients.clip_gradient(gradients.reverse_gradient(a), -1.0, 1.0)
        return gradients.mask_gradient(gradients.clip_gradient(a, norm=100.0), [True, False, False])

    y = _bodies(tf, v1, shape, x)[kind]()
    sign = 1.0 if kind == "while" else -1.0
    np.testing.assert_array_equal(gradient_at(y, x), [[0.0, sign, sign]] * 2)


@pytest.mark.parametrize("name", ["scale", "reverse", "clip", "clip-norm", "mask-broadcast"])
def test_sparse_gradients(tf, v1, graph, variables, gradients, evaluate, name):
    """Rows named twice count together, as in the dense gradient."""
    w = v1.get_variable("w", initializer=np.ones([3, 3], np.float32))
    call, wanted = SHAPED[name]
    y = 2.0 * tf.gather(call(gradients, w), [0, 0, 2])
    gradient = tf.convert_to_tensor(v1.gradients(y, w)[0])
    summed = np.float32([[4.0] * 3, [0.0] * 3, [2.0] * 3])
    np.testing.assert_allclose(evaluate(gradient), wanted(summed), rtol=1e-6)


def test_scaling_keeps_a_sparse_gradient_sparse(tf, v1, graph, gradients):
    w = v1.get_variable("w", [3, 2], use_resource=True)
    gradient = v1.gradients(tf.gather(gradients.scale_gradient(w, 2.0), [0, 0]), w)[0]
    assert isinstance(gradient, tf.IndexedSlices)


@pytest.mark.parametrize(
    "call, second",
    [
        (lambda g, x: g.scale_gradient(x, 3.0), 9 * 2.0),
        (lambda g, x: g.reverse_gradient(x), 2.0),
        (lambda g, x: g.clip_gradient(x, -100.0, 100.0), 2.0),
        (lambda g, x: g.clip_gradient(x, -1.0, 1.0), 0.0),
        (lambda g, x: g.clip_gradient(x, norm=100.0), 2.0),
        (lambda g, x: g.mask_gradient(x, False), 2.0),
        (lambda g, x: g.mask_gradient(x, True), 0.0),
    ],
    ids=["scale", "reverse", "clip-inside", "clip-at-limit", "norm-inside", "mask-off", "mask-on"],
)
def test_second_derivatives(tf, v1, graph, gradients, evaluate, call, second):
    x = tf.constant(1.5)
    first = v1.gradients(call(gradients, x) ** 2.0, x)[0]
    gradient = v1.gradients(first, x)[0]
    assert (0.0 if gradient is None else evaluate(gradient)) == second


def test_zero_stops_what_is_infinite_or_nan(tf, v1, graph, gradients, evaluate):
    x, zero = tf.constant(0.0), v1.placeholder_with_default(0.0, [])
    ys = [
        gradients.scale_gradient(x, 0),
        gradients.scale_gradient(x, zero),
        gradients.reverse_gradient(x, zero),
        gradients.mask_gradient(x, True),
    ]
    slopes = evaluate([v1.gradients(tf.sqrt(y), x)[0] for y in ys])
    assert slopes == [0.0] * 4
    assert evaluate(v1.gradients(tf.sqrt(gradients.mask_gradient(x, False)), x)[0]) == np.inf


def test_a_zero_gradient_clipped_by_norm_is_zero_not_nan(tf, v1, graph, gradients, evaluate):
    x = tf.constant([1.0, 2.0])
    first = v1.gradients(0.0 * gradients.clip_gradient(x, norm=1.0) ** 2.0, x)[0]
    np.testing.assert_array_equal(evaluate([first, v1.gradients(first, x)[0]]), np.zeros([2, 2]))


def test_a_mask_is_fed_at_each_step(tf, v1, graph, variables, gradients, session):
    w, frozen = v1.get_variable("w", initializer=[1.0, 1.0]), v1.placeholder(tf.bool, [2])
    step = v1.train.GradientDescentOptimizer(0.5).minimize(
        tf.reduce_sum(gradients.mask_gradient(w, frozen))
    )
    opened = session()
    opened.run(step, {frozen: [True, False]})
    opened.run(step, {frozen: [True, True]})
    opened.run(step, {frozen: [False, True]})
    np.testing.assert_array_equal(opened.run(w), [0.5, 0.5])


def test_e4_forward_is_bit_identical_where_the_usual_trick_rounds(tf, graph, gradients, evaluate):
    x = tf.constant(np.random.RandomState(0).randn(10000).astype(np.float32))
    trick = x / 100 + (1 - 1 / 100) * tf.stop_gradient(x)
    unchanged, ours, theirs = evaluate([x, gradients.scale_gradient(x, 0.01), trick])
    assert unchanged.tobytes() == ours.tobytes() != theirs.tobytes()


@pytest.mark.parametrize(
    "call, match",
    [
        (lambda g, x: g.scale_gradient(x, [1.0, 2.0]), "a scalar"),
        (lambda g, x: g.scale_gradient(x, "2"), "converts to float32"),
        (lambda g, x: g.scale_gradient(3, 2.0), "float dtype"),
        (lambda g, x: g.clip_gradient(x), "lo and hi, or norm"),
        (lambda g, x: g.clip_gradient(x, -1.0), "lo and hi, or norm"),
        (lambda g, x: g.clip_gradient(x, -1.0, 1.0, norm=2.0), "lo and hi, or norm"),
        (lambda g, x: g.mask_gradient(x, [1, 0, 0]), "boolean mask"),
        (lambda g, x: g.mask_gradient(x, [True, False]), r"broadcasts.*\(2, 3\)"),
        (lambda g, x: g.mask_gradient(x, np.ones([4, 2, 3], bool)), "broadcasts"),
    ],
)
def test_bad_arguments(tf, graph, gradients, call, match):
    with pytest.raises(ArgumentError, match=match):
        call(gradients, tf.constant(X))
