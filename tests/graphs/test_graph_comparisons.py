"""The runs with which a graph and its conversion are compared: they must see what differs."""

import numpy as np
import pytest

from tfgraphtools import errors, graphs
from tfgraphtools.graphs.converting import output_differences, random_inputs


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


def test_another_shape_has_no_tolerance():
    rows = output_differences.differences([{"y": np.ones(3)}], [{"y": np.ones(2)}])
    with pytest.raises(
        errors.DifferentOutputsError, match="The shape or dtype is another"
    ) as error:
        output_differences.require_equal("m", rows, 1.0)
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
