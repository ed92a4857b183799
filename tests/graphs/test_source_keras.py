"""Graphs of TF 1.15 as source code of Keras 3, on its backends TensorFlow and PyTorch."""

import pathlib
import subprocess
import sys

import graph_cases
import numpy as np
import pytest
import source_writing
from source_writing import Runner, Written, recorded

from tfgraphtools import errors, graphs
from tfgraphtools.graphs.converting.extraction import PartOptions
from tfgraphtools.graphs.converting.source_graphs import SourceGraph
from tfgraphtools.graphs.source_code import simplifying
from tfgraphtools.graphs.source_code.ir import ir_reading
from tfgraphtools.graphs.source_code.keras import keras_layer_table, keras_target, keras_writer
from tfgraphtools.graphs.source_code.statements import expressions

BACKENDS = ("tensorflow", "torch")
#: What is refused -> the words by which.
REFUSED = dict(source_writing.REFUSED, volumes=r"Conv3D \(first/Conv3D\): no expression of Keras")
WRITTEN = sorted(set(graph_cases.SOURCES) - set(REFUSED))
#: Lines of ``model.py`` at most: readable code does not grow back.
LINES = 185
#: Lines that ``model.py`` has.
READABLE = {
    "perceptron": [
        '        self.hidden = keras.layers.Dense(6, activation="relu")',
        "        self.hidden.build((None, 8))",
        "class Model(keras.Model):",
    ],
    "encoder": [
        "        self.layers_ = [Layer() for _ in range(3)]",
        "        for layer in self.layers_:",
        "        self.LayerNorm = keras.layers.LayerNormalization(epsilon=1e-12)",
    ],
    "residual_network": [
        "        return ops.relu(self.BatchNorm(self.conv(x), training=False))",
        "    def __init__(self, filters):",
    ],
    "recurrent_with_lengths": [
        "        self.rnn = MaskedLSTM(5, return_sequences=True, return_state=True)"
    ],
    "recurrent_projected": [
        "    Its loop is one of Python: compile it where the number of steps is known.",
    ],
    "loop_until_small": [
        "    It decides by values in Python: run it eagerly, and do not compile it."
    ],
}
#: What the code of a graph with two modes has.
MODES = {
    "convolutions": ["FusedBatchNormalization(epsilon=0.001, momentum=0.9)", "Dropout(0.4)"],
    "keep_prob": ["keras.layers.Dropout(0.25)", "training=training"],
    "slim_updates_in_place": ["FusedBatchNormalization(", "momentum=0.8"],
    "keras": ["SpatialDropout2D(0.25)", "momentum=0.7"],
    "sequences": ["keras.layers.BatchNormalization(epsilon=0.001, momentum=0.6)"],
    "one_is_frozen": ["training=False)", "training=training"],
}


@pytest.fixture(scope="module", autouse=True)
def _keras(tf):
    pytest.importorskip("safetensors")
    if int(pytest.importorskip("keras").__version__.partition(".")[0]) < 3:
        pytest.skip("no Keras 3")


def text_of(folder, name):
    """Returns the text of ``model.py``, of a graph that infers, without a comparison."""
    path, outputs, _ = recorded(folder, name)
    graph = SourceGraph(path, outputs, None, PartOptions(None, None, False, {}, {}, None))
    with graph.export() as export, export.session() as session:
        program = ir_reading.read(session, graph.part, export.values)
    simplifying.simplify(program)
    return keras_writer.KerasModel(program).text


@pytest.fixture(scope="module")
def runners(request):
    """A function that returns the `Runner` of each backend for two folders."""
    started = {}

    def runner(backend, *folders):
        key = backend, *folders
        if key not in started:
            started[key] = Runner("source_keras_runs.py", *key)
        return started[key]

    yield runner
    for process in started.values():
        process.close()


@pytest.fixture(scope="module")
def written(tf1_sources, tmp_path_factory):
    """The `Written`."""
    return Written(tf1_sources, tmp_path_factory.mktemp("sources"), "keras")


@pytest.fixture(scope="module")
def folder_of_modes(tmp_path_factory):
    """The folder of all models with two modes: each folder has its processes."""
    return tmp_path_factory.mktemp("modes")


@pytest.mark.costly(in_ci=20)
@pytest.mark.parametrize("name", WRITTEN)
def test_outputs_and_gradients(name, written, runners, tf1_sources):
    assert not isinstance(written[name], Exception), written[name]
    assert written[name].lines <= LINES
    for backend in BACKENDS:
        folder = pathlib.Path(written[name].path).parent
        computed = runners(backend, tf1_sources, folder).computed(name)
        print(name, backend, written[name].lines, computed)
        assert "error" not in computed, computed
        assert computed["outputs"] <= 1e-5
        assert computed["gradients"] <= 1e-4
        assert (computed["compared"] > 0) == (name not in source_writing.WITHOUT_GRADIENTS)
        assert (computed["compiled"] or 0) <= 1e-5


@pytest.mark.parametrize("name", READABLE)
def test_readable(name, tf1_sources):
    lines = text_of(tf1_sources, name).splitlines()
    assert [line for line in READABLE[name] if line not in lines] == []
    assert max(map(len, lines)) <= 88
    assert not any("tensorflow" in line or "tfgraphtools" in line for line in lines)


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_op_scope_and_reason(name, tf1_sources, tmp_path):
    path, outputs, options = recorded(tf1_sources, name)
    with pytest.raises(errors.GraphExportError, match=REFUSED[name]):
        graphs.source(path, outputs, to="keras", out=tmp_path / "model", **options)
    assert list(tmp_path.iterdir()) == []


def test_a_loss_is_refused_by_name(tmp_path):
    with pytest.raises(errors.ArgumentError, match="written for torch only"):
        graphs.source("m.meta", "y", to="keras", out=tmp_path / "model", loss="loss")


def test_nothing_is_written_that_computes_something_else(tf1_sources, tmp_path, monkeypatch):
    monkeypatch.setitem(keras_layer_table.ACTIVATIONS, "Tanh", "softsign")
    path, outputs, _ = recorded(tf1_sources, "policy_and_value")
    with pytest.raises(errors.DifferentOutputsError, match="Nothing was written"):
        graphs.source(path, outputs, to="keras", out=tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_gradients_are_compared(tf1_sources, tmp_path, monkeypatch):
    """Finds a value that is right and whose gradient is not."""

    def detached(body, node):
        return expressions.call("ops.stop_gradient", right(body, node))

    right = keras_target.TEMPLATES["Mul"]
    monkeypatch.setitem(keras_target.TEMPLATES, "Mul", detached)
    path, outputs, _ = recorded(tf1_sources, "highway")
    with pytest.raises(errors.DifferentOutputsError, match="gradients within"):
        graphs.source(path, outputs, to="keras", out=tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.costly(in_ci=3)
@pytest.mark.parametrize("name", sorted(MODES))
def test_both_modes_are_those_of_tf1(name, tf1_modes, runners, folder_of_modes):
    out = folder_of_modes / name
    result = graphs.source(tf1_modes / name / "model.meta", "y", to="keras", out=out)
    text = (out / "model.py").read_text()
    print(result.changes, text)
    assert any("training=True is written" in change for change in result.changes)
    for line in MODES[name]:
        assert line in text
    arrays = np.load(str(tf1_modes / (name + ".npz")))
    count = len([key for key in arrays.files if key.startswith("average/")])
    for backend in BACKENDS:
        computed = runners(backend, tf1_modes, folder_of_modes).computed(name)
        assert "error" not in computed, computed
        assert max(computed[key] for key in ("eval", "train", "averages")) <= 1e-5, computed
        assert computed["compared"] == count


def test_training_mode_that_is_not_written_is_refused(tf1_modes, tmp_path):
    source = tf1_modes / "tower_twice" / "model.meta"
    result = graphs.source(source, "y", to="keras", out=tmp_path / "model")
    text = (tmp_path / "model" / "model.py").read_text()
    assert any("training mode is not written" in change for change in result.changes)
    assert "        if training:\n            raise NotImplementedError(" in text
    assert "keep training=False" in text


def test_ruff_has_nothing_to_say(tf1_sources, tmp_path):
    for name in READABLE:
        (tmp_path / (name + ".py")).write_text(text_of(tf1_sources, name))
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=E4,E7,E9,F,I,B"]
    done = subprocess.run([*command, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        pytest.skip("no ruff")
    assert done.returncode == 0, done.stdout
