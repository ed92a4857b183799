"""--use-ema, and the rule that says the same, for every target of `ckpt convert`."""

import json

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli

SUFFIX = "/ExponentialMovingAverage"
KERNEL, AVERAGE = np.float32([[1, 2], [3, 4]]), np.float32([[5, 6], [7, 8]])
RULE = ["--rule", "(.*)" + SUFFIX, r"\1"]
KERAS = (
    "import keras\n"
    "def build():\n"
    "    dense = keras.layers.Dense(2, use_bias=False, name='a')\n"
    "    return keras.Sequential([keras.Input((2,)), dense])\n"
)
TORCH = (
    "import torch\n"
    "class Net(torch.nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.a = torch.nn.Linear(2, 2, bias=False)\n"
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.savez("data.npz", **{"a/kernel": KERNEL, "a/kernel" + SUFFIX: AVERAGE})
    checkpoints.from_npz("data.npz", "m")
    (tmp_path / "of_keras.py").write_text(KERAS)
    (tmp_path / "of_torch.py").write_text(TORCH)
    return tmp_path


def read(name):
    """The one tensor of a checkpoint or an archive."""
    open_it = checkpoints.open_archive if "." in name else checkpoints.open_checkpoint
    with open_it(name) as ckpt:
        (key,) = [key for key in ckpt if "kernel" in key or "a.weight" in key or "/vars/" in key]
        return np.asarray(ckpt[key])


@pytest.mark.parametrize("how", [["--use-ema"], RULE], ids=["option", "rule"])
@pytest.mark.parametrize(
    "to, name, options",
    [
        ("npz", "out.npz", []),
        ("safetensors", "out.safetensors", []),
        ("tf1", "out", []),
        ("object", "out", ["--rule", "(.*)", r"net/\1"]),
        pytest.param("torch", "out.safetensors", ["--model", "of_torch.py:Net"]),
        pytest.param("keras", "out.keras", ["--model", "of_keras.py:build"]),
    ],
)
def test_averages_take_the_place_of_variables(folder, capsys, to, name, options, how):
    if to in ("torch", "keras"):
        pytest.importorskip(to, "3" if to == "keras" else None)
    if to == "keras":
        from tensorflow.python.eager import context

        with context.eager_mode():
            assert cli.main(["ckpt", "convert", "m", name, "--to", to, *how, *options]) == 0
            import keras

            np.testing.assert_array_equal(keras.models.load_model(name).get_weights()[0], AVERAGE)
        return
    assert cli.main(["ckpt", "convert", "m", name, "--to", to, *how, *options]) == 0
    value = read(name)
    np.testing.assert_array_equal(value.T if to == "torch" else value, AVERAGE)


def test_the_way_back_writes_both(folder, capsys):
    pytest.importorskip("torch")
    words = ["convert", "m", "net.safetensors", "--to", "torch", "--model", "of_torch.py:Net"]
    assert cli.main(["ckpt", *words, "--use-ema"]) == 0
    back = ["convert", "net.safetensors", "back", "--to", "tf1", "--like", "m"]
    assert cli.main(["ckpt", *back]) == 2  # whose weights are the averages to be?
    assert "--use-ema" in capsys.readouterr().err
    assert cli.main(["ckpt", *back, "--use-ema"]) == 0
    with checkpoints.open_checkpoint("back") as ckpt:
        assert all(np.array_equal(ckpt[name], AVERAGE) for name in ckpt) and len(ckpt) == 2


def test_no_averages(folder, capsys):
    np.savez("other.npz", w=KERNEL)
    assert cli.main(["ckpt", "convert", "other.npz", "out", "--to", "tf1", "--use-ema"]) == 2
    assert "expected moving averages" in capsys.readouterr().err


def test_a_map_names_each(folder, capsys):
    (folder / "map.json").write_text(json.dumps({"a/kernel" + SUFFIX: "a/kernel"}))
    assert cli.main(["ckpt", "convert", "m", "out", "--to", "tf1", "--map", "map.json"]) == 0
    np.testing.assert_array_equal(read("out"), AVERAGE)
