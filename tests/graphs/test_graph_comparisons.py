"""The runs with which a graph and its conversion are compared: they must see what differs."""

import numpy as np
import pytest

from tfgraphtools import errors, graphs
from tfgraphtools.graphs.comparing import corner_inputs, output_differences, random_inputs


def drawn(**inputs):
    """Returns the runs of the first attempt."""
    return next(random_inputs.attempts(inputs))


def test_no_two_inputs_are_alike():
    """A difference of two inputs would be 0 in every run."""
    for run in drawn(a=("float32", (None, 4)), b=("float32", (None, 4))):
        assert not (run["a"] == run["b"]).any()


@pytest.mark.parametrize("shape", [(), None], ids=["scalar", "unknown"])
def test_a_flag_takes_both_values(shape):
    """A branch that no run takes would not be compared."""
    runs = drawn(x=("float32", (2,)), flag=("bool", shape), other=("bool", shape))
    assert sorted(run["flag"].tolist() for run in runs) == [False, True]
    assert [run["flag"] != run["other"] for run in runs] == [True, True]


def test_ranks_of_an_input_of_unknown_shape():
    attempts = list(random_inputs.attempts({"x": ("float32", None)}))
    assert {attempt[0]["x"].ndim for attempt in attempts} == {0, 1, 2, 4}
    assert attempts[0][0]["x"].ndim == 1


@pytest.mark.parametrize(
    "values, words",
    [
        ([[0.0, 0.0], [0.0, 0.0]], "y: the original gives 0.0 alone"),
        ([[np.nan, np.nan]], "gives nan alone"),
        ([[1, 1], [1]], "gives 1 alone"),
        ([[]], "gives nothing"),
        ([[1.0, 1.0], [2.0]], None),
        ([[b"a", b"b"]], None),
    ],
    ids="zeros nan integers empty differs strings".split(),
)
def test_outputs_that_tell_nothing(values, words):
    notes = output_differences.untold([{"y": np.array(row)} for row in values])
    assert len(notes) == (words is not None)
    assert words is None or words in notes[0]


def compared(expected, actual, tolerance=1e-5, inputs="random numbers"):
    """Returns the rows of one run."""
    comparison = output_differences.Comparison(inputs, [{}], [{"y": expected}])
    return output_differences.differences([comparison], lambda _: {"y": actual}, tolerance)


def test_a_column_has_a_scale_of_its_own():
    """Scores beside boxes in pixels."""
    expected = np.array([[640.0, 0.9], [12.0, 0.3]])
    (row,) = compared(expected, expected * [1, 1.05])
    assert row.relative == pytest.approx(0.9 * 0.05 / (640 / 32))
    (row,) = compared(expected * [0.01, 1], expected * [0.01, 1.05])
    assert row.relative == pytest.approx(0.05)


@pytest.mark.parametrize("broken", [np.inf, -np.inf, np.nan])
def test_what_the_original_does_not_compute(broken):
    """At a corner, where the original overflows, the conversion may give anything."""
    expected = np.array([1.0, broken])
    corner = output_differences.CORNER + "all large"
    assert compared(expected, np.array([1.0, 3.0]), inputs=corner)[0].relative == 0
    assert compared(expected, np.array([1.0, 3.0]))[0].relative == np.inf
    assert compared(np.array([1.0, 3.0]), expected, inputs=corner)[0].relative == np.inf


def corners(whole_range=(), accepts=lambda run: True, **run):
    return list(corner_inputs.at_corners(run, accepts, whole_range))


def test_corners_keep_shapes_and_dtypes():
    run = {
        "x": np.ones([3, 4], "float16"),
        "n": np.arange(6, dtype="int8"),
        "b": np.zeros([5], "uint8"),
        "i": np.zeros([5], "int32"),
        "m": np.ones([3], bool),
    }
    drawn = corners(whole_range=("n", "b", "i"), **run)
    assert [words.split()[-1] for words, _ in drawn] == list(corner_inputs.CORNERS)
    for _, arrays in drawn:
        assert {k: (a.shape, a.dtype) for k, a in arrays.items()} == {
            k: (a.shape, a.dtype) for k, a in run.items()
        }
    assert min(arrays["n"].min() for _, arrays in drawn) == -127  # whose quotient by -1 is there
    assert max(arrays["b"].max() for _, arrays in drawn) == 255
    assert min(arrays["x"].min() for _, arrays in drawn) < -90


@pytest.mark.parametrize("count", [1, 2, 4, 6, 40])
def test_every_combination_of_flags(count):
    names = [f"f{i}" for i in range(count)]
    drawn = corners(**{name: np.asarray(False) for name in names})
    combinations = {tuple(bool(run[name]) for name in names) for _, run in drawn}
    assert len(drawn) == min(2**count, 16) and len(combinations) > len(drawn) * 0.7
    assert len(combinations) == len(drawn) or count > 4
    assert {(False,) * count, (True,) * count} <= combinations


def test_an_input_alone_where_the_graph_refuses_all():
    """Ids of a table are refused at corners; the numbers beside them are not."""
    run = {"ids": np.array([1, 2]), "x": np.ones(4, "float32")}
    drawn = corners(accepts=lambda run: run["ids"].min() >= 0 and run["ids"].max() < 8, **run)
    assert {words for words, _ in drawn} >= {"x large", "x signs", "x halves", "all zeros"}
    assert len({words for words, _ in drawn}) == len(drawn)
    assert all(run["ids"].max() < 8 for _, run in drawn)


@pytest.mark.parametrize(
    "use, is_any_size",
    [
        (lambda tf, n: n // 3, True),
        (lambda tf, n: tf.one_hot(n, 4), True),
        (lambda tf, n: tf.cast(tf.equal(n, 3), "float32"), True),
        (lambda tf, n: tf.one_hot([1], n), False),
        (lambda tf, n: tf.range(n), False),
        (lambda tf, n: tf.sequence_mask(n), False),
        (lambda tf, n: tf.zeros([n + 1]), False),
        (lambda tf, n: tf.tile([1], [n]), False),
        (lambda tf, n: tf.while_loop(lambda i: i < n, lambda i: [i + 1], [0]), False),
    ],
    ids="quotient class comparison depth range lengths shape multiples rounds".split(),
)
def test_sizes_have_no_extremes(use, is_any_size, tf):
    """A length of two thousand million would take all memory."""
    with tf.compat.v1.Graph().as_default() as graph:
        use(tf, tf.compat.v1.placeholder(tf.int32, [], name="n"))
        names = corner_inputs.of_any_size(graph.as_graph_def(), {"n": "n:0"})
    assert names == ({"n"} if is_any_size else set())


def test_another_shape_has_no_tolerance():
    rows = compared(np.ones(3), np.ones(2), tolerance=1.0)
    with pytest.raises(
        errors.DifferentOutputsError, match="The shape or dtype is another"
    ) as error:
        output_differences.require_equal("m", rows)
    assert "tolerance=" not in str(error.value)


@pytest.fixture
def graph(tf, tmp_path):
    """The path of a GraphDef, without attributes at their defaults, that has many outputs."""
    v1 = tf.compat.v1
    with v1.Graph().as_default():
        x = v1.placeholder(tf.float32, [None, 4], name="x")
        shapeless = v1.placeholder(tf.float32, name="shapeless")
        v1.placeholder(tf.uint8, [None], name="bytes")
        tf.identity(tf.reshape(shapeless, [-1, 4]) * 2, name="rows")
        tf.argmax(x, 1, name="best")
        tf.split(x, 2, 1, name="halves")
        tf.nn.relu(-tf.abs(x), name="dead")
        tf.no_op(name="nothing")
        tf.identity(tf.cast(v1.get_default_graph().get_tensor_by_name("bytes:0"), "int32"), "ints")
        queue = v1.FIFOQueue(2, tf.float32, [[4]], name="queue")
        tf.add(queue.dequeue(name="taken"), x, name="waits")
        dataset = v1.data.Dataset.from_tensors(np.ones(4, "float32"))
        tf.add(v1.data.make_one_shot_iterator(dataset).get_next(), x, name="iterates")
        tf.add(v1.random.normal([4], name="noise"), x, name="drawn")
        default = v1.placeholder_with_default(np.float32(2), [], name="scale")
        tf.multiply(x, default, name="scaled")
        meta = v1.train.export_meta_graph(strip_default_attrs=True)
        (tmp_path / "g.pb").write_bytes(meta.graph_def.SerializeToString())
    return str(tmp_path / "g.pb")


def test_an_output_of_one_value_is_told(graph, tmp_path):
    (note,) = graphs.extract(graph, tmp_path / "out.pb", "dead").changes
    assert note.startswith("dead: the original gives") and "samples" in note


def test_an_input_of_unknown_shape_stays_one(graph, tmp_path):
    """TensorFlow reads a shape that is not said as unknown, not as that of a scalar."""
    result = graphs.extract(graph, tmp_path / "out.pb", "rows")
    assert graphs.show(result.path).inputs[0].shape is None


def test_a_renamed_output_has_the_type_of_its_op(graph, tmp_path):
    result = graphs.extract(graph, tmp_path / "out.pb", "best", rename={"best": "label"})
    again = graphs.extract(result.path, tmp_path / "again.pb", "label")
    assert again.differences[0].largest > 0


@pytest.mark.parametrize(
    "outputs, options, error, words",
    [
        ("halves:2", {}, "GraphExportError", r"at most halves:1 of halves \(Split\), got halves:2"),
        ("dead", {"inputs": "halves:7"}, "GraphExportError", "at most halves:1"),
        ("nothing", {}, "GraphExportError", r"gives a tensor, got nothing \(NoOp\)"),
        ("waits", {}, "GraphExportError", r"got taken \(QueueDequeueV2\)"),
        ("iterates", {}, "GraphExportError", r"a run waits, got IteratorGetNext"),
        ("drawn", {}, "DifferentOutputsError", "noise/RandomStandardNormal draws random numbers"),
        ({"a": "best", "b": "dead"}, {"rename": {"a": "b"}}, "ArgumentError", "got b twice"),
        ("best", {"rename": {"best": "a b"}}, "ArgumentError", "letters, digits.*got 'a b'"),
        ("best", {"tolerance": float("nan")}, "ArgumentError", "a number from 0, got nan"),
        ("best", {"tolerance": -1}, "ArgumentError", "a number from 0, got -1"),
        ("best", {"samples": {"x": np.ones([0, 4])}}, "ArgumentError", "got an empty array"),
        ("best", {"samples": {"x": [["a"] * 4]}}, "ArgumentError", "values of float32, got <U1"),
        ("ints", {"samples": {"bytes": [0.5]}}, "ArgumentError", "float64 that uint8 cannot hold"),
        ("ints", {"samples": {"bytes": [300]}}, "ArgumentError", "that uint8 cannot hold"),
    ],
    ids="number cut none queue iterator noise taken name nan negative empty text share big".split(),
)
def test_refusals(outputs, options, error, words, graph, tmp_path):
    with pytest.raises(getattr(errors, error), match=words):
        graphs.extract(graph, tmp_path / "out.pb", outputs, **options)
    assert not (tmp_path / "out.pb").exists()


@pytest.mark.parametrize("to", ["onnx", "tflite"])
def test_an_input_with_a_default_is_fed(to, graph, tf, tmp_path):
    """It is a scalar, too."""
    if tf.__version__.startswith("1."):
        pytest.skip("TF 2 converts")
    if to == "onnx":
        pytest.importorskip("tf2onnx")
        pytest.importorskip("onnxruntime")
    result = graphs.convert(graph, tmp_path / "m", to, "scaled", ["x", "scale"])
    assert list(result.inputs) == ["x", "scale"] and result.differences[0].relative < 1e-5


def test_the_graph_that_serves(tf, tmp_path):
    """Of several in a SavedModel it is the one that is taken where no tags are named."""
    v1, save = tf.compat.v1, tf.compat.v1.saved_model
    builder = save.Builder(str(tmp_path / "saved"))
    for tags, factor in ((["train"], 2.0), (["serve"], 3.0)):
        with v1.Graph().as_default(), v1.Session() as session:
            x = v1.placeholder(tf.float32, [None], name="x")
            signature = save.predict_signature_def({"x": x}, {"y": x * factor})
            session.run(v1.get_variable("v", []).initializer)
            if factor == 2:
                builder.add_meta_graph_and_variables(session, tags, {"serving_default": signature})
            else:
                builder.add_meta_graph(tags, {"serving_default": signature})
    builder.save()
    samples = {"x": [5.0, 1.0]}
    for tags, largest in ((None, 15), (["serve"], 15), (["train"], 10)):
        result = graphs.extract(
            tmp_path / "saved", tmp_path / "g.pb", samples=samples, tags=tags, overwrite=True
        )
        assert result.differences[0].largest == largest
        assert len(result.changes) == (tags is None)
