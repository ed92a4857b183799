"""The memory that a conversion takes, beside that of the same conversion of a small graph."""

import os
import subprocess
import sys

import numpy as np
import pytest

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="Linux says it")

#: Prints the most memory that a process took, in KiB; that of getrusage may be its parent's.
CHILD = r"""
import re, sys
from tfgraphtools import graphs
source, destination, to = sys.argv[1:]
if to == "extract":
    graphs.extract(source, destination, "y", tolerance=1e-3)
elif to == "tf2onnx":
    import tensorflow as tf, tf2onnx
    with open(source, "rb") as file:
        graph_def = tf.compat.v1.GraphDef.FromString(file.read())
    names = dict(input_names=["x:0"], output_names=["y:0"])
    tf2onnx.convert.from_graph_def(graph_def, **names)[0].SerializeToString()
else:
    graphs.convert(source, destination, to, "y", tolerance=1e-3)
print(re.search(r"VmHWM:\s+(\d+) kB", open("/proc/self/status").read()).group(1))
"""


@pytest.fixture
def peak(tf, tmp_path):
    """``peak(to, size)``: (the bytes of a graph of so many weights a layer, the most memory)."""

    def measured(to, size):
        v1, random = tf.compat.v1, np.random.RandomState(0)
        path = tmp_path / f"{size}.pb"
        with v1.Graph().as_default() as graph:
            h = v1.placeholder(tf.float32, [None, size], name="x")
            for _ in range(6):
                weights = random.standard_normal([size, size]).astype("float32") / size**0.5
                h = tf.tanh(tf.matmul(h, weights))
            tf.identity(h, name="y")
            path.write_bytes(graph.as_graph_def().SerializeToString())
        words = [sys.executable, "-c", CHILD, str(path), str(tmp_path / f"{to}-{size}"), to]
        done = subprocess.run(words, stdout=subprocess.PIPE, check=True)
        return path.stat().st_size, int(done.stdout.split()[-1]) * 1024

    return measured


def test_extract_takes_four_times_the_file(peak):
    few, least = peak("extract", 16)
    size, most = peak("extract", 1280)
    assert size > 37e6
    assert (most - least) / (size - few) < 4


def test_onnx_takes_little_beside_tf2onnx(peak, tf):
    if tf.__version__.startswith("1."):
        pytest.skip("TF 2 converts")
    pytest.importorskip("tf2onnx")
    pytest.importorskip("onnxruntime")
    assert peak("onnx", 768)[1] < 1.5 * peak("tf2onnx", 768)[1]
