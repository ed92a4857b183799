"""None or zeros: explain_gradient against tf.gradients and a session, where the two are close."""

import numpy as np
import pytest

pytestmark = pytest.mark.quick

X = np.float32([0.7, -1.3, 2.1, 0.4])


def _loop(v1, body, *start):
    return v1.while_loop(lambda i, *c: i < 2, lambda i, *c: (i + 1,) + body(i, *c), (0,) + start)


def _either(tf, v1, x):
    predicate = v1.placeholder_with_default(True, [])
    return v1.cond(predicate, lambda: (x, tf.ones([4])), lambda: (x * 2.0, tf.zeros([4])))


def _array(tf, x):
    array = tf.TensorArray(tf.float32, 3, element_shape=[2]).write(0, x[:2])
    return array.write(1, tf.ones([2])).write(2, tf.zeros([2]))


def _unread_array(tf, v1, x):
    def body(i, array, count):
        return array.write(i, x[0]), count + 1.0

    array = tf.TensorArray(tf.float32, 2, element_shape=[])
    return _loop(v1, body, array, tf.constant(1.0))[2]


def _stopped_at_last(tf, v1, x, first, second):
    return _loop(v1, lambda i, c: (v1.cond(i > 0, lambda: second(c), lambda: first(c)),), x)[1]


def _mapped(tf, v1, x, output):
    pair = (tf.float32, tf.float32)
    return v1.map_fn(lambda a: (a[0] * 2.0, a[1]), (x, tf.ones([4])), dtype=pair)[output]


#: id: build(tf, v1, x)
CASES = {
    "output not of x, of a function": lambda tf, v1, x: tf.function(
        lambda a: (a * 2.0, tf.ones([4]))
    )(x)[1],
    "output of x, of a function": lambda tf, v1, x: tf.function(lambda a: (a * 2.0, tf.ones([4])))(
        x
    )[0],
    "output not of x, of a cond": lambda tf, v1, x: _either(tf, v1, x)[1],
    "output of x, of a cond": lambda tf, v1, x: _either(tf, v1, x)[0],
    "output not of x, of map_fn": lambda tf, v1, x: _mapped(tf, v1, x, 1),
    "output of x, of map_fn": lambda tf, v1, x: _mapped(tf, v1, x, 0),
    "array written, not read": _unread_array,
    "size of an array": lambda tf, v1, x: tf.cast(_array(tf, x).size(), tf.float32),
    "all elements of an array": lambda tf, v1, x: _array(tf, x).gather([0, 2]),
    "x - x": lambda tf, v1, x: x - x,
    "x - 2x": lambda tf, v1, x: x - 2.0 * x,
    "a slice without x": lambda tf, v1, x: tf.concat([x, tf.ones([3])], 0)[4:],
    "a slice with x": lambda tf, v1, x: tf.concat([x, tf.ones([3])], 0)[3:],
    "the padding": lambda tf, v1, x: tf.pad(x, [[2, 2]])[:2],
    "all overwritten": lambda tf, v1, x: tf.tensor_scatter_nd_update(
        x, [[0], [1], [2], [3]], tf.ones([4])
    ),
    "one is not overwritten": lambda tf, v1, x: tf.tensor_scatter_nd_update(
        x, [[0], [1], [2]], tf.ones([3])
    ),
    "the imaginary part of a real": lambda tf, v1, x: tf.math.imag(tf.complex(x, tf.zeros([4]))),
    "divided by no number": lambda tf, v1, x: tf.math.divide_no_nan(x, tf.zeros([4])),
    "out at the last iteration": lambda tf, v1, x: _loop(
        v1, lambda i, a, b, c: (b, c, tf.ones([4])), tf.ones([4]), tf.ones([4]), x
    )[1],
    "stopped at no iteration": lambda tf, v1, x: _stopped_at_last(
        tf, v1, x, lambda a: a * 2.0, lambda a: a
    ),
    "times a zero of a function": lambda tf, v1, x: x * tf.function(lambda: tf.zeros([4]))(),
    "ones - ones": lambda tf, v1, x: x * (tf.ones_like(x) - tf.ones_like(x)),
    "times a random number": lambda tf, v1, x: x * v1.random_uniform([4]),
    "times a variable of zeros": lambda tf, v1, x: (
        x * v1.get_variable("w", [4], initializer=v1.zeros_initializer())
    ),
}
#: Zeros in this session: another value of the variable gives others.
LIVE = {"times a variable of zeros"}


def truth(tf, v1, y, x):
    """What tf.gradients gives: "none", "zero" or "live"."""
    gradient = v1.gradients(y, x)[0]
    if gradient is None:
        return "none"
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        return "live" if np.any(session.run(tf.convert_to_tensor(gradient))) else "zero"


@pytest.mark.parametrize("case", CASES)
def test_as_tensorflow(case, tf, v1, control_flow, gradients):
    with v1.Graph().as_default():
        x = v1.placeholder_with_default(X, [4], name="x")
        y = CASES[case](tf, v1, x)
        explanation = gradients.explain_gradient(y, x)
        expected = "live" if case in LIVE else truth(tf, v1, y, x)
        assert explanation.verdict(x) == expected, str(explanation)
        assert explanation.blockers(x) or expected == "live"
        if case.startswith("output not of x") and expected == "zero":
            assert explanation.blockers(x)[0].cause == "unused"


def _read(tf, v1, read):
    variable = v1.get_variable("v", initializer=[3, 4], use_resource=True)
    return read(variable), variable


#: id: build(tf, v1) -> (y, x), where y or both are of a dtype that has no gradients as a rule
INTEGERS = {
    "x itself": lambda tf, v1: (tf.constant([3]),) * 2,
    "x itself, a placeholder": lambda tf, v1: (v1.placeholder_with_default([3], [1]),) * 2,
    "x itself, an index": lambda tf, v1: (tf.argmax(tf.constant([1.0, 2.0])),) * 2,
    "another output": lambda tf, v1: tuple(tf.split(tf.constant([1, 2]), 2)),
    "the identity of x": lambda tf, v1: (lambda x: (tf.identity(x), x))(tf.constant(3)),
    "a read": lambda tf, v1: _read(tf, v1, lambda v: v.value()),
    "a read and an op": lambda tf, v1: _read(tf, v1, lambda v: v.value() + 1),
    "rows of a variable": lambda tf, v1: _read(tf, v1, lambda v: v.sparse_read([1])),
    "a cast": lambda tf, v1: (lambda x: (tf.cast(x, tf.int32), x))(tf.constant([1.5])),
    "an index": lambda tf, v1: (lambda x: (tf.argmax(x), x))(tf.constant([1.5])),
    "an index beside values": lambda tf, v1: (lambda x: (tf.nn.top_k(tf.exp(x))[1], x))(
        tf.constant([1.5])
    ),
    "an integer of a function": lambda tf, v1: (
        lambda x: (tf.function(lambda a: (a * 2.0, tf.cast(a, tf.int32)))(x)[1], x)
    )(tf.constant([1.5])),
    "no gradient registered": lambda tf, v1: (lambda x: (tf.unique(x)[1], x))(tf.constant([1.5])),
}


@pytest.mark.parametrize("case", INTEGERS)
def test_integers_as_tensorflow(case, tf, v1, gradients):
    with v1.Graph().as_default() as graph:
        y, x = INTEGERS[case](tf, v1)
        before = len(graph.get_operations())
        explanation = gradients.explain_gradient(y, x)
        assert len(graph.get_operations()) == before
        try:
            expected = truth(tf, v1, y, x)
        except LookupError:
            expected = "none"
            assert "LookupError" in explanation.error(x)
        assert explanation.verdict(x) == expected, str(explanation)
