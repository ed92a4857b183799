"""One step of a converted optimizer beside its graph: equal, or the difference is named."""

import copy

import numpy as np
import pytest

from tfgraphtools import checkpoints, graphs
from tfgraphtools.cli import main
from tfgraphtools.errors import GraphExportError

OPTIMIZERS = {
    "SGD": lambda t: t.GradientDescentOptimizer(0.1),
    "Momentum": lambda t: t.MomentumOptimizer(0.1, 0.8),
    "Nesterov": lambda t: t.MomentumOptimizer(0.1, 0.8, use_nesterov=True),
    "Adam": lambda t: t.AdamOptimizer(0.01, 0.8, 0.99, 1e-8),
    "RMSProp": lambda t: t.RMSPropOptimizer(0.01, 0.8, epsilon=1e-12),
    "RMSProp momentum": lambda t: t.RMSPropOptimizer(0.01, 0.8, 0.7, epsilon=1e-12),
    "Adagrad": lambda t: t.AdagradOptimizer(0.1),
    "Adadelta": lambda t: t.AdadeltaOptimizer(0.5, 0.9, 1e-6),
}
TORCH = {
    "SGD": ("SGD", {"lr": 0.1}),
    "Momentum": ("SGD", {"lr": 0.1, "momentum": 0.8}),
    "Nesterov": ("SGD", {"lr": 0.1, "momentum": 0.8, "nesterov": True}),
    "Adam": ("Adam", {"lr": 0.01, "betas": (0.8, 0.99), "eps": 1e-8}),
    "RMSProp": ("RMSprop", {"lr": 0.01, "alpha": 0.8, "eps": 1e-12}),
    "RMSProp momentum": ("RMSprop", {"lr": 0.01, "alpha": 0.8, "momentum": 0.7, "eps": 1e-12}),
    "Adagrad": ("Adagrad", {"lr": 0.1, "eps": 0}),
    "Adadelta": ("Adadelta", {"lr": 0.5, "rho": 0.9, "eps": 1e-6}),
}
#: (optimizer, what is set otherwise): the check must see it.
WRONG = [
    ("Momentum", {"momentum": 0.81}),
    ("Adam", {"eps": 0.01}),
    ("RMSProp", {"alpha": 0.81}),
    ("SGD", {"weight_decay": 0.1}),
    ("Adadelta", {"rho": 0.91}),
]


def train(v1, folder, optimizer, steps=5, batch_norm=False, rate=None):
    """A checkpoint of a small net after some steps, with its .meta; returns its prefix."""
    with v1.Graph().as_default(), v1.Session() as session:
        v1.set_random_seed(3)
        x = v1.placeholder("float32", [None, 6, 6, 2], "x")
        labels = v1.placeholder("float32", [None, 3], "labels")
        kernel = v1.get_variable("conv/kernel", [3, 3, 2, 4])
        h = v1.nn.conv2d(x, kernel, strides=[1, 2, 2, 1], padding="VALID")
        h = v1.reduce_mean(v1.nn.relu(h), [1, 2])
        dense = v1.get_variable("fc/kernel", [4, 3]), v1.get_variable("fc/bias", [3])
        logits = v1.nn.bias_add(v1.matmul(h, dense[0]), dense[1], name="logits")
        loss = v1.reduce_mean(v1.squared_difference(logits, labels))
        step = v1.train.get_or_create_global_step()
        with v1.control_dependencies([v1.assert_greater(v1.shape(x)[0], 1)]):  # needs the input
            trained = optimizer(v1.train).minimize(loss, step)
        session.run(v1.global_variables_initializer())
        random = np.random.RandomState(1)
        for _ in range(steps):
            feed = {x: random.randn(4, 6, 6, 2), labels: random.randn(4, 3)}
            session.run(trained, feed)
        return v1.train.Saver().save(session, str(folder / "model.ckpt"))


NET = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.fc = torch.nn.Conv2d(2, 4, 3, 2, bias=False), torch.nn.Linear(4, 3)

    def forward(self, x):
        return self.fc(torch.relu(self.conv(x)).mean((2, 3)))
"""


def net(torch):
    names = {}
    exec(NET, names)
    return names["Net"]()


def planned(torch, prefix, name, **other):
    module, (kind, settings) = net(torch), TORCH[name]
    optimizer = getattr(torch.optim, kind)(module.parameters(), **dict(settings, **other))
    ckpt = checkpoints.open_checkpoint(prefix)
    return checkpoints.plan_torch(ckpt, module, optimizer=optimizer), module


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_torch_steps_as_the_graph(v1, variables, torch, tmp_path, name):
    plan, module = planned(torch, train(v1, tmp_path, OPTIMIZERS[name]), name)
    before = {key: value.clone() for key, value in module.state_dict().items()}
    state = copy.deepcopy(plan.state.optimizer.state_dict())
    check = graphs.check_step(plan)
    assert check.ok and len(check.rows) == 3 and all(row.largest > 0 for row in check.rows), check
    assert max(row.relative for row in check.rows) < 1e-5
    assert repr(plan.state.optimizer.state_dict()) == repr(state)
    assert all(parameter.grad is None for parameter in module.parameters())
    for key, value in module.state_dict().items():
        assert (value == before[key]).all()


@pytest.mark.parametrize("name, other", WRONG, ids=[f"{n}-{o}" for n, o in WRONG])
def test_another_setting_is_seen(v1, torch, tmp_path, name, other):
    plan, _ = planned(torch, train(v1, tmp_path, OPTIMIZERS[name]), name, **other)
    check = graphs.check_step(plan)
    assert not check.ok and str(check).endswith("NOT EQUAL")


@pytest.mark.parametrize("dtype, scale", [("float32", 100), ("float16", 1)])
def test_roundings_are_no_difference(v1, torch, tmp_path, dtype, scale):
    """A move of a millionth of a weight, and one of half floats."""
    with v1.Graph().as_default(), v1.Session() as session:
        initial = (np.random.RandomState(2).randn(6, 3) * scale).astype(dtype)
        kernel = v1.get_variable("fc/kernel", initializer=initial)
        x = v1.placeholder(dtype, [None, 6], "x")
        trained = v1.train.AdamOptimizer(1e-4).minimize(v1.reduce_sum(v1.matmul(x, kernel)))
        session.run(v1.global_variables_initializer())
        session.run(trained, {x: np.ones((2, 6))})
        prefix = v1.train.Saver().save(session, str(tmp_path / "model.ckpt"))
    module = torch.nn.Sequential(torch.nn.Linear(6, 3, bias=False)).to(getattr(torch, dtype))
    with checkpoints.open_checkpoint(prefix) as ckpt:
        for rate, ok in ((1e-4, True), (1e-4 * 1.001, None)):
            optimizer = torch.optim.Adam(module.parameters(), rate, eps=1e-8)
            plan = checkpoints.plan_torch(
                ckpt, module, rules={"fc": "0"}, optimizer=optimizer, steps=1
            )
            if ok or dtype == "float16":  # whose rate is rounded, too
                assert graphs.check_step(plan).ok
            else:
                with pytest.raises(GraphExportError, match="learning rate"):
                    graphs.check_step(plan)


def test_another_rate_is_no_other_optimizer(v1, torch, tmp_path):
    plan, _ = planned(torch, train(v1, tmp_path, OPTIMIZERS["Adam"]), "Adam", lr=0.02)
    with pytest.raises(GraphExportError, match="learning rate of the optimizer, 0.02, got 0.01"):
        graphs.check_step(plan)


def test_a_wrong_count_of_steps_is_seen(v1, torch, tmp_path):
    prefix = train(v1, tmp_path, OPTIMIZERS["Adam"])
    module = net(torch)
    optimizer = torch.optim.Adam(module.parameters(), **TORCH["Adam"][1])
    with checkpoints.open_checkpoint(prefix) as ckpt:
        plan = checkpoints.plan_torch(ckpt, module, optimizer=optimizer)
        plan.state = plan.state._replace(steps=50)
        assert not graphs.check_step(plan).ok


KERAS = {
    "SGD": ("SGD", {"learning_rate": 0.1}),
    "Momentum": ("SGD", {"learning_rate": 0.1, "momentum": 0.8}),
    "Adam": ("Adam", {"learning_rate": 0.01, "beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-8}),
    "Adagrad": ("Adagrad", {"learning_rate": 0.1, "epsilon": 1e-30}),
}


@pytest.mark.parametrize("package", ["keras", "tf_keras"])
@pytest.mark.parametrize("name", KERAS)
def test_keras_steps_as_the_graph(v1, tmp_path, name, package):
    keras = pytest.importorskip(package, "3" if package == "keras" else None)
    prefix = train(v1, tmp_path, OPTIMIZERS[name])
    from tensorflow.python.eager import context

    with context.eager_mode(), checkpoints.open_checkpoint(prefix) as ckpt:
        layers, (kind, settings) = keras.layers, KERAS[name]
        model = keras.Sequential(
            [
                keras.Input((6, 6, 2)),
                layers.Conv2D(4, 3, 2, use_bias=False, name="conv", activation="relu"),
                layers.GlobalAveragePooling2D(),
                layers.Dense(3, name="fc"),
            ]
        )
        model.compile(getattr(keras.optimizers, kind)(**settings), "mse")
        plan = checkpoints.plan_keras(ckpt, model)
        before = [np.array(variable) for variable in model.variables]
        check = graphs.check_step(plan)
        assert check.ok and len(check.rows) == 3, check
        for variable, value in zip(model.variables, before):
            assert np.array_equal(np.array(variable), value)
        assert int(np.array(model.optimizer.iterations)) == 0
        wrong = getattr(keras.optimizers, kind)(**dict(settings, weight_decay=0.5))
        if package == "keras":
            model.compile(wrong, "mse")
            assert not graphs.check_step(checkpoints.plan_keras(ckpt, model)).ok


def test_the_command_line_checks_both(v1, torch, tmp_path, monkeypatch, capsys):
    prefix = train(v1, tmp_path, OPTIMIZERS["Adam"])
    (tmp_path / "net.py").write_text(NET)
    monkeypatch.chdir(tmp_path)
    command = ["ckpt", "convert", prefix, "out.pt", "--to", "torch", "--model", "net.py:Net"]
    command += ["--write-optimizer", "opt.pt", "--hyper", "learning_rate=0.01"]
    assert main(command) == 0
    text = capsys.readouterr().out
    assert "check: logits:0: differs by at most" in text
    assert "check: one step on the same gradients: moves differ by at most" in text
    assert (tmp_path / "out.pt").is_file() and (tmp_path / "opt.pt").is_file()
    assert main([*command, "--force", "--hyper", "epsilon=0.01"]) == 1
    assert "NOT EQUAL" in capsys.readouterr().out


def test_rows_are_refused_by_name(v1, torch, tmp_path):
    with v1.Graph().as_default(), v1.Session() as session:
        table = v1.get_variable("fc/kernel", [4, 3])
        loss = v1.reduce_sum(v1.gather(table, [0, 1]))
        v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(v1.global_variables_initializer())
        prefix = v1.train.Saver().save(session, str(tmp_path / "model.ckpt"))
    module = torch.nn.Sequential(torch.nn.Linear(4, 3, bias=False))
    with checkpoints.open_checkpoint(prefix) as ckpt:
        plan = checkpoints.plan_torch(
            ckpt,
            module,
            rules={"fc": "0"},
            optimizer=torch.optim.SGD(module.parameters(), 0.1),
            sparse_gradients=[],
            names="GradientDescent",
        )
        with pytest.raises(GraphExportError, match="an update of the variables by one op"):
            graphs.check_step(plan)
