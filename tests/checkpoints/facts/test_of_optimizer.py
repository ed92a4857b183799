"""The hyper-parameters of a training are read from its graph."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.facts import known

#: {optimizer: (arguments, what the graph says)}
ROWS = {
    "GradientDescent": ({}, {}),
    "Adagrad": ({}, {}),
    "Momentum": ({"momentum": 0.7}, {"momentum": 0.7, "use_nesterov": 0}),
    "Momentum, Nesterov": (
        {"momentum": 0.7, "use_nesterov": True},
        {"momentum": 0.7, "use_nesterov": 1},
    ),
    "Adam": ({"beta1": 0.5, "epsilon": 1e-4}, {"beta1": 0.5, "beta2": 0.999, "epsilon": 1e-4}),
    "RMSProp": ({"decay": 0.8}, {"decay": 0.8, "momentum": 0, "epsilon": 1e-10}),
    "RMSProp, centered": (
        {"momentum": 0.3, "centered": True},
        {"decay": 0.9, "momentum": 0.3, "epsilon": 1e-10},
    ),
    "Adadelta": ({"rho": 0.8}, {"rho": 0.8, "epsilon": 1e-8}),
    "Ftrl": (
        {"l1_regularization_strength": 0.1},
        {
            "l1_regularization_strength": 0.1,
            "learning_rate_power": -0.5,
        },
    ),
}


def save(tf, path, build):
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("net/kernel", (3, 2))
        b = tf.get_variable("net/bias", (2,))
        build(tf.reduce_sum(tf.square(tf.matmul(tf.ones((1, 3)), w) + b)))
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, path)


@pytest.fixture
def tf():
    return pytest.importorskip("tensorflow").compat.v1


@pytest.mark.parametrize("name", sorted(ROWS))
def test_hyperparameters(tf, tmp_path, name):
    arguments, expected = ROWS[name]
    optimizer = getattr(tf.train, name.partition(",")[0] + "Optimizer")
    save(tf, str(tmp_path / "m"), lambda loss: optimizer(0.1, **arguments).minimize(loss))
    with checkpoints.open_checkpoint(str(tmp_path / "m")) as ckpt:
        numbers = known.beside(ckpt).hyperparameters()
    assert set(expected) <= set(numbers) and bool(numbers) == bool(expected)
    for key, value in expected.items():
        np.testing.assert_allclose(numbers[key], value, rtol=1e-6)


def test_numbers_that_differ_or_change_are_not_said(tf, tmp_path):
    def build(loss):
        first, second = tf.trainable_variables()
        tf.train.MomentumOptimizer(0.1, 0.7).minimize(loss, var_list=[first])
        tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, var_list=[second])
        beta = tf.placeholder_with_default(0.9, ())
        tf.train.AdamOptimizer(0.1, beta1=beta).minimize(loss)

    save(tf, str(tmp_path / "m"), build)
    with checkpoints.open_checkpoint(str(tmp_path / "m")) as ckpt:
        numbers = known.beside(ckpt).hyperparameters()
    assert sorted(numbers) == ["beta2", "epsilon", "use_nesterov"]


@pytest.mark.parametrize("momentum, note", [(0.7, None), (0.5, "momentum is 0.5; it is 0.7 in ")])
def test_they_are_compared_with_the_model(tf, tmp_path, momentum, note):
    keras = pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    save(tf, str(tmp_path / "m"), lambda loss: tf.train.MomentumOptimizer(0.1, 0.7).minimize(loss))
    with context.eager_mode():
        layer = keras.layers.Dense(2, name="net")
        model = keras.Sequential([keras.Input((3,)), layer])
        model.compile(keras.optimizers.SGD(0.1, momentum=momentum), "mse")
        plan = checkpoints.to_keras(str(tmp_path / "m"), model, steps=1)
    notes = [text for text in plan.notes if "momentum" in text]
    assert notes == ([] if note is None else [f"SGD: {note}{tmp_path / 'm'}.meta"])
