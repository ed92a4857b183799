"""Random small graphs: what we build must agree with numeric derivatives and with TF itself."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SIZE = 3
MATRIX = np.array([[0.5, -0.2, 0.1], [0.3, 0.4, -0.6], [-0.1, 0.2, 0.7]])


def _cond(tf, v1, a, b):
    return v1.cond(v1.placeholder_with_default(True, []), lambda: tf.sin(a) * b, lambda: a)


def _while(tf, v1, a, b):
    return v1.while_loop(
        lambda i, c: i < 2, lambda i, c: (i + 1, tf.tanh(c) * b), [tf.constant(0), a]
    )[1]


STEPS = {
    "sin": lambda tf, v1, a, b: tf.sin(a),
    "tanh": lambda tf, v1, a, b: tf.tanh(a),
    "square": lambda tf, v1, a, b: a * a,
    "add": lambda tf, v1, a, b: a + b,
    "mul": lambda tf, v1, a, b: a * b,
    "matmul": lambda tf, v1, a, b: tf.linalg.matvec(tf.constant(MATRIX), a),
    "gather": lambda tf, v1, a, b: tf.gather(a, [2, 0, 0]),
    "where": lambda tf, v1, a, b: v1.where(tf.constant([True, False, True]), a, b),
    "mean": lambda tf, v1, a, b: a - tf.reduce_mean(b),
    "cond": _cond,
    "while": _while,
    "stop": lambda tf, v1, a, b: tf.stop_gradient(a) * b,
    "floor": lambda tf, v1, a, b: tf.floor(a) + b,
}
SMOOTH = [name for name in STEPS if name not in ("stop", "floor")]


def programs(names):
    """Lists of (step, first operand, second operand); operands count back from the last."""
    step = st.tuples(st.sampled_from(names), st.integers(0, 2), st.integers(0, 2))
    return st.lists(step, min_size=1, max_size=6)


def _build(tf, v1, program):
    """(x, y) of a program, on a graph of its own."""
    x = v1.placeholder_with_default(np.array([0.3, -0.7, 0.9]), [SIZE], name="x")
    values = [tf.constant([0.2, 0.5, -0.4], tf.float64), x]
    for name, first, second in program:
        operands = [values[-1 - min(i, len(values) - 1)] for i in (first, second)]
        values.append(STEPS[name](tf, v1, *operands))
    return x, tf.reduce_sum(values[-1] * tf.constant([1.0, -2.0, 0.5], tf.float64))


def _functions(tf, v1, gradients, program):
    """y and its gradient as functions of NumPy arrays, from a graph of their own."""
    with v1.Graph().as_default() as graph:
        x, y = _build(tf, v1, program)
        gradient = gradients.vjp(y, x, 1.0)
    session = v1.Session(graph=graph)
    return (lambda at: session.run(y, {x: at})), (lambda at: session.run(gradient, {x: at}))


def _numeric(run, at, step=1e-5):
    moves = np.eye(SIZE) * step
    return np.array([(run(at + move) - run(at - move)) / (2 * step) for move in moves])


def examples(count):
    return settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


@pytest.mark.costly(in_ci=1)
@examples(8)
@given(program=programs(SMOOTH))
def test_smooth_graphs(tf, v1, control_flow, gradients, program):
    """Gradient, copy at another x, its gradient, Jacobian and Hessian products."""
    at, direction = np.array([0.3, -0.7, 0.9]), np.array([0.5, 1.0, -0.3])
    function, gradient_of = _functions(tf, v1, gradients, program)
    slope = _numeric(function, at)
    np.testing.assert_allclose(gradient_of(at), slope, atol=1e-8, rtol=1e-6)
    with v1.Graph().as_default():
        x, y = _build(tf, v1, program)
        verdict = gradients.explain_gradient(y, x).verdict(x)
        if verdict != "live":
            assert not slope.any()
            return
        assert gradients.check_gradients(y, x).ok
        d = tf.constant(direction)
        moved = gradients.graph_replace(y, {x: x + d})
        values = v1.Session().run([moved, gradients.vjp(moved, d, 1.0)])
        np.testing.assert_allclose(values[0], function(at + direction), rtol=1e-12)
        slope_there = _numeric(function, at + direction)
        np.testing.assert_allclose(values[1], slope_there, atol=1e-8, rtol=1e-6)
        if any(op.type == "Exit" for op in y.graph.get_operations()):
            return  # TF has no second derivatives of v1 loops
        products = [gradients.jvp(y, x, direction), gradients.hvp(y, x, direction)]
        first, second, blocks = v1.Session().run(products + [gradients.hessian(y, x)])
        curved = [_numeric(lambda value, i=i: gradient_of(value)[i], at) for i in range(SIZE)]
        assert first == pytest.approx(slope.dot(direction), abs=1e-7, rel=1e-6)
        np.testing.assert_allclose(second, np.array(curved).dot(direction), atol=1e-6, rtol=1e-5)
        np.testing.assert_allclose(blocks, curved, atol=1e-6)


@pytest.mark.costly(in_ci=1)
@examples(25)
@given(program=programs(sorted(STEPS)))
def test_explanations_agree_with_tf(tf, v1, control_flow, gradients, program):
    """Live exactly where TF has a gradient that is more than zeros by construction."""
    with v1.Graph().as_default() as graph:
        x, y = _build(tf, v1, program)
        before = len(graph.get_operations())
        explanation = gradients.explain_gradient(y, x)
        assert len(graph.get_operations()) == before
        gradient = v1.gradients(y, x)[0]
        verdict = explanation.verdict(x)
        assert (verdict == "none") == (gradient is None)
        if verdict == "zero":
            assert not v1.Session().run(gradient).any()
        if verdict != "live":
            assert explanation.blockers(x)
