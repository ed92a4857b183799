"""Models whose TF 1 code is not installed here: what it computed is recorded, and must come out."""

import importlib.util

import numpy as np
import pytest
import recorded_models
from convolutional_models import TORCH, keras_logits
from language_models import MODELS, outputs, pairs

from tfgraphtools import checkpoints
from tfgraphtools.cli import main

NAMES = sorted(path.stem for path in recorded_models.FOLDER.glob("*.npz"))
LANGUAGE = [name for name in NAMES if name in MODELS]
NETWORKS = [name for name in NAMES if name not in MODELS]
#: Of the largest output. Transformers' PEGASUS has another epsilon.
BOUNDS = {"pegasus": 1e-4, "mobilenet_v3_small": 1e-4}
#: {network that one library has: its package}
PACKAGES = {"facenet": "facenet_pytorch", "pnasnet_large": "timm"}


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
    values, loading = outputs(transformers, tmp_path / "new", architecture, arrays)
    assert (
        not loading["missing_keys"]
        and not loading["unexpected_keys"]
        and not loading["mismatched_keys"]
    )
    for value, expected in pairs(name, values, arrays):
        error = np.abs(value - expected).max() / np.abs(expected).max()
        assert error < BOUNDS.get(name, 1e-5), error
        print(f"| {name} | {architecture} | {error:.1e} |")
    checkpoints.to_tf1(str(tmp_path / "new"), str(tmp_path / "back"), like=path)
    assert not checkpoints.diff(str(tmp_path / "back"), path)


@pytest.mark.slow(in_ci=1)
@pytest.mark.parametrize("name", NETWORKS)
def test_networks(tmp_path, name):
    if name in PACKAGES and not importlib.util.find_spec(PACKAGES[name]):
        pytest.skip(f"{PACKAGES[name]} is not installed")
    path, arrays = recorded_models.made(name, tmp_path)
    models = checkpoints.models_of(path)[1]
    np.savez(str(tmp_path / "arrays.npz"), **arrays)
    for to in models:
        if to == "keras":
            pytest.importorskip("keras", "3")
            logits = keras_logits(tmp_path, tmp_path, arrays["images"], models[to])
        else:
            pytest.importorskip("torch")
            logits = TORCH[to](path, tmp_path, arrays["images"])
        if logits is not None:
            error = np.abs(logits - arrays["logits"]).max() / np.abs(arrays["logits"]).max()
            print(f"| {name} | {to} | {models[to]} | {error:.1e} |")
            assert error < BOUNDS.get(name, 1e-5), (to, error)


def test_averages_take_the_place_of_weights(tmp_path, capsys):
    """EfficientNet's code evaluates the averages, which it has of its statistics as well."""
    path, _ = recorded_models.made("efficientnet_b0", tmp_path)
    with checkpoints.open_checkpoint(path) as ckpt:
        averaged = {name: ckpt[name] for name in ckpt if name != "global_step"}
    arrays = {name: array * 0.5 for name, array in averaged.items()}
    arrays.update((name + "/ExponentialMovingAverage", a) for name, a in averaged.items())
    np.savez(str(tmp_path / "trained.npz"), **arrays)
    folders = [str(tmp_path / name) for name in ("averages", "weights")]
    for source, folder, more in zip(
        (str(tmp_path / "trained.npz"), path), folders, (["--use-ema"], [])
    ):
        assert main(["ckpt", "convert", source, folder, "--to", "timm", *more]) == 0
    capsys.readouterr()
    contents = [checkpoints.open_archive(folder + "/model.safetensors") for folder in folders]
    with contents[0] as averages, contents[1] as weights:
        assert sorted(averages) == sorted(weights) and len(weights) > 300
        assert all(averages[name].tobytes() == weights[name].tobytes() for name in weights)


@pytest.mark.slow
def test_facenet_without_a_model_and_back(tmp_path, capsys):
    path, _ = recorded_models.made("facenet", tmp_path)
    assert main(["ckpt", "families", path]) == 0
    assert "facenet_pytorch.InceptionResnetV1 (--to torch)" in capsys.readouterr().out
    converted, back = str(tmp_path / "new.safetensors"), str(tmp_path / "back")
    assert main(["ckpt", "convert", path, converted, "--to", "torch"]) == 0
    assert main(["ckpt", "convert", converted, back, "--to", "tf1", "--like", path]) == 0
    assert not checkpoints.diff(back, path)
    with checkpoints.open_checkpoint(path) as ckpt:
        checkpoints.plan(ckpt, drop=[".*/block8_5/.*"]).apply(str(tmp_path / "part"))
    capsys.readouterr()
    assert (
        main(["ckpt", "convert", str(tmp_path / "part"), converted, "--to", "torch", "--force"])
        == 2
    )
    assert "'repeat_3.4" in capsys.readouterr().err


def test_torch_asks_for_a_model_where_no_package_has_it(tmp_path, capsys):
    path, _ = recorded_models.made("gpt1", tmp_path)
    out = str(tmp_path / "x.safetensors")
    assert main(["ckpt", "convert", path, out, "--to", "torch"]) == 2
    assert "--model model.py:function" in capsys.readouterr().err
