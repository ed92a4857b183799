"""--use-ema, and the rule that says the same, for every target of `ckpt convert`."""

import json

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli
from tfgraphtools.errors import PlanError

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


@pytest.fixture
def several(v1, folder):
    """Three averages of one variable, as TensorFlow's own classes name and save them."""
    with v1.Graph().as_default(), v1.Session() as session:
        kernel = v1.get_variable("a/kernel", initializer=KERNEL, use_resource=False)
        averages = [v1.train.ExponentialMovingAverage(0.5, **name) for name in ({}, {}, SLOW)]
        for average in averages:
            average.apply([kernel])
        session.run(kernel.initializer)
        session.run(v1.global_variables_initializer())
        for number, average in enumerate(averages):
            average.average(kernel).load(AVERAGE * (number + 1), session)
        v1.train.Saver().save(session, "several", write_meta_graph=False)
    return "several"


SLOW = {"name": "Slow"}


@pytest.mark.parametrize(
    "name, number",
    [
        ("ExponentialMovingAverage", 1),
        ("ExponentialMovingAverage_1", 2),
        ("Slow", 3),
        ("a/.*Average_1", 2),
    ],
)
@pytest.mark.parametrize(
    "to, name_of_file, options",
    [
        ("npz", "out.npz", ["--drop", "Slow"]),
        ("tf1", "out", ["--drop", "Slow"]),
        ("object", "out", ["--rule", "(.*)", r"net/\1", "--drop", "Slow"]),
        ("torch", "out.safetensors", ["--model", "of_torch.py:Net", "--drop", "Slow"]),
    ],
)
def test_of_several_averages_the_user_chooses(
    several, capsys, to, name_of_file, options, name, number
):
    if to == "torch":
        pytest.importorskip(to)
    options = [word.replace("Slow", "a/kernel/Slow") for word in options]
    if name == "Slow":  # chosen, it is no tensor that is left
        options = options[: options.index("--drop")]
    command = ["ckpt", "convert", several, name_of_file, "--to", to, *options]
    assert cli.main([*command, "--use-ema"]) == 2
    message = capsys.readouterr().err
    assert "one moving average of each variable" in message
    assert "--ema-name 'ExponentialMovingAverage_1'" in message
    assert cli.main([*command, "--ema-name", "Fast"]) == 2
    assert "'Fast', which matches none of 2" in capsys.readouterr().err
    assert cli.main([*command, "--ema-name", name]) == 0
    value = read(name_of_file)
    np.testing.assert_array_equal(value.T if to == "torch" else value, AVERAGE * number)


def test_keras_gets_the_average_of_a_name(several):
    keras = pytest.importorskip("keras", "3")
    from tensorflow.python.eager import context

    with context.eager_mode(), checkpoints.open_checkpoint(several) as ckpt:
        model = keras.Sequential(
            [keras.Input((2,)), keras.layers.Dense(2, use_bias=False, name="a")]
        )
        for name, number in (("Slow", 3), ("ExponentialMovingAverage_1", 2)):
            drop = () if name == "Slow" else "a/kernel/Slow"
            checkpoints.plan_keras(ckpt, model, use_ema=name, drop=drop).apply()
            np.testing.assert_array_equal(model.get_weights()[0], AVERAGE * number)


def test_a_session_takes_the_average_of_a_name(v1, several):
    with v1.Graph().as_default(), v1.Session() as session:
        kernel = v1.get_variable("a/kernel", initializer=np.zeros_like(KERNEL))
        for name, number in (("Slow", 3), ("ExponentialMovingAverage", 1)):
            checkpoints.restore(session, several, use_ema=name)
            np.testing.assert_array_equal(session.run(kernel), AVERAGE * number)
        with pytest.raises(PlanError, match="one moving average of each variable"):
            checkpoints.restore(session, several, use_ema=True)


def test_a_map_names_each(folder, capsys):
    (folder / "map.json").write_text(json.dumps({"a/kernel" + SUFFIX: "a/kernel"}))
    assert cli.main(["ckpt", "convert", "m", "out", "--to", "tf1", "--map", "map.json"]) == 0
    np.testing.assert_array_equal(read("out"), AVERAGE)
