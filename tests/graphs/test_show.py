"""`graphs.show` says what TensorFlow says of the same graph."""

import collections
import json
import random
import re
import shutil

import numpy as np
import pytest

from tfgraphtools import checkpoints, graphs
from tfgraphtools.errors import ArgumentError

KINDS = [
    "MetaGraphDef",
    "MetaGraphDef as text",
    "GraphDef",
    "GraphDef as text",
    "SavedModel",
    "TF-Hub module",
    "event file",
]


@pytest.fixture(scope="module")
def summaries(training_graph):
    return {kind: graphs.show(path) for kind, path in training_graph.files.items()}


@pytest.fixture(scope="module")
def summary(summaries):
    return summaries["MetaGraphDef"]


def names(rows):
    return [row.name for row in rows]


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_file(kind, summaries, training_graph):
    """Every file holds the ops that TensorFlow's graph had when it was written."""
    found = summaries[kind]
    assert found.kind == kind.partition(" as ")[0]
    assert found.ops == training_graph.ops[kind]
    assert found.nodes == sum(found.ops.values())
    json.dumps(found.as_dict())


def test_versions(summary, summaries, training_graph, tf):
    assert summary.version == tf.__version__
    producer = training_graph.graph.as_graph_def().versions.producer
    assert {found.producer for found in summaries.values()} == {producer}


@pytest.mark.parametrize("kind", KINDS)
def test_inputs(kind, summaries, training_graph):
    found = {row.name: row for row in summaries[kind].inputs}
    assert list(found) == ["x:0", "y:0", "element:0", "element:1", "words:0"]
    for name, row in found.items():
        tensor = training_graph.graph.get_tensor_by_name(name)
        assert row.dtype == tensor.dtype.name
        assert list(row.shape) == tensor.shape.as_list()


def test_outputs(summary, training_graph):
    found = {row.name: row for row in summary.outputs}
    assert {"probs:0", "loss:0", "log_loss:0"} & set(found) == {"probs:0", "log_loss:0"}
    probabilities = training_graph.graph.get_tensor_by_name("probs:0")
    assert found["probs:0"].dtype == probabilities.dtype.name
    assert list(found["probs:0"].shape) == probabilities.shape.as_list()
    assert not [name for name in found if name.startswith(("gradients", "save", "Adam"))]


@pytest.mark.parametrize(
    "loss, is_output",
    [
        (lambda tf, y, label: tf.square(y - label), True),
        (lambda tf, y, label: -label * tf.math.log(y), True),
        (
            lambda tf, y, label: tf.nn.softmax_cross_entropy_with_logits(labels=label, logits=y),
            True,
        ),
        (lambda tf, y, label: tf.square(y - tf.tanh(y * 2)), False),  # no label: y goes on
        (lambda tf, y, label: tf.square(y + label), False),  # more like a bias or a mask
    ],
    ids=["squared-error", "log-likelihood", "cross-entropy", "no-label", "added"],
)
def test_what_is_compared_with_a_label_is_an_output(loss, is_output, graph, tf, tmp_path):
    v1 = tf.compat.v1
    x, label = (v1.placeholder(tf.float32, [None, 2], name=name) for name in ("x", "label"))
    y = tf.matmul(x, v1.get_variable("w", [2, 2]), name="y")
    tf.reduce_sum(loss(tf, y, label), name="loss")
    v1.train.export_meta_graph(str(tmp_path / "m.meta"))
    found = names(graphs.show(tmp_path / "m.meta").outputs)
    assert "loss:0" in found and ("y:0" in found) == is_output


def test_values_of_training_are_no_outputs(graph, tf, tmp_path):
    v1 = tf.compat.v1
    x = v1.placeholder(tf.float32, [None, 2], name="x")
    tf.multiply(v1.placeholder(tf.float32, [], name="rate"), 2.0, name="doubled")
    tf.add(tf.constant([1]), 1, name="of_constants")
    w = v1.get_variable("w", [2, 2])
    y = tf.matmul(x, w, name="y")
    (gradient,) = v1.gradients(y, w)
    v1.summary.scalar("norm", tf.norm(gradient, name="norm"))
    tf.add(tf.norm(gradient), tf.reduce_sum(y), name="penalized")
    v1.train.export_meta_graph(str(tmp_path / "m.meta"))
    assert names(graphs.show(tmp_path / "m.meta").outputs) == ["doubled:0", "penalized:0"]


def _clipped(tf, p, y):
    """The loss of Keras and tflearn."""
    p = p / tf.reduce_sum(p, -1, keepdims=True)
    return -tf.reduce_mean(y * tf.math.log(tf.clip_by_value(p, 1e-7, 1 - 1e-7)))


def _chosen(tf, p, y):
    """One of the rows that a label chooses, as of hard examples."""
    return tf.reduce_mean(tf.gather(tf.reshape(p, [-1]), tf.cast(tf.argmax(y, -1), tf.int32)))


#: What takes a probability: whether it is an output.
PROBABILITIES = {
    "a clipped loss": (_clipped, True),
    "a choice by the label": (_chosen, True),
    "weights behind it": (
        lambda tf, p, y: _clipped(tf, p @ tf.compat.v1.get_variable("v", [2, 2]), y),
        False,
    ),
    "weights behind a mask": (
        lambda tf, p, y: _clipped(tf, (p * y) @ tf.compat.v1.get_variable("v", [2, 2]), y),
        False,
    ),
}


@pytest.mark.parametrize("loss", ["mse", "categorical_crossentropy", "binary_crossentropy"])
def test_the_output_of_a_keras_model(loss, tf, tmp_path):
    keras = tf.keras if tf.__version__.startswith("1.") else pytest.importorskip("tf_keras")
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session():
        last = {"mse": None, "binary_crossentropy": "sigmoid"}.get(loss, "softmax")
        layers = [keras.layers.Dense(4, "relu", input_shape=(3,)), keras.layers.Dense(2, last)]
        model = keras.Sequential(layers)
        model.compile("adam", loss, metrics=["accuracy"])
        model.train_on_batch(np.ones([5, 3]), np.eye(2)[[0, 1, 1, 0, 1]])
        v1.train.export_meta_graph(str(tmp_path / "m.meta"))
    outputs = [row for row in graphs.show(tmp_path / "m.meta").outputs if row.shape != ()]
    assert outputs[0].op == {None: "BiasAdd"}.get(last, str(last).capitalize())
    assert not [row.name for row in outputs if "Adam" in row.name]


@pytest.mark.parametrize("case", PROBABILITIES)
def test_a_probability_that_a_loss_takes_is_an_output(case, graph, tf, tmp_path):
    build, is_output = PROBABILITIES[case]
    v1 = tf.compat.v1
    x = v1.placeholder(tf.float32, [None, 3], name="x")
    y = v1.placeholder(tf.float32, [None, 2], name="label")
    w = v1.get_variable("w", [3, 2])
    p = tf.nn.softmax(x @ w, name="p")
    loss = tf.add(build(tf, p, y), 0.1 * tf.nn.l2_loss(w), name="loss")
    v1.train.AdamOptimizer().minimize(loss)
    v1.train.export_meta_graph(str(tmp_path / "m.meta"))
    outputs = names(graphs.show(tmp_path / "m.meta").outputs)
    assert ("p:0" in outputs) == is_output
    assert outputs == ["p:0", "loss:0"] or not is_output


def test_updates_and_first_values_of_averages_are_no_outputs(graph, tf, tmp_path):
    """The model of slim: averages of batches in a branch, and of the weights."""
    v1 = tf.compat.v1
    v1.disable_control_flow_v2()
    x = v1.placeholder(tf.float32, [None, 2], name="x")
    flag = v1.placeholder(tf.bool, [], name="flag")
    w = v1.get_variable("w", [2, 2], use_resource=False)
    mean = v1.get_variable("moving_mean", [2], trainable=False, use_resource=False)
    batch = tf.reduce_mean(x, 0)

    def update():
        return v1.assign_sub(mean, (mean - batch) * 0.1, name="AssignMovingAvg")

    chosen = v1.cond(flag, update, lambda: v1.identity(mean))
    v1.add_to_collection("update_ops", chosen)
    with v1.control_dependencies([v1.Assert(v1.size(x) > 0, [v1.size(x)])]):
        tf.matmul(x, w, name="y")
    v1.cond(flag, lambda: w * 2, lambda: w * 3)  # that which reads it is gone
    v1.cond(v1.is_variable_initialized(w), lambda: v1.identity(w), lambda: w.initial_value)
    v1.train.ExponentialMovingAverage(0.9).apply([w])
    v1.train.export_meta_graph(str(tmp_path / "m.meta"))
    summary = graphs.show(tmp_path / "m.meta")
    assert names(summary.outputs) == ["y:0", "cond_1/Merge:0"]
    rows = {row.kind: row.names for row in summary.training}
    assert "moving_mean" in rows["updates of moving averages"]
    assert "optimizer slots" not in rows  # averages of weights are no state of an optimizer


def test_values_in_loops_and_branches_are_no_outputs(control_flow, graph, tf, tmp_path):
    v1 = tf.compat.v1
    x = v1.placeholder(tf.float32, [2], name="x")

    def body(i, a):
        tf.square(a, name="dead_end")
        return i + 1, a * v1.cond(tf.reduce_sum(a) > 1, lambda: a, lambda: -a)

    _, last = v1.while_loop(lambda i, a: i < 3, body, [0, x])
    tf.identity(v1.cond(tf.reduce_sum(x) > 1, lambda: last, lambda: -last), name="y")
    v1.train.export_meta_graph(str(tmp_path / "m.meta"))
    found = names(graphs.show(tmp_path / "m.meta").outputs)
    assert "y:0" in found and not [n for n in found if re.search("dead_end|switch|pred_id", n)]
    assert "while/Exit:0" not in found  # the number of turns
    with v1.Session() as session:
        session.run(found, {"x:0": [1.0, 2.0]})  # TensorFlow fetches all of them


def test_calls_of_a_saver_of_tf2_are_no_inputs_and_outputs(tf, tmp_path):
    graph = tf.compat.v1.GraphDef()
    for name, op in (("saving", "SaveV2"), ("serving", "Relu")):
        function = graph.library.function.add()
        function.signature.name = name
        function.node_def.add(name="op", op=op)
        graph.node.add(name=name + "_input", op="Placeholder").attr["dtype"].type = 7
        call = graph.node.add(name=name + "_call", op="StatefulPartitionedCall")
        call.input.append(name + "_input")
        call.attr["f"].func.name = name
    (tmp_path / "g.pb").write_bytes(graph.SerializeToString())
    summary = graphs.show(tmp_path / "g.pb")
    assert names(summary.inputs) == ["serving_input:0"]
    assert names(summary.outputs) == ["serving_call:0"]
    assert [row.calls for row in summary.functions] == [1, 1]


def test_a_saved_model_without_a_version(tf, tmp_path):
    """As some TF-Hub modules are."""
    from tensorflow.core.protobuf import saved_model_pb2

    saved = saved_model_pb2.SavedModel()
    saved.meta_graphs.add().graph_def.node.add(name="a", op="NoOp")
    (tmp_path / "saved_model.pb").write_bytes(saved.SerializeToString())
    assert graphs.show(tmp_path).kind == "SavedModel"


def test_signatures(summaries):
    (signature,) = summaries["SavedModel"].signatures
    assert (signature.name, signature.method) == (
        "serving_default",
        "tensorflow/serving/predict",
    )
    assert signature.inputs["image"][:3] == ("x:0", "float32", (8, 12, 12, 3))
    assert signature.outputs["probs"][:3] == ("probs:0", "float32", (8, 4))
    assert summaries["SavedModel"].tags == ["serve"]


@pytest.mark.parametrize("kind", ["MetaGraphDef", "SavedModel", "TF-Hub module"])
def test_variables_and_their_checkpoint(kind, summaries, training_graph):
    rows = {row.name: row for row in summaries[kind].variables}
    own = {variable.op.name: variable for variable in training_graph.variables}
    assert set(rows) == set(own)
    for name, variable in own.items():
        assert rows[name].shape == tuple(variable.shape.as_list()), name
        size = int(np.prod(rows[name].shape)) * variable.dtype.base_dtype.size
        assert (rows[name].dtype, rows[name].bytes) == (variable.dtype.base_dtype.name, size)
        assert rows[name].saved == "yes", name
    with training_graph.graph.as_default():
        trainable = {v.op.name for v in training_graph.graph.get_collection("trainable_variables")}
    assert {name for name, row in rows.items() if row.trainable} == trainable
    assert rows["conv/kernel/Adam"].slot == "Adam" and rows["conv/kernel"].slot == ""


def test_a_checkpoint_that_fits_in_part(training_graph, tmp_path):
    with checkpoints.open_checkpoint(training_graph.prefix) as ckpt:
        shapes = {"conv/kernel": [3, 3, 3, 5], "bn/beta": [5, 5]}
        other = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
        plan = checkpoints.plan(ckpt, drop="bn/gamma|bn/beta|conv/kernel", add=other)
        plan.apply(tmp_path / "other")
    path = training_graph.files["GraphDef"]
    saved = {v.name: v.saved for v in graphs.show(path, tmp_path / "other").variables}
    assert saved.pop("conv/kernel") == "shape [3, 3, 3, 5]" and saved.pop("bn/gamma") == "no"
    assert saved.pop("bn/beta") == "shape [5, 5]"
    assert set(saved.values()) == {"yes"}
    assert {v.saved for v in graphs.show(path).variables} == {""}


def test_a_prefix_and_a_folder_mean_the_graph_beside_the_checkpoint(training_graph, tmp_path):
    meta = training_graph.files["MetaGraphDef"]
    assert graphs.show(training_graph.prefix).path == meta
    for path in (meta, training_graph.prefix + ".index"):
        shutil.copy(path, str(tmp_path))
    assert graphs.show(tmp_path).path == str(tmp_path / "model.ckpt-7.meta")


def test_collections(summary, training_graph):
    own = {
        name: len(training_graph.graph.get_collection(name))
        for name in training_graph.graph.get_all_collection_keys()
        if isinstance(name, str) and not name.startswith("__")
    }
    found = {row.name: row.count for row in summary.collections}
    assert found == {name: own[name] for name in found}
    assert {"variables", "trainable_variables", "train_op", "rates", "steps"} <= set(found)


def test_what_only_trains(summary, training_graph):
    own = collections.Counter()
    for op in training_graph.graph.get_operations():
        own["gradients"] += op.name.startswith("gradients/")
        own["optimizer ops"] += op.type in ("ApplyAdam", "ResourceApplyAdam")
        own["queues"] += op.type == "FIFOQueueV2"
    found = {row.kind: row for row in summary.training}
    for kind, count in own.items():
        assert found[kind].count >= count > 0, kind  # bodies of functions, too
    assert found["batch normalization that trains"].names == ["bn/norm"]
    assert found["updates of moving averages"].names == ["bn/moving_mean"]
    assert found["dropout and noise"].names == ["dropout"]
    slots = [v for v in training_graph.variables if "/Adam" in v.name]
    assert found["optimizer slots"].count == len(slots) + 3  # beta powers, global step


def test_control_flow(summary, training_graph):
    own = collections.Counter(op.type for op in training_graph.graph.get_operations())
    flow = summary.control_flow
    loops = own["While"] + own["StatelessWhile"]
    if loops:
        assert sum(flow.v2.values()) == loops
        functions = training_graph.graph.as_graph_def().library.function
        assert {(row.name, row.nodes) for row in summary.functions} >= {
            (function.signature.name, len(function.node_def))
            for function in functions
            if "while" in function.signature.name
        }
    else:
        assert flow.v1["Switch"] == own["Switch"] and flow.loops == ["while/while_context"]


def test_what_cannot_leave(summaries, tf, tmp_path):
    rows = {row.op: row for row in summaries["MetaGraphDef"].obstacles}
    assert rows["PyFunc"].nodes == ["log_loss"]
    (table,) = [row for op, row in rows.items() if op.startswith("InitializeTable")]
    assert "words.txt" in table.reason
    rows = {row.op: row for row in summaries["SavedModel"].obstacles}
    (table,) = [row for op, row in rows.items() if op.startswith("InitializeTable")]
    assert table.reason.endswith("only the SavedModel has: assets/words.txt")
    graph = tf.compat.v1.GraphDef()
    graph.node.add(name="a/beams", op="GatherTree")
    graph.node.add(name="rotated", op="ImageProjectiveTransformV2")
    graph.library.function.add().node_def.add(name="in_function", op="Resampler")
    (tmp_path / "old.pb").write_bytes(graph.SerializeToString())
    rows = {row.op: row for row in graphs.show(tmp_path / "old.pb").obstacles}
    assert rows["GatherTree"].reason.endswith("tf.contrib.seq2seq")
    assert rows["Resampler"].nodes == ["in_function"]
    assert "ImageProjectiveTransformV2" not in rows  # TF 2 has it


def test_tags_choose_a_graph_of_several(graph, tf, tmp_path):
    v1 = tf.compat.v1
    builder = v1.saved_model.Builder(str(tmp_path / "two"))
    v1.get_variable("w", [2])
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        builder.add_meta_graph_and_variables(session, ["train"])
        v1.placeholder(tf.float32, [3], name="x")
        builder.add_meta_graph(["serve", "gpu"])
        builder.save()
    serving = graphs.show(tmp_path / "two")
    assert serving.tags == ["serve", "gpu"] and "[train]" in serving.notes[0]
    assert names(graphs.show(tmp_path / "two", tags=["gpu", "serve"]).inputs) == ["x:0"]
    assert names(graphs.show(tmp_path / "two", tags=["train"]).inputs) == []
    with pytest.raises(ArgumentError, match=r"\[serve, gpu\], \[train\]"):
        graphs.show(tmp_path / "two", tags=["tpu"])


def test_old_placeholders_of_no_shape_are_of_unknown_rank(tf, tmp_path):
    """Before version 24 of GraphDef a scalar and an unknown shape were the same."""
    for producer, shape in ((23, None), (24, ())):
        graph = tf.compat.v1.GraphDef()
        graph.versions.producer = producer
        node = graph.node.add(name="x", op="Placeholder")
        node.attr["dtype"].type = 1
        node.attr["shape"].shape.SetInParent()
        (tmp_path / "g.pb").write_bytes(graph.SerializeToString())
        (row,) = graphs.show(tmp_path / "g.pb").inputs
        assert row == ("x:0", "float32", shape, "Placeholder")


@pytest.mark.parametrize("seed", range(4))
def test_outputs_in_any_order_of_nodes(seed, tf, tmp_path):
    """A deep graph whose nodes a tool has sorted otherwise."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        h = v1.placeholder(tf.float32, [None, 4], name="x")
        for layer in range(12):
            h = tf.nn.relu(tf.matmul(h, v1.get_variable(f"w{layer}", [4, 4])), name=f"h{layer}")
        labels = v1.placeholder(tf.int64, [None], name="labels")
        hits = tf.cast(tf.equal(tf.argmax(h, 1), labels), tf.float32)
        tf.reduce_mean(hits, name="accuracy")
        graph_def = graph.as_graph_def()
    nodes = list(graph_def.node)
    expected = {tensor.name for tensor in shown(graph_def, tmp_path)}
    assert "h11:0" in expected
    if seed:
        random.Random(seed).shuffle(nodes)
    del graph_def.node[:]
    graph_def.node.extend(nodes if seed else nodes[::-1])
    assert {tensor.name for tensor in shown(graph_def, tmp_path)} == expected


def shown(graph_def, folder):
    (folder / "ordered.pb").write_bytes(graph_def.SerializeToString())
    return graphs.show(str(folder / "ordered.pb")).outputs
