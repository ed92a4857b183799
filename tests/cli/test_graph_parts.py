"""`graph extract` and `graph convert`: options, what is printed, exit codes."""

import json
import pathlib

import numpy as np
import pytest

from tfgraphtools import cli, graphs


@pytest.fixture
def frozen(tf, tmp_path, monkeypatch):
    """A folder with g.pb, which computes y = 2 x and a random z, and with samples of x."""
    v1 = tf.compat.v1
    with v1.Graph().as_default() as graph:
        x = v1.placeholder(tf.float32, [None, 4], name="x")
        tf.multiply(x, 2.0, name="y")
        tf.add(v1.random_normal([4]), x, name="z")
        (tmp_path / "g.pb").write_bytes(graph.as_graph_def().SerializeToString())
    np.savez(str(tmp_path / "s.npz"), x=np.ones([3, 4], "float32"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_extract(frozen, capsys):
    words = ["--outputs", "y", "--shape", "x=2,4", "--rename", "x=image", "--samples", "s.npz"]
    assert cli.main(["graph", "extract", "g.pb", "--out", "y.pb", *words]) == 2
    assert "the first axis holds the samples" in capsys.readouterr().err.lower()
    assert cli.main(["graph", "extract", "g.pb", "--out", "y.pb", *words[:-2]]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    header, row, ranges, written = out.splitlines()
    assert header.split() == ["output", "difference", "largest", "value", "relative"]
    assert row.split()[::3] == ["y", "0"] and written == "wrote y.pb: image -> y"
    assert [tensor.name for tensor in graphs.show("y.pb").inputs] == ["image:0"]


def test_names_may_be_separated_by_commas(frozen, capsys):
    words = ["--outputs", "y,x", "--inputs", "x", "--json"]
    assert cli.main(["graph", "extract", "g.pb", "--out", "y.pb", *words]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["outputs"] == {"y": "y:0", "x": "x:0"} and printed["path"] == "y.pb"
    assert printed["differences"][0]["relative"] == 0


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_difference_exits_with_1(options, frozen, capsys):
    words = ["graph", "extract", "g.pb", "--out", "z.pb", "--outputs", "z", *options]
    assert cli.main(words) == 1
    out, err = capsys.readouterr()
    assert "z" in out and err.count("\n") == 1 and "Nothing was written" in err
    assert "--tolerance" in err and not pathlib.Path("z.pb").exists()
    assert cli.main([*words, "--tolerance", "100"]) == 0


def test_convert(frozen, tf, capsys):
    words = ["graph", "convert", "g.pb", "--out", "y.tflite", "--outputs", "y", "--to", "tflite"]
    words.append("--select-tf-ops")  # of which the graph has none
    if tf.__version__.startswith("1."):
        assert cli.main(words) == 2
        assert "expected TensorFlow 2, got TensorFlow 1" in capsys.readouterr().err
        return
    assert cli.main([*words, "--samples", "s.npz"]) == 0
    assert capsys.readouterr().out.endswith("wrote y.tflite: x -> y\n")
    assert cli.main(words) == 2
    assert "--force" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, message",
    [
        (["--shape", "x"], "--shape: expected NAME=VALUE, got 'x'"),
        (["--shape", "x=1,a"], "--shape: expected sizes, ? for any, got x=1,a"),
        (["--shape", "x=-1,4"], "--shape: expected sizes, ? for any, got x=-1,4"),
        (["--rename", "x="], "--rename: expected NAME=VALUE, got 'x='"),
        (["--samples", "g.pb"], "--samples: expected a .npz of arrays, got g.pb"),
        (["--samples", "absent.npz"], "absent.npz"),
        (["--samples", "one.npy"], "--samples: expected a .npz of arrays, got one.npy"),
        (["--samples", "cut.npz"], "--samples: expected a .npz of arrays, got cut.npz"),
        (["--outputs", "yy"], "expected a tensor 'yy' of the graph"),
        (["--out", "absent/y.pb"], "mkdir -p"),
    ],
)
def test_mistakes(words, message, frozen, capsys):
    np.save("one.npy", np.ones(3))
    pathlib.Path("cut.npz").write_bytes(b"PK\x03\x04")
    assert cli.main(["graph", "extract", "g.pb", "--out", "y.pb", "--outputs", "y", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and message in err
    assert not pathlib.Path("y.pb").exists()
