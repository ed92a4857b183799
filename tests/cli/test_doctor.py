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
    meta_graph = v1.train.export_meta_graph(graph=graph)
    meta_graph.graph_def.node[-1].op = "Resampler"
    path = tmp_path / "model.meta"
    path.write_bytes(meta_graph.SerializeToString())
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
    status_of = {
        entry["name"]: entry["status"] for entry in json.loads(capsys.readouterr().out)["names"]
    }
    assert status_of == {"Const": "works", "Resampler": "not supported"}
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


CODE = """import tensorflow as tf
x = tf.placehodler(tf.float32)
y = tf.placeholder(tf.float32)
"""


@pytest.fixture
def codebase(tmp_path, monkeypatch):
    """A folder ``src`` in the working folder; one of its files has a name that formats escape."""
    (tmp_path / "src" / "sub").mkdir(parents=True)
    (tmp_path / "src" / "sub" / "a, 100%.py").write_text(CODE)
    (tmp_path / "src" / "good.py").write_text("import tensorflow as tf\ntf.placeholder\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@needs_tf2
@pytest.mark.parametrize("path", ["src", "src/sub/a, 100%.py", "."])
def test_annotations_for_github(path, codebase, capsys):
    assert main(["doctor", path, "--format", "github"]) == 1
    assert capsys.readouterr().out == (
        "::error file=src/sub/a%2C 100%25.py,line=2,title=tfgraphtools doctor%3A missing::"
        "tensorflow.placehodler: tensorflow has no such name: a typo, or assigned at run time\n"
    )


@needs_tf2
def test_nothing_to_annotate(codebase, capsys):
    assert main(["doctor", "src/good.py", "--format", "github"]) == 0
    assert not capsys.readouterr().out


@needs_tf2
def test_sarif(codebase, capsys):
    assert main(["doctor", "src", "--format", "sarif"]) == 1
    log = json.loads(capsys.readouterr().out)
    (run,) = log["runs"]
    (result,) = run["results"]
    (rule,) = run["tool"]["driver"]["rules"]
    place = result["locations"][0]["physicalLocation"]
    assert log["version"] == "2.1.0"
    assert (result["ruleId"], result["level"]) == (rule["id"], "error")
    assert rule["id"] == "tensorflow.placehodler" and result["message"]["text"].startswith(
        rule["id"]
    )
    assert place == {
        "artifactLocation": {"uri": "src/sub/a%2C%20100%25.py"},
        "region": {"startLine": 2},
    }


@needs_tf2
def test_a_graph_as_annotation(meta, codebase, capsys):
    assert main(["doctor", meta, "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith("::error file=model.meta,title=")


def test_two_formats(codebase, capsys):
    assert main(["doctor", "src", "--json", "--format", "sarif"]) == 2
    assert "--json and --format sarif" in capsys.readouterr().err
