"""Borders between maps and vectors: the graph and the Keras model say the order, or a person."""

import os
import pathlib
import shutil

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.cli import main
from tfgraphtools.errors import PlanError

MAKER = pathlib.Path(__file__).with_name("tf1_orders.py")
NAMES = "dense norm generator autoencoder line beside recurrent picture".split()
FORMATS = ["last", "permuted", "first"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, tf1_server):
    folder = tmp_path_factory.mktemp("tf1_orders")
    tf1_server.run(folder, MAKER, folder).checked()
    return folder


class Models:
    """Models of one Keras, with their channels last or, where they flatten, first."""

    def __init__(self, keras, is_first):
        self.keras, self.layers, self.is_first = keras, keras.layers, is_first

    def build(self, name):
        inputs, output = getattr(self, name)()
        return self.keras.Model(inputs, output)

    def flat(self, x):
        if self.is_first:
            x = self.layers.Permute((2, 1) if len(x.shape) == 3 else (3, 1, 2))(x)
        return self.layers.Flatten()(x)

    def map(self, x):
        if not self.is_first:
            return self.layers.Reshape((3, 3, 4))(x)
        return self.layers.Permute((2, 3, 1))(self.layers.Reshape((4, 3, 3))(x))

    def conv(self, x, name="conv", activation="relu"):
        return self.layers.Conv2D(4, 3, 2, activation=activation, name=name)(x)

    def norm_of(self, x):
        return self.layers.BatchNormalization(name="bn")(x)

    def dense(self):
        x = self.keras.Input((8, 8, 1))
        h = self.layers.Dense(36, activation="relu", name="fc1")(self.flat(self.conv(x)))
        return x, self.layers.Dense(3, name="fc2")(h)

    def norm(self):
        x = self.keras.Input((8, 8, 1))
        h = self.norm_of(self.flat(self.conv(x, activation=None)))
        return x, self.layers.Dense(5, name="fc")(h)

    def generator(self):
        x = self.keras.Input((5,))
        h = self.layers.ReLU()(self.norm_of(self.layers.Dense(36, name="fc")(x)))
        return x, self.layers.Conv2DTranspose(2, 3, 2, name="up")(self.map(h))

    def autoencoder(self):
        x = self.keras.Input((8, 8, 1))
        h = self.layers.Dense(6, name="mean")(self.flat(self.conv(x, "down")))
        h = self.map(self.layers.Dense(36, activation="relu", name="code")(h))
        return x, self.layers.Conv2DTranspose(1, 3, 2, name="up")(h)

    def line(self):
        x = self.keras.Input((9, 2))
        h = self.layers.Conv1D(4, 3, name="conv")(x)
        return x, self.layers.Dense(3, name="fc")(self.flat(h))

    def beside(self):
        x, more = self.keras.Input((8, 8, 1)), self.keras.Input((3,))
        h = self.flat(self.conv(x, activation=None))
        h = self.layers.Concatenate()([h, more])
        return [x, more], self.layers.Dense(5, name="fc")(h)

    def recurrent(self):
        x = self.keras.Input((8, 6, 1))
        h = self.layers.Conv2D(3, 3, (2, 1), activation="relu", name="conv")(x)
        h = self.layers.Permute((2, 3, 1) if self.is_first else (2, 1, 3))(h)
        h = self.layers.Reshape((4, 9))(h)
        return x, self.layers.LSTM(5, return_sequences=True, name="cell")(h)

    def picture(self):
        x = self.keras.Input((4, 4, 3))
        return x, self.layers.Dense(5, name="fc")(self.flat(x))


def load(folder, form, name):
    with np.load(str(folder / form / name / "arrays.npz")) as arrays:
        inputs = [arrays[key] for key in sorted(arrays) if key != "y"]
        return str(folder / form / name / "model.ckpt"), inputs, arrays["y"]


def difference(model, inputs, expected):
    values = np.asarray(model(inputs if len(inputs) > 1 else inputs[0], training=False))
    return np.abs(values - expected).max() / np.abs(expected).max()


@pytest.mark.costly(in_ci=12)
@pytest.mark.parametrize("is_first", [False, True], ids=["model-last", "model-first"])
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", NAMES)
def test_the_order_is_read_on_both_sides(keras, folder, tmp_path, name, form, is_first):
    prefix, inputs, expected = load(folder, form, name)
    model = Models(keras, is_first).build(name)
    if name == "picture" and form == "first":  # whose own order no op says
        told = {"fc": False if is_first else (3, 4, 4)}
        if not is_first:
            with pytest.raises(PlanError, match="the rows of 'fc'.* 3 x 4 x 4.*4 x 4 x 3.*flatt"):
                checkpoints.to_keras(prefix, model, drop_optimizer=True)
    else:
        told = None
    plan = checkpoints.to_keras(prefix, model, drop_optimizer=True, flatten=told)
    assert difference(model, inputs, expected) < 1e-5
    options = {"flatten": told} if told else {}
    checkpoints.to_tf1(model, str(tmp_path / "back"), like=prefix, **options)
    with checkpoints.open_checkpoint(prefix) as old:
        with checkpoints.open_checkpoint(str(tmp_path / "back")) as new:
            for match in plan.matches:
                for tensor in match.fit.leaves.values():
                    assert np.array_equal(old[tensor], new[tensor]), tensor


@pytest.mark.costly(in_ci=4)
@pytest.mark.parametrize("is_first", [False, True], ids=["model-last", "model-first"])
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["dense", "norm", "generator", "autoencoder", "beside"])
def test_a_frozen_graph_says_no_shapes(keras, folder, name, form, is_first):
    _, inputs, expected = load(folder, form, name)
    model = Models(keras, is_first).build(name)
    checkpoints.to_keras(str(folder / form / name / "frozen.pb"), model)
    assert difference(model, inputs, expected) < 1e-5


def without_graph(folder, form, name, tmp_path):
    for path in (folder / form / name).glob("model.ckpt.[di]*"):
        shutil.copy(str(path), str(tmp_path))
    return str(tmp_path / "model.ckpt")


@pytest.mark.parametrize("is_first", [False, True], ids=["model-last", "model-first"])
def test_without_a_graph_other_orders_than_tf1s_are_asked_for(keras, folder, tmp_path, is_first):
    prefix = without_graph(folder, "last", "norm", tmp_path)
    _, inputs, expected = load(folder, "last", "norm")
    model = Models(keras, is_first).build("norm")
    told = {}
    if is_first:
        with pytest.raises(PlanError, match="the outputs of 'bn'.*no graph.*channels first"):
            checkpoints.to_keras(prefix, model, drop_optimizer=True)
        told = {"flatten": {"fc": (3, 3, 4)}, "unflatten": {"bn": (3, 3, 4)}}
    checkpoints.to_keras(prefix, model, drop_optimizer=True, **told)
    assert difference(model, inputs, expected) < 1e-5


@pytest.mark.parametrize("form", ["last", "permuted"])
def test_without_a_trace_the_user_is_asked(keras, folder, form):
    class Untraceable(keras.Model):
        def __init__(self):
            super().__init__()
            self.conv = keras.layers.Conv2D(4, 3, 2, activation="relu", name="conv")
            self.fc1 = keras.layers.Dense(36, activation="relu", name="fc1")
            self.fc2 = keras.layers.Dense(3, name="fc2")

        def call(self, x, training=False):
            if not isinstance(x, np.ndarray):
                x = np.asarray(x)  # which no symbolic tensor is
            h = np.asarray(self.conv(x)).reshape(2, -1)
            return self.fc2(self.fc1(h))

    prefix, inputs, expected = load(folder, form, "dense")
    model = Untraceable()
    model(inputs[0])
    with pytest.raises(PlanError, match="the rows of 'fc1'.*no trace.*flatten="):
        checkpoints.to_keras(prefix, model, drop_optimizer=True)
    told = {"fc1": False if form == "last" else (4, 3, 3)}
    checkpoints.to_keras(prefix, model, drop_optimizer=True, flatten=told)
    assert difference(model, inputs, expected) < 1e-5


def test_slots_are_reordered_with_their_weights(keras3, folder):
    prefix, _, _ = load(folder, "permuted", "generator")
    model = Models(keras3, False).build("generator")
    model.compile(keras3.optimizers.Adam(epsilon=1e-8))
    checkpoints.to_keras(prefix, model, steps=1)
    slots = {variable.path: np.asarray(variable) for variable in model.optimizer.variables}
    (moment,) = [slots[path] for path in slots if "fc_kernel" in path and "moment" in path]
    with checkpoints.open_checkpoint(prefix) as ckpt:
        expected = np.asarray(ckpt["fc/kernel/Adam"]).reshape(5, 4, 3, 3).transpose(0, 2, 3, 1)
    assert np.array_equal(moment, expected.reshape(5, 36))


@pytest.mark.parametrize("name", ["dense", "generator"])
def test_a_live_object_has_the_order_of_the_graph_or_is_refused(keras, folder, tmp_path, name):
    tf = pytest.importorskip("tensorflow")
    prefix, inputs, expected = load(folder, "permuted", name)
    model = Models(keras, True).build(name)
    out = str(tmp_path / "objects")
    checkpoints.to_object_based(prefix, out, live=model, drop_optimizer=True)
    tf.train.Checkpoint(model).restore(out).expect_partial()
    assert difference(model, inputs, expected) < 1e-5
    other = Models(keras, False).build(name)
    with pytest.raises(PlanError, match="the order of the graph along a map: 4 x 3 x 3"):
        checkpoints.to_object_based(prefix, out, live=other, drop_optimizer=True, overwrite=True)


MODEL = """
import keras

def build():
    x = keras.Input((8, 8, 1))
    h = keras.layers.Conv2D(4, 3, 2, activation="relu", name="conv")(x)
    h = keras.layers.Permute((3, 1, 2))(h)
    h = keras.layers.Dense(36, activation="relu", name="fc1")(keras.layers.Flatten()(h))
    return keras.Model(x, keras.layers.Dense(3, name="fc2")(h))
"""


def test_the_command_checks_what_it_writes(keras3, folder, tmp_path, capsys):
    prefix, inputs, expected = load(folder, "last", "dense")
    (tmp_path / "model.py").write_text(MODEL)
    out = str(tmp_path / "out.keras")
    command = ["ckpt", "convert", prefix, out, "--to", "keras", "--drop-optimizer", "--model"]
    command += [str(tmp_path / "model.py") + ":build"]
    assert main(command) == 0
    assert "check: fc2/BiasAdd:0: differs by at most" in capsys.readouterr().out
    assert difference(keras3.models.load_model(out), inputs, expected) < 1e-5
    os.remove(out)
    assert main([*command, "--flatten", "fc1", "no"]) == 1
    printed = capsys.readouterr()
    assert "NOT EQUAL" in printed.out and "nothing was written" in printed.err
    assert not os.path.exists(out)
    assert main([*command, "--flatten", "fc1", "no", "--no-check"]) == 0
    assert "check:" not in capsys.readouterr().out and os.path.exists(out)
