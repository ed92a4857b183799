"""Models of TF 1.15 that go on training as code of PyTorch: 100 steps beside its Session."""

import json
import pathlib
import subprocess
import sys

import pytest

from tfgraphtools import errors, graphs
from tfgraphtools.graphs.source_code.torch import torch_optimizers

#: The optimizer in the code of each case.
OPTIMIZERS = {
    "perceptron_sgd": "torch.optim.SGD(parameters.values(), lr=0.0)",
    "regression_momentum": "torch.optim.SGD(parameters.values(), lr=0.0, momentum=0.9)",
    "convolutions_nesterov": "lr=0.0, momentum=0.8, nesterov=True)",
    "autoencoder_adam": "Adam(parameters.values(), lr=0.0, beta1=0.9, beta2=0.999, eps=0.001)",
    "regularized_decay": "0.1 * 0.9**(step.float() / 10.0)",
    "rmsprop": "RMSProp(parameters.values(), lr=0.0, rho=0.8, momentum=0.5, eps=0.0001)",
    "rmsprop_centered": "CenteredRMSProp(parameters.values(), lr=0.0, rho=0.9, momentum=0.0",
    "adagrad_by_value": "parameter.grad.clamp_(-0.02, 0.03)",
    "adam_by_global_norm": "0.3 / norm.clamp(min=0.3)",
    "sgd_by_norm": "0.1 / norm.clamp(min=0.1)",
    "binary_fed_rate": 'group["lr"] = learning_rate',
    "losses_of_tf": "torch.optim.Adagrad(parameters.values(), lr=0.0, eps=0.0)",
}
CONSTANTS = {"losses_of_tf": {"keep_prob": 0.75}}


@pytest.fixture(scope="module", autouse=True)
def _torch(tf):
    pytest.importorskip("torch")
    pytest.importorskip("safetensors")


def source(tf1_training, name, out, **options):
    path = tf1_training / name / "model.meta"
    options = {"loss": "loss", "constants": CONSTANTS.get(name), **options}
    return graphs.source(path, "y", out=out, **options)


@pytest.fixture(scope="module")
def trained(tf1_training, tmp_path_factory):
    """Returns ({name: `Source` or error}, {name: how 100 steps differ})."""
    folder, results = tmp_path_factory.mktemp("trainings"), {}
    for name in OPTIMIZERS:
        try:
            results[name] = source(tf1_training, name, folder / name)
        except errors.TfgraphtoolsError as error:
            results[name] = error
    script = pathlib.Path(__file__).parent / "source_training_runs.py"
    command = [sys.executable, str(script), str(tf1_training), str(folder)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stdout
    return results, json.loads(done.stdout)


@pytest.mark.parametrize("name", sorted(OPTIMIZERS))
def test_100_steps_from_a_checkpoint_with_slots(name, trained):
    results, differences = trained
    assert not isinstance(results[name], Exception), results[name]
    print(results[name].changes, differences[name])
    assert "error" not in differences[name], differences[name]
    assert differences[name]["variables"] <= 1e-4
    assert differences[name]["losses"] <= 1e-4
    assert differences[name]["compared"] >= 2
    text = pathlib.Path(results[name].path, "training.py").read_text()
    assert OPTIMIZERS[name] in text


def test_ruff_has_nothing_to_say(trained):
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=E4,E7,E9,F,I,B"]
    folders = [result.path for result in trained[0].values() if hasattr(result, "path")]
    done = subprocess.run([*command, *folders], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        pytest.skip("no ruff")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "name, options, words",
    [
        ("embedding_sparse", {}, r"ScatterAdd.*\. Only dense updates"),
        ("perceptron_sgd", {"loss": "dense/bias/read"}, "reads no output"),
        ("losses_of_tf", {"constants": None}, "--set keep_prob=NUMBER"),
        ("perceptron_sgd", {"loss": "y"}, "."),
    ],
    ids=["sparse", "another loss", "a rate that is fed", "no scalar"],
)
def test_refused_by_name(name, options, words, tf1_training, tmp_path):
    with pytest.raises(errors.TfgraphtoolsError, match=words):
        source(tf1_training, name, tmp_path / "model", **options)
    assert list(tmp_path.iterdir()) == []


def test_steps_that_differ_are_found(tf1_training, tmp_path, monkeypatch):
    """Epsilon in PyTorch's place is another optimizer."""
    text = torch_optimizers.CLASSES["Adam"]
    other = text.replace('(v.sqrt() + group["eps"])', '(v + group["eps"]).sqrt()')
    assert other != text
    monkeypatch.setitem(torch_optimizers.CLASSES, "Adam", other)
    with pytest.raises(errors.DifferentOutputsError, match="steps of training.py"):
        source(tf1_training, "autoencoder_adam", tmp_path / "model")
    assert list(tmp_path.iterdir()) == []
