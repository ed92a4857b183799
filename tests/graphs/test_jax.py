"""A graph of TF 1.15 in JAX, by way of `graphs.as_module` and tf2jax: outputs and gradients."""

import graph_cases
import numpy as np
import pytest
from graph_cases import close

from tfgraphtools import graphs

pytestmark = [pytest.mark.usefixtures("eager"), pytest.mark.slow]

CASES = set(graph_cases.CASES) - {graph_cases.TRAINS}  # its Session infers as it trains

#: What is refused, by the op that tf2jax names, or by `as_module`.
REFUSED = {
    "branches": "Switch",
    "branches_of_v2": "Optional",
    "loop": "while loop of TF 1",
    "loop_of_v2": "EmptyTensorList",
    "recurrent": "while loop of TF 1",
}

#: Graphs whose training updates moving averages: in JAX they are trained as they infer.
AVERAGING = {name for name in CASES if "normalisation" in name}


@pytest.fixture
def tf2jax():
    return pytest.importorskip("tf2jax", reason="pip install tf2jax jax")


@pytest.mark.parametrize("name", sorted(CASES - set(REFUSED)))
def test_outputs(saved_graph, tf, tf2jax, name):
    meta, expected = saved_graph(name)
    net = graphs.as_module(meta, "x", "y")
    for training in (False, True):
        if training and name in AVERAGING:
            continue
        call = tf.function(lambda x, training=training: net(x, training=training))
        function, weights = tf2jax.convert(call, np.zeros_like(expected["x"]))
        outputs, _ = function(weights, expected["x"])
        close(outputs, expected["y_training" if training else "y"])


@pytest.mark.parametrize("name", sorted(CASES - set(REFUSED) - AVERAGING))
def test_gradients(saved_graph, tf, tf2jax, name):
    import jax

    meta, expected = saved_graph(name)
    net = graphs.as_module(meta, {"x": "x", "labels": "labels"}, "loss")
    call = tf.function(lambda x, labels: net(x=x, labels=labels, training=True) + sum(net.losses))
    function, weights = tf2jax.convert(call, expected["x"], expected["labels"])
    gradients = jax.grad(lambda w: function(w, expected["x"], expected["labels"])[0])(weights)
    wanted = {key.partition("/")[2] for key in expected.files if key.startswith("gradient/")}
    assert set(gradients) == wanted
    for name, gradient in gradients.items():
        close(gradient, expected["gradient/" + name])


@pytest.mark.parametrize("name", sorted(AVERAGING))
def test_gradients_with_moving_averages(saved_graph, tf, tf2jax, name):
    """The oracle is TensorFlow's tape over the same module."""
    import jax

    meta, expected = saved_graph(name)
    net = graphs.as_module(meta, "x", "y")
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(net(expected["x"]) ** 2)
    variables = net.trainable_variables
    tapes = {
        variable.name.split(":")[0]: gradient
        for variable, gradient in zip(variables, tape.gradient(total, variables))
    }
    function, weights = tf2jax.convert(tf.function(lambda x: net(x)), expected["x"])
    gradients = jax.grad(lambda w: (function(w, expected["x"])[0] ** 2).sum())(weights)
    for name, gradient in tapes.items():
        close(gradients[name], gradient)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused_by_name(saved_graph, tf, tf2jax, name):
    meta, expected = saved_graph(name)
    net = graphs.as_module(meta, "x", "y")
    with pytest.raises((ValueError, LookupError), match=REFUSED[name]):
        function, weights = tf2jax.convert(tf.function(lambda x: net(x)), expected["x"])
        function(weights, expected["x"])
