"""Relaxations against their formulas in NumPy, numeric derivatives, and the sharp limit."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError

pytestmark = pytest.mark.quick

POINTS = np.float64([-2.3, -1.0, -0.6, -0.1, 0.0, 0.04, 0.3, 0.45, 1.2, 2.0, 7.75])


def _soft_floor(x, k):
    r = (k - 1) / (k + 1)
    terms = [r**n * np.sin(2 * np.pi * n * x) / n for n in range(1, 2000)]
    return x - 0.5 + sum(terms) / np.pi  # the series itself, not its closed form


SOFT = {
    "soft_step": lambda x, k: 1 / (1 + np.exp(-4 * k * x)),
    "linear_ramp": lambda x, k: np.clip(k * x + 0.5, 0, 1),
    "soft_floor": _soft_floor,
}


@pytest.mark.parametrize("sharpness", [1.0, 3.0, 20.0])
@pytest.mark.parametrize("name", SOFT)
def test_value_and_gradient(tf, v1, graph, gradients, evaluate, name, sharpness):
    x = tf.constant(POINTS)
    y = getattr(gradients, name)(x, sharpness)
    value, gradient = evaluate([y, v1.gradients(y, x)[0]])
    np.testing.assert_allclose(value, SOFT[name](POINTS, sharpness), atol=1e-9)
    step = 1e-6
    numeric = (SOFT[name](POINTS + step, sharpness) - SOFT[name](POINTS - step, sharpness)) / (
        2 * step
    )
    np.testing.assert_allclose(gradient, numeric, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", SOFT)
def test_the_slope_at_the_jump_is_the_sharpness(tf, v1, graph, gradients, evaluate, name):
    x = tf.constant(0.0, tf.float64)
    slope = v1.gradients(getattr(gradients, name)(x, 7.0), x)[0]
    assert evaluate(slope) == pytest.approx(7.0)


@pytest.mark.parametrize(
    "name, hard",
    [("soft_step", lambda x: x > 0), ("linear_ramp", lambda x: x > 0), ("soft_floor", np.floor)],
)
def test_sharp_is_hard(tf, graph, gradients, evaluate, name, hard):
    away = POINTS[np.abs(POINTS - np.round(POINTS)) > 1e-3]
    soft = getattr(gradients, name)(tf.constant(away), 1e6)
    np.testing.assert_allclose(evaluate(soft), hard(away), atol=1e-5)


def test_soft_floor_keeps_its_precision_far_from_zero(tf, graph, gradients, evaluate):
    x = np.float32([1000.25, -4000.75])
    np.testing.assert_allclose(
        evaluate(gradients.soft_floor(tf.constant(x), 1e4)), np.floor(x), atol=1e-3
    )


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_dtypes_and_fed_sharpness(tf, v1, graph, gradients, evaluate, dtype):
    x, k = tf.cast(tf.constant([0.25, 1.5]), dtype), v1.placeholder_with_default(2.0, [])
    for name in SOFT:
        y = getattr(gradients, name)(x, k)
        assert y.dtype == x.dtype and v1.gradients(y, x)[0].dtype == x.dtype
        wanted = SOFT[name](np.float64([0.25, 1.5]), 2.0)
        np.testing.assert_allclose(evaluate(tf.cast(y, tf.float64)), wanted, atol=2e-2)


def _smooth(x, sharpness):
    radius = int(np.ceil(4 / sharpness))
    window = np.exp(-0.5 * (np.arange(-radius, radius + 1) * sharpness) ** 2)
    return np.convolve(np.pad(x, radius, mode="edge"), window / window.sum(), "valid")


@pytest.mark.parametrize("axis", [0, -1])
def test_smooth(tf, v1, graph, gradients, evaluate, axis):
    x = np.random.RandomState(0).randn(9, 7)
    rows = np.apply_along_axis(_smooth, axis, x, 0.8)
    tensor = tf.constant(x)
    y = gradients.smooth(tensor, 0.8, axis=axis)
    upstream = np.random.RandomState(1).randn(9, 7)
    value, gradient = evaluate([y, v1.gradients(y, tensor, tf.constant(upstream))[0]])
    np.testing.assert_allclose(value, rows, atol=1e-6)
    probe = np.zeros_like(x)
    probe[3, 4] = 1.0  # the filter is linear: its gradient is its transpose
    wanted = (np.apply_along_axis(_smooth, axis, probe, 0.8) * upstream).sum()
    assert gradient[3, 4] == pytest.approx(wanted, abs=1e-6)


def test_smooth_keeps_constants_and_sharp_is_nothing(tf, graph, gradients, evaluate):
    step = np.float32([0, 0, 0, 1, 1, 1])
    flat, sharp, ramp = evaluate(
        [
            gradients.smooth(tf.ones([6]), 0.3),
            gradients.smooth(tf.constant(step), 50.0),
            gradients.smooth(tf.constant(step), 1.0),
        ]
    )
    np.testing.assert_allclose(flat, np.ones(6), rtol=1e-6)
    np.testing.assert_array_equal(sharp, step)
    assert np.all(np.diff(ramp) > 0)


@pytest.mark.parametrize(
    "call",
    [
        lambda g: g.soft_step(1.0, 0.0),
        lambda g: g.linear_ramp(1.0, -1.0),
        lambda g: g.soft_floor(1.0, 0.5),
        lambda g: g.smooth([1.0], 0.0),
        lambda g: g.smooth([1.0], 1.0, axis=1),
        lambda g: g.soft_step(1, 1.0),
    ],
)
def test_bad_arguments(graph, gradients, call):
    with pytest.raises(ArgumentError):
        call(gradients)
