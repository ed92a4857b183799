"""Graphs that train otherwise than they infer, as code with both modes."""

import importlib.util
import json

import numpy as np
import pytest

from tfgraphtools import errors, graphs
from tfgraphtools.graphs.source_code import training_comparisons
from tfgraphtools.graphs.source_code.torch import torch_layers

#: What its code has.
LAYERS = {
    "convolutions": ["nn.BatchNorm2d(6, eps=0.001, momentum=0.1)", "nn.Dropout(0.4)"],
    "keep_prob": ["nn.Dropout(0.25)"],
    "slim_updates_in_place": ["nn.BatchNorm2d(5, eps=0.001, momentum=0.2)", "nn.Dropout(0.5)"],
    "keras": ["nn.Dropout2d(0.25)", "nn.BatchNorm2d(4, eps=0.001, momentum=0.3)"],
    "sequences": ["BiasedBatchNorm1d(5, eps=0.001, momentum=0.4)", "nn.Dropout(0.2)"],
    "one_is_frozen": ["FrozenBatchNorm1d(6, eps=0.001)", "BiasedBatchNorm1d(4"],
}


@pytest.fixture(scope="module", autouse=True)
def _torch(tf):
    pytest.importorskip("torch")
    pytest.importorskip("safetensors")


def written(tf1_modes, name, out, **options):
    """Returns (the `Source`, the text of its code)."""
    result = graphs.source(tf1_modes / name / "model.meta", "y", out=out, **options)
    return result, (out / "model.py").read_text()


def loaded(folder, training):
    """Returns the model, whose dropout keeps all elements."""
    import torch

    spec = importlib.util.spec_from_file_location(folder.name, str(folder / "model.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model = module.load(training)
    for layer in model.modules():
        if isinstance(layer, (torch.nn.Dropout, torch.nn.Dropout2d)):
            layer.forward = lambda x, share=1 - layer.p, layer=layer: (
                x / share if layer.training else x
            )
    return model


def close(actual, expected):
    atol = 1e-5 * np.abs(expected).max()
    np.testing.assert_allclose(actual, expected, rtol=0, atol=atol)


@pytest.mark.parametrize("name", sorted(LAYERS))
def test_both_modes_are_those_of_tf1(name, tf1_modes, tmp_path):
    import torch

    arrays = np.load(str(tf1_modes / (name + ".npz")))
    result, text = written(tf1_modes, name, tmp_path / name)
    print(result.changes, text)
    assert any("model.train() is written" in change for change in result.changes)
    for layer in LAYERS[name]:
        assert layer in text
    x = torch.tensor(arrays["in/x"])
    close(loaded(tmp_path / name, False)(x=x).detach().numpy(), arrays["eval"])
    model = loaded(tmp_path / name, True)
    close(model(x=x).detach().numpy(), arrays["train"])
    names, compared = json.loads((tmp_path / name / "names.json").read_text()), 0
    for key, tensor in model.named_buffers():
        if key in names:
            close(tensor.numpy(), arrays["average/" + names[key]["variable"]])
            compared += 1
    assert compared == len([key for key in arrays.files if key.startswith("average/")])


def test_averages_that_move_twice_are_refused_in_training_mode(tf1_modes, tmp_path):
    result, text = written(tf1_modes, "tower_twice", tmp_path / "model")
    assert any("training mode is not written" in change for change in result.changes)
    assert "raise NotImplementedError" in text
    with pytest.raises(NotImplementedError, match="moving averages"):
        loaded(tmp_path / "model", True)
    assert loaded(tmp_path / "model", False)


@pytest.mark.parametrize("momentum", [0.1, 0.11])
def test_averages_that_move_otherwise_are_found(momentum, tf1_modes, tmp_path, monkeypatch):
    """Compares the averages themselves, not only the outputs, which do not depend on them."""
    code = torch_layers.literal(momentum, "momentum")
    monkeypatch.setattr(torch_layers, "_momentum", lambda settings: {"momentum": code})
    result, text = written(tf1_modes, "convolutions", tmp_path / "model")
    assert ("raise NotImplementedError" in text) == (momentum != 0.1), result.changes


def test_gradients_in_training_mode_are_compared(tf1_modes, tmp_path, monkeypatch):
    keys = []
    compare = training_comparisons.gradient_comparisons.largest_difference

    def noted(*arguments):
        keys.append(arguments[3].keys())
        return 1.0 if len(keys) == 1 else compare(*arguments)[0], "dense.weight"

    monkeypatch.setattr(training_comparisons.gradient_comparisons, "largest_difference", noted)
    _, text = written(tf1_modes, "sequences", tmp_path / "model")
    assert len(keys) == 2 and "raise NotImplementedError" in text
    monkeypatch.undo()
    with pytest.raises(errors.DestinationError):
        written(tf1_modes, "sequences", tmp_path / "model")
