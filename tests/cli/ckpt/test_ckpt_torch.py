"""`ckpt convert --to torch`, and the guide to it, as typed."""

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.cli import main

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
RANDOM = np.random.RandomState(5)
OLD = {
    "conv/kernel": RANDOM.randn(5, 5, 1, 8).astype(np.float32),
    "conv/bias": RANDOM.randn(8).astype(np.float32),
    "fc/kernel": RANDOM.randn(14 * 14 * 8, 10).astype(np.float32),
    "fc/bias": RANDOM.randn(10).astype(np.float32),
}
OLD.update({name + "/Momentum": np.zeros_like(array) for name, array in OLD.items()})
SHAPES = {"0.weight": (8, 1, 5, 5), "0.bias": (8,), "4.weight": (10, 1568), "4.bias": (10,)}
FLATTEN = ["--flatten", "fc", "14,14,8"]


@pytest.fixture
def old(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.savez("in.npz", **OLD)
    checkpoints.from_npz("in.npz", "old")
    np.savez("like.npz", **{name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()})
    checkpoints.from_npz("like.npz", "like")
    checkpoints.to_safetensors("like", "like.safetensors")
    return tmp_path


def convert(*options):
    return main(["ckpt", "convert", "old", "new.safetensors", "--to", "torch", *options])


def test_like_a_file_without_pytorch(old, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert convert("--like", "like.safetensors", *FLATTEN) == 0
    shown, noted = capsys.readouterr()
    assert "HWIO -> OIHW" in shown and "fc/bias/Momentum" in shown
    assert "new.safetensors: 4 tensors" in shown
    assert "4 tensors of the optimizer's state are left behind" in noted
    with checkpoints.open_archive("new.safetensors") as archive:
        kernel = OLD["fc/kernel"].reshape(14, 14, 8, 10).transpose(3, 2, 0, 1).reshape(10, -1)
        assert (archive["4.weight"] == kernel).all()
        assert (archive["0.weight"] == OLD["conv/kernel"].transpose(3, 2, 0, 1)).all()


def test_dry_run_and_json_write_nothing(old, capsys):
    assert convert("--like", "like.safetensors", "--dry-run", "--json", *FLATTEN) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in printed["entries"]] == sorted(SHAPES)
    assert printed["dropped"] == sorted(name for name in OLD if name.endswith("Momentum"))
    assert not (old / "new.safetensors").exists()


@pytest.mark.parametrize(
    "options, message",
    [
        ([], "--model or --like"),
        (["--like", "like.safetensors", "--model", "m:f"], "got both"),
        (["--like", "like.safetensors"], "--flatten fc H,W,8"),
        (["--like", "like.safetensors", "--flatten", "fc", "x"], "--flatten fc1 7,7,64"),
        (["--like", "none.safetensors"], "none.safetensors"),
        (["--like", "like.safetensors", "--model", "m:f"], "got both"),
        (["--like", "like.safetensors", "--compress"], "--compress"),
        (["--like", "like.safetensors", "--write-optimizer", "o.pt"], "--model"),
        (["--like", "like.safetensors", *FLATTEN, "--cast", "fc/kernel", "float7"], "float7"),
        (["--like", "like.safetensors", *FLATTEN, "--max-shard-size", "1MB"], "Write 'new'."),
    ],
)
def test_mistakes_are_one_line(old, capsys, options, message):
    assert convert(*options) == 2
    shown, error = capsys.readouterr()
    assert message in error and error.count("\n") == 1 and not shown
    assert not (old / "new.safetensors").exists()


def test_cast(old, capsys):
    rules = ["--cast", "conv/.*", "bfloat16", "--cast", "fc/.*", "float16"]
    assert convert("--like", "like.safetensors", *FLATTEN, *rules) == 0
    assert "bfloat16" in capsys.readouterr().out
    with checkpoints.open_archive("new.safetensors") as archive:
        types = {name: archive.info(name).dtype for name in archive}
        assert types == {name: "float16" if name[0] == "4" else "bfloat16" for name in SHAPES}
        assert np.array_equal(archive["4.bias"], OLD["fc/bias"].astype(np.float16))
        kernel = OLD["conv/kernel"].transpose(3, 2, 0, 1)
        assert np.abs(archive["0.weight"] - kernel).max() < 2e-2


def test_a_cast_that_overflows_writes_nothing(old, capsys):
    arrays = dict(OLD, **{"fc/bias": np.full(10, 7e4, np.float32)})
    np.savez("in.npz", **arrays)
    checkpoints.from_npz("in.npz", "old", overwrite=True)
    words = ["--like", "like.safetensors", *FLATTEN, "--cast", "fc/.*", "float16"]
    assert convert(*words) == 2
    assert "would become infinite" in capsys.readouterr().err
    assert not (old / "new.safetensors").exists()


def test_shards(old, capsys):
    command = ["ckpt", "convert", "old", "folder", "--to", "torch", "--like", "like.safetensors"]
    assert main([*command, *FLATTEN, "--max-shard-size", "20KB"]) == 0
    index = json.loads((old / "folder" / "model.safetensors.index.json").read_text())
    assert sorted(index["weight_map"]) == sorted(SHAPES)
    for name, file in index["weight_map"].items():
        with checkpoints.open_archive(str(old / "folder" / file)) as archive:
            assert archive[name].shape == SHAPES[name]


def test_the_optimizer_is_written_too(old, capsys):
    torch = pytest.importorskip("torch")
    (old / "model.py").write_text(
        "from torch import nn\ndef build():\n"
        "    return nn.Sequential(nn.Conv2d(1, 8, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),"
        " nn.Flatten(), nn.Linear(1568, 10))\n"
    )
    words = ["--model", "model.py:build", "--write-optimizer", "o.pt", *FLATTEN]
    assert convert(*words) == 2
    assert "--hyper learning_rate=..." in capsys.readouterr().err
    hyper = ["--hyper", "learning_rate=0.1", "--hyper", "momentum=0.9"]
    assert convert(*words, *hyper) == 0
    net = build_of(old)()
    optimizer = torch.optim.SGD(net.parameters(), lr=1.0)
    optimizer.load_state_dict(torch.load("o.pt", weights_only=True))
    assert optimizer.param_groups[0]["lr"] == 0.1 and optimizer.param_groups[0]["momentum"] == 0.9
    assert len(optimizer.state) == 4
    assert all((state["momentum_buffer"] == 0).all() for state in optimizer.state.values())


@pytest.mark.slow
def test_guide(old, tmp_path):
    pytest.importorskip("torch")
    text = (ROOT / "docs" / "guides" / "torch.md").read_text(encoding="utf-8")
    shell = "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    (python,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, words in {"tfgraphtools": "-m tfgraphtools ", "python": ""}.items():
        (tools / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
        (tools / name).chmod(0o755)
    path = os.pathsep.join([str(tools), os.environ["PATH"]])
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PATH=path)
    done = subprocess.run(
        ["sh", "-e", "-c", shell],
        env=environment,
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    assert "<All keys matched successfully>" in done.stdout
    assert (tmp_path / "serve.ckpt.index").exists()
    with pytest.raises(Exception, match="a torch.optim.SGD, as Momentum trained it"):
        exec(python, {"build": build_of(tmp_path)})


def build_of(folder):
    namespace = {}
    exec((folder / "model.py").read_text(), namespace)
    return namespace["build"]
