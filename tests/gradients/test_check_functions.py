"""check_gradients on a list of functions: the right gradient passes, one that is 1% off does not.

All points of a function share a graph and a session.
"""

import numpy as np
import pytest

N = np.array


def _bump(tf, x):
    return tf.exp(-1.0 / (1.0 + x * x))


#: name -> (function of (tf, x), the x's to check it at); a wrong gradient must be seen at each.
FUNCTIONS = {
    "sin": (lambda tf, x: tf.sin(x), [0.3, -2.0, 40.0]),
    "cos": (lambda tf, x: tf.cos(x), [0.5, 3.0]),
    "tan": (lambda tf, x: tf.tan(x), [0.3, 1.4]),
    "exp": (lambda tf, x: tf.exp(x), [0.0, -3.0, 9.0]),
    "log": (lambda tf, x: tf.math.log(x), [0.005, 1.7, 1e-6, 1e6]),
    "sqrt": (lambda tf, x: tf.sqrt(x), [1e-6, 1e-4, 2.0, 1e6]),
    "rsqrt": (lambda tf, x: tf.math.rsqrt(x), [1e-3, 5.0]),
    "square": (lambda tf, x: x * x, [1.5, 1e6, 1e-3]),
    "cube": (lambda tf, x: x**3.0, [0.7, -2.0, 1e3]),
    "reciprocal": (lambda tf, x: 1.0 / x, [0.005, 3.0, -1e3]),
    "power 1.5": (lambda tf, x: tf.pow(x, 1.5), [0.01, 2.0]),
    "power -2": (lambda tf, x: tf.pow(x, -2.0), [0.1, 4.0]),
    "tanh": (lambda tf, x: tf.tanh(x), [0.1, -1.0]),
    "sigmoid": (lambda tf, x: tf.sigmoid(x), [0.1, -3.0]),
    "softplus": (lambda tf, x: tf.math.softplus(x), [0.1, -3.0]),
    "elu": (lambda tf, x: tf.nn.elu(x), [0.5, -1.0]),
    "selu": (lambda tf, x: tf.nn.selu(x), [0.5, -1.0]),
    "relu": (lambda tf, x: tf.nn.relu(x), [1e-3, 2.0]),
    "abs": (lambda tf, x: tf.abs(x), [1e-4, -3.0]),
    "sinh": (lambda tf, x: tf.sinh(x), [0.4, 3.0]),
    "cosh": (lambda tf, x: tf.cosh(x), [0.4, 3.0]),
    "asin": (lambda tf, x: tf.asin(x), [0.3, 0.99]),
    "acos": (lambda tf, x: tf.acos(x), [0.3, -0.9]),
    "atan": (lambda tf, x: tf.atan(x), [0.3, -2.0]),
    "asinh": (lambda tf, x: tf.asinh(x), [0.5, 8.0]),
    "acosh": (lambda tf, x: tf.acosh(x), [1.01, 4.0]),
    "atanh": (lambda tf, x: tf.atanh(x), [0.2, 0.95]),
    "erf": (lambda tf, x: tf.math.erf(x), [0.2, -1.0]),
    "lgamma": (lambda tf, x: tf.math.lgamma(x), [0.3, 4.5]),
    "digamma": (lambda tf, x: tf.math.digamma(x), [0.6, 4.5]),
    "log1p": (lambda tf, x: tf.math.log1p(x), [0.01, -0.9, 5.0]),
    "expm1": (lambda tf, x: tf.math.expm1(x), [0.01, 2.0]),
    "gauss": (lambda tf, x: tf.exp(-x * x), [0.5, -1.2]),
    "bump": (_bump, [0.5, 2.0]),
    "polynomial": (lambda tf, x: ((x - 1.0) * x + 2.0) * x - 3.0, [0.1, 2.0, -5.0]),
    "entropy": (lambda tf, x: -x * tf.math.log(x), [0.01, 0.8]),
    "logistic loss": (lambda tf, x: tf.math.log(1.0 + tf.exp(-x)), [0.5, -2.0]),
    "large and small": (lambda tf, x: 1e4 * tf.sin(x) + 1e4, [0.7]),
    "tiny": (lambda tf, x: 1e-6 * tf.sin(x), [0.7]),
    "steep": (lambda tf, x: tf.sin(30.0 * x), [0.41]),
    "sinc": (lambda tf, x: tf.sin(x) / x, [0.5, 7.0]),
    "sum of powers": (lambda tf, x: tf.reduce_sum(x ** N([1.0, 2.0, 3.0], "f")), [0.9]),
    "softmax": (lambda tf, x: tf.nn.softmax(tf.stack([x, 0.5 * x * x, x - x])), [0.9, -1.5]),
    "cross entropy": (lambda tf, x: -tf.nn.log_softmax(tf.stack([x, x * x, 0.3 * x]))[0], [0.8]),
    "norm": (lambda tf, x: tf.norm(tf.stack([x, x * x, 1.0 + x - x])), [0.8, -2.0]),
    "determinant": (
        lambda tf, x: tf.linalg.det(tf.stack([tf.stack([x, x * x]), tf.stack([x + 1.0, 3.0 * x])])),
        [0.8, 1.5],
    ),
}
#: Where the derivative is 0, or the function ends: right gradients only.
ZERO_SLOPES = {
    "cube at 0": (lambda tf, x: x**3.0, [0.0]),
    "square at 0": (lambda tf, x: x * x, [0.0]),
    "power 5 at 0": (lambda tf, x: x**5.0, [0.0]),
    "cos at 0": (lambda tf, x: tf.cos(x), [0.0]),
    "power 2.5 at the end": (lambda tf, x: tf.pow(x, 2.5), [0.0]),
    "constant": (lambda tf, x: 0.0 * x + 3.0, [1.0]),
    "saturated": (lambda tf, x: tf.tanh(x), [30.0]),
}


def _check_all(tf, v1, gradients, table, dtype, factor):
    """{(name, point): report}, with all gradients times the factor."""

    results = {}
    for name, (function, points) in table.items():
        with v1.Graph().as_default():  # a session is slow on a graph that grows

            @tf.custom_gradient
            def scaled(x):
                return tf.identity(
                    x
                ), lambda upstream: upstream * tf.constant(factor, upstream.dtype)

            cases = []
            for point in points:
                x = v1.placeholder_with_default(N(point, dtype), [])
                cases.append((point, x, function(tf, scaled(x))))
            with v1.Session() as session:
                for point, x, y in cases:
                    report = gradients.check_gradients(y, x, session=session)
                    results[name, point] = report.result(x)
    return results


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_right_gradients_are_not_blamed(tf, v1, graph, gradients, dtype):
    table = dict(FUNCTIONS, **ZERO_SLOPES)
    results = _check_all(tf, v1, gradients, table, dtype, 1.0)
    assert len(results) > 95
    wrong = {where: (r.verdict, r.analytic, r.numeric) for where, r in results.items() if r.wrong}
    assert not wrong
    accepted = {where for where, r in results.items() if r.verdict in ("match", "kink")}
    assert len(accepted) >= 0.97 * len(results), set(results) - accepted


@pytest.mark.parametrize("dtype, factor", [("float32", 1.01), ("float64", 0.99)])
def test_gradients_that_are_one_percent_off_are_found(tf, v1, graph, gradients, dtype, factor):
    results = _check_all(tf, v1, gradients, FUNCTIONS, dtype, factor)
    missed = {where for where, r in results.items() if r.verdict != "mismatch"}
    assert not missed, [
        (where, results[where].verdict, results[where].analytic, results[where].numeric)
        for where in missed
    ]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision(tf, v1, graph, gradients, dtype):
    table = {
        "square": (lambda tf, x: x * x, [1.5, -0.5]),
        "tanh": (lambda tf, x: tf.tanh(x), [0.5]),
        "exp": (lambda tf, x: tf.exp(x), [0.5]),
        "sqrt": (lambda tf, x: tf.sqrt(x), [0.01, 2.0]),
    }

    @tf.custom_gradient
    def almost(x):  # 1%, which rounding may do to a gradient in bfloat16
        return tf.identity(x), lambda upstream: upstream * tf.constant(1.01, upstream.dtype)

    for name, (function, points) in table.items():
        for point in points:
            x = v1.placeholder_with_default(tf.cast(N(point, "float32"), dtype), [])
            assert gradients.check_gradients(function(tf, x), x).ok, (name, point)
            wrong = gradients.check_gradients(function(tf, almost(x)), x).result(x)
            told = ["mismatch"] if dtype == "float16" else ["mismatch", "roundoff"]
            assert wrong.verdict in told, (name, point, wrong.analytic, wrong.numeric)


COMPLEX = {
    "product": lambda tf, z: z * z,
    "conjugate": lambda tf, z: tf.math.conj(z) * z,
    "exp": lambda tf, z: tf.exp(z),
    "abs": lambda tf, z: tf.abs(z),
    "real": lambda tf, z: tf.math.real(z) ** 2.0,
    "angle": lambda tf, z: tf.math.angle(z),
    "fft": lambda tf, z: tf.signal.fft(z),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_complex(tf, v1, graph, gradients, name):
    z = v1.placeholder_with_default(N([0.5 + 0.3j, -1.0 + 2.0j], "complex64"), [2])
    assert gradients.check_gradients(COMPLEX[name](tf, z), z).verdict(z) == "match"

    @tf.custom_gradient
    def conjugated(a):  # the gradient of someone who forgot the convention
        return tf.identity(a), lambda upstream: tf.math.conj(upstream) * (1.01 + 0.1j)

    assert gradients.check_gradients(COMPLEX[name](tf, conjugated(z)), z).verdict(z) == "mismatch"


@pytest.mark.parametrize("shape", [[1], [1, 1], [0], [1, 1, 1]], ids=str)
def test_small_shapes(tf, v1, graph, gradients, shape):
    x = v1.placeholder_with_default(np.full(shape, 0.4, "f"), shape)
    assert gradients.check_gradients(tf.sin(x), x).verdict(x) == "match"


def test_a_large_x_that_turns_fast(tf, v1, graph, gradients):
    """Between two of the first steps, sin makes thousands of turns."""
    x = v1.placeholder_with_default(N(1e6), [])
    assert gradients.check_gradients(tf.sin(x), x).verdict(x) == "match"


def test_jumps_are_found_from_any_point(tf, v1, graph, gradients):
    for point in (2.0, 5.0, -3.0, 1.0):
        x = v1.placeholder_with_default(N(point), [])
        y = gradients.floor(x) + tf.sin(x)
        result = gradients.check_gradients(y, x).result(x)
        assert result.verdict == "jump" and result.jump == pytest.approx(1.0, abs=0.01)


def test_even_functions_are_not_flat(tf, v1, graph, gradients):
    """f(h) - f(-h) is 0 for any step; the function moves all the same."""
    x = v1.placeholder_with_default(N(0.0), [])

    @tf.custom_gradient
    def wrong(a):
        return a * a, lambda upstream: upstream * 1.0

    assert gradients.check_gradients(wrong(x), x).verdict(x) == "mismatch"
