"""Mistakes in arguments, and graphs that once crashed: each by name, on every function."""

import numpy as np
import pytest

from tfgraphtools.errors import ReplaceError, TfgraphtoolsError, UnusedOverrideError

pytestmark = pytest.mark.quick

CALLS = {
    "vjp": lambda g, v1, y, x: g.vjp(y, x, 1.0),
    "jvp": lambda g, v1, y, x: g.jvp(y, x, 1.0),
    "hvp": lambda g, v1, y, x: g.hvp(y, x, 1.0),
    "hessian": lambda g, v1, y, x: g.hessian(y, x),
    "hessian_norm": lambda g, v1, y, x: g.hessian_norm(y, x),
    "check_gradients": lambda g, v1, y, x: g.check_gradients(y, x),
    "GradientProbe": lambda g, v1, y, x: g.GradientProbe(v1.Session(graph=y.graph), y, x),
    "scale_gradient": lambda g, v1, y, x: g.scale_gradient(y, x),
    "graph_replace": lambda g, v1, y, x: g.graph_replace(y, {x: y}),
}


@pytest.mark.parametrize("name", CALLS)
def test_tensors_of_two_graphs(tf, v1, graph, gradients, name):
    with v1.Graph().as_default():
        x = tf.constant(1.0)
    with pytest.raises(TfgraphtoolsError, match="another graph"):
        CALLS[name](gradients, v1, tf.constant(2.0) * 2.0, x)


@pytest.mark.parametrize("name", ["hvp", "hessian", "hessian_norm"])
def test_a_vector_loss_is_not_summed(tf, v1, graph, gradients, name):
    x = tf.constant([1.0, 2.0])
    with pytest.raises(TfgraphtoolsError, match=r"scalar loss.*reduce_sum"):
        CALLS[name](gradients, v1, x**2.0, x)


_EAGER = """
import tensorflow as tf
from tfgraphtools import gradients as g
from tfgraphtools.errors import TfgraphtoolsError
x, calls = tf.Variable(1.0), 0
y = tf.constant(2.0)
for call in (
    lambda: g.explain_gradient(y, x), lambda: g.check_gradients(y, x), lambda: g.effects(y),
    lambda: g.hvp(y, x, 1.0), lambda: g.jvp(y, x, 1.0), lambda: g.vjp(y, x, 1.0),
    lambda: g.hessian(y, x), lambda: g.graph_replace(y, {x.ref(): y}),
    lambda: g.GradientProbe(None, y, x),
):
    try:
        call()
    except TfgraphtoolsError as error:
        assert "as_default()" in str(error), str(error)
        calls += 1
assert calls == 9, calls
"""


def test_eager_mode_is_named(tf, this_server, tmp_path):
    if tf.__version__.startswith("1."):
        pytest.skip("TF 1.15 starts in graph mode")
    (tmp_path / "eager.py").write_text(_EAGER)
    this_server.run(tmp_path, "eager.py").checked()


def _compiled(tf):
    option = "experimental_compile" if tf.__version__.startswith("1.") else "jit_compile"
    return lambda function: tf.function(function, **{option: True})


def test_functions_compiled_by_xla(tf, v1, graph, gradients):
    w = v1.get_variable("w", initializer=[0.3, 0.4], use_resource=True)
    loss = tf.reduce_sum(_compiled(tf)(lambda a: tf.sin(a) * w)(w * 2.0))
    moved = gradients.graph_replace(loss, {w.ref() if hasattr(w, "ref") else w: [0.5, 0.6]})
    assert gradients.explain_gradient(loss, w).verdict(w) == "live"
    initialize = v1.global_variables_initializer()
    with v1.Session() as session:
        session.run(initialize)
        at = np.array([0.3, 0.4])
        slope = 2 * np.cos(2 * at) * at + np.sin(2 * at)
        np.testing.assert_allclose(
            gradients.GradientProbe(session, loss, w).run(), slope, rtol=1e-5
        )
        at = np.array([0.5, 0.6])
        assert session.run(moved) == pytest.approx((np.sin(2 * at) * at).sum(), rel=1e-5)


@pytest.mark.parametrize("kind", ["custom_gradient", "recompute_grad"])
def test_an_override_around_a_custom_gradient_is_no_hit(tf, v1, graph, gradients, kind):
    x = tf.constant([0.3, 1.6])

    @tf.custom_gradient
    def own(a):
        return tf.floor(a), lambda upstream: upstream * 3.0

    with v1.variable_scope("scope", use_resource=True):
        function = tf.recompute_grad(tf.floor) if kind == "recompute_grad" else own
        with pytest.raises(UnusedOverrideError, match="whose own gradient decides"):
            with gradients.override_gradient({"Floor": "Identity"}):
                function(x)
        with gradients.override_gradient({"Floor": "Identity"}) as hits:
            y = function(tf.floor(x))
    assert hits.total == 1 and y is not None


@pytest.mark.parametrize("kind", ["ref", "resource"])
def test_variables_of_unknown_shape(tf, v1, graph, gradients, kind):
    if kind == "ref":
        v = v1.Variable(tf.constant([1.0, 2.0]), validate_shape=False, use_resource=False)
    else:
        v = v1.Variable(tf.constant([1.0, 2.0]), shape=tf.TensorShape(None), use_resource=True)
    y = tf.reduce_sum(v * v)
    key = v.ref() if hasattr(v, "ref") else v
    fetches = [
        gradients.graph_replace(y, {key: [3.0, 4.0]}),
        gradients.jvp(y, v, [1.0, 1.0]),
        gradients.hvp(y, v, [1.0, 1.0]),
        gradients.hessian(y, v),
    ]
    initialize = v1.global_variables_initializer()
    with v1.Session() as session:
        session.run(initialize)
        moved, jvp, hvp, hessian = session.run(fetches)
        assert (moved, jvp) == (25.0, 6.0)
        np.testing.assert_array_equal(hvp, [2.0, 2.0])
        np.testing.assert_array_equal(hessian, 2 * np.eye(2))
        np.testing.assert_array_equal(gradients.GradientProbe(session, y, v).run(), [2.0, 4.0])
        assert gradients.check_gradients(y, v, session=session).ok
    assert gradients.explain_gradient(y, v).verdict(v) == "live"


def test_names_that_are_missing_get_candidates(tf, v1, graph, gradients, tmp_path):
    x = v1.placeholder(tf.float32, [], name="input/x")
    w = v1.get_variable("net/w", initializer=2.0)
    tf.multiply(x, w, name="objective")
    path = str(tmp_path / "graph.meta")
    v1.train.export_meta_graph(path)
    with pytest.raises(TfgraphtoolsError, match="--y.*'objective'"):
        gradients.explain_file(path, "loss", ["net/w"])
    with pytest.raises(TfgraphtoolsError, match="--x.*'net/w'"):
        gradients.explain_file(path, "objective", ["kernel"])


def test_replacing_by_another_graph_is_named(tf, v1, graph, gradients):
    with v1.Graph().as_default():
        other = tf.constant(1.0)
    x = tf.constant(1.0)
    with pytest.raises(ReplaceError, match="another graph"):
        gradients.graph_replace(x * 2.0, {x: other})
