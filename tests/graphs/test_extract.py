"""Parts of graphs as frozen graphs: what they compute, cuts, shapes, names, and refusals."""

import pathlib

import numpy as np
import pytest
from graph_cases import CASES, OF_V2, TRAINS, close

from tfgraphtools import errors, graphs
from tfgraphtools.checkpoints.graphs import cuts
from tfgraphtools.graphs.comparing import original_runs, random_inputs
from tfgraphtools.graphs.converting import large_constants


@pytest.fixture
def run(tf):
    """``run(extraction, arrays)``: what TensorFlow computes of the file."""

    def outputs(extraction, *arrays):
        graph_def = tf.compat.v1.GraphDef.FromString(pathlib.Path(extraction.path).read_bytes())
        with tf.compat.v1.Graph().as_default(), tf.compat.v1.Session() as session:
            tf.compat.v1.import_graph_def(graph_def, name="")
            feed = dict(zip(extraction.inputs.values(), arrays))
            return session.run(list(extraction.outputs.values()), feed)

    return outputs


def ops(tf, path):
    graph_def = tf.compat.v1.GraphDef.FromString(pathlib.Path(path).read_bytes())
    return [node.op for node in graph_def.node]


@pytest.mark.parametrize("name", CASES)
def test_outputs(name, saved_graph, run, tf, tmp_path):
    meta, expected = saved_graph(name)
    if tf.__version__.startswith("1.") and name in OF_V2:
        with pytest.raises(errors.GraphExportError, match="freeze under TF 2"):
            graphs.extract(meta, tmp_path / "g.pb", "y", "x")
        return
    kept = name == TRAINS
    result = graphs.extract(meta, tmp_path / "g.pb", "y", "x", keep_training=kept, fold=True)
    (y,) = run(result, expected["x"])
    close(y, expected["y"])


def test_differences_are_of_both_batches(saved_graph, tmp_path):
    (row,) = graphs.extract(saved_graph("perceptron")[0], tmp_path / "g.pb", "y").differences
    assert row.name == "y" and row.largest > 0 and row.relative < 1e-5


def test_a_cut_renamed(saved_graph, run, tmp_path):
    meta, expected = saved_graph("perceptron")
    names = {"x": "features", "hidden/Tanh": "codes"}
    first = graphs.extract(meta, tmp_path / "a.pb", "hidden/Tanh", "x", rename=names)
    assert (first.inputs, first.outputs) == ({"features": "features:0"}, {"codes": "codes:0"})
    second = graphs.extract(meta, tmp_path / "b.pb", "y", {"codes": "hidden/Tanh"})
    (codes,) = run(first, expected["x"])
    close(run(second, codes)[0], expected["y"])


def test_an_input_that_is_an_output(saved_graph, run, tmp_path):
    meta, expected = saved_graph("perceptron")
    result = graphs.extract(meta, tmp_path / "g.pb", ["x", "y"], "x", rename={"x": "a"})
    x, y = run(result, expected["x"])
    close(x, expected["x"])
    close(y, expected["y"])


def test_a_fixed_size_and_a_freed_one(saved_graph, run, tmp_path):
    meta, expected = saved_graph("perceptron")
    fixed = graphs.extract(meta, tmp_path / "a.pb", "y", "x", shapes={"x": [2, 5]})
    assert graphs.show(fixed.path).inputs[0].shape == (2, 5)
    close(run(fixed, expected["x"][:2])[0], expected["y"][:2])
    freed = graphs.extract(fixed.path, tmp_path / "b.pb", "y", shapes={"x": [None, 5]})
    assert graphs.show(freed.path).inputs[0].shape == (None, 5)
    close(run(freed, expected["x"])[0], expected["y"])


@pytest.fixture
def frozen(tf, tmp_path):
    """``frozen(build)``: the path of the GraphDef that a function of v1 and x builds."""

    def path(build, shape=(None, 4), deterministic=False):
        v1 = tf.compat.v1
        with v1.Graph().as_default() as graph:
            x = v1.placeholder(tf.float32, shape, name="x")
            tf.identity(build(v1, x), name="y")
            data = graph.as_graph_def().SerializeToString(deterministic=deterministic)
            (tmp_path / "frozen.pb").write_bytes(data)
        return str(tmp_path / "frozen.pb")

    return path


@pytest.mark.parametrize(
    "build, reason",
    [
        (lambda v1, x: v1.reshape(x, [8, -1]), "another|for one row|Input to reshape"),
        (lambda v1, x: x - v1.reduce_mean(x, 0), "another first row of y in a batch than alone"),
        (lambda v1, x: v1.reduce_sum(x, 0), "y of shape"),
        (lambda v1, x: v1.reduce_sum(x), "y of shape"),
    ],
    ids=["reshape", "mean-over-rows", "sum-over-rows", "sum"],
)
def test_a_batch_size_that_is_not_free(build, reason, frozen, tmp_path):
    path = frozen(build, [8, 4])
    with pytest.raises(errors.GraphExportError, match=reason):
        graphs.extract(path, tmp_path / "g.pb", "y", shapes={"x": [None, 4]})
    assert not (tmp_path / "g.pb").exists()


def checked(v1, x):
    """A graph with all that only copies, checks or prints."""
    with v1.control_dependencies(
        [v1.assert_less(x, 100.0), v1.Assert(v1.size(x) > 0, [v1.size(x)])]
    ):
        x = v1.identity(x * 2)
    x = v1.check_numerics(v1.Print(v1.stop_gradient(x), [x]), "x")
    with v1.control_dependencies([v1.group(v1.debugging.assert_non_negative(x * x))]):
        return v1.add(x, 1.0)


def test_debug_nodes_are_taken_out(frozen, run, tf, tmp_path):
    result = graphs.extract(frozen(checked), tmp_path / "g.pb", "y")
    left = set(ops(tf, result.path))
    assert left <= {"Placeholder", "Const", "Mul", "Add", "AddV2", "Identity"}
    x = np.arange(8, dtype="float32").reshape(2, 4)
    close(run(result, x)[0], x * 2 + 1)


def branches_and_loops(v1, x):
    """Copies in branches and loops, which decide where their constants run."""
    x = v1.cond(v1.reduce_sum(x) > 0, lambda: v1.identity(x) + 1, lambda: v1.identity(x) - 1)
    _, x = v1.while_loop(
        lambda i, h: i < 3, lambda i, h: (i + 1, v1.identity(v1.identity(h) * 2)), [0, x]
    )
    return v1.identity(x)


def checked_in_a_loop(v1, x):
    """A constant in a loop that awaits a check of what enters the loop."""
    v1.disable_control_flow_v2()

    def body(i, h):
        with v1.control_dependencies([v1.assert_less(x, 100.0)]):
            two = v1.constant(2.0)
        return i + 1, h * two

    return v1.while_loop(lambda i, h: i < 3, body, [0, x])[1]


def test_constants_stay_in_their_loop(frozen, run, tf, tmp_path):
    result = graphs.extract(frozen(checked_in_a_loop), tmp_path / "g.pb", "y")
    x = np.arange(8, dtype="float32").reshape(2, 4)
    close(run(result, x)[0], x * 8)
    assert not {"Assert", "Print"} & set(ops(tf, result.path))


def test_what_is_drawn_is_told(frozen, tmp_path):
    def build(v1, x):
        return x + v1.cast(v1.random_uniform([], 0, 9, "int32", seed=1, name="drawn"), x.dtype)

    result = graphs.extract(frozen(build), tmp_path / "g.pb", "y")
    assert result.changes == ["drawn stays: random in each call"]


def test_batch_statistics_that_an_input_chooses(frozen, run, tmp_path):
    """They stay with the input: nothing says that it is the mode."""

    def build(v1, x):
        mean, variance = v1.nn.moments(x, [0])
        flag = v1.placeholder("bool", [], name="flag")
        return v1.cond(flag, lambda: (x - mean) * variance, lambda: x + 1)

    result = graphs.extract(frozen(build), tmp_path / "g.pb", "y")
    x = np.arange(8, dtype="float32").reshape(2, 4)
    close(run(result, x, False)[0], x + 1)
    close(run(result, x, True)[0], (x - x.mean(0)) * x.var(0))


def test_batch_statistics_in_a_loop_are_refused(frozen, tmp_path):
    """A loop chooses nothing, though its values pass a Switch, too."""

    def build(v1, x):
        v1.disable_control_flow_v2()
        _, variance = v1.nn.moments(x, [0])
        return v1.while_loop(lambda i, h: i < 2, lambda i, h: (i + 1, h * 2), [0, variance])[1]

    with pytest.raises(errors.GraphExportError, match="statistics of the batch"):
        graphs.extract(frozen(build), tmp_path / "g.pb", "y")


def test_branches_and_loops_keep_theirs(frozen, run, tmp_path):
    result = graphs.extract(frozen(branches_and_loops), tmp_path / "g.pb", "y")
    for sign in (1, -1):
        x = np.full([2, 4], sign, "float32")
        close(run(result, x)[0], (x + sign) * 8)


@pytest.mark.parametrize(
    "name, folded",
    [("fused_normalisation", True), ("slim_normalisation", True), ("normalisation_by_hand", False)],
)
def test_folding(name, folded, saved_graph, run, tf, tmp_path):
    meta, expected = saved_graph(name)
    result = graphs.extract(meta, tmp_path / "g.pb", "y", "x", fold=True)
    assert any("folded into" in change for change in result.changes) == folded
    assert not any(op.startswith("FusedBatchNorm") for op in ops(tf, result.path))
    close(run(result, expected["x"])[0], expected["y"])


def shared_layer(v1, x):
    """A convolution whose output a batch norm and something else read, and shared weights."""
    x = v1.reshape(x, [-1, 2, 2, 1])
    w = v1.constant(np.arange(2, dtype="float32").reshape(1, 1, 1, 2) + 1)
    layers = [v1.nn.conv2d(x * (i + 1.0), w, 1, "SAME") for i in range(2)]
    numbers = [v1.constant([2.0, 3.0]) for _ in range(4)]
    norms = [v1.nn.fused_batch_norm(h, *numbers, is_training=False)[0] for h in layers]
    return norms[0] + norms[1] + layers[0]


def test_folding_where_another_reads_the_layer(frozen, run, tf, tmp_path):
    path = frozen(shared_layer)
    x = np.arange(8, dtype="float32").reshape(2, 4)
    plain = graphs.extract(path, tmp_path / "a.pb", "y")
    folded = graphs.extract(path, tmp_path / "b.pb", "y", fold=True)
    assert len(folded.changes) == 1
    close(run(folded, x)[0], run(plain, x)[0])


KINDS = [
    "MetaGraphDef", "MetaGraphDef as text", "GraphDef", "GraphDef as text", "event file",
    "SavedModel", "TF-Hub module",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file(kind, training_graph, run, tf, tmp_path):
    path = training_graph.files[kind]
    result = graphs.extract(
        path, tmp_path / "g.pb", "depthwise", "x", checkpoint=training_graph.prefix
    )
    x = np.random.RandomState(0).standard_normal([8, 12, 12, 3]).astype("float32")
    v1 = tf.compat.v1
    with v1.Session(graph=training_graph.graph) as session:
        saver = training_graph.graph.get_operation_by_name("save/restore_all")
        session.run(saver, {"save/Const:0": training_graph.prefix})
        expected = session.run("depthwise:0", {"x:0": x})
    close(run(result, x)[0], expected)


def test_the_outputs_of_a_signature(tf, tmp_path):
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2])
        y = v1.square(x)
        v1.saved_model.simple_save(session, str(tmp_path / "s"), {"image": x}, {"area": y})
    result = graphs.extract(tmp_path / "s", tmp_path / "g.pb")
    assert list(result.inputs) == ["image"] and list(result.outputs) == ["area"]


def python_call(v1, x):
    return v1.py_func(lambda value: value, [x], v1.float32)


def mutable_table(v1, x):
    from tensorflow.python.ops import lookup_ops

    table = lookup_ops.MutableHashTable(v1.int64, v1.float32, 0.0)
    return v1.cast(table.lookup(v1.cast(x, v1.int64)), v1.float32)


@pytest.mark.parametrize(
    "build, options, error, words",
    [
        (python_call, {}, "GraphExportError", r"calls of the Python process.*\(PyFunc\)"),
        (mutable_table, {}, "GraphExportError", "mutable ones: "),
        (lambda v1, x: x, {"outputs": "yy"}, "GraphExportError", "no node of that name.*mean y"),
        (lambda v1, x: x, {"outputs": None}, "GraphExportError", "likely ones are y:0"),
        (lambda v1, x: x, {"rename": {"a": "b"}}, "ArgumentError", "inputs and outputs: x, y, got"),
        (lambda v1, x: x, {"rename": {"y": "x"}}, "ArgumentError", "x, a node of the graph"),
        (lambda v1, x: x, {"shapes": {"a": [1]}}, "ArgumentError", "an input: x"),
        (lambda v1, x: x, {"shapes": {"x": [1]}}, "ArgumentError", "2 sizes, as [?],4, got 1"),
        (lambda v1, x: x, {"samples": {"a": [1]}}, "ArgumentError", "for each input: x, got a"),
        (lambda v1, x: x, {"samples": {"x": [[1]]}}, "ArgumentError", r"shape \[\?, 4\], got \[1"),
        (lambda v1, x: v1.reshape(x, [-1, 99]), {}, "GraphExportError", "the graph runs on, got"),
        (lambda v1, x: v1.random.normal([3]) + x[:, :3], {}, "DifferentOutputsError", "0 of|in y"),
    ],
    ids="python table output no-output rename taken shape rank samples sample run random".split(),
)
def test_refusals(build, options, error, words, frozen, tmp_path):
    options = {"outputs": "y", **options}
    with pytest.raises(getattr(errors, error), match=words):
        graphs.extract(frozen(build), tmp_path / "g.pb", **options)
    assert not (tmp_path / "g.pb").exists()


DAMAGED = """
import os, signal, sys
import numpy as np
from tfgraphtools import errors, graphs
data = open("frozen.pb", "rb").read()
for seed in range(40):
    if not os.fork():
        signal.alarm(60)
        random = np.random.RandomState(seed)
        damaged = bytearray(data)
        for place in random.randint(0, len(data), 3):
            damaged[place] = random.randint(0, 256)
        with open("damaged.pb", "wb") as file:
            file.write(bytes(damaged))
        code = 0
        try:
            graphs.extract("damaged.pb", "g.pb", "y", overwrite=True)
        except errors.TfgraphtoolsError:
            code = 1
        except BaseException as error:
            print(seed, repr(error), file=sys.stderr, flush=True)
            code = 2
        os._exit(code)
    print(os.wait()[1], flush=True)
"""


def test_damaged_files(frozen, this_server, tmp_path):
    """Each gives a graph that computes, or an error of this library.

    TensorFlow itself aborts at some, and a loop may have no end: each has a process. The order of
    a message's attributes is another in each process, unless it is written in order.
    """
    frozen(branches_and_loops, deterministic=True)
    (tmp_path / "job.py").write_text(DAMAGED)
    done = this_server.run(tmp_path, "job.py", seconds=300)
    statuses = [int(line) for line in done.checked().split()]
    assert len(statuses) == 40 and statuses.count(1 << 8) > 10
    assert statuses.count(2 << 8) == 0, done.err


def test_samples_are_run(frozen, tmp_path):
    """Numbers that a random draw would not be."""
    path = frozen(lambda v1, x: v1.where(x > 1e6, x, v1.zeros_like(x)))
    samples = {"x": np.full([3, 4], 2e6, "float32")}
    (row,) = graphs.extract(path, tmp_path / "g.pb", "y", samples=samples).differences
    assert row.largest == 2e6


def test_a_file_that_is_there(frozen, tmp_path):
    (tmp_path / "g.pb").write_bytes(b"old")
    path = frozen(lambda v1, x: x)
    with pytest.raises(errors.DestinationError):
        graphs.extract(path, tmp_path / "g.pb", "y")
    assert (tmp_path / "g.pb").read_bytes() == b"old"
    graphs.extract(path, tmp_path / "g.pb", "y", overwrite=True)


def test_a_table_is_filled_by_its_initializer(tf, tmp_path):
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph, v1.Session() as session:
        words = v1.placeholder(tf.string, [None], name="x")
        table = v1.lookup.StaticHashTable(v1.lookup.KeyValueTensorInitializer(["a"], [7]), -1)
        tf.identity(table.lookup(words), name="y")
        session.run(v1.tables_initializer())
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    options = {"samples": {"x": np.array(["a", "b"], object)}}
    result = graphs.extract(tmp_path / "g.pb", tmp_path / "e.pb", "y", **options)
    assert len(result.initializers) == 1
    with pytest.raises(errors.GraphExportError, match="numbers, which can be drawn"):
        graphs.extract(tmp_path / "g.pb", tmp_path / "f.pb", "y")


def test_a_shape_that_was_inferred(tf, tmp_path):
    """Files of TF 0.12 say the shape of a placeholder beside it alone."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        tf.identity(v1.placeholder(tf.float32, [None, 3], name="x"), name="y")
        graph_def = graph.as_graph_def(add_shapes=True)
    graph_def.versions.producer = 21
    del graph_def.node[0].attr["shape"]
    (tmp_path / "g.pb").write_bytes(graph_def.SerializeToString())
    result = graphs.extract(tmp_path / "g.pb", tmp_path / "out.pb", "y")
    assert graphs.show(tmp_path / "g.pb").inputs[0].shape == (None, 3)
    assert np.ndim(result.ranges["x"]) == 1 and result.differences[0].largest > 0
    with pytest.raises(errors.ArgumentError, match="2 sizes"):
        graphs.extract(tmp_path / "g.pb", tmp_path / "two.pb", "y", shapes={"x": [1, 3, 1]})


#: The inputs at which a graph is cut, and the shape that the placeholder of the first has.
CUT_SHAPES = {
    "computed": (["h"], (None, 3)),
    "a constant": (["w", "x"], (2, 3)),
    "a copy of one": (["w/read", "x"], (2, 3)),
    "of unknown rank": (["flat"], None),
}


@pytest.mark.parametrize("case", CUT_SHAPES)
def test_a_cut_input_has_the_shape_of_its_tensor(case, tf, tmp_path):
    inputs, expected = CUT_SHAPES[case]
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        w = tf.identity(tf.constant(np.eye(2, 3, dtype=np.float32), name="w"), name="w/read")
        h = tf.matmul(x, w, name="h")
        flat = tf.reshape(h, v1.placeholder(tf.int32, None, name="shape"), name="flat")
        tf.exp(flat if "flat" in inputs else h, name="y")
        path = tmp_path / "g.pb"
        path.write_bytes(graph.as_graph_def().SerializeToString())
    samples = {name: np.ones([2, 2] if name == "x" else [2, 3], np.float32) for name in inputs}
    graphs.extract(path, tmp_path / "out.pb", "y", inputs, samples=samples)
    shapes = {row.name: row.shape for row in graphs.show(tmp_path / "out.pb").inputs}
    (cut,) = [shape for name, shape in shapes.items() if name.startswith(inputs[0])]
    assert cut == expected


def test_an_input_beside_a_node_of_its_name(tf, tmp_path):
    """The placeholder that a cut makes is none that the graph has."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        h = tf.square(x, name="h")
        tf.identity(h * 2 + tf.identity(x * 0 + 5, name="h/input_0"), name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    result = graphs.extract(tmp_path / "g.pb", tmp_path / "out.pb", "y", ["h", "x"])
    assert result.inputs == {"h": "h/input_0_1:0", "x": "x:0"}


@pytest.mark.parametrize(
    "head, words",
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "git lfs pull"),
        (b"<!DOCTYPE html><html>", "a web page, not the file itself"),
        (b"\x1f\x8b\x08\x00" + bytes(60), "a compressed file.*[Gg]unzip"),
    ],
    ids=["pointer", "page", "gzip"],
)
def test_a_file_that_is_no_graph(head, words, tmp_path):
    (tmp_path / "g.pb").write_bytes(head)
    with pytest.raises(errors.DamagedCheckpointError, match=words):
        graphs.show(tmp_path / "g.pb")


def test_a_cut_is_compared_with_the_whole_graph(tf, tmp_path, monkeypatch):
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        h = tf.exp(x, name="h")
        tf.identity(h * 2 + x, name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    arguments = str(tmp_path / "g.pb"), tmp_path / "out.pb", "y", {"body": "h", "image": "x"}
    result = graphs.extract(*arguments)
    assert result.ranges["body"][1] > 3 and result.differences[0].relative == 0

    def wrong(graph_def, inputs, place, shapes):
        fed = cut_at(graph_def, inputs, place, shapes)
        for node in graph_def.node:
            node.op = "Sub" if node.op == "AddV2" and "h" in inputs else node.op
        return fed

    cut_at = cuts.cut_at
    monkeypatch.setattr(cuts, "cut_at", wrong)
    with pytest.raises(errors.DifferentOutputsError, match="the whole graph at the cut"):
        graphs.extract(*arguments, overwrite=True)


def test_a_loop_that_does_not_end_is_stopped(tf, tmp_path, monkeypatch):
    """It counts by an input, which is 0 at corners."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        step = v1.placeholder(tf.float32, [], name="step")
        tf.identity(tf.while_loop(lambda n: n < 3, lambda n: n + tf.abs(step), [0.0]), name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    monkeypatch.setattr(original_runs, "_CORNER_SECONDS", 1)
    result = graphs.extract(tmp_path / "g.pb", tmp_path / "out.pb", "y", "step")
    assert result.differences[0].relative == 0 and 0 < min(map(abs, result.ranges["step"]))

    zero = [{"step": np.float32(0)}]
    monkeypatch.setattr(original_runs, "_MOST_SECONDS", 1)
    monkeypatch.setattr(random_inputs, "attempts", lambda described: [zero])
    with pytest.raises(errors.GraphExportError, match="a run that did not end within 1 s"):
        graphs.extract(tmp_path / "g.pb", tmp_path / "out.pb", "y", "step", overwrite=True)


@pytest.mark.parametrize("name", ["perceptron", "fused_normalisation"])
def test_constants_that_are_fed_are_those_of_the_file(name, saved_graph, tmp_path, monkeypatch):
    """A Session is fed large constants; the file is the same as where it has them all."""
    graphs.extract(saved_graph(name)[0], tmp_path / "frozen.pb", "y", "x")
    graphs.extract(tmp_path / "frozen.pb", tmp_path / "all.pb", "y")
    monkeypatch.setattr(large_constants, "_LARGE", 100)
    taken = []
    put_back = large_constants.put_back
    monkeypatch.setattr(
        large_constants, "put_back", lambda *both: (taken.extend(both[1]), put_back(*both))
    )
    graphs.extract(tmp_path / "frozen.pb", tmp_path / "fed.pb", "y")
    assert len(taken) > 1
    assert (tmp_path / "fed.pb").read_bytes() == (tmp_path / "all.pb").read_bytes()
