"""Paddings, strides and dilations of convolutions: each that computes something else is noted."""

import re

import numpy as np
import pytest

from tfgraphtools import checkpoints

#: (TF 1's padding, stride, dilation, PyTorch's arguments, what a note says or None)
ROWS = [
    ("VALID", 1, 1, {}, None),
    ("VALID", 1, 1, {"padding": 1}, r"padding is \(1, 1\); it is valid.*\(0, 0\) here"),
    ("SAME", 1, 1, {"padding": 1}, None),
    ("SAME", 1, 1, {"padding": "same"}, None),
    ("SAME", 1, 1, {}, r"padding is \(0, 0\); it is same.*\(1, 1\) here"),
    ("SAME", 1, 2, {"padding": 2, "dilation": 2}, None),
    ("SAME", 2, 1, {"padding": 1, "stride": 2}, "it is same.*pads more at the end"),
    ("VALID", 2, 1, {}, r"strides is \(1, 1\); it is \(2, 2\)"),
    ("VALID", 1, 2, {}, r"dilation is \(1, 1\); it is \(2, 2\)"),
]


@pytest.mark.parametrize("padding, stride, dilation, arguments, note", ROWS)
def test_convolutions(torch, v1, tmp_path, padding, stride, dilation, arguments, note):
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder("float32", [None, 8, 8, 2], "x")
        kernel = v1.get_variable("conv/kernel", [3, 3, 2, 4])
        options = {"strides": [1, stride, stride, 1], "padding": padding}
        y = v1.nn.conv2d(x, kernel, dilations=[1, dilation, dilation, 1], **options)
        session.run(v1.global_variables_initializer())
        prefix = v1.train.Saver().save(session, str(tmp_path / "model.ckpt"))
        image = np.random.RandomState(0).randn(1, 8, 8, 2).astype(np.float32)
        expected = session.run(y, {x: image})
    net = torch.nn.Sequential()
    net.add_module("conv", torch.nn.Conv2d(2, 4, 3, bias=False, **arguments))
    notes = checkpoints.to_torch(prefix, net).notes
    with torch.no_grad():
        actual = net(torch.from_numpy(image).movedim(-1, 1)).movedim(1, -1).numpy()
    is_same = actual.shape == expected.shape and np.abs(actual - expected).max() < 1e-5
    assert is_same == (note is None), notes
    assert not notes if note is None else re.search(note, notes[0]), notes


@pytest.mark.parametrize("stride, has_note", [(2, False), (1, True)])
def test_transposed_convolutions(torch, v1, tmp_path, stride, has_note):
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder("float32", [1, 4, 4, 2], "x")
        kernel = v1.get_variable("up/kernel", [2, 2, 3, 2])
        v1.nn.conv2d_transpose(x, kernel, [1, 8, 8, 3], strides=[1, 2, 2, 1], padding="VALID")
        session.run(v1.global_variables_initializer())
        prefix = v1.train.Saver().save(session, str(tmp_path / "model.ckpt"))
    net = torch.nn.Sequential()
    net.add_module("up", torch.nn.ConvTranspose2d(2, 3, 2, stride, bias=False))
    notes = checkpoints.to_torch(prefix, net).notes
    assert bool(notes) == has_note and all("strides is (1, 1); it is (2, 2)" in n for n in notes)
