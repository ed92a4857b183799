"""A graph of TF 1.15 as a module of TF 2: outputs, gradients, training, saving."""

import pathlib

import numpy as np
import pytest
from graph_cases import CASES, close

from tfgraphtools import checkpoints, errors, graphs
from tfgraphtools.graphs.tf2 import resources

pytestmark = pytest.mark.usefixtures("eager")

STEPS = 100
TRAINED = ["fused_normalisation", "parts", "slim_normalisation"]  # the others: --all
LOOPS = ["loop", "recurrent"]  # of control flow v1: no gradient
BOTH = {"x": "x", "labels": "labels"}


@pytest.mark.parametrize("name", CASES)
def test_outputs(saved_graph, name):
    meta, expected = saved_graph(name)
    net = graphs.as_module(meta, "x", "y")
    if name != "normalisation_in_training":  # its Session trains in both
        close(net(expected["x"]), expected["y"])
    close(net(expected["x"], training=True), expected["y_training"])


def loss_of(net, expected):
    return net(x=expected["x"], labels=expected["labels"], training=True) + sum(net.losses)


@pytest.mark.parametrize("name", [name for name in CASES if name not in LOOPS])
def test_gradients(saved_graph, tf, name):
    meta, expected = saved_graph(name)
    net = graphs.as_module(meta, BOTH, "loss")
    with tf.GradientTape() as tape:
        loss = loss_of(net, expected)
    close(loss, expected["loss"])
    wanted = {key.partition("/")[2] for key in expected.files if key.startswith("gradient/")}
    names = {v.name.split(":")[0] for v in net.trainable_variables}
    assert names == wanted
    variables = [net.graph_variables[name] for name in sorted(wanted)]
    for name, gradient in zip(sorted(wanted), tape.gradient(loss, variables)):
        close(tf.convert_to_tensor(gradient), expected["gradient/" + name])


@pytest.mark.parametrize("name", LOOPS)
def test_no_gradient_of_loops_of_v1(saved_graph, tf, name):
    meta, expected = saved_graph(name)
    net = graphs.as_module(meta, BOTH, "loss")
    with tf.GradientTape() as tape, pytest.raises(LookupError, match="while loop of TF 1"):
        tape.gradient(loss_of(net, expected), net.trainable_variables)


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
@pytest.mark.parametrize(
    "name",
    [
        name if name in TRAINED else pytest.param(name, marks=pytest.mark.slow)
        for name in CASES
        if name not in LOOPS
    ],
)
def test_a_hundred_steps(saved_graph, tf, name, optimizer):
    meta, expected = saved_graph(name)
    net = graphs.as_module(meta, BOTH, "loss")
    train = tf.compat.v1.train  # Keras's Adam makes steps that are 2e-5 larger
    adam = train.AdamOptimizer(0.01, epsilon=1e-8)
    trainer = train.GradientDescentOptimizer(0.1) if optimizer == "sgd" else adam
    variables = net.trainable_variables

    @tf.function
    def gradients():
        with tf.GradientTape() as tape:
            loss = loss_of(net, expected)
        return tape.gradient(loss, variables)

    for _ in range(STEPS):
        trainer.apply_gradients(zip(gradients(), variables))
    for name, variable in net.graph_variables.items():
        close(variable, expected[f"{optimizer}/{name}"])


def test_variables_under_their_names(saved_graph):
    meta, expected = saved_graph("fused_normalisation")
    net = graphs.as_module(meta, BOTH, "loss")
    assert {"sgd/" + name for name in net.graph_variables} == {
        key for key in expected.files if key.startswith("sgd/")
    }
    assert {v.name for v in net.trainable_variables} == {
        name + ":0" for name in net.graph_variables if "moving" not in name
    }


def test_part_of_a_graph(saved_graph):
    """Neither variables, update ops nor losses of what the outputs do not need."""
    net = graphs.as_module(saved_graph("fused_normalisation")[0], "x", "conv/Conv2D")
    assert sorted(net.graph_variables) == ["conv/kernel"]
    net = graphs.as_module(saved_graph("perceptron")[0], {"h": "hidden/Tanh"}, "y")
    assert sorted(net.graph_variables) == ["logits/bias", "logits/kernel"] and net.losses == []


def test_losses(saved_graph):
    net = graphs.as_module(saved_graph("perceptron")[0], "x", "y")
    (loss,) = net.losses
    close(loss, 0.1 * (net.graph_variables["hidden/kernel"].numpy() ** 2).sum())


@pytest.mark.parametrize(
    "outputs, kind", [("y", None), (["y", "loss"], list), ({"a": "y", "b": "loss"}, dict)]
)
def test_structure_of_the_outputs(saved_graph, outputs, kind):
    meta, expected = saved_graph("perceptron")
    results = graphs.as_module(meta, BOTH, outputs)(expected["x"], labels=expected["labels"])
    if kind is None:
        close(results, expected["y"])
    else:
        assert type(results) is kind
        first = results["a"] if kind is dict else results[0]
        close(first, expected["y"])


def test_saved_as_saved_model_and_for_tf1(saved_graph, tf, tmp_path):
    meta, expected = saved_graph("perceptron")
    net = graphs.as_module(meta, "x", "y")
    net.graph_variables["logits/bias"].assign_add([1.0] * 4)
    y = net(expected["x"])
    assert np.abs(y - expected["y"]).max() > 1e-3
    tf.saved_model.save(net, str(tmp_path / "saved"), signatures=net.signatures)
    serve = tf.saved_model.load(str(tmp_path / "saved")).signatures["serving_default"]
    close(serve(x=tf.constant(expected["x"]))["y"], y)
    net.save_checkpoint(str(tmp_path / "model"))
    close(graphs.as_module(meta, "x", "y", str(tmp_path / "model"))(expected["x"]), y)
    with tf.compat.v1.Graph().as_default(), tf.compat.v1.Session() as session:
        tf.compat.v1.train.import_meta_graph(meta).restore(session, str(tmp_path / "model"))
        close(session.run("y:0", {"x:0": expected["x"]}), y)
    with pytest.raises(errors.DestinationError):
        net.save_checkpoint(str(tmp_path / "model"))


@pytest.mark.parametrize("kind", ["frozen", "saved_model"])
def test_other_files(saved_graph, tmp_path, kind):
    meta, expected = saved_graph("fused_normalisation")
    path = str(tmp_path / kind)
    write = checkpoints.to_frozen if kind == "frozen" else checkpoints.to_saved_model
    write(meta[: -len(".meta")], None, path, ["y"], ["x"])
    net = graphs.as_module(path, "x", "y")
    close(net(expected["x"]), expected["y"])
    assert bool(net.trainable_variables) == (kind == "saved_model")


@pytest.mark.parametrize("kind", ["prefix", "text", "saved_model.pb"])
def test_whatever_show_reads(saved_graph, tf, tmp_path, kind):
    meta, expected = saved_graph("perceptron")
    prefix = meta[: -len(".meta")]
    path = {"prefix": prefix, "text": str(tmp_path / "model.meta")}.get(kind)
    if kind == "text":
        with open(meta, "rb") as file:
            text = str(tf.compat.v1.MetaGraphDef.FromString(file.read()))
        (tmp_path / "model.meta").write_text(text)
    elif path is None:
        checkpoints.to_saved_model(prefix, None, str(tmp_path / "saved"), ["y"], ["x"])
        path = str(tmp_path / "saved" / "saved_model.pb")
    net = graphs.as_module(path, "x", "y", prefix if kind == "text" else None)
    close(net(expected["x"]), expected["y"])
    assert net.trainable_variables


def test_a_mode_that_is_an_input(tf, tmp_path):
    def build(v1):
        x = v1.placeholder(tf.float32, [None, 3], name="x")
        is_training = v1.placeholder(tf.bool, name="is_training")
        y = tf.cond(is_training, lambda: x - tf.reduce_mean(x, 0), lambda: x)
        mean, variance = tf.nn.moments(y, [0])
        tf.identity((y - mean) / variance, name="y")

    with pytest.raises(errors.GraphExportError, match="Leave is_training out of the inputs"):
        graphs.as_module(saved(tf, tmp_path, build), ["x", "is_training"], "y")


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        (("x", "z"), errors.GraphExportError, "'z'"),
        (("z", "y"), errors.GraphExportError, "'z'"),
        (("x", "loss"), errors.GraphExportError, "labels"),
        (("x", []), errors.GraphExportError, "at least one output"),
        (("x", "y", "nowhere"), errors.CheckpointNotFoundError, "nowhere"),
    ],
    ids=["output", "input", "missing-input", "no-outputs", "checkpoint"],
)
def test_mistakes(saved_graph, arguments, error, message):
    with pytest.raises(error, match=message):
        graphs.as_module(saved_graph("perceptron")[0], *arguments)


def test_training_that_needs_another_input(tf, tmp_path):
    """A rate of dropout is fed: it is an input of training alone."""
    v1, prefix = tf.compat.v1, str(tmp_path / "model")
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 3], name="x")
        w = v1.get_variable("w", [3, 2])
        h = v1.nn.dropout(x, rate=v1.placeholder(tf.float32, [], name="rate"))
        tf.matmul(h, w, name="y")
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, prefix)
        weights = session.run(w)
    ones = np.ones([4, 3], "float32")
    net = graphs.as_module(prefix + ".meta", "x", "y")
    close(net(ones), ones @ weights)
    with pytest.raises(errors.GraphExportError, match="rate"):
        net(ones, training=True)
    net = graphs.as_module(prefix + ".meta", ["x", "rate"], "y")
    close(net(ones, 0.5), ones @ weights)
    assert np.abs(net(ones, 0.5, training=True) - ones @ weights).max() > 1e-3


def saved(tf, folder, build):
    """Returns the .meta of a graph that TF 2 builds and saves."""
    v1, prefix = tf.compat.v1, str(folder / "model")
    with tf.Graph().as_default(), v1.Session() as session:
        build(v1)
        v1.get_variable("unused", [])  # a Saver needs one
        session.run(v1.global_variables_initializer())
        v1.train.Saver().save(session, prefix)
    return prefix + ".meta"


def test_a_read_after_a_write(tf, tmp_path):
    """A reference variable that is read behind a control dependency has its new value."""

    def build(v1):
        v = v1.get_variable("v", initializer=1.0, use_resource=False)
        with v1.control_dependencies([v1.assign_add(v, 10.0)]):
            tf.add(v.read_value(), 0.5, name="y")

    meta = saved(tf, tmp_path, build)
    net = graphs.as_module(meta, None, "y")
    assert [float(net()), float(net())] == [11.5, 21.5]
    with open(meta, "rb") as file:  # the order may be right by chance
        graph_def = tf.compat.v1.MetaGraphDef.FromString(file.read()).graph_def
    resources.detach(graph_def, meta)
    awaited = [list(n.input[1:]) for n in graph_def.node if n.op == "ReadVariableOp"]
    assert ["^AssignAdd"] in awaited
    assert float(net.graph_variables["v"]) == 21.0


@pytest.mark.parametrize("kind", ["ref", "resource"])
def test_a_mode_without_a_telling_name_is_an_input(kind, tf, tmp_path):
    """Its batch statistics are used and averaged in a branch that the input chooses."""

    def build(v1):
        if kind == "ref":
            v1.disable_control_flow_v2()
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        mean = v1.get_variable("mean", initializer=[0.0, 0.0], use_resource=kind == "resource")
        flag = v1.placeholder(tf.bool, [])
        batch, variance = tf.nn.moments(x, [0])
        variance = v1.cond(flag, lambda: variance, lambda: tf.ones([2]))

        def averaged():
            step = (mean.read_value() - batch) * 0.5
            update = mean.assign_sub(step) if kind == "resource" else v1.assign_sub(mean, step)
            with v1.control_dependencies([update]):
                return tf.identity(batch)

        chosen = v1.cond(flag, averaged, lambda: tf.identity(mean.read_value()))
        tf.divide(x - chosen, variance, name="y")

    net = graphs.as_module(saved(tf, tmp_path, build), ["x", "Placeholder"], "y")
    x = np.array([[1, 2], [5, 10]], "float32")
    close(net(x, False), x)
    assert net.graph_variables["mean"].numpy().tolist() == [0, 0]
    close(net(x, True, training=True), (x - x.mean(0)) / x.var(0))
    close(net.graph_variables["mean"], x.mean(0) / 2)
    close(net(x, False), x - x.mean(0) / 2)


def test_constants_that_await_an_input_and_a_variable(tf, tmp_path):
    def build(v1):
        x = v1.placeholder(tf.float32, [], name="x")
        v = v1.get_variable("v", initializer=2.0)
        with v1.control_dependencies([x, v]):
            tf.add(x * v, tf.constant(3.0), name="y")

    net = graphs.as_module(saved(tf, tmp_path, build), "x", "y")
    assert float(net(5.0)) == 13.0


def test_two_graphs_with_functions_of_one_name(tf, tmp_path):
    def build(v1):
        v1.enable_control_flow_v2()
        x = v1.placeholder(tf.float32, [], name="x")
        tf.identity(v1.cond(x > 0, lambda: x * 2.0, lambda: x), name="y")

    first = saved(tf, tmp_path, build)
    meta_graph = tf.compat.v1.MetaGraphDef.FromString(pathlib.Path(first).read_bytes())
    functions = meta_graph.graph_def.library.function
    (factor,) = [n for f in functions for n in f.node_def if n.op == "Const" and "mul" in n.name]
    factor.attr["value"].tensor.float_val[:] = [3.0]
    (tmp_path / "second.meta").write_bytes(meta_graph.SerializeToString())
    second = str(tmp_path / "second.meta")
    nets = [graphs.as_module(meta, "x", "y") for meta in (first, second)]
    assert [float(net(1.0)) for net in nets] == [2.0, 3.0]


@pytest.mark.parametrize("kind", ["table", "queue", "iterator"])
def test_other_state_is_refused(tf, tmp_path, kind):
    def build(v1):
        if kind == "table":
            keys = v1.lookup.KeyValueTensorInitializer(["a"], [1.0])
            y = v1.lookup.StaticHashTable(keys, -1.0).lookup(tf.constant(["a"]))
        elif kind == "queue":
            y = v1.FIFOQueue(2, [tf.float32], [[]]).dequeue()
        else:
            y = v1.data.make_one_shot_iterator(v1.data.Dataset.from_tensors(1.0)).get_next()
        tf.multiply(y, 2.0, name="y")

    meta = saved(tf, tmp_path, build)
    with pytest.raises(errors.GraphExportError, match="no state but variables"):
        graphs.as_module(meta, None, "y")


def test_mistakes_in_calls(saved_graph):
    net = graphs.as_module(saved_graph("perceptron")[0], BOTH, "loss")
    with pytest.raises(errors.ArgumentError, match="x, labels"):
        net(1.0)


@pytest.mark.parametrize(
    "values, words",
    [
        (np.array([0.5]), "float64 that it cannot hold"),
        (np.array([300]), "int64 that it cannot hold"),
        (np.array([1], "float32"), None),
        (np.array([255]), None),
        ([1, 2], None),
    ],
    ids="fraction too-large whole fits list".split(),
)
def test_values_that_an_input_cannot_hold(values, words, tf, tmp_path):
    def build(v1):
        tf.identity(v1.placeholder(tf.uint8, [None], name="x") + 0, name="y")

    net = graphs.as_module(saved(tf, tmp_path, build), "x", "y")
    assert net(tf.constant([True])).numpy().tolist() == [1]
    if words is None:
        assert net(values).numpy().tolist() == list(values)
        return
    with pytest.raises(errors.ArgumentError, match="input x: expected values of uint8.*" + words):
        net(values)
    with pytest.raises(errors.ArgumentError, match="tf.cast"):
        net(tf.constant(values))


def test_no_graph(tmp_path):
    (tmp_path / "x.pb").write_bytes(b"no graph")
    with pytest.raises(errors.DamagedCheckpointError, match="Pass a .meta"):
        graphs.as_module(str(tmp_path / "x.pb"), "x", "y")


def test_a_call_of_python_is_refused(tf, tmp_path):
    """In the process that built it, it would run; in any other it fails in the call."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None], name="x")
        v1.py_func(lambda value: value * 2, [x], tf.float32, name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    with pytest.raises(errors.GraphExportError, match=r"the Python process .* y \(PyFunc\)"):
        graphs.as_module(tmp_path / "g.pb", "x", "y")


@pytest.mark.parametrize("form", ["as_module", "as_keras_layer", "extract"])
def test_shapes_that_only_the_code_said(form, tf, tmp_path):
    """Those of ``set_shape`` are in no GraphDef, and TensorFlow imports no such op without them."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, None, name="x") * 2
        x.set_shape([2, 3])
        tf.identity(v1.parallel_stack([x, x]), name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    if form == "as_keras_layer":
        pytest.importorskip("keras")
    arguments = (tmp_path / "out.pb", "y") if form == "extract" else ("x", "y")
    with pytest.raises(errors.GraphExportError, match="g.pb: .*imports.*ParallelConcat.*Cut"):
        getattr(graphs, form)(tmp_path / "g.pb", *arguments)
