"""Jacobian and Hessian products against closed forms in NumPy; zeros instead of None."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, SecondOrderError

RNG = np.random.RandomState(0)
A = RNG.randn(4, 4)
X, V, U = RNG.randn(4), RNG.randn(4), RNG.randn(4)


def _quartic(tf, x):
    """sum((A x)^4) / 12 with Hessian A^T diag((A x)^2) A."""
    return tf.reduce_sum(tf.linalg.matvec(tf.constant(A), x) ** 4) / 12.0


HESSIAN = A.T.dot(np.diag(A.dot(X) ** 2)).dot(A)


@pytest.fixture(params=["tensor", "ref", "resource"])
def x(request, tf, v1, graph):
    if request.param == "tensor":
        return tf.constant(X)
    return v1.get_variable("x", initializer=X, use_resource=request.param == "resource")


def test_products_of_the_jacobian(tf, graph, gradients, evaluate, x):
    """y = sin(A x): J = diag(cos(A x)) A."""
    y = tf.sin(tf.linalg.matvec(tf.constant(A), x))
    jacobian = np.diag(np.cos(A.dot(X))).dot(A)
    forward, backward = evaluate([gradients.jvp(y, x, V), gradients.vjp(y, x, U)])
    np.testing.assert_allclose(forward, jacobian.dot(V), rtol=1e-10)
    np.testing.assert_allclose(backward, U.dot(jacobian), rtol=1e-10)


def test_hvp_and_hessian(tf, graph, gradients, evaluate, x):
    loss = _quartic(tf, x)
    product, block = evaluate([gradients.hvp(loss, x, V), gradients.hessian(loss, x)])
    np.testing.assert_allclose(product, HESSIAN.dot(V), rtol=1e-9)
    np.testing.assert_allclose(block, HESSIAN, rtol=1e-9)


def test_blocks_off_the_diagonal(tf, v1, graph, variables, control_flow, gradients, evaluate):
    """loss = a . M b: the blocks are 0, M, M^T, 0, of the shapes of a and b."""
    m = RNG.randn(2, 6).astype(np.float32)
    a = v1.get_variable("a", initializer=np.ones(2, np.float32))
    b = v1.get_variable("b", initializer=np.ones((3, 2), np.float32))
    loss = tf.reduce_sum(a * tf.linalg.matvec(m, tf.reshape(b, [6])))
    blocks = gradients.hessian(loss, [a, b])
    assert blocks[0][1].shape == (2, 3, 2) and blocks[1][0].shape == (3, 2, 2)
    values = evaluate(blocks)
    np.testing.assert_allclose(values[0][1].reshape(2, 6), m, rtol=1e-6)
    np.testing.assert_allclose(values[1][0].reshape(6, 2), m.T, rtol=1e-6)
    assert not values[0][0].any() and not values[1][1].any()
    products = evaluate(gradients.hvp(loss, [a, b], [np.ones(2), np.zeros((3, 2))]))
    np.testing.assert_allclose(products[1].reshape(6), m.sum(0), rtol=1e-5)


def test_linear_functions_have_zeros(tf, v1, graph, variables, gradients, evaluate):
    w, other = v1.get_variable("w", initializer=[1.0, 2.0]), v1.get_variable("o", initializer=[1.0])
    loss = tf.reduce_sum(3.0 * w)
    values = evaluate(
        [
            gradients.hvp(loss, w, [1.0, 1.0]),
            gradients.hessian(loss, w),
            gradients.vjp(loss, other, 1.0),
            gradients.jvp(loss, other, [1.0]),
        ]
    )
    for value, shape in zip(values, [(2,), (2, 2), (1,), ()]):
        np.testing.assert_array_equal(value, np.zeros(shape))


def test_embeddings(tf, v1, graph, variables, gradients, evaluate):
    """Sparse gradients: loss = sum(rows^3), Hessian diagonal 6 * row, a row named twice."""
    table = np.float32([[1.0], [2.0], [3.0]])
    w = v1.get_variable("w", initializer=table)
    loss = tf.reduce_sum(tf.nn.embedding_lookup(w, [0, 2, 2]) ** 3)
    direction = np.float32([[1.0], [1.0], [10.0]])
    product, forward = evaluate(
        [gradients.hvp(loss, w, direction), gradients.jvp(loss, w, direction)]
    )
    np.testing.assert_allclose(product, [[6.0], [0.0], [360.0]])
    assert forward == pytest.approx(3.0 + 2 * 27.0 * 10)


def test_through_loops(tf, v1, graph, control_flow, gradients, evaluate):
    """x^4 by a loop: right in control flow v2, a clear error in v1."""
    x = tf.constant(2.0)
    y = v1.while_loop(lambda i, a: i < 2, lambda i, a: (i + 1, a * a), [tf.constant(0), x])[1]
    if control_flow == "v1":
        for call in (gradients.hvp, gradients.jvp, lambda y, x, _: gradients.hessian(y, x)):
            with pytest.raises(SecondOrderError, match="while/Exit.*enable_control_flow_v2"):
                call(y, x, 1.0)
    else:
        assert evaluate(gradients.hvp(y, x, 1.0)) == 48.0
        assert evaluate(gradients.jvp(y, x, 1.0)) == 32.0


@pytest.mark.parametrize("product", ["hvp", "jvp", "hessian"])
def test_what_tf_fails_to_differentiate_twice(tf, v1, graph, gradients, product):
    @tf.custom_gradient
    def once(a):
        @tf.custom_gradient
        def backward(upstream):
            def twice(_):
                raise ValueError("only once")

            return upstream * 2.0, twice

        return a * 2.0, backward

    x = tf.constant(2.0)
    call = getattr(gradients, product)
    with pytest.raises(SecondOrderError, match="differentiates twice.*ValueError.*only once"):
        call(once(x) ** 2, x, *([] if product == "hessian" else [1.0]))


def test_c3_hessian_norm(tf, v1, graph, variables, control_flow, gradients, evaluate):
    """For loss = 3 w^2 every quotient is the second derivative, 6, whatever the draws."""
    w = v1.get_variable("w", initializer=2.0)
    loss = v1.cond(v1.placeholder_with_default(True, []), lambda: 3.0 * w * w, lambda: 1.0 * w)
    before = len(v1.global_variables())
    norm = gradients.hessian_norm(loss, w, samples=4, seed=1)
    each = gradients.hessian_norm(loss, w, samples=4, seed=1, elementwise=True)
    np.testing.assert_allclose(evaluate([norm, each]), [6.0, 6.0], rtol=1e-5)
    assert len(v1.global_variables()) == before


def test_hessian_norm_is_the_mean_of_hd_over_d(tf, v1, graph, variables, gradients, evaluate):
    """On a quadratic with H = A^T A, against NumPy on the same draws; a seed is a seed."""
    w = v1.get_variable("w", initializer=X)
    loss = tf.reduce_sum(tf.linalg.matvec(tf.constant(A), w) ** 2) / 2.0
    draws = [tf.random.stateless_normal([4], [5, i], dtype=tf.float64) for i in range(6)]
    ours, again, other, draws = evaluate(
        [
            gradients.hessian_norm(loss, w, samples=6, seed=5),
            gradients.hessian_norm(loss, w, samples=6, seed=5),
            gradients.hessian_norm(loss, w, samples=6, seed=6),
            draws,
        ]
    )
    wanted = np.mean([np.linalg.norm(A.T.dot(A).dot(d)) / np.linalg.norm(d) for d in draws])
    assert ours == pytest.approx(wanted, rel=1e-8) and ours == again != other


def test_bad_arguments(tf, graph, gradients):
    x = tf.constant([1.0, 2.0])
    with pytest.raises(ArgumentError, match="lists of one length"):
        gradients.hvp(tf.reduce_sum(x), [x], [])
    with pytest.raises(ArgumentError, match="the shape of its tensor"):
        gradients.jvp(x, x, [1.0])
