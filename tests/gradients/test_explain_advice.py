"""The advice at an op fits the op: of a backward pass, a write, a list, a rounding."""

import numpy as np
import pytest

pytestmark = pytest.mark.quick


def _backward_of_lrn(tf, v1, x):
    y = tf.nn.local_response_normalization(tf.reshape(x, [1, 1, 1, 2]))
    return v1.gradients(y, x)[0]


def _written(update):
    def build(tf, v1, x):
        w = v1.get_variable("w", initializer=[1.0, 2.0], use_resource=False)
        return tf.convert_to_tensor(getattr(v1, update)(w, [0, 1], x))

    return build


def _index_of_array(tf, v1, x):
    index = tf.cast(x[0], tf.int32)
    return tf.TensorArray(tf.float32, 4, clear_after_read=False).unstack([1.0, 2.0]).read(index)


#: id: (build, what the advice has, what it has not)
CASES = {
    "backward": (_backward_of_lrn, ["set_gradient(op, fn) after", "name='LRNGrad'"], ["around"]),
    "scatter_update": (_written("scatter_update"), ["stop_gradient", "set_gradient"], ["override"]),
    "unique": (lambda tf, v1, x: tf.unique(x)[0], ["override_gradient({'Unique'"], ["backward"]),
    "floor": (lambda tf, v1, x: tf.floor(x), ["straight-through"], ["backward"]),
    "zeta": (
        lambda tf, v1, x: tf.math.zeta(x, 1.0 + tf.constant([1.0, 2.0])),
        ["override_gradient({'Zeta'"],
        ["straight-through"],
    ),
    "index of an array": (_index_of_array, [], ["straight-through"]),
}


@pytest.mark.parametrize("case", CASES)
def test_advice(tf, v1, graph, control_flow, gradients, case):
    x = v1.placeholder_with_default(np.float32([1.2, 1.7]), [2], name="x")
    build, has, has_not = CASES[case]
    explanation = gradients.explain_gradient(build(tf, v1, x), x)
    advice = " ".join(blocker.advice for blocker in explanation.blockers(x))
    assert explanation.verdict(x) == "none" and advice
    assert [part for part in has if part not in advice] == [], advice
    assert [part for part in has_not if part in advice] == [], advice


def test_advice_for_a_backward_pass_holds(tf, v1, graph, gradients):
    """What the advice says can be done."""
    x = v1.placeholder_with_default(np.float32([1.2, 1.7]), [2], name="x")
    y = _backward_of_lrn(tf, v1, x)
    with pytest.raises(LookupError):
        v1.gradients(y, x)
    lrn = [op for op in graph.get_operations() if op.type == "LRNGrad"]
    gradients.set_gradient(lrn, lambda op, grad: [None, grad, None])
    assert v1.gradients(y, x)[0] is not None
    assert gradients.explain_gradient(y, x).verdict(x) == "live"
