"""A constant zero between x and y, wherever it comes from and whatever is built around it."""

import numpy as np
import pytest

pytestmark = pytest.mark.quick

X = np.float32([0.3, -0.2, 0.7])


def _const(tf):
    return lambda h: h * tf.constant(0.0)


def _outer(tf):
    zero = tf.constant(np.zeros(3, np.float32))
    return lambda h: h * zero


def _outer_product(tf):
    zero = tf.zeros([3]) * tf.constant(np.float32([0, 1, 0]))
    return lambda h: h * zero


def _mask(tf):
    return lambda h: h * tf.cast(tf.constant([0, 0, 0]), tf.float32)


def _difference(tf):
    return lambda h: h * (tf.constant(1.5) - tf.constant(1.5))


def _matrix(tf):
    return lambda h: tf.reshape(tf.matmul(tf.reshape(h, [1, 3]), tf.zeros([3, 3])), [3])


def _one_is_not_zero(tf):
    row = tf.constant(np.float32([0, 1, 0]))
    return lambda h: h * row


def _a_run_decides(tf):
    return lambda h: h * tf.compat.v1.placeholder_with_default(0.0, [])


ZEROS = [_const, _outer, _outer_product, _mask, _difference, _matrix]
LIVE = [_one_is_not_zero, _a_run_decides]


def _loop(v1, body, x):
    return v1.while_loop(lambda i, c: i < 3, lambda i, c: (i + 1, body(i, c)), [0, x])[1]


def _either(v1, then, other):
    return v1.cond(v1.placeholder_with_default(True, []), then, other)


#: id: build(tf, v1, f, x), with f somewhere in it
AROUND = {
    "nothing": lambda tf, v1, f, x: f(x),
    "cond": lambda tf, v1, f, x: _either(v1, lambda: tf.sin(f(tf.sin(x))), lambda: tf.ones([3])),
    "both branches": lambda tf, v1, f, x: _either(v1, lambda: f(x), lambda: f(x * 3.0) * 2.0),
    "cond in cond": lambda tf, v1, f, x: _either(
        v1, lambda: _either(v1, lambda: f(x), lambda: f(x) + 1.0), lambda: tf.ones([3])
    ),
    "switch_case": lambda tf, v1, f, x: tf.switch_case(
        v1.placeholder_with_default(0, []),
        [lambda: f(x), lambda: f(x * 3.0) * 2.0, lambda: tf.ones([3])],
    ),
    "while": lambda tf, v1, f, x: _loop(v1, lambda i, c: f(c), x),
    "while in while": lambda tf, v1, f, x: _loop(
        v1, lambda i, c: _loop(v1, lambda j, d: f(d), c), x
    ),
    "cond in while": lambda tf, v1, f, x: _loop(
        v1, lambda i, c: v1.cond(i < 5, lambda: f(c), lambda: f(c) + 1.0), x
    ),
    "while in cond": lambda tf, v1, f, x: _either(
        v1, lambda: _loop(v1, lambda i, c: f(c), x), lambda: tf.ones([3])
    ),
    "function": lambda tf, v1, f, x: tf.function(f)(x),
    "cond in function": lambda tf, v1, f, x: tf.function(
        lambda x: _either(v1, lambda: f(x), lambda: tf.ones([3]))
    )(x),
    "map_fn": lambda tf, v1, f, x: v1.map_fn(lambda a: f(a * tf.ones([3])), x),
    "scan": lambda tf, v1, f, x: v1.scan(lambda a, b: f(a), tf.ones([2, 3]), initializer=x),
}


@pytest.mark.costly(in_ci=6)
@pytest.mark.parametrize("around", AROUND)
def test_zeros_are_known_and_placed(around, tf, v1, control_flow, gradients):
    for build in ZEROS + LIVE:
        with v1.Graph().as_default():
            x = v1.placeholder_with_default(X, [3], name="x")
            y = tf.reduce_sum(AROUND[around](tf, v1, build(tf), x) * 2.0)
            explanation = gradients.explain_gradient(y, x)
            expected = "live" if build in LIVE else "zero"
            assert explanation.verdict(x) == expected, (build.__name__, str(explanation))
            if expected == "zero":
                first = explanation.blockers(x)[0]
                assert first.cause == "returned zeros", (build.__name__, str(explanation))
                assert "Mul" in first.op_type, (build.__name__, str(explanation))


@pytest.mark.parametrize("with_default", [False, True], ids=["fed", "default"])
@pytest.mark.parametrize("v2", [False, True], ids=["v1", "v2"])
@pytest.mark.parametrize(
    "body", [lambda tf, a: tf.zeros_like(a), lambda tf, a: tf.stop_gradient(2.0 * a)]
)
def test_a_loop_that_may_make_no_iteration(tf, v1, graph, gradients, body, v2, with_default):
    """What went in leaves it then: the verdict is that of the run that has a gradient."""
    (v1.enable_control_flow_v2 if v2 else v1.disable_control_flow_v2)()
    x = v1.placeholder_with_default(np.float32(2.0), [])
    turns = v1.placeholder_with_default(3, []) if with_default else v1.placeholder(tf.int32, [])
    step = lambda i, a: (i + 1, body(tf, a))  # noqa: E731
    y = v1.while_loop(lambda i, a: i < turns, step, [0, x])[1]
    always = v1.while_loop(lambda i, a: i < 3, step, [0, x])[1]
    verdicts = [
        gradients.explain_gradient(out, [x]).as_dict()["xs"][0]["verdict"] for out in (y, always)
    ]
    grad = v1.gradients(y, x)[0]
    with v1.Session() as session:
        values = [session.run(grad, {turns: count}) for count in (0, 2)]
    assert values == [1.0, 0.0]
    assert verdicts == ["live", "zero"]
