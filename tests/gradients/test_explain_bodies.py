"""explain_gradient called in a body that is being built, where TensorFlow is asked right after."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError

pytestmark = pytest.mark.quick


def _while(tf, v1, body, a):
    return v1.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, body(h)), [tf.constant(0), a])[1]


def _cond(tf, v1, body, a):
    return v1.cond(v1.placeholder_with_default(True, []), lambda: body(a), lambda: a * 1.0)


def _function(tf, v1, body, a):
    return tf.function(body, autograph=False)(a)


BODIES = {
    "while": _while,
    "cond": _cond,
    "function": _function,
    "map_fn": lambda tf, v1, body, a: tf.map_fn(body, tf.stack([a, a])),
    "while in while": lambda tf, v1, body, a: _while(tf, v1, lambda h: _while(tf, v1, body, h), a),
    "function in while": lambda tf, v1, body, a: _while(
        tf, v1, lambda h: _function(tf, v1, body, h), a
    ),
}


def _differentiated_loop(tf, h, k):
    """A loop of which the body has the gradient already."""
    y = _while(tf, tf.compat.v1, lambda value: value * k, h)
    assert tf.compat.v1.gradients(y, k)[0] is not None
    return y


#: id: (tf, h) -> (y, x), with ``outside`` the tensors and variables outside of the body
ASKED = {
    "argument": lambda tf, h, outside: (tf.tanh(h * outside["k"]), h),
    "captured": lambda tf, h, outside: (tf.tanh(h * outside["k"]), outside["k"]),
    "variable": lambda tf, h, outside: (tf.tanh(h * outside["w"]), outside["w"]),
    "behind what is captured": lambda tf, h, outside: (outside["g"] * 1.0, outside["x"]),
    "as tf.hessians asks": lambda tf, h, outside: (tf.reshape(outside["g"], [1])[0], outside["x"]),
    "no gradient": lambda tf, h, outside: (tf.floor(h * outside["k"]), h),
    "times zero": lambda tf, h, outside: (h * outside["k"] * tf.constant(0.0), outside["k"]),
    "not of x": lambda tf, h, outside: (tf.sin(outside["k"]), h),
    "a loop differentiated before": lambda tf, h, outside: (
        _differentiated_loop(tf, h, outside["k"]),
        outside["k"],
    ),
    "the start of the loop": lambda tf, h, outside: (tf.tanh(h), outside["x"]),
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("kind", BODIES)
def test_in_a_body(tf, v1, graph, control_flow, gradients, kind, asked):
    x = v1.placeholder_with_default(1.5, [], name="x")
    w = v1.get_variable("w", initializer=1.2)
    outside = {"x": x, "w": w, "k": tf.sin(x) * w, "g": v1.gradients(tf.exp(x * w), x)[0]}
    seen = []

    def body(h):
        y, source = ASKED[asked](tf, h, outside)
        explanation = gradients.explain_gradient(y, source)
        seen.append((explanation.verdict(source), explanation.error(source), _truth(v1, y, source)))
        assert str(explanation) and explanation.to_dot()
        return tf.tanh(h)

    BODIES[kind](tf, v1, body, x * 1.0)
    for verdict, error, truth in seen:
        if isinstance(truth, str):
            assert (verdict, error and error.partition(":")[0]) == ("none", truth)
        else:
            assert error is None and (verdict in ("live", "zero")) == truth
    assert seen and (asked != "times zero" or seen[0][0] == "zero")


def _truth(v1, y, x):
    """True for a gradient, False for None, or the type of the error."""
    try:
        return v1.gradients(y, x)[0] is not None
    except Exception as error:  # pylint: disable=broad-except  # TensorFlow's own answer
        return type(error).__name__


def test_of_a_body_that_is_built(tf, v1, graph, gradients):
    """From outside TensorFlow refuses what it takes in the body itself."""
    x, kept = tf.constant(1.5), []

    @tf.function(autograph=False)
    def square(h):
        kept.append(h * x)
        return kept[0]

    square(tf.constant(2.0))
    explanation = gradients.explain_gradient(kept[0], x)
    with pytest.raises(ValueError, match="same graph"):
        v1.gradients(kept[0], x)
    assert explanation.verdict(x) == "none" and "same graph" in explanation.error(x)


@pytest.mark.parametrize("kind", ["while", "cond", "function"])
def test_check_gradients_refuses_bodies(tf, v1, graph, control_flow, gradients, kind):
    x = v1.placeholder_with_default(1.5, [], name="x")
    k, refused = tf.sin(x), []

    def body(h):
        y = tf.tanh(h * k)
        for source in (h, k, x):
            with pytest.raises(ArgumentError, match="Check outside of the body"):
                gradients.check_gradients(y, source)
            refused.append(source)
        if k.graph is not y.graph:  # a session would run half of a v1 loop
            assert gradients.check_gradients(k, x).verdict(x) == "match"
        return y

    y = BODIES[kind](tf, v1, body, x * np.float32(1.0))
    assert len(refused) >= 3
    assert gradients.check_gradients(y, x).verdict(x) == "match"
