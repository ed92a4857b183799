"""Layers of TF 1.15 in models that compute the same, and in ones that do not: see `tf1_layers`."""

import pathlib
import re

import numpy as np

from tfgraphtools import checkpoints
from tfgraphtools.errors import TfgraphtoolsError

#: What TF 1.15 runs: it writes the checkpoints and arrays.
MAKER = pathlib.Path(__file__).with_name("tf1_layers.py")

# What a note or an error says where outputs differ.
STRIDE = r"strides is \(\d, \d\); it is"
DILATION = r"dilation is \(\d, \d\); it is"
PADDING = "padding is .*; it is (same|valid) in"
SIZE = "output_padding is .* states the size of the output"
UNEQUAL = "could each be any of 'first/conv(/bias)?', 'second/conv"


def load(folder, name):
    with np.load(str(folder / name / "arrays.npz")) as arrays:
        return str(folder / name / "model.ckpt"), arrays["x"], arrays["y"]


def is_equal(actual, expected):
    if actual.shape != expected.shape:
        return False
    return np.abs(actual - expected).max() < 1e-5 * np.abs(expected).max()


def check_back(model, prefix, path):
    """Asserts that the way back gives the checkpoint that came in."""
    checkpoints.to_tf1(model, path, like=prefix, overwrite=True)
    with checkpoints.open_checkpoint(prefix) as old, checkpoints.open_checkpoint(path) as new:
        assert all(np.array_equal(old[name], new[name]) for name in old)


def ids(rows):
    return [
        "-".join([case, *(f"{key}={value}" for key, value in arguments.items())])
        for case, _, arguments, _ in rows
    ]


def check(convert, model, outputs, says, loaded):
    """Asserts that a model computes the same and nothing is noted, or that a note or error says."""
    prefix, x, y = loaded
    try:
        notes = convert(prefix, model).notes
    except TfgraphtoolsError as error:
        assert says is not None, error
        notes = [str(error)]
    else:
        case = pathlib.Path(prefix).parent.name
        is_training = case == "norm"  # what differs there is the next step
        is_same = is_equal(outputs(model, x, is_training), y)
        assert is_same == (says is None or is_training), notes
    text = "\n".join(notes)
    assert re.search(says, text) if says else not notes, text
