"""check_gradients: the right verdict on right, wrong, hard, broken and noisy gradients."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, GradientCheckError

POINT = np.float32([[0.3, -1.2, 2.0], [0.7, 1.6, -0.4]])

RIGHT = {
    "sin": lambda tf, x: tf.sin(x),
    "matmul": lambda tf, x: tf.matmul(x, x, transpose_b=True),
    "softmax": lambda tf, x: tf.nn.softmax(x),
    "mean-square": lambda tf, x: tf.reduce_mean(x * x),
    "gather": lambda tf, x: tf.gather(x, [0, 0]) ** 2.0,
    "linear": lambda tf, x: 3.0 * x,
    "relu-away-from-0": lambda tf, x: tf.nn.relu(x),
    "large-values": lambda tf, x: 1e4 * tf.sin(x) + 1e4,
    "small-values": lambda tf, x: 1e-6 * tf.sin(x),
    "constant-part": lambda tf, x: x[:, :2] ** 2.0,
    "while": lambda tf, x: tf.compat.v1.while_loop(
        lambda i, a: i < 2, lambda i, a: (i + 1, tf.sin(a)), [tf.constant(0), x]
    )[1],
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", RIGHT)
def test_right_gradients_match(tf, v1, graph, gradients, name, dtype):
    x = tf.constant(POINT, dtype)
    report = gradients.check_gradients(RIGHT[name](tf, x), x)
    assert report.verdict(x) in ("match", "roundoff") and report.ok, str(report)
    report.raise_if_wrong()


@pytest.mark.parametrize("name", ["sin", "mean-square", "while"])
def test_wrong_gradients_do_not(tf, v1, graph, gradients, name):
    """1% off on one element is found, and the element is named."""
    x = tf.constant(POINT)
    wrong = np.ones_like(POINT)
    wrong[1, 2] = 1.01

    @tf.custom_gradient
    def almost(a):
        return tf.identity(a), lambda grad: grad * wrong

    report = gradients.check_gradients(RIGHT[name](tf, almost(x)), x)
    result = report.result(x)
    assert result.verdict == "mismatch" and result.where == "x[1, 2]"
    assert result.analytic == pytest.approx(1.01 * result.numeric, rel=2e-3)
    with pytest.raises(GradientCheckError, match=r"numeric.*x\[1, 2\].*gradient") as raised:
        report.raise_if_wrong()
    assert isinstance(raised.value, AssertionError)


@pytest.mark.parametrize("steps", [None, (1e-2, 1e-3), (1e-3, 1e-4)], ids=str)
def test_a_jump_is_told_by_its_size(tf, v1, graph, gradients, steps):
    """Straight-through floor: not 499, not 1, but a jump of 1 with surrogate gradient 1."""
    x = tf.constant(2.0)
    y = gradients.floor(x)
    result = gradients.check_gradients(y, x, steps=steps).result(x)
    assert (result.verdict, result.jump, result.analytic) == ("jump", 1.0, 1.0)
    assert result.wrong and "jump of 1" in result.found()
    expected = gradients.check_gradients(y, x, steps=steps, expect_surrogate=1.0)
    assert expected.verdict(x) == "jump" and expected.ok


def test_between_the_jumps_the_forward_is_flat(tf, v1, graph, gradients):
    x = tf.constant([1.6, 2.4])
    y = gradients.floor(x)
    report = gradients.check_gradients(y, x)
    assert report.verdict(x) == "surrogate" and not report.ok
    assert "flat" in str(report) and "surrogate gradient" in str(report)
    for expected in (1.0, [1.0, 1.0], np.ones_like, True):
        assert gradients.check_gradients(y, x, expect_surrogate=expected).ok
    wrong = gradients.check_gradients(y, x, expect_surrogate=2.0)
    assert wrong.verdict(x) == "mismatch" and not wrong.ok


@pytest.mark.parametrize("height", [0.01, 1.0, 100.0])
def test_jumps_beside_a_slope(tf, v1, graph, gradients, height):
    x = tf.constant(2.0, tf.float64)
    result = gradients.check_gradients(height * gradients.floor(x) + tf.sin(x), x).result(x)
    assert result.verdict == "jump" and result.jump == pytest.approx(height, rel=0.05)


def test_a_kink_is_no_error_unless_the_gradient_is_outside(tf, v1, graph, gradients):
    x = tf.constant([0.0, 1.0])
    report = gradients.check_gradients(tf.nn.relu(x), x)
    assert report.verdict(x) == "kink" and report.ok
    with gradients.override_gradient({"Relu": lambda op, grad: 3.0 * grad}):
        assert gradients.check_gradients(tf.nn.relu(x), x).verdict(x) == "mismatch"


@pytest.mark.parametrize("function", ["v * v", "cond", "embedding"])
def test_variables_are_fed_at_every_read(
    tf, v1, graph, variables, control_flow, gradients, function
):
    """v * v at 1.6: a resource variable fed at one read would report 3.2."""
    v = v1.get_variable("v", initializer=[1.6, -0.3])
    y = {
        "v * v": lambda: v * v,
        "cond": lambda: v1.cond(
            v1.placeholder_with_default(True, []), lambda: v * v, lambda: 1.0 * v
        ),
        "embedding": lambda: tf.nn.embedding_lookup(v, [1, 0, 1]) ** 2.0,
    }[function]()
    report = gradients.check_gradients(y, v)
    assert report.verdict(v) == "match"


def test_the_user_s_session_is_used_and_not_changed(tf, v1, graph, variables, gradients, session):
    v = v1.get_variable("v", initializer=1.0)
    x = v1.placeholder(tf.float32, [2], name="x")
    opened = session(finalize=False)
    opened.run(v.assign(3.0))
    report = gradients.check_gradients(v * tf.sin(x), [v, x], {x: [0.5, 1.0]}, opened)
    assert [report.verdict(variable) for variable in (v, x)] == ["match", "match"]
    assert report.result(v).analytic == pytest.approx(report.result(v).numeric, rel=1e-3)
    assert opened.run(v) == 3.0


def test_a_branch_that_a_session_has_run(
    tf, v1, graph, variables, control_flow, gradients, session
):
    """TF itself cannot differentiate it any more in control flow v2; its copy can be."""
    x = v1.placeholder_with_default([0.3, 1.2], [2])
    y = v1.cond(v1.placeholder_with_default(True, []), lambda: tf.sin(x), lambda: x)
    opened = session(finalize=False)
    opened.run(y)
    assert gradients.check_gradients(y, x, session=opened).verdict(x) == "match"


def test_dropout_is_stochastic(tf, v1, graph, gradients):
    x = tf.ones([20])
    report = gradients.check_gradients(tf.nn.dropout(x, rate=0.5), x)
    assert report.verdict(x) == "stochastic" and not report.ok
    assert "run to run" in str(report)


def test_none_is_disconnected_and_explained(tf, v1, graph, gradients):
    x = tf.constant(1.6)
    report = gradients.check_gradients(tf.floor(x) * 2.0, x)
    assert report.verdict(x) == "disconnected" and "Floor" in str(report)
    with pytest.raises(GradientCheckError, match="None.*Floor"):
        report.raise_if_wrong()


def test_large_inputs_along_directions(tf, v1, graph, gradients):
    x = tf.constant(np.random.RandomState(0).randn(5000).astype(np.float32))
    right = gradients.check_gradients(tf.reduce_mean(tf.sin(x)), x)
    assert right.ok and "direction" in str(right)

    @tf.custom_gradient
    def wrong(a):
        return tf.sin(a), lambda grad: -grad * tf.cos(a)

    assert gradients.check_gradients(tf.reduce_mean(wrong(x)), x).verdict(x) == "mismatch"


def test_half_precision_admits_that_it_cannot_tell(tf, v1, graph, gradients):
    x = tf.cast(tf.constant([0.3, 1.5]), tf.float16)
    assert gradients.check_gradients(x * x, x).ok
    flat = gradients.check_gradients(tf.cast(1000.0, tf.float16) + 0.01 * x, x)
    assert flat.verdict(x) in ("roundoff", "match", "surrogate")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_what_has_no_double_precision(tf, v1, graph, gradients, dtype):
    """An error of 1% is never called a match: half precision cannot tell it from rounding."""

    @tf.custom_gradient
    def almost(a):
        return tf.identity(a), lambda upstream: upstream * tf.constant(1.01, upstream.dtype)

    x = v1.placeholder_with_default(tf.cast(tf.constant([0.3, 1.5]), dtype), [2])
    kept = tf.bitcast(tf.bitcast(x, "int32" if dtype == "float32" else "int16"), dtype)
    y = almost(x) * almost(x) + 0 * tf.stop_gradient(kept)  # no bits of a double are those of x
    report = gradients.check_gradients(y, x)
    assert report.verdict(x) == ("mismatch" if dtype == "float32" else "roundoff")
    assert dtype == "float32" or "build y in float64" in str(report)
    wide = v1.placeholder_with_default(tf.constant([0.3, 1.5], "float64"), [2])
    assert gradients.check_gradients(almost(wide) ** 2, wide).verdict(wide) == "mismatch"
    assert gradients.check_gradients(x * x + 0 * tf.stop_gradient(kept), x).ok


ROUNDED_INSIDE = {
    "bicubic": lambda v1, x: v1.image.resize_bicubic(x, [2, 3], align_corners=True),
    "bilinear": lambda v1, x: v1.image.resize_bilinear(x, [3, 5]),
    "crop": lambda v1, x: v1.image.crop_and_resize(x, [[0.1, 0.2, 0.8, 0.9]], [0], [3, 3]),
    "float32": lambda v1, x: v1.sin(v1.cast(x, "float32")),
    "float16": lambda v1, x: v1.tanh(0.1 * v1.cast(x, "float16")),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ROUNDED_INSIDE)
def test_an_op_that_rounds_between_x_and_y(tf, v1, graph, gradients, name, dtype):
    """Images are resized in float32, whatever their dtype: steps must fit the coarsest op."""
    x = tf.constant(np.arange(24.0).reshape([1, 4, 6, 1]), dtype)
    y = tf.cast(ROUNDED_INSIDE[name](v1, x), dtype) * 1.5
    report = gradients.check_gradients(y, x)
    assert report.verdict(x) in ("match", "roundoff") and report.ok, str(report)

    @tf.custom_gradient
    def doubled(a):
        return tf.identity(a), lambda grad: 2.0 * grad

    assert not gradients.check_gradients(doubled(y), x).ok


def test_nan_is_a_mismatch(tf, v1, graph, gradients):
    x = tf.constant([0.0, 1.0])
    with np.errstate(all="ignore"):
        assert gradients.check_gradients(tf.sqrt(x), x).verdict(x) == "mismatch"
        y = x * tf.constant([float("nan"), 1.0])
        assert gradients.check_gradients(y, x).verdict(x) in ("mismatch", "stochastic")


def test_nan_of_the_branch_that_where_does_not_take(tf, v1, graph, gradients):
    x = tf.constant([0.0, 1.0])
    report = gradients.check_gradients(tf.where(x > 0, tf.math.log(x), x), x)
    assert report.verdict(x) == "mismatch"
    for part in ("tf.where differentiates", "Log", "test_check.py"):
        assert part in str(report)
    safe = tf.where(x > 0, tf.math.log(tf.where(x > 0, x, tf.ones_like(x))), x)
    assert gradients.check_gradients(safe, x).verdict(x) != "mismatch"


@pytest.mark.costly(in_ci=3)
@pytest.mark.parametrize("dtype", ["float32", pytest.param("float64", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["relu", "abs", "leaky_relu", "max_pool", "softsign", "squared"])
def test_many_kinks_are_no_mismatch(tf, v1, graph, gradients, name, dtype):
    size = 600 if name in ("relu", "max_pool") else 60
    value = np.random.RandomState(0).normal(size=size).astype(dtype)
    value[:5] = 0.0, 1e-5, -1e-5, 1e-9, 1.5
    x = tf.constant(value)
    y = {
        "relu": lambda: tf.nn.relu(x),
        "abs": lambda: tf.abs(x),
        "leaky_relu": lambda: tf.nn.leaky_relu(x),
        "max_pool": lambda: tf.nn.max_pool2d(tf.reshape(x, [1, 30, 20, 1]), 2, 2, "SAME"),
        "softsign": lambda: tf.nn.softsign(x),
        "squared": lambda: tf.nn.relu(x) ** 2,
    }[name]()
    for elements in (size // 3, size):
        report = gradients.check_gradients(y, x, max_elements=elements)
        assert report.ok, str(report)


def test_bad_arguments(tf, v1, graph, gradients):
    x = tf.constant([1, 2])
    with pytest.raises(ArgumentError, match="int32"):
        gradients.check_gradients(tf.cast(x, tf.float32), x)
    z = tf.constant(1.0)
    y = z * 2.0
    graph.finalize()
    with pytest.raises(ArgumentError, match="finalized"):
        gradients.check_gradients(y, z)
