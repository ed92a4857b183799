"""A graph of TF 1.15 as a layer of Keras 3."""

import numpy as np
import pytest

from tfgraphtools import graphs

keras = pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
pytestmark = pytest.mark.usefixtures("eager")


def test_outputs_of_both_modes(saved_graph):
    meta, expected = saved_graph("fused_normalisation")
    layer = graphs.as_keras_layer(meta, "x", "y")
    np.testing.assert_allclose(layer(expected["x"]), expected["y"], atol=1e-6)
    averages = layer.graph_variables["bn/moving_mean"].numpy()
    outputs = layer(expected["x"], training=True)
    np.testing.assert_allclose(outputs, expected["y_training"], atol=1e-6)
    assert np.abs(layer.graph_variables["bn/moving_mean"].numpy() - averages).max() > 1e-3


@pytest.mark.parametrize("name", ["perceptron", "fused_normalisation_of_resources"])
def test_fit_is_a_hundred_steps_of_tf1(saved_graph, tmp_path, name):
    meta, expected = saved_graph(name)
    layer = graphs.as_keras_layer(meta, "x", "y", name="graph")
    model = keras.Sequential([keras.Input(expected["x"].shape[1:]), layer])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.SGD(0.1), loss)
    first = model.fit(expected["x"], expected["labels"], batch_size=8, epochs=100, verbose=0)
    np.testing.assert_allclose(first.history["loss"][0], expected["loss"], rtol=1e-5)
    for variable, weight in layer.graph_variables.items():
        np.testing.assert_allclose(weight, expected["sgd/" + variable], rtol=0, atol=1e-4)
    layer.save_checkpoint(str(tmp_path / "model"))
    again = graphs.as_module(meta, "x", "y", str(tmp_path / "model"))
    y = model.predict(expected["x"], verbose=0)
    np.testing.assert_allclose(again(expected["x"]), y, atol=1e-6)


def test_saving(saved_graph, tf, tmp_path):
    meta, expected = saved_graph("perceptron")
    layer = graphs.as_keras_layer(meta, "x", "y")
    model = keras.Sequential([keras.Input([5]), layer, keras.layers.Dense(2)])
    y = model.predict(expected["x"], verbose=0)
    model.export(str(tmp_path / "exported"), verbose=False)
    loaded = tf.saved_model.load(str(tmp_path / "exported"))
    np.testing.assert_allclose(loaded.serve(expected["x"]), y, atol=1e-6)
    model.save_weights(str(tmp_path / "w.weights.h5"))
    layer.graph_variables["logits/bias"].assign(np.ones(4))
    model.load_weights(str(tmp_path / "w.weights.h5"))
    np.testing.assert_allclose(model.predict(expected["x"], verbose=0), y, atol=1e-6)
    with pytest.raises(NotImplementedError, match="export"):
        model.save(str(tmp_path / "model.keras"))


def test_a_frozen_layer_changes_nothing(saved_graph):
    meta, expected = saved_graph("fused_normalisation")
    layer = graphs.as_keras_layer(meta, "x", "y")
    layer.trainable = False
    before = layer.get_weights()
    model = keras.Sequential([keras.Input(expected["x"].shape[1:]), layer, keras.layers.Dense(4)])
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(expected["x"], expected["labels"], verbose=0)
    for old, new in zip(before, layer.get_weights()):
        np.testing.assert_array_equal(old, new)
    np.testing.assert_allclose(layer(expected["x"], training=True), expected["y"], atol=1e-6)


def test_mistakes_in_calls(saved_graph):
    """Keras keeps the text of an error that it knows how to make."""
    layer = graphs.as_keras_layer(saved_graph("embedding")[0], "x", "y")
    with pytest.raises(ValueError, match="input x: expected values of int32, got float32"):
        layer(np.zeros([2, 3], "float32"))
    with pytest.raises(ValueError, match='a Keras input: dtype="int32"'):
        keras.Sequential([keras.Input([3]), layer])


def test_a_policy_of_16_bits_changes_nothing(saved_graph):
    meta, expected = saved_graph("perceptron")
    policy = keras.config.dtype_policy()
    keras.config.set_dtype_policy("mixed_float16")
    try:
        layer = graphs.as_keras_layer(meta, "x", "y")
        np.testing.assert_allclose(layer(expected["x"]), expected["y"], atol=1e-6)
    finally:
        keras.config.set_dtype_policy(policy)
