"""A converted model beside its graph: equal, or the difference and the layer are named."""

import json
import os

import pytest

from tfgraphtools import checkpoints, graphs
from tfgraphtools.cli import main
from tfgraphtools.errors import ArgumentError

NET = """
import torch

class Net(torch.nn.Module):
    padding = (0, 1, 0, 1)

    def __init__(self):
        super().__init__()
        self.conv, self.fc = torch.nn.Conv2d(1, 4, 3, 2), torch.nn.Linear(64, 3)

    def forward(self, x):
        x = torch.nn.functional.pad(x, self.padding)
        return self.fc(torch.relu(self.conv(x)).flatten(1))

class Shifted(Net):
    padding = (1, 0, 1, 0)
"""


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


@pytest.fixture
def prefix(v1, tmp_path):
    """The checkpoint of a convolution with SAME padding and stride 2, whose loss has labels."""
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder("float32", [None, 8, 8, 1], "x")
        labels = v1.placeholder("float32", [None, 3], "labels")
        kernel = v1.get_variable("conv/kernel", [3, 3, 1, 4])
        h = v1.nn.conv2d(x, kernel, strides=[1, 2, 2, 1], padding="SAME")
        h = v1.nn.relu(v1.nn.bias_add(h, v1.get_variable("conv/bias", [4])))
        h = v1.matmul(v1.reshape(h, [-1, 64]), v1.get_variable("fc/kernel", [64, 3]))
        logits = v1.nn.bias_add(h, v1.get_variable("fc/bias", [3]), name="logits")
        loss = v1.reduce_mean(v1.squared_difference(logits, labels))
        v1.train.GradientDescentOptimizer(0.1).minimize(loss)
        session.run(v1.global_variables_initializer())
        return v1.train.Saver().save(session, str(tmp_path / "model.ckpt"))


@pytest.fixture
def nets(torch, tmp_path):
    """{name: a new module} of the file net.py in the folder."""
    (tmp_path / "net.py").write_text(NET)
    names = {}
    exec(NET, names)
    return names


LAYERS = {"conv": ["conv/kernel", "conv/bias"], "fc": ["fc/kernel", "fc/bias"]}
X = {"x": (None, 8, 8, 1)}


def test_a_module_that_is_right(prefix, nets):
    net = nets["Net"]().train()
    checkpoints.to_torch(prefix, net)
    before = {name: value.clone() for name, value in net.state_dict().items()}
    check = graphs.check_model(prefix, net, X, layers=LAYERS)
    assert check.ok and check.first_layer is None and net.training
    assert check.outputs[0].output == "logits:0" and check.outputs[0].relative < 1e-5
    for name, value in net.state_dict().items():
        assert (value == before[name]).all()


@pytest.mark.parametrize("layer", ["conv", "fc"])
def test_a_layer_that_differs_is_named(prefix, nets, layer):
    net = nets["Shifted" if layer == "conv" else "Net"]()
    checkpoints.to_torch(prefix, net)
    if layer == "fc":
        net.fc.bias.data += 0.01
    check = graphs.check_model(prefix, net, X, layers=LAYERS)
    assert not check.ok and check.first_layer == layer
    assert "NOT EQUAL" in str(check) and layer in str(check).splitlines()[-1]
    assert graphs.check_model(prefix, net, X, tolerance=10.0).ok


def test_exchanged_outputs_are_not_equal(prefix, nets):
    net = nets["Net"]()
    checkpoints.to_torch(prefix, net)
    net.fc.weight.data = net.fc.weight.data[[1, 0, 2]]
    assert not graphs.check_model(prefix, net, X).ok


def test_inputs_that_do_not_fit_are_named(prefix, nets):
    net = nets["Net"]()
    with pytest.raises(ArgumentError, match="inputs that the outputs need: .*got image"):
        graphs.check_model(prefix, net, {"image": (None, 8, 8, 1)})
    net.fc = net.conv
    with pytest.raises(ArgumentError, match="a model that takes the inputs of the graph: x"):
        graphs.check_model(prefix, net, X)


def test_the_command_line(prefix, nets, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = ["ckpt", "convert", prefix, "out.safetensors", "--to", "torch", "--check"]
    assert main([*command, "x=?,8,8,1", "--model", "net.py:Net"]) == 0
    assert "check: logits:0: differs by at most" in capsys.readouterr().out
    wrong = [*command, "x=?,8,8,1", "--model", "net.py:Shifted", "--force", "--json"]
    old = (tmp_path / "out.safetensors").read_bytes()
    (tmp_path / "out.safetensors").write_bytes(b"old")
    assert main(wrong) == 1
    out, err = capsys.readouterr()
    assert (tmp_path / "out.safetensors").read_bytes() == b"old" != old
    assert json.loads(out) and "the first layer that differs: conv" in err
    assert main([*wrong, "--tolerance", "10"]) == 0
    for words in (["x=8;8", "--model", "net.py:Net"], ["--like", "out.safetensors"]):
        command[3] = "other.safetensors"
        assert main([*command, *words]) == 2
        assert "--check" in capsys.readouterr().err


def test_a_conversion_is_checked_by_default(prefix, nets, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    command = ["ckpt", "convert", prefix, "out.safetensors", "--to", "torch", "--model"]
    assert main([*command, "net.py:Shifted"]) == 1
    out, err = capsys.readouterr()
    assert "NOT EQUAL" in out and "the first layer that differs: conv" in out
    assert "nothing was written" in err and not os.path.exists("out.safetensors")
    assert main([*command, "net.py:Shifted", "--no-check"]) == 0
    assert "check:" not in capsys.readouterr().out
    assert main([*command, "net.py:Net", "--force"]) == 0
    assert "check: logits:0: differs by at most" in capsys.readouterr().out
    os.rename(prefix + ".meta", "elsewhere.meta")
    told = ["--flatten", "fc", "4,4,4", "--force"]
    assert main([*command, "net.py:Shifted", *told]) == 0
    assert "check: nothing was compared: no graph" in capsys.readouterr().out
    assert main([*command, "net.py:Net", "--check", "--no-check"]) == 2


def test_a_graph_that_draws_random_numbers(v1, nets, torch, tmp_path):
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder("float32", [None, 4], "x")
        h = v1.matmul(x, v1.get_variable("fc/kernel", [4, 3]))
        v1.add(h, v1.random_normal([3]), name="sampled")
        session.run(v1.global_variables_initializer())
        prefix = v1.train.Saver().save(session, str(tmp_path / "random.ckpt"))
    net = torch.nn.Linear(4, 3, bias=False)
    wrapped = torch.nn.Sequential()
    wrapped.add_module("fc", net)
    checkpoints.to_torch(prefix, wrapped)
    assert graphs.check_model(prefix, wrapped).ok  # the product, which is not random
    net.weight.data += 1
    check = graphs.check_model(prefix, wrapped)
    assert not check.ok and not check.is_comparable


def test_the_order_of_channels_is_that_of_the_model(v1, torch, tmp_path):
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder("float32", [None, 3, 3, 3], "x")
        v1.nn.conv2d(x, v1.get_variable("conv/kernel", [1, 1, 3, 3]), padding="VALID", name="y")
        session.run(v1.global_variables_initializer())
        prefix = v1.train.Saver().save(session, str(tmp_path / "cube.ckpt"))

    class Net(torch.nn.Module):
        turns = False

        def __init__(self):
            super().__init__()
            self.conv = torch.nn.Conv2d(3, 3, 1, bias=False)

        def forward(self, x):
            y = self.conv(x)
            return y.permute(0, 2, 3, 1) if self.turns else y

    net = Net()
    checkpoints.to_torch(prefix, net)
    assert graphs.check_model(prefix, net).ok
    net.turns = True  # its output is the graph's, channels last, and not what PyTorch's is
    assert not graphs.check_model(prefix, net).ok


def test_a_keras_model(v1, tmp_path):
    keras = pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder("float32", [None, 4], "x")
        v1.matmul(x, v1.get_variable("fc/kernel", [4, 3]), name="logits")
        session.run(v1.global_variables_initializer())
        prefix = v1.train.Saver().save(session, str(tmp_path / "model.ckpt"))
    with context.eager_mode():
        dense = keras.layers.Dense(3, use_bias=False, name="fc")
        model = keras.Sequential([keras.Input((4,)), dense])
        checkpoints.to_keras(prefix, model)
        assert graphs.check_model(prefix, model).ok
        dense.kernel.assign(dense.kernel[:, ::-1])
        assert not graphs.check_model(prefix, model).ok
