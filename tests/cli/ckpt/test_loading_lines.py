"""`ckpt convert` ends with the line that loads its result, and the line does."""

import importlib

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli, compat

KERNEL = np.arange(6, dtype=np.float32).reshape(3, 2)
BIAS = np.array([0.5, -0.5], np.float32)

MODELS = """
def of_keras():
    import keras
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="dense")])

def of_torch():
    import torch
    return torch.nn.Sequential(__import__("collections").OrderedDict(dense=torch.nn.Linear(3, 2)))
"""


@pytest.fixture
def line(tmp_path, monkeypatch, capsys):
    """Converts a checkpoint of a dense layer; returns the last line on stderr."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models.py").write_text(MODELS)
    np.savez("arrays.npz", **{"dense/kernel": KERNEL, "dense/bias": BIAS})
    checkpoints.from_npz("arrays.npz", "old")

    def convert(to, destination, *options, source="old"):
        code = cli.main(["ckpt", "convert", source, destination, "--to", to, *options])
        last = capsys.readouterr().err.splitlines()[-1]
        assert code == 0 and last.startswith("to load it: "), last
        return last[len("to load it: ") :]

    return convert


def run(line, **names):
    """Runs a line of Python; returns the names that it knows then."""
    for module in ("tfgraphtools.checkpoints", "safetensors.torch", "torch", "keras"):
        root = module.partition(".")[0]
        if root + "." in line:
            importlib.import_module(module)
            names.setdefault(root, importlib.import_module(root))
    exec(line, names)  # noqa: S102
    return names


@pytest.mark.parametrize("to", ["npz", "safetensors"])
@pytest.mark.parametrize("options", [(), ("--cast", "dense/kernel", "bfloat16")])
def test_an_archive(line, to, options):
    if to == "safetensors":
        pytest.importorskip("safetensors")
    with run(line(to, "a." + to, *options))["arrays"] as arrays:
        assert np.array_equal(arrays["dense/kernel"].astype(np.float32), KERNEL)
        assert np.array_equal(arrays["dense/bias"], BIAS)


@pytest.mark.parametrize("ending", ["safetensors", "pt"])
def test_torch(line, ending, tmp_path, monkeypatch):
    torch = pytest.importorskip("torch")
    pytest.importorskip("safetensors")
    loads = line("torch", "new." + ending, "--model", "models.py:of_torch")
    model = torch.nn.Sequential()
    model.add_module("dense", torch.nn.Linear(3, 2))
    run(loads, model=model)
    assert np.array_equal(model.dense.weight.detach().numpy(), KERNEL.T)


@pytest.mark.parametrize("ending", ["keras", "weights.h5"])
def test_keras(line, ending):
    keras = pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    with context.eager_mode():
        loads = line("keras", "new." + ending, "--model", "models.py:of_keras")
        given = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2, name="dense")])
        model = run(loads, model=given)["model"]
        assert np.array_equal(model.get_layer("dense").get_weights()[0], KERNEL)


def test_tf1(line, v1, graph, tmp_path):
    loads = line("tf1", "again", source="arrays.npz")
    kernel = v1.get_variable("dense/kernel", (3, 2))
    v1.get_variable("dense/bias", (2,))
    with v1.Session(graph=graph) as session:
        run(loads, tf=importlib.import_module("tensorflow"), session=session)
        assert np.array_equal(session.run(kernel), KERNEL)


@pytest.mark.skipif(compat.is_tf1(), reason="objects are restored eagerly")
def test_objects_of_tf2(line, tf):
    from tensorflow.python.eager import context

    loads = line("object", "objects", "--rule", "(.*)", r"net/\1")
    with context.eager_mode():
        net = tf.Module()
        net.dense = tf.Module()
        net.dense.kernel = tf.Variable(np.zeros((3, 2), np.float32))
        run(loads, tf=tf, net=net)
        assert np.array_equal(net.dense.kernel.numpy(), KERNEL)


def test_nothing_is_said_of_what_was_not_written(line, capsys):
    for options in (["--dry-run"], ["--json"]):
        assert cli.main(["ckpt", "convert", "old", "a.npz", "--to", "npz", *options]) == 0
        assert "to load it" not in capsys.readouterr().err


def test_onnx_is_made_from_a_graph(capsys):
    assert cli.main(["ckpt", "convert", "old", "a.onnx", "--to", "onnx"]) == 2
    assert "Write: tfgraphtools graph convert model.meta --outputs NAME" in capsys.readouterr().err
