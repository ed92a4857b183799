"""``tfgraphtools doctor`` on graphs, and how its table looks."""

import json

import pytest

from tfgraphtools import compat
from tfgraphtools.cli import main

pytestmark = pytest.mark.quick

needs_tf2 = pytest.mark.skipif(compat.is_tf1(), reason="TF 1.15 has the ops of contrib")


@pytest.fixture
def meta(tmp_path, graph, v1, tf):
    """A graph of an op that every TensorFlow has, and one that only contrib had."""
    tf.identity(tf.constant(1.0), name="last")
    made = v1.train.export_meta_graph(graph=graph)
    made.graph_def.node[-1].op = "Resampler"
    path = tmp_path / "model.meta"
    path.write_bytes(made.SerializeToString())
    return str(path)


@needs_tf2
def test_a_graph(meta, capsys):
    assert main(["doctor", meta]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:3] == ["Resampler", "not", "supported"]
    assert "an op of tf.contrib.resampler" in lines[1]
    assert lines[-1] == meta + ": 1 file, some of it is not supported"


@needs_tf2
def test_a_graph_as_json_and_page(meta, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["doctor", meta, "--json", "--html", str(page)]) == 1
    found = {one["name"]: one["status"] for one in json.loads(capsys.readouterr().out)["names"]}
    assert found == {"Const": "works", "Resampler": "not supported"}
    assert "Resampler" in page.read_text(encoding="utf-8")


def test_code_under_tf1(tmp_path, capsys):
    if not compat.is_tf1():
        pytest.skip("tests/compat/doctor has what it says of code")
    (tmp_path / "a.py").write_text("import tensorflow")
    assert main(["doctor", str(tmp_path)]) == 2
    assert "got TensorFlow 1.15, on which this code runs unchanged" in capsys.readouterr().err


def test_what_of_a_graph_cannot_run_here(tf, v1, tmp_path, capsys):
    """Ops for devices that are not here, and collections that import_meta_graph fails at."""
    from tensorflow.python.framework import kernels

    path = tmp_path / "cudnn.meta"
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(v1.float32, (3, 2, 4), name="x")
        v1.add_to_collection("gone", x)
        tf.raw_ops.CudnnRNN(
            input=x, input_h=[[[0.0]]], input_c=[[[0.0]]], params=[0.0], name="cell"
        )
        meta = v1.train.export_meta_graph(graph=graph)
    meta.collection_def["gone"].node_list.value[0] = "y:0"
    path.write_bytes(meta.SerializeToString())
    assert main(["doctor", str(path)]) == 1
    out = capsys.readouterr().out
    assert "collection gone" in out and "names y:0, which is not in the graph" in out
    devices = {k.device_type for k in kernels.get_registered_kernels_for_op("CudnnRNN").kernel}
    has_gpu = tf.config.experimental.list_physical_devices("GPU")
    assert ("an op for GPU alone" in out) == (devices == {"GPU"} and not has_gpu)
    assert "Placeholder" not in out
