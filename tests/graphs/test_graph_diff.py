"""`graphs.diff` and `graph diff`: structure, outputs, and the first tensor that differs."""

import json

import numpy as np
import pytest

from tfgraphtools import cli, errors, graphs


@pytest.fixture
def pair(tf, tmp_path):
    """``pair(factor, extra)``: the paths of two graphs, of which the second has other layers."""

    def written(name, factor, extra):
        v1 = tf.compat.v1
        with v1.Graph().as_default() as graph:
            x = v1.placeholder(tf.float32, [None, 3], name="x")
            flag = v1.placeholder(tf.bool, [], name="flag")
            with v1.name_scope("body/first/layer"):
                h = tf.multiply(x, 2.0, name="twice")
            with v1.name_scope("body/second"):
                h = tf.multiply(h, factor, name="scaled")
                h = tf.nn.relu(h, name="relu") if extra else h
            h = tf.cond(flag, lambda: h + 1, lambda: h - 1)
            tf.identity(h * 3, name="y")
            (tmp_path / name).write_bytes(graph.as_graph_def().SerializeToString())
        return str(tmp_path / name)

    return lambda factor=1.0, extra=False: (
        written("a.pb", 1.0, False),
        written("b.pb", factor, extra),
    )


def test_equal_graphs(pair):
    result = graphs.diff(*pair(), "y")
    assert result.are_equal and result.structure == [] and result.first is None


def test_the_first_tensor_that_differs(pair):
    result = graphs.diff(*pair(factor=1.01), "y")
    assert not result.are_equal and result.structure == []
    assert result.first.name == "body/second/scaled/y"  # the factor itself
    assert result.first.relative == pytest.approx(0.01, rel=1e-3)


def test_a_layer_more(pair):
    result = graphs.diff(*pair(extra=True), "y")
    assert result.structure == [("body/second", "Relu", 0, 1)]
    assert not result.are_equal and result.first.name not in ("x", "body/first/layer/twice")


def test_samples_alone(pair):
    samples = {"x": np.float32([[1, 2, 3]]), "flag": np.array(True)}
    assert graphs.diff(*pair(extra=True), "y", samples=samples).are_equal


def test_other_inputs(pair, tf, tmp_path):
    a, _ = pair()
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        tf.identity(v1.placeholder(tf.float32, [None, 3], name="z"), name="y")
        (tmp_path / "c.pb").write_bytes(graph.as_graph_def().SerializeToString())
    with pytest.raises(
        errors.ArgumentError, match="inputs of both graphs: expected x, flag, got z"
    ):
        graphs.diff(a, str(tmp_path / "c.pb"), "y")


def test_the_command(pair, capsys):
    a, b = pair(factor=1.5, extra=True)
    assert cli.main(["graph", "diff", a, a, "--outputs", "y"]) == 0
    assert "no difference" in capsys.readouterr().out
    assert cli.main(["graph", "diff", a, b, "--outputs", "y"]) == 1
    out = capsys.readouterr().out
    assert "body/second" in out and "first tensor that differs: body/second/scaled/y" in out
    assert cli.main(["graph", "diff", a, b, "--outputs", "y", "--json"]) == 1
    printed = json.loads(capsys.readouterr().out)
    assert printed["first"]["name"] == "body/second/scaled/y" and not printed["are_equal"]
    assert printed["structure"] == [{"scope": "body/second", "op": "Relu", "in_a": 0, "in_b": 1}]
