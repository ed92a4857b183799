"""`convert --write-draft`: a map for nets whose names say nothing, from graph and shapes."""

import json

import numpy as np
import pytest

from tfgraphtools import checkpoints, cli

#: The scopes of four layers in the order of computation, which is not that of their names.
SCOPES = ["q", "zeta", "b7", "out"]
SIZES = [3, 3, 3, 3, 2]
KERAS = """
import keras
def build():
    sizes = [3, 3, 3, 2]
    layers = [keras.layers.Dense(size, name=name) for size, name in zip(sizes, "wxyz")]
    return keras.Sequential([keras.Input((3,)), *layers])
"""
TORCH = """
import torch
class Net(torch.nn.Sequential):
    def __init__(self):
        super().__init__(*[torch.nn.Linear(3, size) for size in (3, 3, 3, 2)])
"""


def computed(x, arrays):
    for scope in SCOPES:
        x = x @ arrays[scope + "/w"] + arrays[scope + "/c"]
    return x


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Checkpoints of dense layers by hand: "m" with its graph, "n" without one, its biases "b"."""
    tf = pytest.importorskip("tensorflow").compat.v1
    monkeypatch.chdir(tmp_path)
    random, arrays = np.random.RandomState(0), {}
    with tf.Graph().as_default(), tf.Session() as session:
        variables = {}
        for scope, size, units in sorted(zip(SCOPES, SIZES, SIZES[1:])):
            with tf.variable_scope(scope):
                variables[scope] = [
                    tf.get_variable(name, initializer=random.randn(*shape).astype(np.float32))
                    for name, shape in (("w", (size, units)), ("c", (units,)))
                ]
        x = tf.placeholder(tf.float32, (None, 3))
        for scope in SCOPES:
            w, c = variables[scope]
            x = tf.matmul(x, w) + c
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver()
        saver.save(session, "m")
        arrays = {v.op.name: session.run(v) for v in tf.global_variables()}
    np.savez("n.npz", **{name.replace("/c", "/b"): array for name, array in arrays.items()})
    checkpoints.from_npz("n.npz", "n")
    (tmp_path / "of_keras.py").write_text(KERAS)
    (tmp_path / "of_torch.py").write_text(TORCH)
    return arrays


MODELS = {"torch": "of_torch.py:Net", "keras": "of_keras.py:build"}


def draft(source, to, *more):
    words = ["convert", source, "--to", to, "--model", MODELS[to], "--write-draft", "map.json"]
    assert cli.main(["ckpt", *words, *more]) == 0
    with open("map.json") as file:
        return json.load(file)


@pytest.fixture
def eager():
    pytest.importorskip("keras", "3", reason="Keras 3 needs TF 2.16 or newer")
    from tensorflow.python.eager import context

    with context.eager_mode():
        yield


@pytest.mark.parametrize("to", ["torch", "keras"])
def test_the_graph_says_the_order(folder, eager, capsys, to):
    pytest.importorskip(to)
    words = ["convert", "m", "--dry-run", "--to", to, "--model", MODELS[to]]
    assert cli.main(["ckpt", *words]) == 2  # no name agrees
    drafted = draft("m", to)
    assert [pair["from"] for pair in drafted["pairs"]] == [
        f"{scope}/{leaf}" for scope in SCOPES for leaf in ("w", "c")
    ]
    assert drafted["open"] == []
    assert {pair["confidence"] for pair in drafted["pairs"]} <= {"certain", "likely"}
    name = {"torch": "out.pt", "keras": "out.keras"}[to]
    assert cli.main(["ckpt", *words[:2], name, *words[3:], "--map", "map.json"]) == 0
    x = np.random.RandomState(1).randn(5, 3).astype(np.float32)
    if to == "torch":
        import torch

        net = torch.nn.Sequential(*[torch.nn.Linear(3, size) for size in (3, 3, 3, 2)])
        net.load_state_dict(torch.load(name))
        output = net(torch.from_numpy(x)).detach().numpy()
    else:
        import keras

        output = np.asarray(keras.models.load_model(name)(x))
    np.testing.assert_allclose(output, computed(x, folder), rtol=0, atol=1e-5)


def test_without_a_graph_it_is_a_guess(folder, capsys):
    pytest.importorskip("torch")
    drafted = draft("n", "torch")
    guesses = [pair for pair in drafted["pairs"] if pair["confidence"] == "a guess"]
    assert len(guesses) == 3 and {pair["reason"] for pair in guesses} == {
        "order of the names, and shapes"
    }


def test_what_is_left_has_candidates(folder, capsys):
    """A fifth layer that fits three of the model's."""
    pytest.importorskip("torch")
    arrays = {name.replace("/c", "/b"): array for name, array in folder.items()}
    arrays.update({"extra/w": np.ones((3, 3), "f"), "extra/b": np.ones(3, "f")})
    np.savez("more.npz", **arrays)
    checkpoints.from_npz("more.npz", "more")
    drafted = draft("more", "torch", "--keep", "1[.].*", "--rule", "q", "0")
    assert drafted["pairs"][0] == {
        "from": "q",
        "to": "0",
        "confidence": "certain",
        "reason": "the map",
    }
    assert {row["of"] for row in drafted["open"]} == {"checkpoint"} and len(drafted["open"]) == 2
    assert all("nothing of its shapes is left" in row["reason"] for row in drafted["open"])
    assert {row["name"] for row in drafted["open"]} < {"extra", "b7", "zeta"}


@pytest.mark.parametrize(
    "text, says",
    [
        ('{"pairs": []}', "expected a draft"),
        ('{"pairs": [{"from": "q"}]}', "expected a draft"),
        ('{"pairs": [{"from": "q", "to": "0"}, {"from": "q", "to": "1"}]}', "two pairs from 'q'"),
    ],
)
def test_a_draft_that_was_broken(folder, capsys, text, says):
    with open("map.json", "w") as file:
        file.write(text)
    words = ["convert", "m", "--dry-run", "--to", "torch", "--model", MODELS["torch"]]
    assert cli.main(["ckpt", *words, "--map", "map.json"]) == 2
    assert says in capsys.readouterr().err


def test_a_pair_without_a_target_is_left_open(folder, capsys):
    pytest.importorskip("torch")
    drafted = draft("m", "torch")
    drafted["pairs"][0]["to"] = None
    with open("map.json", "w") as file:
        json.dump(drafted, file)
    words = ["convert", "m", "--dry-run", "--to", "torch", "--model", MODELS["torch"]]
    assert cli.main(["ckpt", *words, "--map", "map.json"]) == 0  # the only fit is left for it
    assert "the only fit" in capsys.readouterr().out
