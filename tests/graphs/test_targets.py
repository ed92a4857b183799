"""Each graph of TF 1.15 in each form that it can take: the same output, or a refusal by name."""

import importlib.util
import pathlib

import numpy as np
import pytest
from graph_cases import CASES, CONVERSIONS, TRAINS, close

from tfgraphtools import checkpoints, errors, graphs

pytestmark = pytest.mark.usefixtures("eager")

#: Cells that are not slow.
QUICK = {
    ("recurrent_both_ways", "tflite"),
    ("recurrent_of_v2", "tflite"),
    ("nested_loops", "onnx"),
    ("functions", "onnx"),
    ("beam_search", "frozen"),
}

_TABLE = r"table_init|string_to_index"
_BLOCKS = r"lstm_fused_cell/BlockLSTM \(BlockLSTM\)"

#: {(case, form): what the refusal says}; "" is any form.
REFUSED = {
    ("beam_search", "tflite"): r"truediv_1 \(RealDiv\) of float64",
    ("table_of_words", "onnx"): _TABLE,
    ("table_of_words", "tflite"): _TABLE,
    ("table_of_words", "module"): r"hash_table",
    ("table_of_words", "layer"): r"hash_table",
    ("recurrent_of_v2", "onnx"): r"onnxruntime runs, got .* fix the sizes of the inputs",
    ("recurrent_blocks", "onnx"): _BLOCKS,
    ("recurrent_blocks", "tflite"): _BLOCKS,
    ("linear_algebra", "onnx"): r"MatrixInverse \(MatrixInverse\)",
    ("linear_algebra", "tflite"): r"MatrixInverse \(MatrixInverse\)",
    ("attention_decoder", "tflite"): r"the TFLite interpreter runs, got Invalid tensor size",
    ("convolutions_of_space", "tflite"): r"max_pooling3d/MaxPool3D \(MaxPool3D\)",
    ("crops", "tflite"): r"CropAndResize \(CropAndResize\)",
    ("doubles", "tflite"): r"MatMul \(MatMul\)",
    ("halves", "tflite"): r"MatMul \(MatMul\)",
    ("ragged_words", "tflite"): r"CTCGreedyDecoder \(CTCGreedyDecoder\)",
}


def frozen(tf, meta, path, x, is_kept):
    """The outputs of the frozen graph in a Session."""
    result = graphs.extract(
        meta, path, "y", "x", samples={"x": x}, keep_training=is_kept, tolerance=1e-6
    )
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as session:
        v1.import_graph_def(v1.GraphDef.FromString(pathlib.Path(path).read_bytes()), name="")
        session.run(result.initializers)
        return session.run("y:0", {result.inputs["x"]: x})


def saved_model(tf, meta, path, x, is_kept):
    """The outputs of the SavedModel as TF 2 loads it."""
    prefix = meta[: -len(".meta")]
    checkpoints.to_saved_model(prefix, meta, path, ["y"], ["x"], keep_training=is_kept)
    signature = tf.saved_model.load(path).signatures["serving_default"]
    return signature(x=tf.constant(x))["y"]


def module(tf, meta, path, x, is_kept):
    return graphs.as_module(meta, "x", "y")(x, training=is_kept)


def layer(tf, meta, path, x, is_kept):
    return graphs.as_keras_layer(meta, "x", "y")(x, training=is_kept)


def onnx(tf, meta, path, x, is_kept):
    pytest.importorskip("tf2onnx")
    runtime = pytest.importorskip("onnxruntime")
    graphs.convert(meta, path, "onnx", "y", "x", samples={"x": x}, keep_training=is_kept)
    return runtime.InferenceSession(path).run(["y"], {"x": x})[0]


def tflite(tf, meta, path, x, is_kept):
    shapes = {"x": x.shape}
    options = {"samples": {"x": x}, "keep_training": is_kept, "shapes": shapes}
    graphs.convert(meta, path, "tflite", "y", "x", **options)
    interpreter = tf.lite.Interpreter(path)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
    interpreter.invoke()
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])


FORMS = [frozen, saved_model, module, layer, onnx, tflite]
CELLS = [
    pytest.param(
        name,
        form,
        id=f"{name}-{form.__name__}",
        marks=[] if (name, form.__name__) in QUICK else pytest.mark.slow,
    )
    for name in CASES + CONVERSIONS
    for form in FORMS
]


@pytest.mark.parametrize("name, form", CELLS)
def test_a_form(name, form, tf, tmp_path, request):
    if form is layer and importlib.util.find_spec("keras") is None:
        pytest.skip("no Keras 3")
    folder = request.getfixturevalue("tf1_graphs" if name in CASES else "tf1_conversions")
    expected = np.load(str(folder / (name + ".npz")))
    meta, path = str(folder / name / "model.meta"), str(tmp_path / "result")
    arguments = tf, meta, path, expected["x"], name == TRAINS
    words = REFUSED.get((name, form.__name__), REFUSED.get((name, "")))
    if words is None:
        rounding = 2e-3 if expected["y"].dtype == np.float16 else 1e-5
        close(form(*arguments), expected["y"], rounding)
        return
    with pytest.raises(errors.GraphExportError, match=words):
        form(*arguments)
    assert not pathlib.Path(path).exists()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["as_module", "as_keras_layer"])
@pytest.mark.parametrize("name", CONVERSIONS)
def test_gradients(name, kind, tf, request):
    """The gradients of variables equal those of TF 1.15's Session, where it has any."""
    folder = request.getfixturevalue("tf1_conversions")
    expected = np.load(str(folder / (name + ".npz")))
    wanted = {key.partition("/")[2] for key in expected.files if key.startswith("gradient/")}
    refused = {(name, ""), (name, "module")}.intersection(REFUSED)
    if not wanted or refused:
        pytest.skip("no gradient to compare: no variable, a loop of v1, or no module")
    net = getattr(graphs, kind)(str(folder / name / "model.meta"), "x", "y")
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(net(expected["x"]) ** 2)
    variables = [net.graph_variables[variable] for variable in sorted(wanted)]
    slopes = {variable: expected["gradient/" + variable] for variable in sorted(wanted)}
    # Some are 0 but for their rounding, as those of a bias in front of a normalisation.
    largest = max(np.abs(slope).max() for slope in slopes.values())
    rounding = 2e-3 if expected["y"].dtype == np.float16 else 1e-5
    for slope, wanted_slope in zip(tape.gradient(total, variables), slopes.values()):
        actual = tf.convert_to_tensor(slope).numpy()
        np.testing.assert_allclose(actual, wanted_slope, rtol=0, atol=rounding * largest)


#: Of a hundred steps. The moments of "halves" are float16.
ROUNDING_OF_STEPS = {"halves": 1e-2}


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
@pytest.mark.parametrize("name", CONVERSIONS)
def test_a_hundred_steps(name, optimizer, tf, request):
    """Variables after a hundred steps of the module equal those of TF 1.15's Session.

    Keras's Adam takes 1 - beta_2 in float64, TF 1's in float32: its steps are 2e-5 larger.
    """
    folder = request.getfixturevalue("tf1_conversions")
    expected = np.load(str(folder / (name + ".npz")))
    if not any(key.startswith("sgd/") for key in expected.files) or (name, "module") in REFUSED:
        pytest.skip("nothing to train: no variable, a loop of v1, or no module")
    net = graphs.as_module(str(folder / name / "model.meta"), "x", "y")
    # A smaller epsilon makes steps of 0.01 of gradients that are 0 but for their rounding.
    train = tf.compat.v1.train
    adam = train.AdamOptimizer(0.01, epsilon=1e-3)
    trainer = train.GradientDescentOptimizer(0.01) if optimizer == "sgd" else adam
    variables = [v for v in net.trainable_variables if expected_gradient(v, expected)]

    @tf.function
    def slopes():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(expected["x"]) ** 2)
        return tape.gradient(loss, variables)

    for _ in range(100):
        trainer.apply_gradients(zip(slopes(), variables))
    for variable in variables:
        key = f"{optimizer}/{variable.name.partition(':')[0]}"
        close(variable, expected[key], ROUNDING_OF_STEPS.get(name, 1e-5))


def expected_gradient(variable, expected):
    """Tells whether TF 1.15 has a gradient of the variable."""
    return "gradient/" + variable.name.partition(":")[0] in expected.files
