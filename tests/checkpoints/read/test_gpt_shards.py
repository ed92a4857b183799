"""GPT-1's arrays are read as the code that came with them does: joined, then split by shapes."""

import json
import os

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.cli import main
from tfgraphtools.errors import CheckpointNotFoundError, DamagedCheckpointError

WIDTH, LAYERS = 8, 2
SHAPES = [[5, WIDTH], [9, WIDTH]] + LAYERS * [
    *([1, WIDTH, 3 * WIDTH], [3 * WIDTH], [1, WIDTH, WIDTH], [WIDTH], [WIDTH], [WIDTH]),
    *([1, WIDTH, 4 * WIDTH], [4 * WIDTH], [1, 4 * WIDTH, WIDTH], [WIDTH], [WIDTH], [WIDTH]),
]


@pytest.fixture
def model(tmp_path):
    """A folder of twelve pieces, whose ends are not those of arrays."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "params_shapes.json").write_text(json.dumps(SHAPES))
    values = np.random.RandomState(0).randn(sum(map(np.prod, SHAPES))).astype(np.float32)
    for number, piece in enumerate(np.array_split(values, 12)):
        np.save(str(folder / f"params_{number}.npy"), piece)
    return folder


def as_its_code_reads(folder):
    """Lines of `train.py` of openai/finetune-transformer-lm, which names no array."""
    shapes = json.loads((folder / "params_shapes.json").read_text())
    ends = np.cumsum([np.prod(shape) for shape in shapes])
    pieces = [np.load(str(folder / f"params_{number}.npy")) for number in range(12)]
    arrays = np.split(np.concatenate(pieces, 0), ends)[:-1]
    return [array.reshape(shape) for array, shape in zip(arrays, shapes)]


@pytest.mark.parametrize("inside", ["", "params_shapes.json", "params_0.npy", "params_11.npy"])
def test_every_path_opens_all_of_it(model, inside):
    arrays = as_its_code_reads(model)
    with checkpoints.open_checkpoint(str(model / inside) if inside else model) as ckpt:
        assert len(ckpt) == len(SHAPES)
        for name, place in {
            "model/pe": 0,
            "model/we": 1,
            "model/h0/attn/c_attn/w": 2,
            "model/h0/ln_1/g": 6,
            "model/h0/ln_1/b": 7,
            "model/h1/mlp/c_proj/b": 23,
            "model/h1/ln_2/b": 25,
        }.items():
            np.testing.assert_array_equal(ckpt[name], arrays[place])
            np.testing.assert_array_equal(ckpt.read(name, 0), arrays[place][0])
        assert {n for n in ckpt if ckpt.info(n).shape == (WIDTH,)} >= {"model/h0/ln_2/g"}


def test_commands(model, tmp_path, capsys):
    (model / "encoder_bpe_40000.json").write_text("{}")
    (model / "vocab_40000.bpe").write_text("")
    assert main(["ckpt", "ls", str(model)]) == 0
    assert "model/h1/ln_2/b" in capsys.readouterr().out
    assert main(["ckpt", "families", str(model)]) == 0
    assert capsys.readouterr().out == "GPT-1: OpenAIGPTLMHeadModel (--to hf)\n"
    assert main(["ckpt", "convert", str(model), str(tmp_path / "hf"), "--to", "hf"]) == 0
    assert "n_head is 1, as in the published models of this size" in capsys.readouterr().err
    assert {"merges.txt", "vocab.json"} <= set(os.listdir(str(tmp_path / "hf")))
    arrays = as_its_code_reads(model)
    with checkpoints.open_checkpoint(str(tmp_path / "hf" / "model.safetensors")) as archive:
        np.testing.assert_array_equal(archive["transformer.tokens_embed.weight"], arrays[1])
        np.testing.assert_array_equal(archive["transformer.h.1.mlp.c_fc.weight"], arrays[20][0])


def test_a_missing_piece(model):
    (model / "params_7.npy").unlink()
    with pytest.raises(CheckpointNotFoundError, match="Copy params_7.npy"):
        checkpoints.open_checkpoint(str(model))


@pytest.mark.parametrize(
    "name, text",
    [
        ("params_shapes.json", "{"),
        ("params_shapes.json", "[[2, 2]]"),
        ("params_shapes.json", json.dumps(SHAPES[:-1])),
        (
            "params_shapes.json",
            json.dumps([[1, WIDTH]] + SHAPES[1:]),
        ),  # fewer values than there are
        ("params_3.npy", "no array"),
    ],
)
def test_damage(model, name, text):
    (model / name).write_text(text)
    with pytest.raises(DamagedCheckpointError):
        checkpoints.open_checkpoint(str(model))


def test_an_array_alone_is_none(tmp_path):
    np.save(str(tmp_path / "params_0.npy"), np.ones(3))
    with pytest.raises(CheckpointNotFoundError, match="one NumPy array"):
        checkpoints.open_checkpoint(str(tmp_path / "params_0.npy"))
