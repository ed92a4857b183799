"""Placeholders as constants: what they choose is cut, and the outputs are those of feeding them."""

import numpy as np
import pytest

from tfgraphtools import errors, graphs

pytestmark = pytest.mark.usefixtures("eager")

X = np.float32([[1, -2, 3], [0.5, 4, -1]])


@pytest.fixture
def graph(tf, tmp_path):
    """The path of a graph that a flag, a rate, a threshold, a word and a vector choose."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as built:
        x = v1.placeholder(tf.float32, [None, 3], name="x")
        flag = v1.placeholder(tf.bool, [], name="model/use_exp")
        keep = v1.placeholder(tf.float32, [], name="keep")
        scale = v1.placeholder_with_default(np.float32([1, 1, 1]), [3], name="scale")
        count = v1.placeholder(tf.int32, name="count")
        word = v1.placeholder(tf.string, [], name="word")
        h = tf.cond(flag, lambda: tf.exp(x), lambda: tf.sin(x))
        h = tf.cond(tf.equal(word, "double"), lambda: h * 2, lambda: h)
        h = h * keep * scale + tf.cast(count, tf.float32)
        tf.identity(h, name="y")
        (tmp_path / "g.pb").write_bytes(built.as_graph_def().SerializeToString())
    return str(tmp_path / "g.pb")


SET = {
    "model/use_exp": False,
    "keep": 0.5,
    "scale:0": [1.0, 2.0, 3.0],
    "count": 4,
    "word": "double",
}
EXPECTED = np.sin(X) * 2 * 0.5 * [1, 2, 3] + 4


def run(tf, path, name="y:0"):
    v1 = tf.compat.v1
    with open(path, "rb") as file, v1.Graph().as_default(), v1.Session() as session:
        v1.import_graph_def(v1.GraphDef.FromString(file.read()), name="")
        return session.run(name, {"x:0": X})


def test_extract(graph, tf, tmp_path):
    result = graphs.extract(graph, tmp_path / "out.pb", "y", constants=SET)
    assert list(result.inputs) == ["x"]
    assert "model/use_exp: False" in result.changes
    np.testing.assert_allclose(run(tf, result.path), EXPECTED, rtol=1e-6)
    ops = {row.op for row in graphs.show(result.path).outputs}
    assert "Exp" not in str(graphs.show(result.path)) and ops == {"Identity"}


@pytest.mark.parametrize("to", ["onnx", "tflite"])
def test_convert(to, graph, tmp_path):
    pytest.importorskip("onnxruntime" if to == "onnx" else "tensorflow")
    pytest.importorskip("tf2onnx" if to == "onnx" else "tensorflow")
    result = graphs.convert(graph, tmp_path / "m", to, "y", constants=SET)
    assert list(result.inputs) == ["x"]


def test_as_module(graph):
    net = graphs.as_module(graph, "x", "y", constants=SET)
    for training in (False, True):
        np.testing.assert_allclose(net(X, training=training), EXPECTED, rtol=1e-6)


@pytest.mark.parametrize(
    "key, value, words",
    [
        ("model/use_ex", False, "Did you mean model/use_exp"),
        ("y", 1.0, "constants: y: expected a placeholder, got Identity"),
        ("x", 1.0, "got an input"),
        ("keep", "half", "a value of float32, got 'half'"),
        ("keep", [0.5], r"one of the shape \[\], got a value of the shape \[1\]"),
        ("scale", [1.0, 2.0], r"the shape \[3\]"),
        ("count", 1.5, "a value of int32, got 1.5"),
        ("count", 2**40, "a value of int32"),
        ("model/use_exp", 1, "a value of bool, got 1"),
        ("word", 3, "a value of string, got 3"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_refusals(key, value, words, graph, tmp_path):
    constants = {**{k: v for k, v in SET.items() if k.split(":")[0] != key}, key: value}
    with pytest.raises(errors.TfgraphtoolsError, match=words):
        graphs.extract(graph, tmp_path / "out.pb", "y", "x", constants=constants)
    assert not (tmp_path / "out.pb").exists()


def test_an_input_of_a_signature(tf, tmp_path):
    """Who sets a placeholder of the signature wants it to be no input."""
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        x, rate = v1.placeholder(tf.float32, [None, 3]), v1.placeholder(tf.float32, [])
        saved = str(tmp_path / "saved")
        v1.saved_model.simple_save(session, saved, {"x": x, "rate": rate}, {"y": x * rate})
    node = rate.op.name
    result = graphs.extract(saved, tmp_path / "out.pb", constants={node: 2.0})
    assert list(result.inputs) == ["x"]
