"""Models whose TF 1 code is not installed here: what it computed is recorded, and must come out."""

import numpy as np
import pytest
import recorded_models
from convolutional_models import keras_logits, timm_logits
from language_models import MODELS, outputs, pairs

from tfgraphtools import checkpoints

NAMES = sorted(path.stem for path in recorded_models.FOLDER.glob("*.npz"))
LANGUAGE = [name for name in NAMES if name in MODELS]
NETWORKS = [name for name in NAMES if name not in MODELS]
#: Of the largest output. Transformers' PEGASUS has another epsilon; see `known/pegasus.py`.
BOUNDS = {"pegasus": 1e-4, "mobilenet_v3_small": 1e-4}


@pytest.mark.parametrize(
    "name",
    [name if name == "gpt1" else pytest.param(name, marks=pytest.mark.slow) for name in LANGUAGE],
)
def test_language_models(tmp_path, name):
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    path, arrays = recorded_models.made(name, tmp_path)
    family, architecture, _ = MODELS[name]
    assert checkpoints.family_of(path) == (family, architecture)
    plan = checkpoints.to_hugging_face(path, tmp_path / "new")
    assert plan.dropped == ["global_step"]
    found, said = outputs(transformers, tmp_path / "new", architecture, arrays)
    assert not said["missing_keys"] and not said["unexpected_keys"] and not said["mismatched_keys"]
    for value, expected in pairs(name, found, arrays):
        error = np.abs(value - expected).max() / np.abs(expected).max()
        assert error < BOUNDS.get(name, 1e-5), error
        print(f"| {name} | {architecture} | {error:.1e} |")


@pytest.mark.slow
@pytest.mark.parametrize("name", NETWORKS)
def test_networks(tmp_path, name):
    path, arrays = recorded_models.made(name, tmp_path)
    models = checkpoints.models_of(path)[1]
    np.savez(str(tmp_path / "arrays.npz"), **arrays)
    for to in models:
        if to == "keras":
            pytest.importorskip("keras", "3")
            found = keras_logits(tmp_path, tmp_path, arrays["images"], models[to])
        else:
            pytest.importorskip("torch")
            found = timm_logits(path, tmp_path, arrays["images"])
        if found is not None:
            error = np.abs(found - arrays["logits"]).max() / np.abs(arrays["logits"]).max()
            print(f"| {name} | {to} | {models[to]} | {error:.1e} |")
            assert error < BOUNDS.get(name, 1e-5), (to, error)
