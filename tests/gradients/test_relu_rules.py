"""guided_relu and redirected_relu on every op type: the op's own gradient, or a refusal."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError

X = np.float32([[-2.0, -0.5, 0.5, 7.0], [-1.0, -2.0, -3.0, -0.1], [7.0, 8.0, 9.0, 6.5]])
UPSTREAM = np.float32([[1.0, -1.0, 2.0, 3.0], [-3.0, 4.0, 5.0, -1.0], [1.0, -2.0, 3.0, 0.5]])
SCALE, ALPHA = 1.0507009873554805, 1.6732632423543772
#: type of op: (how it is built, its derivative in NumPy)
OPS = {
    "Relu": (lambda tf, x: tf.nn.relu(x), lambda x: 1.0 * (x > 0)),
    "Relu6": (lambda tf, x: tf.nn.relu6(x), lambda x: 1.0 * ((x > 0) & (x < 6))),
    "Elu": (lambda tf, x: tf.nn.elu(x), lambda x: np.where(x > 0, 1, np.exp(x))),
    "Selu": (
        lambda tf, x: tf.nn.selu(x),
        lambda x: SCALE * np.where(x > 0, 1, ALPHA * np.exp(x)),
    ),
    "LeakyRelu": (lambda tf, x: tf.nn.leaky_relu(x, 0.3), lambda x: np.where(x > 0, 1, 0.3)),
}


def _value(tf, v1, gradients, rule, kind, build):
    x = tf.constant(X)
    with gradients.override_gradient({kind: getattr(gradients, rule)}):
        y = build(tf, x)
    with v1.Session() as session:
        return session.run(v1.gradients(y, x, tf.constant(UPSTREAM))[0])


@pytest.mark.parametrize("kind", OPS)
def test_guided(tf, v1, graph, gradients, kind):
    build, slope = OPS[kind]
    got = _value(tf, v1, gradients, "guided_relu", kind, build)
    np.testing.assert_allclose(got, slope(X) * np.maximum(UPSTREAM, 0), rtol=1e-6)


@pytest.mark.parametrize("kind", OPS)
def test_redirected(tf, v1, graph, gradients, kind):
    """Row 1 is silent under Relu and Relu6, row 2 under Relu6, where all units are full."""
    build, slope = OPS[kind]
    expected = slope(X) * UPSTREAM
    if kind.startswith("Relu"):
        expected[1] = np.minimum(UPSTREAM[1], 0)
    if kind == "Relu6":
        expected[2] = np.maximum(UPSTREAM[2], 0)
    got = _value(tf, v1, gradients, "redirected_relu", kind, build)
    np.testing.assert_allclose(got, expected, rtol=1e-6)


@pytest.mark.parametrize("rule", ["guided_relu", "redirected_relu"])
@pytest.mark.parametrize(
    "kind, build",
    [
        ("Sigmoid", lambda tf, x: tf.sigmoid(x)),
        ("Tanh", lambda tf, x: tf.tanh(x)),
        ("Softplus", lambda tf, x: tf.math.softplus(x)),
        ("Floor", lambda tf, x: tf.floor(x)),
        ("Maximum", lambda tf, x: tf.maximum(x, 0.0)),
    ],
)
def test_other_ops_are_refused(tf, v1, graph, gradients, rule, kind, build):
    with pytest.raises(ArgumentError, match=f"of type {kind}"):
        _value(tf, v1, gradients, rule, kind, build)
