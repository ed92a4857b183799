"""Graphs of TF 1.15 as ONNX and TFLite models: outputs, quantization, and refusals by name."""

import copy
import math

import numpy as np
import pytest
from graph_cases import CASES, TRAINS, close

from tfgraphtools import errors, graphs
from tfgraphtools.graphs.formats import onnx_models, tflite_models

FORMATS = ["onnx", "tflite"]


@pytest.fixture(autouse=True)
def _tf2(tf):
    if tf.__version__.startswith("1."):
        pytest.skip("TF 2 converts")


@pytest.fixture
def convert(tmp_path):
    """``convert(path, to, ...)``: the `Conversion`, in a folder of the test."""

    def converted(path, to, outputs="y", inputs="x", **options):
        if to == "onnx":
            pytest.importorskip("tf2onnx")
            pytest.importorskip("onnxruntime")
        return graphs.convert(path, tmp_path / ("model." + to), to, outputs, inputs, **options)

    return converted


@pytest.fixture
def run(tf):
    """``run(conversion, *arrays)``: what the model's own runtime computes."""

    def outputs(conversion, *arrays):
        if conversion.path.endswith(".onnx"):
            import onnxruntime

            session = onnxruntime.InferenceSession(conversion.path)
            return session.run(list(conversion.outputs), dict(zip(conversion.inputs, arrays)))
        interpreter = tf.lite.Interpreter(conversion.path)
        details = interpreter.get_input_details()
        for row, array in zip(details, arrays):
            interpreter.resize_tensor_input(row["index"], array.shape)
        interpreter.allocate_tensors()
        for row, array in zip(details, arrays):
            interpreter.set_tensor(row["index"], array)
        interpreter.invoke()
        return [interpreter.get_tensor(row["index"]) for row in interpreter.get_output_details()]

    return outputs


@pytest.mark.parametrize("to", FORMATS)
def test_inputs_without_dimensions(to, tf, convert, run, tmp_path):
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x, rate = v1.placeholder(tf.float32, [3], "x"), v1.placeholder(tf.float32, [], "rate")
        tf.multiply(x, rate, name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    result = convert(tmp_path / "g.pb", to, inputs=["x", "rate"])
    arrays = dict(x=np.float32([1, 2, 3]), rate=np.asarray(np.float32(0.5)))
    close(run(result, *[arrays[name] for name in result.inputs])[0], [0.5, 1, 1.5])


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("name", CASES)
def test_outputs(name, to, saved_graph, convert, run):
    meta, expected = saved_graph(name)
    result = convert(meta, to, keep_training=name == TRAINS)
    assert result.differences[0].relative < 1e-5
    close(run(result, expected["x"])[0], expected["y"])


@pytest.mark.parametrize("to", FORMATS)
def test_a_part_with_other_names_and_sizes(to, saved_graph, convert, run):
    meta, expected = saved_graph("perceptron")
    names = {"x": "features", "y": "scores"}
    result = convert(meta, to, shapes={"x": [2, 5]}, rename=names)
    assert (list(result.inputs), list(result.outputs)) == (["features"], ["scores"])
    close(run(result, expected["x"][:2])[0], expected["y"][:2])


def test_opset(saved_graph, convert):
    meta = saved_graph("perceptron")[0]
    onnx = pytest.importorskip("onnx")
    versions = []
    for opset in (13, 17):
        model = onnx.load(convert(meta, "onnx", opset=opset, overwrite=opset == 17).path)
        versions.append(model.opset_import[0].version)
    assert versions == [13, 17]
    with pytest.raises(errors.ArgumentError, match="at most"):
        convert(meta, "onnx", opset=99)


@pytest.fixture
def large(tf, tmp_path):
    """A frozen graph with weights enough to be quantized, and samples of its input."""
    random = np.random.RandomState(0)
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 64], name="x")
        h = tf.nn.relu(tf.matmul(x, random.standard_normal([64, 64]).astype("float32")))
        tf.matmul(h, random.standard_normal([64, 8]).astype("float32"), name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    return str(tmp_path / "g.pb"), {"x": random.standard_normal([40, 64]).astype("float32")}


@pytest.mark.parametrize(
    "quantize, share, lowest", [("float16", 0.6, 1e-6), ("dynamic", 0.5, 1e-4), ("int8", 0.5, 1e-4)]
)
def test_quantization(quantize, share, lowest, large, convert, run, tmp_path):
    """The file is smaller, and the difference is that of fewer bits."""
    path, samples = large
    whole = convert(path, "tflite")
    size = len((tmp_path / "model.tflite").read_bytes())
    result = convert(
        path, "tflite", quantize=quantize, samples=samples, overwrite=True, tolerance=0.1
    )
    assert len((tmp_path / "model.tflite").read_bytes()) < share * size
    assert lowest < result.differences[0].relative < 0.1
    assert whole.differences[0].relative < 1e-5
    (y,) = run(result, samples["x"])
    assert y.dtype == np.float32


def test_integers_without_ranges(large, convert):
    with pytest.raises(errors.ArgumentError, match="to calibrate int8, got none, and no FakeQuant"):
        convert(large[0], "tflite", quantize="int8")


def test_integers_of_the_ranges_of_a_graph(tf, convert, run, tmp_path):
    """Each op computes in integers, with the ranges for which the graph was trained."""
    random = np.random.RandomState(0)
    weights = [random.uniform(-1, 1, shape).astype("float32") for shape in ([16, 16], [16, 4])]
    v1, quantized = tf.compat.v1, tf.quantization.fake_quant_with_min_max_args
    with v1.Graph().as_default() as graph, v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 16], name="x")
        first, second = (quantized(array, -1, 1, narrow_range=True) for array in weights)
        h = quantized(tf.nn.relu(tf.matmul(quantized(x, -4, 4), first)), 0, 6)
        y = tf.identity(quantized(tf.matmul(h, second), -8, 8), name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
        array = random.standard_normal([20, 16]).astype("float32")
        expected = session.run(y, {x: array})
    result = convert(tmp_path / "g.pb", "tflite", quantize="int8")
    assert np.abs(run(result, array)[0] - expected).max() < 2.1 * 16 / 255  # two steps of y
    rows = tf.lite.Interpreter(result.path).get_tensor_details()
    floats = [row["name"] for row in rows if row["dtype"] == np.float32]
    assert sorted(floats) == ["x", "y"]


def test_a_difference_above_the_tolerance(large, convert, tmp_path):
    path, samples = large
    with pytest.raises(errors.DifferentOutputsError, match="Nothing was written") as raised:
        convert(path, "tflite", quantize="int8", samples=samples, tolerance=1e-6)
    assert raised.value.differences[0].name == "y"
    assert not (tmp_path / "model.tflite").exists()


@pytest.fixture
def frozen(tf, tmp_path):
    """``frozen(build)``: the path of the GraphDef that a function of TensorFlow and x builds."""

    def path(build):
        v1 = tf.compat.v1
        with v1.Graph().as_default() as graph:
            x = v1.placeholder(tf.float32, [3, 3], name="x")
            with v1.name_scope("model"):
                y = build(tf, x)
            tf.identity(y, name="y")
            (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
        return str(tmp_path / "g.pb")

    return path


def lookup(tf, x):
    keys = tf.lookup.KeyValueTensorInitializer([1], [2.0], tf.int64, tf.float32)
    table = tf.compat.v1.lookup.StaticHashTable(keys, 0.0)
    return table.lookup(tf.cast(x, tf.int64))


def array(tf, x, op, **options):
    """A TensorArray of control flow v1 with the rows of x, read by an op."""
    handle, flow = tf.raw_ops.TensorArrayV3(size=3, dtype=tf.float32, element_shape=[3])
    indices = np.arange(3, dtype="int32")
    flow = tf.raw_ops.TensorArrayScatterV3(handle=handle, indices=indices, value=x, flow_in=flow)
    read = getattr(tf.raw_ops, op)
    return read(handle=handle, flow_in=flow, dtype=tf.float32, name="Read", **options)[0]


def open_array(tf, x):
    """A TensorArray that leaves the rank of its elements open."""
    handle, flow = tf.raw_ops.TensorArrayV3(size=3, dtype=tf.float32)
    flow = tf.raw_ops.TensorArrayScatterV3(
        handle=handle, indices=np.arange(3, dtype="int32"), value=x * 2, flow_in=flow
    )
    return tf.raw_ops.TensorArrayReadV3(handle=handle, index=1, flow_in=flow, dtype=tf.float32)


def test_elements_of_an_open_rank(frozen, convert, run):
    model = convert(frozen(open_array), "tflite")
    x = np.arange(9, dtype="float32").reshape(3, 3)
    close(run(model, x)[0], x[1] * 2)


def joined_array(tf, x):
    return array(tf, x, "TensorArrayConcatV3")


def reversed_array(tf, x):
    return array(tf, x, "TensorArrayGatherV3", indices=[2, 1, 0])


@pytest.mark.parametrize(
    "build, to, words",
    [
        (lambda tf, x: tf.math.betainc(x, x, x), "onnx", r"model/Betainc \(Betainc\)"),
        (lambda tf, x: tf.math.betainc(x, x, x), "tflite", r"model/Betainc \(Betainc\)"),
        (lambda tf, x: tf.linalg.qr(x)[0], "tflite", r"model/Qr \(Qr\)"),
        (lookup, "onnx", "tables that these ops fill: "),
        (lookup, "tflite", "tables that these ops fill: "),
        (joined_array, "tflite", r"model/Read \(TensorArrayConcatV3\).*TensorArrays alone"),
        (reversed_array, "tflite", "indices other than all of them"),
    ],
    ids="onnx tflite select onnx-table tflite-table joined-array reversed-array".split(),
)
def test_refusals_name_ops(build, to, words, frozen, convert, tmp_path):
    with pytest.raises(errors.GraphExportError, match=words):
        convert(frozen(build), to)
    assert not (tmp_path / ("model." + to)).exists()


@pytest.mark.parametrize(
    "options, words",
    [
        ({"to": "caffe"}, "onnx or tflite, got 'caffe'"),
        ({"to": "tflite", "opset": 13}, "None for TFLite, got 13"),
        ({"to": "onnx", "quantize": "int8"}, "None for ONNX, got 'int8'"),
        ({"to": "onnx", "select_tf_ops": True}, "False for ONNX, got True"),
        ({"to": "tflite", "quantize": "int4"}, "float16, dynamic, int8, got 'int4'"),
    ],
)
def test_options(options, words, tmp_path):
    with pytest.raises(errors.ArgumentError, match=words):
        graphs.convert("g.pb", tmp_path / "m", **options)


def test_ops_of_tensorflow(frozen, convert, run):
    """The model is written where it can be compared: TF 2.21's interpreter has no Flex delegate."""
    path = frozen(lambda tf, x: tf.cast(tf.cast(x, "float64") / 3, "float32"))
    with pytest.raises(errors.GraphExportError, match=r"RealDiv\) of float64.*--select-tf-ops"):
        convert(path, "tflite")
    x = np.linspace(-1, 1, 9).astype("float32").reshape(3, 3)
    try:
        result = convert(path, "tflite", select_tf_ops=True)
    except errors.GraphExportError as error:
        assert "Flex delegate" in str(error) and "such as 2.15" in str(error)
    else:
        close(run(result, x)[0], x / 3)


def test_without_tf2onnx(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "tf2onnx", None)
    with pytest.raises(errors.MissingExtraError, match="pip install tf2onnx onnxruntime"):
        graphs.convert("g.pb", tmp_path / "m", "onnx")


def test_lacking_ops_in_loops_and_layers(tf, tmp_path):
    """A gelu; and a softplus in a loop, whose frame takes no constants from outside."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [2, 4], name="x")
        gelu = 0.5 * x * (1 + tf.math.erf(x / np.sqrt(2).astype("float32")))
        was_v2 = v1.control_flow_v2_enabled()
        v1.disable_control_flow_v2()
        last = tf.while_loop(
            lambda i, h: i < 3, lambda i, h: (i + 1, tf.nn.softplus(h)), [0, gelu]
        )[1]
        if was_v2:
            v1.enable_control_flow_v2()
        tf.identity(gelu, name="gelu")
        tf.identity(last, name="last")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    for output in ("gelu", "last"):
        samples = {"x": np.float32([[1, -2, 0.5, 3]] * 2)}
        path = tmp_path / (output + ".tflite")
        graphs.convert(tmp_path / "g.pb", path, "tflite", output, samples=samples)


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("op, first", [("Exp", "scope/h"), ("Maximum", "m")])
def test_the_first_tensor_that_differs_is_named(op, first, to, tf, convert, monkeypatch, tmp_path):
    """What is written here is another op."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 5], name="x")
        h = tf.exp(x, name="scope/h")
        m = tf.maximum(tf.tanh(h * 0.1, name="t"), 0.5, name="m")
        tf.sigmoid(tf.sin(m, name="s") + x, name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    models = {"onnx": onnx_models, "tflite": tflite_models}[to]
    converted = models.converted

    def of_another_graph(part, *options):
        changed = copy.copy(part)
        changed.graph_def = copy.deepcopy(part.graph_def)
        for node in changed.graph_def.node:
            node.op = {"Exp": "Sin", "Maximum": "Minimum"}[op] if node.op == op else node.op
        return converted(changed, *options)

    monkeypatch.setattr(models, "converted", of_another_graph)
    with pytest.raises(
        errors.DifferentOutputsError, match=f"first tensor that differs is {first},"
    ):
        convert(tmp_path / "g.pb", to)


def test_ops_that_tflite_lacks_one_behind_the_other(tf, convert, run, tmp_path):
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None], name="x")
        tf.math.softplus(tf.math.erf(tf.sinh(x)), name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    x = np.linspace(-2, 2, 9).astype(np.float32)
    erf = np.vectorize(math.erf)(np.sinh(x))
    result = convert(tmp_path / "g.pb", "tflite")
    close(run(result, x)[0], np.log1p(np.exp(erf)))


#: What is quantized: the limits, how many bits, a narrow range.
QUANTIZED = {
    "0 to 1": (0.0, 1.0, 8, False),
    "both signs": (-0.3, 1.7, 8, False),
    "narrow": (-6.0, 6.0, 8, True),
    "above 0": (1.0, 5.0, 4, True),
    "nothing": (0.0, 0.0, 8, False),
}


@pytest.mark.parametrize("form", ["args", "vars", "vars_per_channel"])
@pytest.mark.parametrize("case", QUANTIZED)
def test_quantization_aware_graphs_as_onnx(case, form, tf, convert, run, tmp_path):
    """Bit for bit, ties too."""
    least, most, bits, is_narrow = QUANTIZED[case]
    if form == "args" and least == most:
        pytest.skip("TensorFlow refuses it")
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph, v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        limits = least, most
        if form == "vars_per_channel":
            limits = np.float32([least, 2 * least]), np.float32([most, most])
        function = getattr(tf.quantization, "fake_quant_with_min_max_" + form)
        y = tf.identity(function(x, *limits, bits, is_narrow), name="y")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
        array = np.stack([np.linspace(-7, 7, 999), np.arange(-499, 500) / 255], 1)
        array = array.astype(np.float32)
        expected = session.run(y, {x: array})
    np.testing.assert_array_equal(run(convert(tmp_path / "g.pb", "onnx"), array)[0], expected)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("name", ["less", "greater", "less_equal", "greater_equal", "equal"])
def test_large_integers_are_ordered_exactly(name, dtype, tf, convert, run, tmp_path):
    """They are equal as float32."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x, y = (v1.placeholder(dtype, [None], name=name) for name in "xy")
        tf.identity(getattr(tf.math, name)(x, y), name="z")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    result = convert(tmp_path / "g.pb", "onnx", "z", ["x", "y"])
    arrays = np.meshgrid(*[2**24 + np.arange(4), 2**24 + np.arange(4)])
    arrays = [array.ravel().astype(dtype) for array in arrays]
    assert (run(result, *arrays)[0] == getattr(np, name)(*arrays)).all()
    if name == "less":
        assert result.ranges["x"][1] >= 2**24
