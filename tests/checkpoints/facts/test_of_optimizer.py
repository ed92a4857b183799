"""The hyper-parameters of a training are read from its graph."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.facts import known
from tfgraphtools.errors import PlanError

#: {optimizer: (arguments, what the graph says)}
ROWS = {
    "GradientDescent": ({}, {"learning_rate": 0.1}),
    "Adagrad": ({}, {"learning_rate": 0.1}),
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


def save(tf, path, build, has_rows=False):
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("net/kernel", (3, 2))
        b = tf.get_variable("net/bias", (2,))
        read = tf.gather(w, [0, 2]) if has_rows else tf.matmul(tf.ones((1, 3)), w)
        added = tf.gather(b, [0, 1]) if has_rows else b
        build(tf.reduce_sum(tf.square(read + added)))
        session.run(tf.global_variables_initializer())
        tf.train.Saver().save(session, path)


@pytest.fixture
def tf():
    return pytest.importorskip("tensorflow").compat.v1


@pytest.mark.parametrize("has_rows", [False, True], ids=["dense", "rows"])
@pytest.mark.parametrize("name", sorted(ROWS))
def test_hyperparameters(tf, tmp_path, name, has_rows):
    arguments, expected = ROWS[name]
    if has_rows and name == "GradientDescent":
        expected = {}  # rows are subtracted, by no op of its own
    optimizer = getattr(tf.train, name.partition(",")[0] + "Optimizer")
    save(tf, str(tmp_path / "m"), lambda loss: optimizer(0.1, **arguments).minimize(loss), has_rows)
    with checkpoints.open_checkpoint(str(tmp_path / "m")) as ckpt:
        numbers = known.beside(ckpt).hyperparameters().values
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
        hyper = known.beside(ckpt).hyperparameters()
    numbers = hyper.values
    assert sorted(hyper.several) == ["momentum"]
    assert sorted(numbers) == ["beta2", "epsilon", "learning_rate", "use_nesterov"]


def test_each_optimizer_of_a_graph_has_its_own(tf, tmp_path):
    def build(loss):
        first, second = tf.trainable_variables()
        tf.train.AdamOptimizer(0.1, beta1=0.5).minimize(loss, var_list=[first])
        tf.train.RMSPropOptimizer(0.2, decay=0.99, momentum=0.3).minimize(loss, var_list=[second])
        tf.train.AdamOptimizer(0.3, beta1=0.7).minimize(loss, var_list=[second])

    save(tf, str(tmp_path / "m"), build)
    with checkpoints.open_checkpoint(str(tmp_path / "m")) as ckpt:
        graph = known.beside(ckpt)
    of_first = graph.hyperparameters("Adam", ["net/kernel"]).values
    of_second = graph.hyperparameters("RMSProp", ["net/bias"]).values
    np.testing.assert_allclose([of_first["beta1"], of_first["learning_rate"]], [0.5, 0.1], 1e-6)
    np.testing.assert_allclose([of_second["decay"], of_second["momentum"]], [0.99, 0.3], 1e-6)
    assert sorted(graph.hyperparameters("Adam").several) == ["beta1", "learning_rate"]


#: TF 1's optimizer -> (its arguments, the note on PyTorch's default, what goes on in Keras).
OTHERS = {
    "RMSProp": (
        {"decay": 0.97, "epsilon": 1e-3},
        ("RMSprop", "alpha is 0.99; it is 0.97 in"),
        "RMSprop(learning_rate=0.1, rho=0.97",
    ),
    "Adam": (
        {"beta1": 0.5, "epsilon": 1e-4},
        ("Adam", "betas[0] is 0.9; it is 0.5 in"),
        "Adam(learning_rate=0.1, beta_1=0.5, beta_2=0.999, epsilon=0.0001)",
    ),
    "Momentum": (
        {"momentum": 0.7, "use_nesterov": True},
        ("SGD", "nesterov is 0; it is 1 in"),
        "SGD(learning_rate=0.1, momentum=0.7, nesterov=1",
    ),
    "Adadelta": (
        {"rho": 0.8},
        ("Adadelta", "rho is 0.9; it is 0.8 in"),
        "Adadelta(learning_rate=0.1, rho=0.8",
    ),
}


def trained(tf, tmp_path, name):
    """The prefix of a checkpoint of one step with the optimizer of a row of `OTHERS`."""
    optimizer = getattr(tf.train, name + "Optimizer")(0.1, **OTHERS[name][0])
    path = str(tmp_path / "m")
    with tf.Graph().as_default(), tf.Session() as session:
        w = tf.get_variable("net/kernel", (3, 2))
        b = tf.get_variable("net/bias", (2,))
        loss = tf.reduce_sum(tf.square(tf.matmul(tf.ones((1, 3)), w) + b))
        step = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
        session.run(tf.global_variables_initializer())
        session.run(step)
        return tf.train.Saver().save(session, path)


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_pytorch_is_told_of_them(tf, tmp_path, name):
    torch = pytest.importorskip("torch")
    prefix = trained(tf, tmp_path, name)
    net = torch.nn.Sequential()
    net.add_module("net", torch.nn.Linear(3, 2))
    class_name, note = OTHERS[name][1]
    settings = {"momentum": 0.7} if name == "Momentum" else {}
    optimizer = getattr(torch.optim, class_name)(net.parameters(), lr=0.1, **settings)
    plan = checkpoints.to_torch(prefix, net, optimizer=optimizer, steps=1)
    assert any(note in sentence for sentence in plan.notes), plan.notes
    with checkpoints.open_checkpoint(prefix) as ckpt:
        fitting = checkpoints.torch_optimizer(ckpt, net)
    assert abs(fitting.param_groups[0]["lr"] - 0.1) < 1e-6
    plan = checkpoints.to_torch(prefix, net, optimizer=fitting)
    assert not any(" it is " in sentence for sentence in plan.notes), plan.notes


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_object_based_checkpoints_are_told_of_them(tf, tmp_path, name):
    prefix = trained(tf, tmp_path, name)
    rules = {"net/kernel": "net/kernel", "net/bias": "net/bias"}
    with checkpoints.open_checkpoint(prefix) as ckpt:
        plan = checkpoints.plan_object_based(ckpt, rules)
    assert any(OTHERS[name][2] in sentence for sentence in plan.notes), plan.notes


def test_a_live_optimizer_is_compared_with_the_graph(tf, tmp_path):
    keras = pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    prefix = trained(tf, tmp_path, "RMSProp")
    rules = {"net/kernel": "net/_kernel", "net/bias": "net/bias"}
    with context.eager_mode(), checkpoints.open_checkpoint(prefix) as ckpt:
        for rho, is_refused in [(0.9, True), (0.97, False)]:
            layer = keras.layers.Dense(2)
            layer.build((None, 3))
            optimizer = keras.optimizers.RMSprop(0.1, rho=rho, epsilon=1e-3)
            optimizer.build(layer.trainable_variables)
            live = {"net": layer, "optimizer": optimizer}
            if is_refused:
                with pytest.raises(PlanError, match=r"rho=0\.97.*rho=0\.9"):
                    checkpoints.plan_object_based(ckpt, rules, live=live)
            else:
                checkpoints.plan_object_based(ckpt, rules, live=live)


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
