"""A graph of TF 1.15 in PyTorch, by way of ONNX and onnx2torch: outputs, gradients of the input.

PyTorch has a process of its own: torchvision, which onnx2torch imports, may crash after TensorFlow.
"""

import importlib.util
import shlex
import subprocess
import sys

import graph_cases
import numpy as np
import pytest
from doc_blocks import blocks, commands, is_printed
from places import ROOT

from tfgraphtools import graphs

pytestmark = [pytest.mark.usefixtures("eager"), pytest.mark.slow]

CASES = set(graph_cases.CASES) - {graph_cases.TRAINS}  # its Session infers as it trains

#: What onnx2torch refuses, by the op that it names.
REFUSED = {
    "branches": "'If'",
    "branches_of_v2": "'If'",
    "loop": "'Loop'",
    "loop_of_v2": "'Loop'",
    "recurrent": "'Scan'",
}

#: model.onnx x.npy result.npz: y, and the gradient of the sum of its squares by x.
IN_TORCH = """
import sys, numpy, onnx, onnx2torch, torch
model, x, result = sys.argv[1:]
net = onnx2torch.convert(onnx.load(model)).eval()
x = torch.tensor(numpy.load(x))
x.requires_grad = x.is_floating_point()
y = net(x)
if x.requires_grad:
    (y**2).sum().backward()
gradient = x.grad.numpy() if x.requires_grad else []
numpy.savez(result, y=y.detach().numpy(), gradient=gradient)
"""


def run(*words, folder=None):
    """Returns what a process of this Python prints."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout)
    return done.stdout


@pytest.fixture
def needs_onnx2torch():
    for library in ("tf2onnx", "onnx2torch", "torch"):
        if importlib.util.find_spec(library) is None:
            pytest.skip("pip install tf2onnx onnx2torch torch")


@pytest.fixture
def in_torch(needs_onnx2torch, tmp_path):
    """``in_torch(meta, x)``: what the graph computes in PyTorch."""

    def computed(meta, x):
        model, result = str(tmp_path / "model.onnx"), str(tmp_path / "result.npz")
        graphs.convert(meta, model, to="onnx", outputs=["y"])
        np.save(str(tmp_path / "x.npy"), x)
        run("-c", IN_TORCH, model, str(tmp_path / "x.npy"), result)
        return np.load(result)

    return computed


def close(actual, expected):
    """Asserts that arrays are equal to 1e-5 of the largest element."""
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("name", sorted(CASES - set(REFUSED)))
def test_outputs_and_gradients(saved_graph, tf, in_torch, name):
    meta, expected = saved_graph(name)
    computed = in_torch(meta, expected["x"])
    close(computed["y"], expected["y"])
    x = tf.constant(expected["x"])
    if x.dtype.is_floating:
        net = graphs.as_module(meta, "x", "y")
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(net(x) ** 2)
        close(computed["gradient"], tape.gradient(total, x).numpy())


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused_by_name(saved_graph, in_torch, name):
    meta, expected = saved_graph(name)
    with pytest.raises(RuntimeError, match="NotImplementedError: .*" + REFUSED[name]):
        in_torch(meta, expected["x"])


def test_page(needs_onnx2torch, tmp_path):
    text = (ROOT / "docs" / "how-to" / "graph_pytorch.md").read_text(encoding="utf-8")
    for line, language, title, content, _ in blocks(text):
        if title:
            (tmp_path / title).write_text(content, encoding="utf-8")
        for command, expected in commands(content) if language == "console" else ():
            words = shlex.split(command)
            start = ["-m", "tfgraphtools"] if words[0] == "tfgraphtools" else []
            printed = run(*start, *words[1:], folder=tmp_path)
            assert not expected.strip() or is_printed("..." + expected, printed), line
