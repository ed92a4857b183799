"""What messages suggest: what happened, what was expected, and a next step that works."""

import argparse
import json
import re
import shlex

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli
from tfgraphtools.cli.ckpt import training_options
from tfgraphtools.errors import UsageError

AVERAGE = "a/kernel/ExponentialMovingAverage"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A checkpoint "m" with a graph beside it, an archive, a map with a slice and a Python file."""
    monkeypatch.chdir(tmp_path)
    arrays = {"a/kernel": np.ones((2, 2), np.float32), AVERAGE: np.zeros((2, 2), np.float32)}
    np.savez("data.npz", **arrays)
    checkpoints.from_npz("data.npz", "m")
    (tmp_path / "m.meta").write_bytes(b"graph")
    (tmp_path / "slice.json").write_text(json.dumps({"slice": {"a/kernel": "x"}}))
    (tmp_path / "own_model.py").write_text("def build(): pass\n")
    return tmp_path


#: (id, command, what the line says)
MESSAGES = [
    ("show-swapped", "show a/kernel m", r"Write: (tfgraphtools ckpt show m a/kernel)$"),
    ("a-map-of-arrays", "rename m out --map data.npz", "expected a JSON file, got a file that is"),
    ("a-slice-in-a-map", "rename m out --map slice.json", "slice.json: the slice of 'a/kernel'"),
    (
        "a-model-without-function",
        "convert m out.safetensors --to torch --model own_model.py",
        "got the file alone. Write own_model.py:build",
    ),
    ("name-based-already", "convert m out --to tf1 --drop-optimizer", "^tfgraphtools: m: expected"),
    ("no-files-in-proc", "convert m /proc/x.npz --to npz", "^tfgraphtools: /proc/x.npz: expected"),
    (
        "a-checkpoint-for-torch",
        "convert m out.safetensors --to torch --like m",
        "got another file. Write 'my_model.py:build' or",
    ),
    ("no-graph", "convert m out.pb --to frozen", "--outputs, the ops or tensors to compute"),
]


@pytest.mark.parametrize("command, says", [pytest.param(*row[1:], id=row[0]) for row in MESSAGES])
def test_messages(folder, capsys, command, says):
    assert cli.main(["ckpt", *shlex.split(command)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    match = re.search(says, line)
    assert match and len(line) < 300, line
    if match.groups():  # a command, which works as it is
        assert cli.main(shlex.split(match.group(1))[1:]) == 0


@pytest.mark.parametrize(
    "words, expected",
    [([], None), (["0"], 0.0), (["1"], 1.0), (["a/.*=0.5", "b=1"], {"a/.*": 0.5, "b": 1.0})],
    ids=str,
)
def test_forget_biases(words, expected):
    assert training_options.forget_bias(argparse.Namespace(forget_bias=words)) == expected


@pytest.mark.parametrize("words", [["x"], ["a="], ["1", "a=2"]], ids=str)
def test_bad_forget_biases(words):
    with pytest.raises(UsageError, match="--forget-bias"):
        training_options.forget_bias(argparse.Namespace(forget_bias=words))


def test_the_way_back_says_nothing_of_old_names(folder, capsys):
    """Its names are those of the .meta beside the checkpoint."""
    from tfgraphtools.checkpoints.plans.plan import plan

    with checkpoints.open_checkpoint("m") as ckpt:
        planned = plan(ckpt, drop=["a/kernel"], add={"a/kernel": np.zeros((2, 2), np.float32)})
        assert not any("old names" in note for note in planned.notes)
        planned = plan(ckpt, rename={"a/kernel": "b/kernel"})
        assert any("old names" in note for note in planned.notes)


def test_averages_in_place_of_weights(folder, capsys):
    rule = ["--rule", "(.*)/ExponentialMovingAverage", r"\1"]
    assert cli.main(["ckpt", "rename", "m", "out", *rule]) == 0
    with checkpoints.open_checkpoint("out") as out:
        assert list(out) == ["a/kernel"] and not out["a/kernel"].any()
    assert "take the place of a/kernel" in capsys.readouterr().err


def test_averages_in_a_model_of_keras(folder, capsys):
    keras = pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    (folder / "model.py").write_text(
        "import keras\n"
        "def build():\n"
        "    dense = keras.layers.Dense(2, use_bias=False, name='a')\n"
        "    return keras.Sequential([keras.Input((2,)), dense])\n"
    )
    words = ["m", "m.keras", "--to", "keras", "--model", "model.py:build", "--use-ema"]
    with context.eager_mode():
        assert cli.main(["ckpt", "convert", *words, "--meta", "none.meta"]) == 2
        (folder / "m.meta").unlink()
        assert cli.main(["ckpt", "convert", *words]) == 0, capsys.readouterr()
        assert not keras.models.load_model("m.keras").get_weights()[0].any()
