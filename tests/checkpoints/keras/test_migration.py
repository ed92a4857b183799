"""Models of TF 1.15 in Keras 3 and tf_keras: the same outputs, and the same training."""

import collections
import os
import sys
import zipfile

import numpy as np
import pytest

sys.path.insert(0, os.path.dirname(__file__))

import tf1_models  # noqa: E402

from tfgraphtools import checkpoints  # noqa: E402
from tfgraphtools.checkpoints.keras.keras_migration import plan_keras, to_keras  # noqa: E402
from tfgraphtools.checkpoints.matching import rnn  # noqa: E402
from tfgraphtools.errors import (  # noqa: E402
    ArgumentError,
    DestinationError,
    PlanError,
    UnmatchedError,
)

pytestmark = pytest.mark.slow

UNITS = tf1_models.UNITS


def sequential(keras, shape, *layers):
    return keras.Sequential([keras.Input(shape), *layers])


# Recurrent cells ------------------------------------------------------------------


def recurrent(keras, case):
    """The model of a case of `tf1_models.cells`."""
    layers = keras.layers

    def lstm():
        return layers.LSTM(UNITS, return_sequences=True)

    def gru(reset_after):
        return layers.GRU(UNITS, return_sequences=True, reset_after=reset_after)

    stack = {
        "lstm_projected": [lstm(), layers.Dense(tf1_models.PROJECTED, use_bias=False)],
        "cudnn_lstm": [lstm(), lstm()],
        "stacked": [
            layers.RNN([layers.LSTMCell(UNITS), layers.LSTMCell(UNITS)], return_sequences=True)
        ],
        "cudnn_gru": [gru(True), gru(True)],
        "cudnn_compatible_gru": [gru(True)],
        "basic_rnn": [layers.SimpleRNN(UNITS, return_sequences=True)],
        "bidirectional": [layers.Bidirectional(lstm())],
        "stacked_bidirectional": [layers.Bidirectional(gru(False)) for _ in range(2)],
    }.get(case) or [gru(False) if "gru" in case else lstm()]
    return sequential(keras, (tf1_models.STEPS, tf1_models.INPUTS), *stack)


CELLS = [
    "basic_lstm",
    "lstm",
    "lstm_forget_bias",
    "lstm_projected",
    "lstm_block",
    "lstm_block_fused",
    "gru",
    "gru_block",
    "gru_block_v2",
    "cudnn_compatible_gru",
    "cudnn_compatible_lstm",
    "cudnn_lstm",
    "cudnn_gru",
    "basic_rnn",
    "bidirectional",
    "stacked_bidirectional",
    "stacked",
    "keras_lstm",
    "keras_gru",
]


@pytest.mark.parametrize("case", CELLS)
def test_recurrent_cells(keras, tf1_folder, tf1_outputs, case):
    model = recurrent(keras, case)
    named = "cudnn" in case or case.startswith("keras_")  # which say it
    bias = None if named else 0.25 if case == "lstm_forget_bias" else 1.0
    told = {".*": {"recurrent_activation": "sigmoid"}} if case.startswith("keras_") else None
    to_keras(tf1_folder / (case + ".ckpt"), model, forget_bias=bias, facts=told)
    outputs = model(tf1_models.sequences()).numpy()
    np.testing.assert_allclose(outputs, tf1_outputs[case], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "case, says",
    [
        ("lstm_peepholes", "'rnn/lstm_cell' is peepholes (w_i_diag, w_f_diag, w_o_diag)"),
        ("layer_norm_lstm", "a layer_norm_basic_lstm_cell, which neither Keras nor PyTorch has"),
    ],
)
def test_cells_that_keras_lacks(keras3, tf1_folder, case, says):
    with pytest.raises(UnmatchedError) as error:
        to_keras(tf1_folder / (case + ".ckpt"), recurrent(keras3, "lstm"))
    assert says in str(error.value)


@pytest.mark.parametrize(
    "case, options, says",
    [
        ("gru", {"reset_after": True}, "build the layer with reset_after=False"),
        ("cudnn_compatible_gru", {"reset_after": False}, "build the layer with reset_after=True"),
        ("gru", {"use_bias": False, "reset_after": False}, "use_bias=True"),
        (
            "gru",
            {"recurrent_activation": "hard_sigmoid", "reset_after": False},
            "recurrent_activation is hard_sigmoid",
        ),
    ],
    ids=["reset-after", "reset-before", "no-bias", "hard-sigmoid"],
)
def test_layers_that_compute_something_else(keras3, tf1_folder, case, options, says):
    layer = keras3.layers.GRU(UNITS, return_sequences=True, **options)
    model = sequential(keras3, (tf1_models.STEPS, tf1_models.INPUTS), layer)
    with pytest.raises(UnmatchedError) as error:
        to_keras(tf1_folder / (case + ".ckpt"), model)
    assert says in str(error.value)


def test_a_projected_cell_by_map(keras3, tf1_folder, tf1_outputs):
    model = recurrent(keras3, "lstm_projected")
    rules = {"rnn/lstm_cell": model.layers[0].name}
    plan = to_keras(tf1_folder / "lstm_projected.ckpt", model, rules=rules, forget_bias=1.0)
    assert [row.how for row in plan.rows()] == ["map", "map", "map", "the only fit"]
    outputs = model(tf1_models.sequences()).numpy()
    np.testing.assert_allclose(outputs, tf1_outputs["lstm_projected"], rtol=0, atol=1e-6)


def test_the_wrong_forget_bias_is_seen(keras3, tf1_folder, tf1_outputs):
    """The oracle can fail: without the bias that TF1 adds, and that no checkpoint holds."""
    model = recurrent(keras3, "basic_lstm")
    to_keras(tf1_folder / "basic_lstm.ckpt", model, forget_bias={"rnn/.*": 0.0})
    outputs = model(tf1_models.sequences()).numpy()
    assert np.abs(outputs - tf1_outputs["basic_lstm"]).max() > 0.05


# Convolutional nets -----------------------------------------------------------------


class LocalResponse:
    """tf.nn.local_response_normalization, for which Keras has no layer; it has no weights."""

    def __new__(cls, keras):
        import tensorflow as tf

        class Layer(keras.layers.Layer):
            def call(self, x):
                return tf.nn.local_response_normalization(x)

        return Layer()


def net(keras, case):
    """The model of a case of `tf1_models.nets`."""
    layers = keras.layers
    conv = layers.Conv2D
    one_conv = conv(8, 3, padding="same")
    lists = {
        "tf_layers": lambda: [
            conv(4, 3, activation="relu"),
            layers.BatchNormalization(),
            layers.SeparableConv2D(4, 3, padding="same"),
            conv(4, 3, padding="same"),
            layers.BatchNormalization(),
            layers.Conv2DTranspose(5, 3, strides=2),
            conv(4, 3, use_bias=False),
            layers.BatchNormalization(scale=False),
            layers.Flatten(),
            layers.Dense(6, activation="tanh"),
            layers.Dense(6),
        ],
        "slim": lambda: [
            conv(4, 3, padding="same", use_bias=False, name="conv1"),
            layers.BatchNormalization(scale=False, name="conv1_bn"),
            layers.ReLU(),
            conv(4, 3, padding="same", use_bias=False, name="conv2"),
            layers.BatchNormalization(scale=False, name="conv2_bn"),
            layers.ReLU(),
            layers.SeparableConv2D(4, 3, padding="same", activation="relu", name="separable"),
            layers.DepthwiseConv2D(3, padding="same", depth_multiplier=2, activation="relu"),
            layers.Flatten(),
            layers.Dense(3, activation="relu", name="logits"),
        ],
        "renorm": lambda: [one_conv, layers.BatchNormalization()],
        "layer_norm": lambda: [one_conv, layers.GroupNormalization(1, epsilon=1e-12)],
        "instance_norm": lambda: [one_conv, layers.GroupNormalization(-1, epsilon=1e-6)],
        "group_norm": lambda: [one_conv, layers.GroupNormalization(4, epsilon=1e-6)],
        "local_response": lambda: [one_conv, LocalResponse(keras)],
        "of_keras": lambda: [
            conv(4, 3),
            layers.BatchNormalization(),
            layers.DepthwiseConv2D(3, depth_multiplier=2),
            layers.SeparableConv2D(4, 3),
            layers.Conv2DTranspose(4, 3),
            layers.LayerNormalization(),
            layers.Flatten(),
            layers.Dense(2),
        ],
        "embedded": lambda: [
            layers.Embedding(11, 8),
            layers.Conv1D(8, 3),
            layers.LayerNormalization(epsilon=1e-12),
        ],
    }
    return sequential(keras, (6,) if case == "embedded" else (8, 8, 3), *lists[case]())


NETS = [
    "tf_layers",
    "slim",
    "renorm",
    "layer_norm",
    "instance_norm",
    "group_norm",
    "local_response",
    "of_keras",
    "embedded",
]


def assert_outputs(model, case, tf1_outputs):
    inputs = tf1_models.words() if case == "embedded" else tf1_models.images()
    wanted = tf1_outputs[case]
    tolerance = 2e-6 * np.abs(wanted).max()  # rounding, of a few layers
    np.testing.assert_allclose(model(inputs).numpy(), wanted, rtol=0, atol=tolerance)


@pytest.mark.parametrize("case", NETS)
def test_nets(keras, tf1_folder, tf1_outputs, case):
    model = net(keras, case)
    drop = [".*/renorm_.*", ".*/moving_stddev"] if case == "renorm" else ()
    to_keras(tf1_folder / (case + ".ckpt"), model, drop=drop)
    assert_outputs(model, case, tf1_outputs)


@pytest.mark.parametrize("name", ["model.keras", "model.weights.h5"])
def test_both_formats_reload(keras, tf1_folder, tf1_outputs, tmp_path, name):
    destination = tmp_path / name
    to_keras(tf1_folder / "tf_layers.ckpt", net(keras, "tf_layers"), destination)
    assert os.listdir(str(tmp_path)) == [name]  # nothing else is left
    if name.endswith(".keras"):
        loaded = keras.models.load_model(str(destination))
    else:
        loaded = net(keras, "tf_layers")
        loaded.load_weights(str(destination))
    assert_outputs(loaded, "tf_layers", tf1_outputs)


def test_renorm_is_not_dropped_in_silence(keras3, tf1_folder):
    with pytest.raises(UnmatchedError, match="moving_stddev' is a statistic of batch renormal"):
        to_keras(tf1_folder / "renorm.ckpt", net(keras3, "renorm"))


@pytest.mark.parametrize(
    "case, groups, says",
    [
        ("layer_norm", 4, "build the layer with groups=1"),
        ("instance_norm", 2, "build the layer with groups=-1"),
    ],
)
def test_another_normalisation(keras3, tf1_folder, case, groups, says):
    layers = keras3.layers
    norm = layers.GroupNormalization(groups)
    model = sequential(keras3, (8, 8, 3), layers.Conv2D(8, 3, padding="same"), norm)
    with pytest.raises(UnmatchedError) as error:
        to_keras(tf1_folder / (case + ".ckpt"), model)
    assert says in str(error.value)


def test_what_the_checkpoint_does_not_say_is_noted(keras3, tf1_folder):
    layers = keras3.layers
    parts = layers.Conv2D(8, 3, padding="same"), layers.GroupNormalization(4)
    plan = to_keras(tf1_folder / "group_norm.ckpt", sequential(keras3, (8, 8, 3), *parts))
    assert any("epsilon is 0.001; group normalisation of tf.contrib" in n for n in plan.notes)
    assert any("groups is 4; a checkpoint does not say" in note for note in plan.notes)


# The optimizer ------------------------------------------------------------------------

#: How to build one, and the largest difference from TF1 going on that is allowed.
Optimizer = collections.namedtuple("Optimizer", "build within")

OPTIMIZERS = {
    "SGD": Optimizer(lambda o: o.SGD(0.1), 4.5e-7),
    "Momentum": Optimizer(lambda o: o.SGD(0.05, momentum=0.9), 4.5e-7),
    "Nesterov": Optimizer(lambda o: o.SGD(0.05, momentum=0.9, nesterov=True), 4.5e-7),
    "Adam": Optimizer(lambda o: o.Adam(0.01, epsilon=1e-8), 9.5e-6),
    "RMSProp": Optimizer(lambda o: o.RMSprop(0.01, momentum=0.5, epsilon=1e-10), 1e-6),
    "CenteredRMSProp": Optimizer(lambda o: o.RMSprop(0.01, centered=True, epsilon=1e-10), 1e-6),
    "Adagrad": Optimizer(lambda o: o.Adagrad(0.1, epsilon=0.0), 1e-6),
    "Adadelta": Optimizer(lambda o: o.Adadelta(1.0, epsilon=1e-8), 1e-6),
    "Ftrl": Optimizer(lambda o: o.Ftrl(0.1, l1_regularization_strength=0.001), 1.5e-6),
}


def trained(keras, optimizer=None):
    """The model of `tf1_models.trained_net`, compiled."""
    layers = keras.layers
    parts = layers.LSTM(UNITS), layers.Dense(2)
    model = sequential(keras, (tf1_models.STEPS, tf1_models.INPUTS), *parts)
    if optimizer:
        model.compile(OPTIMIZERS[optimizer].build(keras.optimizers), "mse")
    return model


def difference(keras, model, tf1_folder, case):
    """How far a model is, after 20 more steps, from TF1 after 20 more."""
    for _ in range(20):
        model.train_on_batch(tf1_models.sequences(), tf1_models.target())
    wanted = dict(np.load(str(tf1_folder / (case + ".npz"))))
    expected = rnn.lstm_to_keras(
        wanted["rnn/basic_lstm_cell/kernel"],
        wanted["rnn/basic_lstm_cell/bias"],
        forget_bias=tf1_models.forget_bias(case),
    )
    expected = [*expected.values(), wanted["dense/kernel"], wanted["dense/bias"]]
    weights = model.get_weights()
    assert len(weights) == len(expected)
    return max(np.abs(weight - other).max() for weight, other in zip(weights, expected))


@pytest.mark.parametrize("case", list(OPTIMIZERS))
def test_twenty_steps_more(keras3, tf1_folder, tmp_path, case):
    """20 steps in TF 1.15, through a .keras file, 20 steps in Keras."""
    path = str(tmp_path / "model.keras")
    bias = tf1_models.forget_bias(case)
    to_keras(tf1_folder / (case + ".ckpt"), trained(keras3, case), path, forget_bias=bias)
    model = keras3.models.load_model(path)
    assert int(model.optimizer.iterations) == 20
    assert difference(keras3, model, tf1_folder, case) <= OPTIMIZERS[case].within


def copied_plainly(optimizer):
    for velocity in optimizer.momentums:
        velocity.assign(velocity / -0.05)


def from_the_start(optimizer):
    optimizer.iterations.assign(0)


def in_the_order_of_tf1(optimizer):
    i, f, c, o = np.split(optimizer._momentums[0].numpy(), 4, 1)
    optimizer._momentums[0].assign(np.concatenate([i, c, f, o], 1))


def forgotten(optimizer):
    for variable in optimizer.variables:
        if "learning_rate" not in variable.path:
            variable.assign(0 * variable)


def from_tf1(folder, case, *arguments, **options):
    """Converts what an optimizer left, which has no graph beside it."""
    options.setdefault("forget_bias", tf1_models.forget_bias(case))
    return to_keras(folder / (case + ".ckpt"), *arguments, **options)


@pytest.mark.parametrize(
    "case, way",
    [
        ("Momentum", copied_plainly),
        ("Nesterov", copied_plainly),
        ("Adam", from_the_start),
        ("Adam", in_the_order_of_tf1),
        ("Momentum", forgotten),
        ("RMSProp", forgotten),
        ("Adadelta", forgotten),
    ],
)
def test_wrong_ways_are_seen(keras3, tf1_folder, case, way):
    """What `test_twenty_steps_more` would say to the usual mistakes."""
    model = trained(keras3, case)
    from_tf1(tf1_folder, case, model)
    way(model.optimizer)
    assert difference(keras3, model, tf1_folder, case) > 20 * OPTIMIZERS[case].within


@pytest.mark.parametrize("case", ["Adam", "Momentum", "RMSProp"])
def test_twenty_steps_more_in_tf_keras(eager, tf1_folder, tmp_path, case):
    keras = pytest.importorskip("tf_keras")
    path = str(tmp_path / "model.keras")
    from_tf1(tf1_folder, case, trained(keras, case), path)
    model = keras.models.load_model(path)
    assert difference(keras, model, tf1_folder, case) <= OPTIMIZERS[case].within


@pytest.mark.parametrize(
    "case, optimizer, options, says",
    [
        ("Adam", None, {}, "Compile the model before"),
        ("Adam", "Momentum", {}, "a model compiled with Adam"),
        ("Momentum", "SGD", {}, "momentum=..."),
        ("RMSProp", "CenteredRMSProp", {}, "a model compiled with RMSprop"),
        ("CenteredRMSProp", "RMSProp", {}, "centered=True"),
        ("Adam", "Adam", {"drop": ["dense/kernel/Adam"]}, "--drop-optimizer"),
        ("Adam", "Adam", {"drop": [".*_power", "global_step"]}, "--steps"),
        ("Ftrl", "Ftrl", {"forget_bias": 1.0}, "a forget bias of 0"),
    ],
    ids=str,
)
def test_states_that_are_refused(keras3, tf1_folder, tmp_path, case, optimizer, options, says):
    model = trained(keras3, optimizer)
    before = model.get_weights()
    with pytest.raises((PlanError, ArgumentError)) as error:
        from_tf1(tf1_folder, case, model, tmp_path / "model.keras", **options)
    assert says in str(error.value)
    assert not os.listdir(str(tmp_path))
    for before_state, other in zip(before, model.get_weights()):
        np.testing.assert_array_equal(before_state, other)


def test_slots_of_a_layer_that_keras_does_not_train(keras3, tf1_folder):
    model = trained(keras3)
    model.layers[-1].trainable = False
    model.compile(OPTIMIZERS["Adam"].build(keras3.optimizers), "mse")
    with pytest.raises(PlanError, match="Set layer.trainable as it was in TF1"):
        from_tf1(tf1_folder, "Adam", model)
    path = model.layers[-1].path + "/.*"
    plan = from_tf1(tf1_folder, "Adam", model, keep=[path], drop=["dense/(kernel|bias)"])
    assert "dense/kernel/Adam_1" in plan.dropped  # with its variable
    assert [row.how for row in plan.rows()] == ["the only fit"] * 3 + ["kept"] * 2


def test_steps_without_a_global_step(keras3, tf1_folder):
    model = trained(keras3, "Adam")
    from_tf1(tf1_folder, "Adam", model, drop=["global_step"])
    assert int(model.optimizer.iterations) == 20  # the beta powers say so
    assert difference(keras3, model, tf1_folder, "Adam") <= OPTIMIZERS["Adam"].within


def test_a_schedule(keras3, tf1_folder):
    schedule = keras3.optimizers.schedules.ExponentialDecay(0.05, 10, 0.9)
    model = trained(keras3)
    model.compile(keras3.optimizers.SGD(schedule, momentum=0.9), "mse")
    with pytest.raises(PlanError, match="two algorithms"):
        from_tf1(tf1_folder, "Momentum", model)


def test_epsilons_are_noted(keras3, tf1_folder):
    model = trained(keras3)
    model.compile(keras3.optimizers.Adam(0.01), "mse")
    plan = from_tf1(tf1_folder, "Adam", model)
    assert any("epsilon is 1e-07; TF1's Adam goes on the same with 1e-08" in n for n in plan.notes)


# Models, files ------------------------------------------------------------------------


def test_the_plan_is_shown(keras3, tf1_folder):
    with checkpoints.open_checkpoint(str(tf1_folder / "Adam.ckpt")) as ckpt:
        plan = plan_keras(ckpt, trained(keras3, "Adam"), forget_bias=1.0)
    lines = str(plan).splitlines()
    assert lines[2].partition("lstm_cell/")[2] == (
        "bias float32 [16] <- rnn/basic_lstm_cell/bias "
        "(by the only fit; gates i,c,f,o -> i,f,c,o; +1 on f)"
    )
    assert lines[5] == "optimizer: Adam, 5 weights with slots, 20 steps"
    assert any("NadamOptimizer" in line for line in lines[6:])


def test_nothing_else_is_touched(keras3, tf1_folder, tmp_path):
    destination = tmp_path / "model.keras"
    destination.write_bytes(b"mine")
    with pytest.raises(DestinationError, match="--force"):
        to_keras(tf1_folder / "tf_layers.ckpt", net(keras3, "tf_layers"), destination)
    assert destination.read_bytes() == b"mine"
    to_keras(tf1_folder / "tf_layers.ckpt", net(keras3, "tf_layers"), destination, overwrite=True)
    assert zipfile.is_zipfile(str(destination))
