"""`ckpt convert --to keras` in processes of its own: what is printed, and exit codes."""

import json
import subprocess
import sys

import numpy as np
import pytest
from checkpoint_files import ROOT, write_first

from tfgraphtools import checkpoints, cli

MODEL = """
from keras import Input, Sequential, layers

def build():
    return Sequential([Input((4,)), layers.Dense(4, name="first"), layers.Dense(4, name="second")])

def broken():
    raise RuntimeError("no data")
"""


@pytest.fixture
def folder(tmp_path):
    seed = write_first(tmp_path / "seed")
    random = np.random.RandomState(0)
    arrays = {
        f"{layer}/{role}": random.randn(*shape).astype(np.float32)
        for layer in ("a", "b")
        for role, shape in (("weights", (4, 4)), ("biases", (4,)))
    }
    with checkpoints.open_checkpoint(seed) as ckpt:
        checkpoints.plan(ckpt, drop=".*", add=arrays).apply(tmp_path / "old")
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "names.json").write_text(json.dumps({"a": "second", "b": "first"}))
    return tmp_path


@pytest.fixture
def run(folder, monkeypatch, capsys):
    """Runs ``ckpt convert --to keras`` with some words; returns (exit code, stdout, stderr)."""

    def call(*words):
        code = cli.main(["ckpt", "convert", *words, "--to", "keras"])
        out, err = capsys.readouterr()
        lines = [line for line in err.splitlines() if line.startswith(("tfgraphtools", "note"))]
        return code, out, lines

    monkeypatch.chdir(folder)
    return call


@pytest.fixture(params=["sizes", "dimensions"])
def kind_of_shapes(request):
    """Shapes of numbers, or of TF 1's `Dimension` objects, as with ``disable_v2_behavior()``."""
    from tensorflow.compat import v1

    switch = v1.disable_v2_tensorshape if request.param == "dimensions" else lambda: None
    switch()
    yield
    v1.enable_v2_tensorshape()


def test_a_conversion(run, folder, kind_of_shapes):
    pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    model = ["--model", "model.py:build"]
    with context.eager_mode():
        code, out, lines = run("old", "new.keras", *model)
        assert code == 2 and not out and not (folder / "new.keras").exists()
        assert len(lines) == 1 and "second' could each be any of 'a', 'b'. Say which" in lines[0]
        code, out, lines = run("old", "new.keras", *model, "--map", "names.json")
        assert code == 0 and not lines and (folder / "new.keras").exists()
        assert "second/kernel" in out and "a/weights" in out
        assert out.splitlines()[-1] == "new.keras: 4 weights"
        code, out, lines = run("old", "new.keras", *model, "--map", "names.json")
        assert code == 2 and "--force" in lines[0]
        code, out, _ = run("old", *model, "--rule", "b", "first", "--json", "--dry-run")
        rows = {row["path"].partition("/")[2]: row for row in json.loads(out)["weights"]}
        assert code == 0 and rows["second/bias"]["sources"] == ["a/biases"]
        assert rows["first/bias"]["how"] == "map"
        code, out, lines = run("old", "x.keras", "--model", "model.py:broken")
        assert code == 2 and "RuntimeError: no data" in lines[0]


@pytest.mark.parametrize(
    "words, says",
    [
        ([], "no --model"),
        (["--model", "none.keras"], "expected a model's file, got none"),
        (["--model", "none.py:build"], "expected a Python file, got none"),
        (["--model", "model.py:built"], "no function"),
        (["--model", "names.json"], "names.json"),
        (["--model", "old.index"], "model.save('model.keras')"),
        (["--like", "old", "--model", "model.py:build"], "--like"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_bad_input(folder, monkeypatch, capsys, words, says):
    if words and words[-1] in ("model.py:built", "names.json"):
        pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    monkeypatch.chdir(folder)
    assert cli.main(["ckpt", "convert", "old", "new.keras", "--to", "keras", *words]) == 2
    message = capsys.readouterr().err
    if "no function" not in says:
        assert says in message
    assert message.count("\n") == 1 and message.startswith("tfgraphtools: ")


def test_without_keras(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    monkeypatch.setitem(sys.modules, "keras", None)
    (folder / "config.json").write_text('{"class_name": "Functional", "config": {}}')
    words = ["old", "new.keras", "--to", "keras", "--model", "config.json"]
    assert cli.main(["ckpt", "convert", *words]) == 2
    message = capsys.readouterr().err
    assert "pip install keras" in message and message.count("\n") == 1


def test_importing_needs_neither_keras_nor_h5py():
    code = (
        "import sys; sys.modules.update(keras=None, tf_keras=None, h5py=None, tensorflow=None)\n"
        "from tfgraphtools import checkpoints\n"
        "checkpoints.to_keras, checkpoints.plan_keras\n"
        "from tfgraphtools.checkpoints.matching import rnn"
    )
    subprocess.run([sys.executable, "-c", code], cwd=str(ROOT), check=True)
