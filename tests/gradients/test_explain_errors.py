"""Where tf.gradients raises, explain_gradient says so and what; a zero is one of finite values."""

import numpy as np
import pytest

pytestmark = pytest.mark.quick


def _loop(tf, v1, body, start, times=3):
    return v1.while_loop(
        lambda i, a: i < times, lambda i, a: (i + 1, body(a)), [tf.constant(0), start]
    )[1]


def _second(around):
    def build(tf, v1, x):
        return v1.gradients(around(tf, v1, lambda a: a * x[0], x * 1.0), x)[0]

    return build


def _stopped_before(tf, v1, x):
    stopped = tf.stop_gradient(x)
    return v1.gradients(_loop(tf, v1, lambda a: a * stopped, stopped), stopped)[0]


def _scatter(use_resource):
    def build(tf, v1, x):
        w = v1.get_variable("w", initializer=[1.0, 2.0], use_resource=use_resource)
        return v1.scatter_update(w, [0, 1], x)

    return build


#: id: build(tf, v1, x); these have bodies, of either kind of control flow.
BODIES = {
    "second order of a loop": _second(_loop),
    "second order of a loop in a cond": _second(
        lambda tf, v1, body, start: v1.cond(
            v1.placeholder_with_default(True, []),
            lambda: _loop(tf, v1, body, start),
            lambda: start,
        )
    ),
    "second order of a map": _second(lambda tf, v1, body, start: tf.map_fn(lambda a: a**2, start)),
    "second order, with x beside it": lambda tf, v1, x: _second(_loop)(tf, v1, x) + x,
    "second order, stopped before it": _stopped_before,
    "first order of a loop": lambda tf, v1, x: _loop(tf, v1, lambda a: a * x, x),
    "unregistered, in a function": lambda tf, v1, x: tf.function(lambda a: tf.unique(a)[0])(x),
    "unregistered, in a loop": lambda tf, v1, x: _loop(
        tf, v1, lambda a: tf.reshape(tf.unique(a)[0], [2]), x
    ),
    "unregistered, in a branch never taken": lambda tf, v1, x: v1.cond(
        tf.constant(True), lambda: x, lambda: tf.reshape(tf.unique(x)[0], [2])
    ),
}
PLAIN = {
    "complex y": lambda tf, v1, x: tf.complex(x, x),
    "complex y, not of x": lambda tf, v1, x: tf.complex(tf.ones([2]), tf.ones([2])),
    "real part": lambda tf, v1, x: tf.math.real(tf.complex(x, x)),
    "string y": lambda tf, v1, x: tf.strings.as_string(x),
    "bool y": lambda tf, v1, x: x > 0.0,
    "unregistered": lambda tf, v1, x: tf.unique(x)[0],
    "mean of an empty mask": lambda tf, v1, x: (
        tf.reduce_sum(x * tf.zeros([2])) / tf.reduce_sum(tf.constant([0.0, 0.0]))
    ),
    "norm of zeros": lambda tf, v1, x: tf.norm(x * tf.constant([0.0, 0.0])),
    "log of zeros": lambda tf, v1, x: tf.math.log(x * tf.constant([0.0, 0.0])),
    "zeros": lambda tf, v1, x: x * tf.constant([0.0, 0.0]),
    "zeros, divided": lambda tf, v1, x: tf.sqrt(1.0 + x * tf.constant([0.0, 0.0])) / x[::-1] * 0.0,
    "scatter_update": _scatter(use_resource=False),
    "scatter_update of a resource": _scatter(use_resource=True),
}


def _truth(tf, v1, y, x):
    """(verdict, first word of the error, is it finite) of TensorFlow itself."""
    try:
        gradient = v1.gradients(y, x)[0]
    except Exception as error:  # pylint: disable=broad-except  # TensorFlow's own answer
        return "none", type(error).__name__, True
    if gradient is None:
        return "none", None, True
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        value = session.run(tf.convert_to_tensor(gradient), {x: [0.7, 1.3]})
    return ("live" if np.any(value != 0) else "zero"), None, bool(np.all(np.isfinite(value)))


@pytest.mark.parametrize("case", BODIES)
def test_bodies_as_tensorflow(tf, v1, graph, control_flow, gradients, case):
    _compare(tf, v1, gradients, BODIES[case])


@pytest.mark.parametrize("case", PLAIN)
def test_as_tensorflow(tf, v1, graph, gradients, case):
    _compare(tf, v1, gradients, PLAIN[case])


def _compare(tf, v1, gradients, build):
    x = v1.placeholder_with_default(np.float32([0.7, 1.3]), [2], name="x")
    y = tf.convert_to_tensor(build(tf, v1, x))
    explanation = gradients.explain_gradient(y, x)
    verdict, error, is_finite = _truth(tf, v1, y, x)
    message = explanation.error(x)
    assert (explanation.verdict(x), message and message.partition(":")[0]) == (verdict, error)
    assert not error or f"tf.gradients raises {error}" in str(explanation)
    causes = [blocker.cause for blocker in explanation.blockers(x)]
    assert ("not finite" in causes) == (not is_finite), causes
    assert causes or verdict == "live"
    if verdict == "zero":
        assert "finite" in str(explanation)


def test_what_fails_on_every_copy_is_unknown(tf, v1, graph, gradients, monkeypatch):
    from tfgraphtools.gradients.explaining.verdicts import copied_gradients

    def fails(self, y):
        raise KeyError("lost")

    x = tf.constant([1.0, 2.0])
    y = tf.floor(x) + tf.sin(x)
    monkeypatch.setattr(copied_gradients.SliceCopy, "_fill", fails)
    explanation = gradients.explain_gradient(y, x)
    assert explanation.verdict(x) == "live" and explanation.error(x) is None
    monkeypatch.setattr(copied_gradients.WholeCopy, "_fill", fails)
    explanation = gradients.explain_gradient(y, x)
    assert explanation.verdict(x) == "unknown" and explanation.error(x) is None
    assert "lost" in str(explanation) and "unknown" in explanation.to_html()


@pytest.mark.parametrize("lost", ["None", "zeros"])
def test_what_a_copy_loses_is_asked_again(tf, v1, graph, gradients, monkeypatch, lost):
    from tfgraphtools.gradients.explaining.verdicts import copied_gradients

    def loses(self, starts, captures):
        with self._scratch.as_default():
            return [None if lost == "None" else self.inside(start) * 0.0 for start in starts]

    x = v1.placeholder_with_default([1.0, 2.0], [2])
    y = tf.sin(x)
    monkeypatch.setattr(copied_gradients.SliceCopy, "gradients", loses)
    assert gradients.explain_gradient(y, x).verdict(x) == "live"
    assert gradients.explain_gradient(tf.floor(x), x).verdict(x) != "live"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [9011, 9023, 9029])
def test_a_copy_is_differentiated_once(tf, v1, control_flow, gradients, seed):
    """TensorFlow fails at loops with functions in them the second time: no verdict on them."""
    import nested_programs

    with v1.Graph().as_default():
        y, xs = nested_programs.program(tf, v1, seed)()
        explanation = gradients.explain_gradient(y, xs)
        try:
            gradients_of_tf = v1.gradients(y, xs)
        except tf.errors.InvalidArgumentError as error:  # by one x, on 1.15
            assert str(error) in "".join(str(explanation.error(x)) for x in xs)
            return
        for x, gradient in zip(xs, gradients_of_tf):
            assert explanation.error(x) is None
            assert (explanation.verdict(x) == "none") == (gradient is None)
