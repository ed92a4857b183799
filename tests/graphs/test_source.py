"""Graphs of TF 1.15 as source code of PyTorch: outputs, gradients, refusals, determinism."""

import json
import os
import pathlib
import re
import subprocess
import sys

import graph_cases
import numpy as np
import pytest
import source_writing
from call_counts import counted_calls
from places import ROOT
from source_writing import Runner, Written, recorded

from tfgraphtools import errors, graphs
from tfgraphtools.graphs.source_code import simplifying
from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.torch import torch_target, torch_writer

#: What is refused -> the words by which.
REFUSED = dict(source_writing.REFUSED, volumes=r"Conv3D \(first/Conv3D\)")
WRITTEN = sorted(set(graph_cases.SOURCES) - set(REFUSED))
#: Lines of ``model.py`` at most: readable code does not grow back.
LINES = {
    "attention_decoder": 150,
    "encoder": 105,
    "language_model": 90,
    "recurrent_projected": 70,
    "recurrent_with_peepholes": 70,
    "residual_network": 170,
    "siamese": 40,
    "transformer": 150,
}
#: Lines that ``model.py`` has: cells read as in a textbook.
READABLE = {
    "attention_decoder": [
        "        outputs, (h, c) = self.rnn(self.embedding(source), lengths)",
        "    def forward(self, x, c, h, lengths, target):",
        "            h = torch.sigmoid(o) * torch.tanh(c)",
        "            attention = self.attention_layer(x)",
    ],
    "recurrent_with_peepholes": [
        "    def forward(self, x, lengths):",
        "        c = x.new_zeros((x.shape[0], 4))",
        "            done = (t >= lengths).unsqueeze(-1)",
        "            i, j, f, o = self.lstm_cell(",
        "            c = torch.where(done, c, new_c)",
    ],
    "recurrent_stacked": ["    def forward(self, x, h, c, h2, c2):"],
    "recurrent_projected": ["            c, h = self.lstm_cell(x[:, t], h, c)"],
    "gated_recurrent": ["            new_h = self.gru_cell(x[:, t], h)"],
    "gated_recurrent_of_all": ["        self.gru_cell = GruCell()"],
    "language_model": ["        q, k, v = self.c_attn(self.ln_1(x)).chunk(3, dim=-1)"],
    "variational_autoencoder": ["        mean, logvar = self.encoder(x)"],
    "generator_and_critic": ["        x, fake = self.gen(z)"],
    "residual_network": ["        x = self.block_1(self.block_0(self.root(x)))"],
}
#: Lines with a name such as x2, at most: the masked memory of a decoder has no other name.
NUMBERED = {"attention_decoder": 3}


@pytest.fixture(scope="module", autouse=True)
def _torch(tf):
    pytest.importorskip("torch")
    pytest.importorskip("safetensors")


@pytest.fixture(scope="module")
def written(tf1_sources, tmp_path_factory, request):
    """The `Written`, with what the tests that run will ask for."""
    folder = tmp_path_factory.mktemp("sources")
    sources = Written(tf1_sources, folder)
    sources.runner = Runner("source_runs.py", tf1_sources, folder)
    for item in request.session.items:
        if item.function is test_outputs_and_gradients:
            name = item.callspec.params["name"]
            if not isinstance(sources[name], Exception):
                sources.runner.computed(name)
    yield sources
    sources.runner.close()


@pytest.mark.costly(in_ci=40)
@pytest.mark.parametrize("name", WRITTEN)
def test_outputs_and_gradients(name, written):
    assert not isinstance(written[name], Exception), written[name]
    computed = written.runner.computed(name)
    print(name, written[name].lines, computed)
    assert "error" not in computed, computed
    assert computed["outputs"] <= 1e-5
    assert computed["gradients"] <= 1e-4
    assert (computed["compared"] > 0) == (name not in source_writing.WITHOUT_GRADIENTS)
    assert written[name].lines <= LINES.get(name, 155)


@pytest.mark.parametrize("name", READABLE)
def test_readable(name, written):
    lines = written.lines(name)
    assert [line for line in READABLE[name] if line not in lines] == []
    numbered = [line for line in lines if re.search(r"\bx\d", line)]
    assert len(numbered) <= NUMBERED.get(name, 0), numbered


def test_sizes_that_are_taken_for_equal_are_checked(written):
    """The memory of a decoder has one row for each target, and is not repeated for several."""
    lines = written.lines("attention_decoder")
    place = lines.index("        if source.shape[0] != target.shape[0]:")
    assert lines[place + 1].startswith("            raise ValueError(")


def test_what_was_not_compared_is_named(tf1_sources, tmp_path):
    path, outputs, _ = recorded(tf1_sources, "branch")
    samples = {"x": np.ones((2, 4), np.float32)}
    result = graphs.source(path, outputs, out=tmp_path / "model", samples=samples)
    assert any("no run took the branch of" in change for change in result.changes)
    path, outputs, options = recorded(tf1_sources, "attention_of_graph")
    result = graphs.source(path, outputs, out=tmp_path / "other", **options)
    assert result.changes == ["compared with one size alone of the axes behind the first one"]


def test_the_constants_of_a_frozen_graph_are_weights(tf1_sources, tmp_path):
    path, outputs, _ = recorded(tf1_sources, "perceptron")
    graphs.extract(path, tmp_path / "frozen.pb", outputs)
    result = graphs.source(tmp_path / "frozen.pb", outputs, out=tmp_path / "model")
    names = json.loads((tmp_path / "model" / "names.json").read_text())
    assert names["net.hidden.weight"] == {
        "constant": "net/hidden/kernel",
        "steps": [["transpose", [1, 0]]],
    }
    assert result.differences[0].relative < 1e-5


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_op_scope_and_reason(name, tf1_sources, tmp_path):
    path, outputs, options = recorded(tf1_sources, name)
    with pytest.raises(errors.GraphExportError, match=REFUSED[name]):
        graphs.source(path, outputs, out=tmp_path / "model", **options)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_that_computes_something_else(tf1_sources, tmp_path, monkeypatch):
    monkeypatch.setitem(torch_target.TEMPLATES, "Tanh", torch_target.TEMPLATES["Sigmoid"])
    path, outputs, _ = recorded(tf1_sources, "policy_and_value")
    with pytest.raises(errors.DifferentOutputsError, match="Nothing was written"):
        graphs.source(path, outputs, out=tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_gradients_are_compared(tf1_sources, tmp_path, monkeypatch):
    """Finds a value that is right and whose gradient is not."""

    def detached(body, node):
        return expressions.method(right(body, node), "detach")

    right = torch_target.TEMPLATES["Tanh"]
    monkeypatch.setitem(torch_target.TEMPLATES, "Tanh", detached)
    path, outputs, _ = recorded(tf1_sources, "policy_and_value")
    with pytest.raises(errors.DifferentOutputsError, match="gradients within"):
        graphs.source(path, outputs, out=tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_other_files_is_kept(tf1_sources, tmp_path):
    path, outputs, _ = recorded(tf1_sources, "perceptron")
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    for overwrite in (False, True):
        with pytest.raises(errors.DestinationError):
            graphs.source(path, outputs, out=folder, overwrite=overwrite)
    (folder / "mine.txt").unlink()
    graphs.source(path, outputs, out=folder, overwrite=True)
    assert sorted(file.name for file in folder.iterdir()) == [
        "model.py",
        "names.json",
        "test_model.npz",
        "test_model.py",
        "weights.safetensors",
    ]


@pytest.mark.parametrize(
    "options, words",
    [({"to": "jax"}, "torch"), ({"out": None}, "a folder to write")],
    ids=["target", "folder"],
)
def test_usage(options, words, tmp_path):
    with pytest.raises(errors.ArgumentError, match=words):
        graphs.source("m.meta", "y", **{"out": tmp_path / "model", **options})


def test_training_mode_that_is_not_written_is_refused(written):
    """A batch normalization that only infers has no momentum; without one there is one mode."""
    for name, is_refused in [("residual_network", True), ("perceptron", False)]:
        text = "".join(written.lines(name))
        assert ("NotImplementedError" in text) == is_refused
        assert "differ" not in text  # no check of sizes where nothing is taken for equal


def test_ruff_has_nothing_to_say(written):
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select=E4,E7,E9,F,I,B"]
    assert all(hasattr(written[name], "path") for name in ("encoder", "recurrent_both_ways"))
    folders = [result.path for result in written.results.values() if hasattr(result, "path")]
    done = subprocess.run([*command, *folders], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        pytest.skip("no ruff")
    assert done.returncode == 0, done.stdout
    lines = [
        line
        for folder in folders
        for line in pathlib.Path(folder, "model.py").read_text().splitlines()
    ]
    assert max(map(len, lines)) <= 88


#: Writes graphs, and prints what the files hold.
AGAIN = """
import pathlib, sys
from tfgraphtools import graphs
for path, outputs, out in zip(*[iter(sys.argv[1:])] * 3):
    graphs.source(path, outputs.split(","), out=out)
"""


@pytest.mark.slow
def test_hash_seeds_change_nothing(written, tf1_sources, tmp_path):
    names, arguments = ["encoder", "inception", "attention_decoder", "wide_and_deep"], []
    for name in names:
        path, outputs, _ = recorded(tf1_sources, name)
        arguments += [path, ",".join(outputs), str(tmp_path / name)]
    environment = dict(os.environ, PYTHONHASHSEED="11", PYTHONPATH=str(ROOT))
    subprocess.run([sys.executable, "-c", AGAIN, *arguments], env=environment, check=True)
    for name in names:
        for file in pathlib.Path(written[name].path).glob("*.*"):
            assert file.read_bytes() == (tmp_path / name / file.name).read_bytes(), file


def _chain(count):
    """Returns a `Program` of so many layers, one after the other."""
    source = ir_nodes.Node(ir_nodes.INPUT, "x").add_output([sizes.symbol("x", 0), 4], "float32")
    x = source
    for number in range(count):
        tensors = []
        for leaf, shape in [("kernel", (4, 4)), ("bias", (4,))]:
            node = ir_nodes.Node(ir_nodes.PARAMETER, f"block_{number}/{leaf}")
            array = np.zeros(shape, np.float32)
            node.attributes.update(variable=node.name, index=None, steps=(), array=array)
            tensors.append(node.add_output(shape, "float32"))
        for op, other in zip(["MatMul", "BiasAdd", "Tanh"], [*tensors, None]):
            inputs = [x] if other is None else [x, other]
            name = f"block_{number}/{op}"
            x = ir_nodes.made(op, name, inputs, x.dims, "float32", position=len(name) + number)
    return ir_nodes.Program("graph", {"x": source}, {"y": x})


def test_work_grows_with_the_graph_alone():
    counts = []
    for count in (40, 160):
        program = _chain(count)
        with counted_calls() as calls:
            simplifying.simplify(program)
            torch_writer.TorchModel(program)
        counts.append(calls[0])
    print(counts)
    assert counts[1] < 5 * counts[0]
