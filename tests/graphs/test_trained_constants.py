"""The constants of a frozen graph train as the variables that they were."""

import numpy as np
import pytest

from tfgraphtools import checkpoints, errors, graphs

pytestmark = pytest.mark.usefixtures("eager")

X = np.random.RandomState(0).standard_normal([8, 5]).astype("float32")
LABELS = np.arange(8) % 4


@pytest.fixture
def frozen(saved_graph, tmp_path):
    """(the .meta, the frozen graph) of a perceptron."""
    meta = saved_graph("perceptron")[0]
    path = str(tmp_path / "frozen.pb")
    checkpoints.to_frozen(meta[: -len(".meta")], meta, path, ["loss"], ["x", "labels"])
    return meta, path


def trained(tf, net):
    losses = []
    optimizer = tf.keras.optimizers.SGD(0.1)
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = net(X, LABELS.astype("int32"))
        variables = net.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        losses.append(float(loss))
    return losses


def test_as_the_variables_train(frozen, tf):
    meta, path = frozen
    inputs = {"x": "x", "labels": "labels"}
    names = ["hidden/kernel", "hidden/bias", "logits/kernel", "logits/bias"]
    expected = trained(tf, graphs.as_module(meta, inputs, "loss"))
    net = graphs.as_module(path, inputs, "loss", trainable=names)
    assert {v.name.split(":")[0] for v in net.trainable_variables} == set(names)
    np.testing.assert_allclose(trained(tf, net), expected, rtol=1e-6)
    assert expected[-1] < expected[0]


def test_all_weights_that_the_outputs_need(frozen):
    net = graphs.as_module(frozen[1], ["x", "labels"], "loss", trainable=True)
    assert {"hidden/kernel", "logits/bias"} <= set(net.graph_variables)


def test_a_module_of_constants_is_saved(frozen, tf, tmp_path):
    net = graphs.as_module(frozen[1], {"x": "x", "labels": "labels"}, "loss", trainable=True)
    trained(tf, net)
    expected = float(net(X, LABELS.astype("int32")))
    tf.train.Checkpoint(net=net).save(str(tmp_path / "ckpt"))
    again = graphs.as_module(frozen[1], {"x": "x", "labels": "labels"}, "loss", trainable=True)
    tf.train.Checkpoint(net=again).restore(tf.train.latest_checkpoint(str(tmp_path)))
    assert float(again(X, LABELS.astype("int32"))) == expected
    with pytest.raises(errors.ArgumentError, match="constants that train: hidden/bias"):
        net.save_checkpoint(str(tmp_path / "tf1"))


@pytest.mark.parametrize(
    "names, words",
    [
        (["hidden/kernal"], "Did you mean hidden/kernel"),
        (["x"], "a constant of floating-point numbers, got Placeholder"),
        (["Const"], "floating-point numbers, got Const"),
    ],
)
def test_refusals(names, words, frozen):
    with pytest.raises(errors.TfgraphtoolsError, match=words):
        graphs.as_module(frozen[1], ["x", "labels"], "loss", trainable=names)
