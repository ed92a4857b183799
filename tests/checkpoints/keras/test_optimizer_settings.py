"""Each setting of a Keras optimizer away from its default: noted, or refused before any change."""

import importlib
import os
import sys

import numpy as np
import pytest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tf1_models  # noqa: E402

from tfgraphtools.checkpoints.facts import of_optimizer  # noqa: E402
from tfgraphtools.checkpoints.keras import optimizer_settings
from tfgraphtools.checkpoints.keras.keras_migration import to_keras  # noqa: E402
from tfgraphtools.checkpoints.matching import rnn  # noqa: E402
from tfgraphtools.errors import PlanError  # noqa: E402

MODULES = ["keras.optimizers", "tf_keras.optimizers", "tf_keras.optimizers.legacy"]
KERAS3, NEW, LEGACY = ([name] for name in MODULES)
ADAM = {"learning_rate": 0.01, "epsilon": 1e-8}
RMSPROP = {"learning_rate": 0.01, "epsilon": 1e-10, "momentum": 0.5}

#: (modules, class, arguments, what a note says, what a refusal says)
ROWS = [
    (MODULES, "Adam", {}, None, None),
    (MODULES, "Adam", {"beta_1": 0.0}, None, "beta"),
    (MODULES, "Adam", {"beta_2": 0.5}, None, "to agree"),
    (MODULES, "Adam", {"epsilon": 1e-3}, "epsilon is 0.001", None),
    (MODULES, "Adam", {"amsgrad": True}, None, "another algorithm"),
    (MODULES, "Adam", {"clipnorm": 1.0}, "clipnorm=1.0 clips", None),
    (MODULES, "Adam", {"clipvalue": 1.0}, "clipvalue=1.0 clips", None),
    (MODULES, "Adam", {"global_clipnorm": 1.0}, "global_clipnorm=1.0 clips", None),
    (KERAS3 + NEW, "Adam", {"use_ema": True}, None, "begin as zeros"),
    (KERAS3 + NEW, "Adam", {"weight_decay": 0.1}, "weight_decay=0.1 takes", None),
    (KERAS3, "Adam", {"gradient_accumulation_steps": 2}, None, "counts calls"),
    (KERAS3, "Adam", {"loss_scale_factor": 8.0}, None, None),
    (LEGACY, "Adam", {"decay": 0.1}, "decay=0.1 divides the learning rate", None),
    (MODULES, "RMSprop", {"rho": 0.8}, "rho is 0.8", None),
    (MODULES, "RMSprop", {"momentum": 0.0}, None, None),
    (MODULES, "RMSprop", {"centered": True}, None, "a model compiled with RMSprop"),
    (MODULES, "Ftrl", {"beta": 0.1}, None, "another algorithm than TF 1's Ftrl"),
    (MODULES, "Ftrl", {"l1_regularization_strength": 0.1}, "l1_regularization_strength is", None),
    (MODULES, "SGD", {"nesterov": True}, "nesterov is 1", None),
    (MODULES, "SGD", {"momentum": 0.5}, "momentum is 0.5; no file says", None),
]
CASES = {"Adam": "Adam", "RMSprop": "RMSProp", "Ftrl": "Ftrl", "SGD": "Momentum"}
ALWAYS = {
    "Adam": ADAM,
    "RMSprop": RMSPROP,
    "Ftrl": {"learning_rate": 0.1},
    "SGD": {"learning_rate": 0.05, "momentum": 0.9},
}


def compiled(module, name, arguments):
    optimizers = pytest.importorskip(module)
    keras = importlib.import_module(module.partition(".")[0])
    inputs = keras.Input((tf1_models.STEPS, tf1_models.INPUTS))
    outputs = keras.layers.Dense(2)(keras.layers.LSTM(tf1_models.UNITS)(inputs))
    model = keras.Model(inputs, outputs)
    model.compile(getattr(optimizers, name)(**dict(ALWAYS.get(name, {}), **arguments)), "mse")
    return model


@pytest.mark.costly(in_ci=12)
@pytest.mark.parametrize(
    "module, name, arguments, note, refusal",
    [
        pytest.param(module, *row[1:], id="-".join([module, row[1], *row[2]]))
        for row in ROWS
        for module in row[0]
    ],
)
def test_settings(eager, tf1_folder, module, name, arguments, note, refusal):
    case = CASES[name]
    model = compiled(module, name, arguments)
    before, settings = model.get_weights(), model.optimizer.get_config()
    options = {"forget_bias": tf1_models.forget_bias(case)}
    if refusal:
        with pytest.raises(PlanError, match=refusal):
            to_keras(tf1_folder / (case + ".ckpt"), model, **options)
        for weight, other in zip(before, model.get_weights()):
            np.testing.assert_array_equal(weight, other)
        return
    plan = to_keras(tf1_folder / (case + ".ckpt"), model, **options)
    assert model.optimizer.get_config() == settings
    if note:
        assert any(note in sentence for sentence in plan.notes), plan.notes
    model.train_on_batch(tf1_models.sequences(), tf1_models.target())
    assert int(model.optimizer.iterations) == 21


@pytest.mark.parametrize("name", ["Adam", "RMSprop"])
def test_legacy_optimizers_go_on_as_tf1(eager, tf1_folder, name):
    case = CASES[name]
    model = compiled("tf_keras.optimizers.legacy", name, {})
    to_keras(tf1_folder / (case + ".ckpt"), model, forget_bias=1.0)
    for _ in range(20):
        model.train_on_batch(tf1_models.sequences(), tf1_models.target())
    wanted = dict(np.load(str(tf1_folder / (case + ".npz"))))
    cell = [wanted["rnn/basic_lstm_cell/" + part] for part in ("kernel", "bias")]
    expected = [*rnn.lstm_to_keras(*cell, 1.0).values(), wanted["dense/kernel"]]
    for array, other in zip(model.get_weights(), expected):
        np.testing.assert_allclose(array, other, rtol=0, atol=1e-5)


def test_every_argument_has_a_row(eager):
    """What a Keras here can be told is in a table, or TF 1 has it, too."""
    for module in MODULES:
        optimizers = pytest.importorskip(module)
        for name, case in CASES.items():
            optimizer = getattr(optimizers, name)()
            flavour = "legacy" if module.endswith("legacy") else "keras"
            notes = optimizer_settings.notes(optimizer, case, of_optimizer.UNKNOWN, flavour)
            assert not any("has no such setting" in note for note in notes), notes


#: What arguments whose default is None are set to.
SET = {"gradient_accumulation_steps": 2, "weight_decay": 0.1}
#: {class: arguments with which it goes on as TF 1's case}
OTHERS = {
    "Adagrad": {"learning_rate": 0.1, "epsilon": 1e-12},
    "Adadelta": {"learning_rate": 1.0, "epsilon": 1e-8},
}


def away_from(key, value):
    """Returns another value of an argument than the one that a model has."""
    if isinstance(value, bool):
        return not value
    return SET.get(key, 1.0) if value is None else value * 0.5 if value else 0.5


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CASES, *OTHERS])
@pytest.mark.parametrize("module", MODULES)
def test_every_argument_away_from_its_value_is_noted_or_refused(eager, tf1_folder, module, name):
    case = CASES.get(name, name)
    always = OTHERS.get(name) or ALWAYS[name]
    settings = getattr(pytest.importorskip(module), name)(**always).get_config()
    silent = []
    for key in sorted(set(settings) - optimizer_settings._WITHOUT_EFFECT):
        other = away_from(key, settings[key])
        model = compiled(module, name, dict(always, **{key: other}))
        before = model.get_weights()
        try:
            options = {"forget_bias": tf1_models.forget_bias(case)}
            plan = to_keras(tf1_folder / (case + ".ckpt"), model, **options)
        except PlanError as error:
            assert key in str(error) or "agree" in str(error), (key, error)
            for weight, old in zip(model.get_weights(), before):
                np.testing.assert_array_equal(weight, old)
            continue
        if not any(key in note for note in plan.notes):
            silent.append((key, settings[key], other))
    assert not silent


def test_a_failure_leaves_the_model_as_it_was(eager, tf1_folder, monkeypatch, tmp_path):
    model = compiled("keras.optimizers", "Adam", {})
    before = model.get_weights()

    def full(*unused):
        raise OSError("no space left")

    monkeypatch.setattr(type(model), "save", full)
    with pytest.raises(OSError):
        to_keras(tf1_folder / "Adam.ckpt", model, tmp_path / "model.keras", forget_bias=1.0)
    for weight, other in zip(before, model.get_weights()):
        np.testing.assert_array_equal(weight, other)
    assert int(model.optimizer.iterations) == 0
