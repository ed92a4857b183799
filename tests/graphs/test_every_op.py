"""Graphs of one op in each form: equal to the original on ordinary and hostile inputs, or refused.

The inputs are drawn here: those with which the library compares are others.
"""

import itertools
import os
import pathlib
import tempfile

import numpy as np
import op_graphs
import pytest

from tfgraphtools import errors, graphs

pytestmark = pytest.mark.usefixtures("eager")

#: What is drawn for a dtype: small, negative, at the borders of the dtype, with ties.
NUMBERS = {
    "f": [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, 3.0, 1e-4, -7.3, 61.0, -60.0, 92.0, -130.0],
    "i": [0, -1, 1, 2, -3, 5, -7, 4, 100, -100, 3, 6, 2**24, 2**24 + 1, 2**24 + 3, -(2**30) - 1],
    "u": [0, 1, 2, 3, 5, 200, 255, 128, 4],
    "b": [True, False],
}


def placeholders(tf, inputs):
    v1 = tf.compat.v1
    return [v1.placeholder(*row, name=name) for row, name in zip(inputs, "xyz")]


def saved(tf, inputs, build, path):
    """Writes the GraphDef of a row."""
    with tf.compat.v1.Graph().as_default() as graph:
        tf.identity(build(*placeholders(tf, inputs)), name="out")
        with open(path, "wb") as file:
            file.write(graph.as_graph_def().SerializeToString())


def draws(inputs, largest=np.inf):
    """Yields {name: array}: of mixed numbers, for all inputs and one; of edges; of all flags."""
    random = np.random.RandomState(3)
    for count in (4, 7, len(NUMBERS["f"])):
        for alone in range(-1, len(inputs)):
            yield {
                name: _array(random, row, _numbers(*row, count if alone in (-1, i) else 3))
                for i, (name, row) in enumerate(zip("xyz", inputs))
            }
    edges = [_edges(*row, largest) for row in inputs]
    for place in range(max(map(len, edges))):
        yield {
            name: _array(random, row, numbers[place % len(numbers)])
            for name, row, numbers in zip("xyz", inputs, edges)
        }
    flags = [name for name, row in zip("xyz", inputs) if row == op_graphs.FLAG]
    for values in itertools.product([False, True], repeat=len(flags)) if flags else ():
        drawn = {name: _array(random, row, _numbers(*row, 7)) for name, row in zip("xyz", inputs)}
        yield {**drawn, **{name: np.asarray(value) for name, value in zip(flags, values)}}


#: Of an integer without axes, which is how often a loop runs, or a size.
COUNTS = [0, -1, 1, 2, 5]


#: Numbers that are huge for a dtype; 1e30 masks the logits of some models.
HUGE = {"float16": 1e3, "float32": 1e30, "float64": 1e30}
#: {op: the largest number for it}: TFLite reduces no larger angle; what a cast makes of a number
#: that the integer lacks depends on the machine; and the square of 1e30 overflows in the original.
LARGEST = {
    "standardize": 1e15,
    **dict.fromkeys(["sin", "cos", "tan"], 1e6),
    **{f"from_float_{dtype}": 2.0**31 - 128 for dtype in ("int32", "int64")},
    "from_float_uint8": 255,
}


def _numbers(dtype, shape, count):
    kind = np.dtype(dtype).kind
    if kind == "i" and not shape:
        return COUNTS
    most = np.iinfo(dtype).max if kind in "iu" else np.inf
    return [number for number in NUMBERS[kind] if abs(number) <= most][:count]


def _edges(dtype, shape, largest):
    """Returns lists of numbers, each drawn from by itself."""
    kind = np.dtype(dtype).kind
    if kind == "i" and not shape:
        return [COUNTS]
    if kind == "b":
        return [[False], [True]]
    if kind == "f":
        large, tiny = min(HUGE[dtype], largest), float(np.finfo(dtype).tiny)
        return [[0.0], [-0.0], [1.0], [large, -large, 1.0], [tiny, -tiny], [0.0, large, -1.0]]
    limits = np.iinfo(dtype)
    most, least = int(limits.max), int(limits.min)
    return [[0], [1], [most, most - 1, most // 2], [least, least + 1, least // 2, most]]


def _array(random, row, numbers):
    dtype, shape = row
    sizes = [4 if size is None else size for size in shape]
    return np.asarray(random.choice(np.array(numbers, dtype), sizes))


class Original:
    """The graph of a file in a Session; None where it does not run on the inputs."""

    def __init__(self, tf, path):
        v1 = tf.compat.v1
        graph = v1.Graph()
        with graph.as_default(), open(path, "rb") as file:
            v1.import_graph_def(v1.GraphDef.FromString(file.read()), name="")
        self._nodes = {op.name for op in graph.get_operations()}
        self._session, self._errors = v1.Session(graph=graph), (tf.errors.OpError, ValueError)

    def __call__(self, arrays):
        try:
            feed = {n + ":0": array for n, array in arrays.items() if n in self._nodes}
            return self._session.run("out:0", feed)
        except self._errors:
            return None


def onnx(tf, path, folder):
    runtime = pytest.importorskip("onnxruntime")
    pytest.importorskip("tf2onnx")
    graphs.convert(path, folder + "/m.onnx", "onnx", "out")
    session = runtime.InferenceSession(folder + "/m.onnx")
    known = {row.name for row in session.get_inputs()}
    return lambda arrays: session.run(
        ["out"], {name: array for name, array in arrays.items() if name in known}
    )[0]


def tflite(tf, path, folder):
    graphs.convert(path, folder + "/m.tflite", "tflite", "out")
    interpreter = tf.lite.Interpreter(folder + "/m.tflite")

    def run(arrays):
        details = {row["name"].split(":")[0]: row for row in interpreter.get_input_details()}
        for name, row in details.items():
            interpreter.resize_tensor_input(row["index"], arrays[name].shape)
        interpreter.allocate_tensors()
        for name, row in details.items():
            interpreter.set_tensor(row["index"], arrays[name])
        interpreter.invoke()
        return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])

    return run


def module(tf, path, folder):
    called = graphs.as_module(path, None, "out")
    with open(path, "rb") as file:
        graph_def = tf.compat.v1.GraphDef.FromString(file.read())
    needed = tf.compat.v1.graph_util.extract_sub_graph(graph_def, ["out"])
    known = {node.name for node in needed.node}
    return lambda arrays: called(
        **{name: tf.constant(array) for name, array in arrays.items() if name in known}
    )


def extract(tf, path, folder):
    graphs.extract(path, folder + "/m.pb", "out")
    return Original(tf, folder + "/m.pb")


FORMS = [onnx, tflite, module, extract]


def difference(expected, actual):
    """Returns the largest difference where the original is finite: relative to its largest."""
    expected, actual = np.asarray(expected), np.asarray(actual)
    if expected.shape != actual.shape or expected.dtype != actual.dtype:
        return f"{actual.dtype} {actual.shape} for {expected.dtype} {expected.shape}"
    if expected.dtype.kind not in "fc":
        return int((expected != actual).sum())
    expected, actual = expected.astype("float64"), actual.astype("float64")
    kept = np.isfinite(expected)
    largest = np.abs(expected[kept]).max() if kept.any() else 0
    with np.errstate(invalid="ignore"):
        gaps = np.abs(expected - actual)[kept]
    return float(np.nan_to_num(gaps, nan=np.inf).max() / max(largest, 1)) if gaps.size else 0.0


def outcome(tf, inputs, build, form, largest=np.inf):
    """Returns "equal", the sentence of a refusal, or what differs as ("wrong", inputs, by)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "g.pb")
        saved(tf, inputs, build, path)
        original = Original(tf, path)
        try:
            run = form(tf, path, folder)
        except errors.TfgraphtoolsError as error:
            return str(error)
        for arrays in draws(inputs, largest):
            expected = original(arrays)
            if expected is None:
                continue
            by = difference(expected, run(arrays))
            if isinstance(by, str) or not by <= (2e-3 if expected.dtype == "float16" else 1e-4):
                return "wrong", arrays, by
    return "equal"


PARTS = 40


def refusals():
    """Returns {(op, form): words of its refusal}: all other cells are equal to the original."""
    path = pathlib.Path(__file__).with_name("refused_ops.tsv")
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    return {(op, form): words for op, form, words in rows}


@pytest.mark.slow(in_ci=8)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("part", range(PARTS))
def test_equal_or_refused(part, form, tf):
    refused, problems = refusals(), []
    with tf.compat.v1.Graph().as_default():
        rows = list(op_graphs.graphs(tf).items())
    for name, (inputs, build) in rows[part::PARTS]:
        result = outcome(tf, inputs, build, form, LARGEST.get(name, np.inf))
        words = refused.get((name, form.__name__))
        if not (
            result == "equal" if words is None else isinstance(result, str) and words in result
        ):
            problems.append((name, result))
    assert not problems


#: Ops that tf2onnx writes otherwise.
OWN = (
    "floormod_by_-3 math.floordiv_int32 top_k_int32 one_hot_0 atan2 sparse_softmax_cross_entropy "
    "guarded_quotient where_rows".split()
)


@pytest.mark.parametrize("name", OWN)
def test_forms_of_our_own(name, tf):
    with tf.compat.v1.Graph().as_default():
        inputs, build = op_graphs.graphs(tf)[name]
    assert outcome(tf, inputs, build, onnx) == "equal"


def test_softplus_that_overflows(tf):
    with tf.compat.v1.Graph().as_default():
        inputs, build = op_graphs.graphs(tf)["nn.softplus"]
    assert outcome(tf, inputs, build, tflite) == "equal"


def test_each_refusal_is_of_a_cell(tf):
    with tf.compat.v1.Graph().as_default():
        names = set(op_graphs.graphs(tf))
    assert {name for name, _ in refusals()} <= names
    assert {form for _, form in refusals()} <= {form.__name__ for form in FORMS}
