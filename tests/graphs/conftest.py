"""A training graph in every kind of file, and graphs of TF 1.15 for tests in eager execution."""

import collections
import pathlib
import shutil

import numpy as np
import pytest

#: The graph and its files: ``graph`` is TensorFlow's own; ``files``: {kind of file: path};
#: ``ops``: {kind: {op: count} of the graph when the file was written}.
Training = collections.namedtuple("Training", "graph files ops prefix variables")


@pytest.fixture(scope="session")
def training_graph(tf, tmp_path_factory):
    """A `Training`: built and saved once for all tests."""
    v1 = tf.compat.v1
    folder = tmp_path_factory.mktemp("graphs")
    graph = v1.Graph()
    with graph.as_default(), v1.Session(graph=graph) as session:
        _build(tf, v1, folder)
        session.run(v1.global_variables_initializer())
        variables = v1.global_variables()
        prefix = v1.train.Saver().save(session, str(folder / "model.ckpt"), 7)
        counts = [_counts(graph)]
        v1.train.export_meta_graph(str(folder / "text.meta"), as_text=True)
        v1.train.write_graph(
            graph.as_graph_def(add_shapes=True), str(folder), "g.pb", as_text=False
        )
        v1.train.write_graph(graph.as_graph_def(add_shapes=True), str(folder), "g.pbtxt")
        v1.summary.FileWriter(str(folder / "log"), graph).close()
        x, probabilities = graph.get_tensor_by_name("x:0"), graph.get_tensor_by_name("probs:0")
        saved = str(folder / "saved")
        v1.saved_model.simple_save(session, saved, {"image": x}, {"probs": probabilities})
        counts.append(_counts(graph))
    shutil.copytree(saved, str(folder / "module"))
    (folder / "module" / "tfhub_module.pb").write_bytes(b"\x08\x03")
    files = {
        "MetaGraphDef": prefix + ".meta",
        "MetaGraphDef as text": str(folder / "text.meta"),
        "GraphDef": str(folder / "g.pb"),
        "GraphDef as text": str(folder / "g.pbtxt"),
        "event file": str(next(pathlib.Path(folder / "log").iterdir())),
        "SavedModel": saved,
        "TF-Hub module": str(folder / "module"),
    }
    ops = {kind: counts[kind in ("SavedModel", "TF-Hub module")] for kind in files}
    return Training(graph, files, ops, prefix, variables)


def _counts(graph):
    return collections.Counter(op.type for op in graph.get_operations())


def _build(tf, v1, folder):
    (folder / "words.txt").write_text("a\nb\n")
    x = v1.placeholder(tf.float32, [8, 12, 12, 3], name="x")
    y = v1.placeholder(tf.int64, [None], name="y")
    queue = v1.FIFOQueue(4, [tf.float32, tf.int32], [[2], []], name="queue")
    queue.dequeue(name="element")
    table = v1.lookup.StaticHashTable(
        v1.lookup.TextFileInitializer(str(folder / "words.txt"), tf.string, -2, tf.int64, -1), -1
    )
    table.lookup(v1.placeholder(tf.string, [None], name="words"))
    h = _convolution(tf, v1, x)
    h = v1.nn.dropout(h, rate=0.5, name="dropout")
    _, h = v1.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.tanh(a)), [0, h])
    head = v1.get_variable("head", [h.shape[1], 4], partitioner=v1.fixed_size_partitioner(2))
    logits = tf.matmul(h, tf.convert_to_tensor(head), name="logits")
    tf.nn.softmax(logits, name="probs")
    for number in (0.5, 0.25, 2.0):
        v1.add_to_collection("rates", number)
    for number in (3, 300, 70000):
        v1.add_to_collection("steps", number)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
    loss = tf.reduce_mean(losses, name="loss")
    v1.py_func(lambda value: np.float32(value), [loss], tf.float32, name="log_loss")
    v1.summary.scalar("loss", loss)
    with v1.control_dependencies(v1.get_collection(v1.GraphKeys.UPDATE_OPS)):
        v1.train.AdamOptimizer().minimize(loss, v1.train.get_or_create_global_step())


def _convolution(tf, v1, x):
    """A convolution, a depthwise one and a batch normalization that trains."""
    kernel = v1.get_variable("conv/kernel", [3, 3, 3, 6])
    depthwise = v1.get_variable("depthwise/kernel", [3, 3, 6, 2])
    h = tf.nn.conv2d(x, kernel, strides=[1, 2, 2, 1], padding="SAME")
    h = v1.nn.depthwise_conv2d(h, depthwise, [1, 1, 1, 1], "SAME")
    scale, offset = v1.get_variable("bn/gamma", [12]), v1.get_variable("bn/beta", [12])
    h, mean, _ = v1.nn.fused_batch_norm(h, scale, offset, is_training=True, name="bn/norm")
    moving = v1.get_variable("bn/moving_mean", [12], trainable=False)
    update = v1.assign_sub(moving, (moving - mean) * 0.1, name="bn/AssignMovingAvg")
    v1.add_to_collection(v1.GraphKeys.UPDATE_OPS, update)
    return tf.reshape(tf.nn.relu(h), [8, -1])


@pytest.fixture
def eager(tf):
    """Eager execution for the test alone, whatever others of this process have switched off."""
    if tf.__version__.startswith("1."):
        pytest.skip("eager objects are TF 2's")
    from tensorflow.python.eager import context

    with context.eager_mode():
        yield


@pytest.fixture(scope="session")
def tf1_graphs(tmp_path_factory, tf1_server):
    """The folder in which TF 1.15 has left its graphs: one process for all of them."""
    return _written_by("tf1_graphs", tmp_path_factory, tf1_server)


@pytest.fixture(scope="session")
def tf1_conversions(tmp_path_factory, tf1_server):
    """The same of the graphs that are only converted."""
    return _written_by("tf1_conversions", tmp_path_factory, tf1_server)


@pytest.fixture(scope="session")
def tf1_sources(tmp_path_factory, tf1_server):
    """The same of the graphs that become source code."""
    return _written_by("tf1_sources", tmp_path_factory, tf1_server, seconds=900)


@pytest.fixture(scope="session")
def tf1_modes(tmp_path_factory, tf1_server):
    """The same of the graphs that train otherwise than they infer."""
    return _written_by("tf1_modes", tmp_path_factory, tf1_server)


@pytest.fixture(scope="session")
def tf1_training(tmp_path_factory, tf1_server):
    """The same of the graphs that become source code with their training."""
    return _written_by("tf1_training", tmp_path_factory, tf1_server)


def _written_by(name, tmp_path_factory, tf1_server, seconds=240):
    folder = tmp_path_factory.mktemp(name)
    script = pathlib.Path(__file__).parent / (name + ".py")
    tf1_server.run(folder, script, folder, seconds=seconds).checked()
    return folder


@pytest.fixture
def saved_graph(tf1_graphs):
    """``saved_graph(name)``: (the path of its .meta, what TF 1.15 computes)."""

    def paths(name):
        return str(tf1_graphs / name / "model.meta"), np.load(str(tf1_graphs / (name + ".npz")))

    return paths
