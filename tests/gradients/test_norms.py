"""Norms against NumPy in float64: every dtype, huge and tiny values, rows named twice."""

import numpy as np
import pytest

from tfgraphtools import _tf
from tfgraphtools.errors import ArgumentError

SHAPE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-6, "float64": 1e-14}
#: dtype: sizes of elements whose squares leave the dtype
SIZES = {
    "float16": [1.0, 300.0, 6e4, 1e-4, 6e-8],
    "bfloat16": [1.0, 1.5e38, 1e30, 1e-30, 8e-38],
    "float32": [1.0, 1.9e38, 1e30, 2.0**50, 2.0**-30, 1e-30, 8e-38],
    "float64": [1.0, 1e308, 1e200, 2.0**450, 2.0**-300, 1e-200, 2e-307],
}
CASES = [(dtype, size) for dtype, sizes in SIZES.items() for size in sizes]


def _elements(dtype, size):
    values = size * np.array([1.0, -1.0, 0.5, 0.25, 0.0, -0.75])
    return values if dtype != "bfloat16" else np.float64(np.float32(values))


def _norm(values):
    """Returns the norm of float64 values, without the overflow that NumPy's own has."""
    largest = np.abs(values).max()
    return largest * np.sqrt(np.sum(np.square(values / largest))) if largest else 0.0


@pytest.mark.parametrize("lazily", [False, True])
@pytest.mark.parametrize("dtype, size", CASES)
def test_norm(tf, graph, evaluate, dtype, size, lazily):
    values = tf.cast(_elements(dtype, size), dtype)
    norm = _tf.Norm([values[:4], values[4:]], lazily=lazily)
    assert norm.dtype == ("float64" if dtype == "float64" else "float32")
    exact, root, scale = evaluate([tf.cast(values, "float64"), norm.root, norm.scale])
    expected = _norm(exact)
    tolerance = 1e-14 if dtype == "float64" else 1e-6
    np.testing.assert_allclose(root * np.float64(scale), expected, rtol=tolerance)


@pytest.mark.parametrize("dtype, size", CASES)
@pytest.mark.parametrize("limit", [1.0, 0.125])
def test_clip_gradient(tf, v1, graph, gradients, evaluate, dtype, size, limit):
    x, upstream = tf.zeros([6], dtype), tf.cast(_elements(dtype, size), dtype)
    gradient = v1.gradients(gradients.clip_gradient(x, norm=limit), x, upstream)[0]
    clipped, before = evaluate([tf.cast(t, "float64") for t in (gradient, upstream)])
    factor = min(1.0, limit / _norm(before))
    np.testing.assert_allclose(clipped, before * factor, rtol=SHAPE[dtype], atol=6e-8)
    if factor == 1:
        assert clipped.tobytes() == before.tobytes()


@pytest.mark.parametrize("dtype, size", CASES)
@pytest.mark.parametrize("transform", ["clip_by_norm", "clip_by_global_norm"])
def test_transforms(tf, v1, graph, evaluate, dtype, size, transform):
    from tfgraphtools import training

    grad = v1.placeholder_with_default(tf.cast(_elements(dtype, size), dtype), [6])
    variable = v1.get_variable("v", initializer=tf.zeros([6], dtype))
    clip = getattr(training.transforms, transform)(0.125)
    clipped, before = evaluate(
        [tf.cast(t, "float64") for t in (clip([(grad, variable)])[0][0], grad)]
    )
    factor = min(1.0, 0.125 / _norm(before))
    np.testing.assert_allclose(clipped, before * factor, rtol=SHAPE[dtype], atol=6e-8)


def test_rows_that_come_twice_are_summed_first(tf, graph, evaluate):
    slices = tf.IndexedSlices(tf.constant([[3.0], [1.0], [-3.0]]), tf.constant([4, 1, 4]), [9, 1])
    for lazily in (False, True):
        assert evaluate(_tf.Norm([slices], lazily=lazily).value()) == 1.0


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex(tf, graph, evaluate, dtype):
    values = tf.cast(tf.constant([3.0 + 4.0j, -12.0j]), dtype)
    for lazily in (False, True):
        assert evaluate(_tf.Norm([values], lazily=lazily).value()) == 13.0


@pytest.mark.parametrize("size", [1.0, 1e30, 1e-30])
def test_shortened_complex(tf, graph, evaluate, size):
    upstream = tf.constant(np.complex64([3j * size, 4 * size]))
    clipped = _tf.Norm([upstream]).shorten(upstream, 0.5 * size)
    np.testing.assert_allclose(evaluate(clipped), [0.3j * size, 0.4 * size], rtol=1e-6)


def test_halves_beside_huge_numbers(tf, graph, evaluate):
    half, huge = tf.constant([3e4], tf.float16), tf.constant([1e16])
    norm = _tf.Norm([half, huge])
    np.testing.assert_allclose(evaluate(norm.shorten(half, 1e15)), [3e3], rtol=1e-3)


@pytest.mark.parametrize("lazily", [False, True])
@pytest.mark.parametrize("shape", [[0], [0, 3], []])
def test_nothing_and_zeros(tf, graph, evaluate, shape, lazily):
    assert evaluate(_tf.Norm([tf.zeros(shape)], lazily=lazily).value()) == 0.0
    assert evaluate(_tf.Norm([], lazily=lazily).value()) == 0.0


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_no_direction(tf, v1, graph, gradients, evaluate, bad):
    x = tf.zeros([2])
    gradient = v1.gradients(gradients.clip_gradient(x, norm=1.0), x, tf.constant([bad, 0.5]))[0]
    assert np.isnan(evaluate(gradient)).all()


def test_derivative_of_a_norm_at_zero_is_zero(tf, v1, graph, evaluate):
    x = tf.zeros([2])
    assert evaluate(v1.gradients(_tf.Norm([x]).value(), x)[0]).tolist() == [0.0, 0.0]


def _losses_of(tf, v1, dtype, scales):
    """Returns (losses, w): the gradient of example i is its scale for each of four weights."""
    w = v1.get_variable("w", initializer=tf.zeros([4], dtype))
    x = v1.placeholder_with_default(tf.cast(tf.constant(scales, tf.float64), dtype), [None])
    return x * tf.reduce_sum(w), w


EXAMPLES = {
    "float16": [600.0, 400.0, 1e-4, 2.0],
    "float32": [1e30, 3.0, 1e-30, 2.0],
    "float64": [1e200, 3.0, 1e-200, 2.0],
}


@pytest.mark.parametrize("dtype", EXAMPLES)
def test_per_example_norms(tf, v1, graph, gradients, evaluate, dtype):
    losses, w = _losses_of(tf, v1, dtype, EXAMPLES[dtype])
    norms = evaluate(gradients.per_example_gradient_norms(losses, w))
    np.testing.assert_allclose(norms, 2 * np.array(EXAMPLES[dtype]), rtol=SHAPE[dtype])


@pytest.mark.parametrize("dtype", EXAMPLES)
def test_private_gradients(tf, v1, graph, gradients, evaluate, dtype):
    losses, w = _losses_of(tf, v1, dtype, EXAMPLES[dtype])
    (grad,) = gradients.private_gradients(losses, w, clip_norm=8.0, noise_multiplier=0)
    assert grad.dtype == dtype
    each = np.array(EXAMPLES[dtype])
    expected = np.mean(each * np.minimum(1, 8.0 / (2 * each)))
    np.testing.assert_allclose(evaluate(grad), [expected] * 4, rtol=SHAPE[dtype])


def test_microbatches_of_halves_are_averaged_in_float32(tf, v1, graph, gradients, evaluate):
    losses, w = _losses_of(tf, v1, "float16", [6e4] * 4)
    (grad,) = gradients.private_gradients(losses, w, 1e5, 0, microbatches=2)
    np.testing.assert_allclose(evaluate(grad), [5e4] * 4, rtol=1e-3)


def _projected(tasks):
    """Returns what Yu et al.'s algorithm gives two tasks, in float64."""
    a, b = (np.concatenate(task) for task in tasks)
    length, other = (
        np.linalg.norm(a / np.abs(a).max()) * np.abs(a).max(),
        np.linalg.norm(b / np.abs(b).max()) * np.abs(b).max(),
    )
    a, b = a / length, b / other
    product = np.sum(a * b.conj()).real
    if product < 0:
        return length * (a - product * b) + other * (b - product * a)
    return length * a + other * b


TASKS = {
    "float64": ([[1.0, 1e-9], [0.5]], [[-1.0, 0.0], [-0.5]]),
    "float64-small-product": ([[1.0, 0.0], [1e-9]], [[-1e-12, 1.0], [0.0]]),
    "float64-huge": ([[1e200, 3e199], [2e200]], [[-1e200, 0.0], [1e199]]),
    "float32-huge": ([[1e30, 3e29], [2e30]], [[-1e30, 0.0], [1e29]]),
    "float32-tiny": ([[1e-30, 3e-29], [2e-30]], [[-1e-30, 0.0], [1e-29]]),
    "float32-apart": ([[1e30, 3e29], [2e30]], [[-1e-30, 0.0], [1e-31]]),
    "float16": ([[300.0, 100.0], [10.0]], [[-400.0, 0.0], [50.0]]),
    "float16-tiny": ([[3e-4, 1e-4], [1e-4]], [[-4e-4, 0.0], [5e-4]]),
    "complex64": ([[1 + 2j, 1j], [1 - 1j]], [[-1 - 1j, 0], [0.5j]]),
    "complex64-imaginary": ([[2j, 1j], [0]], [[-1j, 0], [0.5j]]),
}


@pytest.mark.parametrize("case", TASKS)
def test_project_conflicting(tf, v1, graph, gradients, evaluate, case):
    dtype = case.partition("-")[0]
    variables = [v1.get_variable(n, initializer=tf.zeros([s], dtype)) for n, s in zip("ab", (2, 1))]
    tasks = [[tf.cast(np.array(part), dtype) for part in task] for task in TASKS[case]]
    pairs = [list(zip(task, variables)) for task in tasks]
    total = [grad for grad, _ in gradients.project_conflicting(pairs, seed=1)]
    assert all(grad.dtype == dtype for grad in total)
    expected = _projected(TASKS[case])
    tolerance = {"float64": 1e-12, "float16": 4e-3}.get(dtype, 1e-5)
    largest = np.abs(np.concatenate([p for task in TASKS[case] for p in task])).max()
    np.testing.assert_allclose(
        np.concatenate(evaluate(total)), expected, tolerance, largest * tolerance / 10
    )


def test_tasks_without_a_conflict_are_summed_as_they_are(tf, v1, graph, gradients, evaluate):
    variable = v1.get_variable("v", initializer=tf.zeros([3]))
    tasks = [np.float32([1e30, 1e-37, 0.1]), np.float32([1e-3, 1e-37, 0.7])]
    pairs = [[(tf.constant(grad), variable)] for grad in tasks]
    (total,) = gradients.project_conflicting(pairs)
    assert evaluate(total[0]).tobytes() == (tasks[0] + tasks[1]).tobytes()


@pytest.mark.parametrize(
    "dtype, scale", [("float32", 1e30), ("float16", 300.0), ("float64", 1e200)]
)
def test_hessian_norm(tf, v1, graph, gradients, evaluate, dtype, scale):
    w = v1.get_variable("w", initializer=tf.ones([3], dtype))
    loss = tf.reduce_sum(w * w) * tf.constant(scale / 2, dtype)
    size = evaluate(gradients.hessian_norm(loss, w, samples=2, scale=0.125))
    np.testing.assert_allclose(size, scale, rtol=0.05 if dtype == "float16" else 1e-4)


@pytest.mark.parametrize(
    "limits",
    [
        {"norm": -1.0},
        {"norm": float("nan")},
        {"lo": 1.0, "hi": -1.0},
        {"lo": float("nan"), "hi": 1},
    ],
    ids=str,
)
def test_limits_that_are_none(tf, graph, gradients, limits):
    with pytest.raises(ArgumentError, match="clip_gradient"):
        gradients.clip_gradient(tf.zeros([2]), **limits)
