"""SavedModels and frozen graphs from a .meta and a checkpoint, against a Session's outputs."""

import os

import graph_models
import numpy as np
import pytest
from checkpoint_files import files_of

from tfgraphtools import checkpoints
from tfgraphtools.errors import DestinationError, GraphExportError

FEED = {name + ":0": value for name, value in graph_models.FEED.items()}


@pytest.fixture
def trained(tf, v1, tmp_path, variables, control_flow):
    """(prefix, what the session computes) of a model that was trained here."""
    (tmp_path / "model").mkdir()
    return graph_models.train_and_save(tf, v1, str(tmp_path / "model"))


def from_saved_model(v1, folder):
    with v1.Graph().as_default(), v1.Session() as session:
        meta = v1.saved_model.load(session, ["serve"], str(folder))
        assert not [node.name for node in meta.graph_def.node if "gpu" in node.device.lower()]
        assert not [node.name for node in meta.graph_def.node if "Adam" in node.op + node.name]
        (signature,) = meta.signature_def.values()
        assert {"x", "words"} == set(signature.inputs) and list(signature.outputs) == ["probs"]
        return session.run("probs:0", FEED)


def from_frozen(v1, path, initializers=(), outputs="probs:0", feed=None):
    with open(str(path), "rb") as file:
        graph_def = v1.GraphDef.FromString(file.read())
    with v1.Graph().as_default() as graph, v1.Session() as session:
        v1.import_graph_def(graph_def, name="")
        assert not [op.name for op in graph.get_operations() if "Variable" in op.type]
        for name in initializers:
            session.run(name)
        return session.run(outputs, FEED if feed is None else feed)


@pytest.mark.quick
def test_a_trained_model(trained, tf, v1, tmp_path, variables, control_flow):
    prefix, expected = trained
    saved, frozen = tmp_path / "saved", tmp_path / "frozen.pb"
    checkpoints.to_saved_model(prefix, prefix + ".meta", saved, ["probs"])
    assert np.array_equal(from_saved_model(v1, saved), expected)
    in_bodies = v1.resource_variables_enabled() and v1.control_flow_v2_enabled()
    if in_bodies and tf.__version__.startswith("1."):  # which 1.15 cannot freeze
        with pytest.raises(GraphExportError, match="TF 2.*saved_model"):
            checkpoints.to_frozen(prefix, prefix + ".meta", frozen, "probs")
        return
    export = checkpoints.to_frozen(prefix, prefix + ".meta", frozen, "probs")
    values = from_frozen(v1, frozen, export.initializers)
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-7)
    assert export.inputs == {"x": "x:0", "words": "words:0"} and export.variables == 6


def test_a_model_of_tf_1_15(this_server, tf1_server, tf, v1, tmp_path):
    """Written by 1.15, converted here, compared with 1.15's own output; the vocabulary moves in."""
    (tmp_path / "model").mkdir()
    tf1_server.run(tmp_path, graph_models.__file__, "train", tmp_path / "model").checked()
    prefix, expected = (
        str(tmp_path / "model/model.ckpt"),
        np.load(str(tmp_path / "model/expected.npy")),
    )
    checkpoints.to_saved_model(prefix, prefix + ".meta", tmp_path / "saved", ["probs"])
    frozen = checkpoints.to_frozen(prefix, prefix + ".meta", tmp_path / "frozen.pb", ["probs"])
    values = from_frozen(v1, tmp_path / "frozen.pb", frozen.initializers)
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-6)
    os.remove(str(tmp_path / "model/vocabulary.txt"))
    os.rename(str(tmp_path / "saved"), str(tmp_path / "moved"))
    values = from_saved_model(v1, tmp_path / "moved")
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-6)
    if tf.__version__.startswith("1."):
        return
    # In eager mode: in a process apart.
    this_server.run(tmp_path, graph_models.__file__, "load", tmp_path / "moved").checked()
    values = np.load(str(tmp_path / "moved/found.npy"))
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-6)


_LOAD = """
import sys, numpy as np, tensorflow as tf
graph = tf.GraphDef.FromString(open(sys.argv[1] + "/frozen.pb", "rb").read())
tf.import_graph_def(graph, name="")
with tf.Session() as session:
    frozen = session.run("y:0", {"x:0": np.load(sys.argv[1] + "/x.npy")})
with tf.Graph().as_default(), tf.Session() as session:
    tf.saved_model.load(session, ["serve"], sys.argv[1] + "/saved")
    saved = session.run("y:0", {"x:0": np.load(sys.argv[1] + "/x.npy")})
np.savez(sys.argv[1] + "/y.npz", frozen=frozen, saved=saved)
"""


def test_tf_1_15_reads_what_is_written_here(save, tf1_server, tf, v1, tmp_path):
    """TF 2 gives ops attributes, at their defaults, that 1.15 does not have."""

    def build():
        x = v1.placeholder(tf.float32, [None, 4, 4, 3], name="x")
        scale, offset = v1.get_variable("scale", [3]), v1.get_variable("offset", [3])
        mean, variance = tf.zeros([3]), tf.ones([3])
        y, *_ = v1.nn.fused_batch_norm(x, scale, offset, mean, variance, is_training=False)
        tf.identity(y, name="y")

    prefix = save(build)
    checkpoints.to_frozen(prefix, None, tmp_path / "frozen.pb", ["y"])
    checkpoints.to_saved_model(prefix, None, tmp_path / "saved", ["y"])
    x = np.random.RandomState(0).randn(2, 4, 4, 3).astype(np.float32)
    np.save(str(tmp_path / "x.npy"), x)
    (tmp_path / "load.py").write_text(_LOAD)
    tf1_server.run(tmp_path, tmp_path / "load.py", tmp_path).checked()
    with checkpoints.open_checkpoint(prefix) as ckpt:
        expected = x / np.sqrt(1.001) * ckpt["scale"] + ckpt["offset"]
    with np.load(str(tmp_path / "y.npz")) as values:
        np.testing.assert_allclose(values["frozen"], expected, rtol=0, atol=1e-5)
        np.testing.assert_allclose(values["saved"], expected, rtol=0, atol=1e-5)


@pytest.mark.quick
def test_the_graph_beside_the_checkpoint(save, tf, v1, tmp_path):
    prefix = save(lambda: tf.identity(v1.get_variable("w", [2]), name="y"))
    assert checkpoints.to_frozen(prefix, None, tmp_path / "y.pb", ["y"]).variables == 1
    os.remove(prefix + ".meta")
    with pytest.raises(GraphExportError, match=r"no file .*meta. Pass graph=... \(--meta FILE\)"):
        checkpoints.to_frozen(prefix, None, tmp_path / "z.pb", ["y"])
    assert not (tmp_path / "z.pb").exists()


@pytest.mark.quick
@pytest.mark.parametrize("kind", ["MetaGraphDef", "GraphDef"])
def test_a_graph_as_text(save, tf, v1, tmp_path, kind):
    prefix = save(lambda: tf.multiply(v1.get_variable("w", [2]), 3.0, name="y"))
    with open(prefix + ".meta", "rb") as file:
        meta = v1.MetaGraphDef.FromString(file.read())
    text = tmp_path / "text.meta"
    text.write_text(str(meta if kind == "MetaGraphDef" else meta.graph_def))
    checkpoints.to_frozen(prefix, text, tmp_path / "y.pb", ["y"])
    with checkpoints.open_checkpoint(prefix) as ckpt:
        expected = ckpt["w"] * np.float32(3)
    assert np.array_equal(from_frozen(v1, tmp_path / "y.pb", (), "y:0", {}), expected)


# Graphs by hand -------------------------------------------------------------------


@pytest.fixture
def save(v1, tmp_path):
    """A function that builds, initialises and saves a graph; returns its prefix."""

    def run(build):
        with v1.Graph().as_default(), v1.Session() as session:
            build()
            session.run(v1.global_variables_initializer())
            return v1.train.Saver().save(session, str(tmp_path / "model.ckpt"))

    return run


def edit_meta(v1, prefix, change):
    """Changes the nodes of a .meta: what another TensorFlow would have written."""
    with open(prefix + ".meta", "rb") as file:
        meta = v1.MetaGraphDef.FromString(file.read())
    change({node.name: node for node in meta.graph_def.node}, meta)
    with open(prefix + ".meta", "wb") as file:
        file.write(meta.SerializeToString())


@pytest.mark.quick
def test_removed_ops(save, tf, v1, tmp_path):
    """In the way only if an output needs them; then named, and an input can cut them off."""

    def build():
        x = v1.placeholder(tf.float32, [2], name="x")
        resampled = tf.nn.relu(x, name="resampled")
        tf.multiply(resampled, v1.get_variable("w", [2]), name="y")
        tf.add(x, v1.get_variable("v", [2]), name="z")

    prefix = save(build)
    edit_meta(v1, prefix, lambda nodes, meta: setattr(nodes["resampled"], "op", "GatherTree9"))
    assert checkpoints.to_frozen(prefix, prefix + ".meta", tmp_path / "z.pb", ["z"]).variables == 1
    before = files_of(tmp_path)
    with pytest.raises(GraphExportError, match=r"GatherTree9 \(resampled\).*--inputs"):
        checkpoints.to_frozen(prefix, prefix + ".meta", tmp_path / "y.pb", ["y"])
    assert files_of(tmp_path) == before
    if tf.__version__.startswith("1."):
        return
    edit_meta(v1, prefix, lambda nodes, meta: setattr(nodes["resampled"], "op", "Resampler"))
    with pytest.raises(GraphExportError, match="Resampler of tf.contrib.resampler"):
        checkpoints.to_saved_model(prefix, prefix + ".meta", tmp_path / "y", ["y"])


@pytest.mark.quick
def test_an_input_cuts_off_what_is_before_it(save, tf, v1, tmp_path):
    def build():
        queue = v1.FIFOQueue(8, [tf.int32, tf.float32])
        _, image = queue.dequeue(name="dequeue")
        tf.multiply(image, v1.get_variable("w", [2]), name="y")

    prefix = save(build)
    export = checkpoints.to_frozen(
        prefix, prefix + ".meta", tmp_path / "y.pb", {"answer": "y:0"}, {"image": "dequeue:1"}
    )
    assert export.inputs == {"image": "dequeue/input_1:0"} and export.outputs == {"answer": "y:0"}
    values = from_frozen(v1, tmp_path / "y.pb", (), "y:0", {export.inputs["image"]: [1.0, 2.0]})
    with checkpoints.open_checkpoint(prefix) as ckpt:
        assert np.array_equal(values, ckpt["w"] * np.array([1, 2], np.float32))


@pytest.mark.quick
@pytest.mark.parametrize(
    "outputs, inputs, message",
    [
        (["yy"], None, "Did you mean y"),
        ([], None, "at least one output"),
        (["y"], ["x"], "no training.*--inputs x training"),
        (["y"], ["xx"], "Did you mean x"),
    ],
)
def test_names_that_are_wrong(outputs, inputs, message, save, tf, v1, tmp_path):
    def build():
        x, scale = v1.placeholder(tf.float32, name="x"), v1.placeholder(tf.float32, name="training")
        tf.multiply(x * scale, v1.get_variable("w", [2]), name="y")

    prefix = save(build)
    before = files_of(tmp_path)
    for write in (checkpoints.to_frozen, checkpoints.to_saved_model):
        with pytest.raises(GraphExportError, match=message):
            write(prefix, prefix + ".meta", tmp_path / "out", outputs, inputs)
    assert files_of(tmp_path) == before


@pytest.mark.quick
def test_values_that_are_missing_or_of_another_shape(save, tf, v1, tmp_path):
    def build():
        a, b = v1.get_variable("net/kernel", [2]), v1.get_variable("net/bias", [2])
        tf.add(a, b, name="y")

    prefix = save(build)
    with checkpoints.open_checkpoint(prefix) as ckpt:
        checkpoints.plan(ckpt, rename={"net/kernel": "net/kernels"}).apply(tmp_path / "renamed")
        checkpoints.plan(ckpt, slice={"net/bias": slice(0, 1)}).apply(tmp_path / "cut")
    before = files_of(tmp_path)
    for other, message in [
        ("renamed", "net/kernel, .*Like net/kernels"),
        ("cut", r"net/bias of shape \[1\]"),
    ]:
        with pytest.raises(GraphExportError, match=message):
            checkpoints.to_saved_model(tmp_path / other, prefix + ".meta", tmp_path / "out", ["y"])
    assert files_of(tmp_path) == before


@pytest.mark.quick
def test_an_output_that_writes_a_variable_is_no_frozen_graph(save, tf, v1, tmp_path, variables):
    def build():
        tf.identity(v1.assign_add(v1.get_variable("w", [2]), [1.0, 1.0]), name="y")

    prefix = save(build)
    with pytest.raises(GraphExportError, match="only read their variables"):
        checkpoints.to_frozen(prefix, prefix + ".meta", tmp_path / "y.pb", ["y"])
    assert not (tmp_path / "y.pb").exists()


@pytest.mark.quick
def test_tables_that_training_fills_are_refused(save, tf, v1, tmp_path):
    def build():
        table = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, 0, -2)
        tf.identity(table.lookup(tf.constant([1], tf.int64)), name="y")
        v1.get_variable("w", [])

    prefix = save(build)
    with pytest.raises(GraphExportError, match="mutable"):
        checkpoints.to_frozen(prefix, prefix + ".meta", tmp_path / "y.pb", ["y"])


@pytest.mark.quick
def test_destinations(save, v1, tf, tmp_path):
    prefix = save(lambda: tf.identity(v1.get_variable("w", [2]), name="y"))
    saved = tmp_path / "saved"
    for _ in range(2):
        checkpoints.to_saved_model(prefix, prefix + ".meta", saved, ["y"], overwrite=True)
    with pytest.raises(DestinationError, match="overwrite=True"):
        checkpoints.to_saved_model(prefix, prefix + ".meta", saved, ["y"])
    with pytest.raises(DestinationError, match="a folder"):
        checkpoints.to_frozen(prefix, prefix + ".meta", saved, ["y"], overwrite=True)
    assert not [name for name in os.listdir(str(tmp_path)) if name.startswith(".")]
    for data in (b"\xff\xff\xff", b""):
        (tmp_path / "no.meta").write_bytes(data)
        with pytest.raises(GraphExportError, match="Pass the .meta"):
            checkpoints.to_frozen(prefix, tmp_path / "no.meta", tmp_path / "f.pb", ["y"])
