"""Training graphs of TF 1.15, exported: the inference graph's own predictions are the reference."""

import os

import numpy as np
import pytest
import training_graphs

from tfgraphtools import checkpoints
from tfgraphtools.errors import GraphExportError

CASES = sorted(set(training_graphs.CASES) - set(training_graphs.REFUSED))


@pytest.fixture(scope="module")
def trained(tmp_path_factory, tf1_server):
    """The folder of the graphs, and {case: predictions}."""
    folder = tmp_path_factory.mktemp("training-graphs")
    script = os.path.abspath(training_graphs.__file__)
    tf1_server.run(folder, script, folder).checked()
    with np.load(str(folder / "predictions.npz")) as saved:
        return folder, {case: saved[case] for case in saved.files}


def exported(trained, case, destination, write=checkpoints.to_frozen, **options):
    prefix = str(trained[0] / (case + ".ckpt"))
    return write(prefix, prefix + ".meta", destination, ["logits"], **options)


def outputs(v1, export, case, feed=()):
    """What a frozen graph gives."""
    config = v1.ConfigProto()
    # oneDNN's layer normalisation has an epsilon of its own, 1e-2 off for contrib's of 1e-12.
    config.graph_options.rewrite_options.remapping = 2
    graph_def = v1.GraphDef()
    with open(export.path, "rb") as file:
        graph_def.ParseFromString(file.read())
    with v1.Graph().as_default(), v1.Session(config=config) as session:
        v1.import_graph_def(graph_def, name="")
        return session.run("logits:0", dict({"x:0": training_graphs.inputs(case)}, **dict(feed)))


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_it_predicts_as_the_inference_graph(v1, trained, tmp_path, case):
    export = exported(trained, case, tmp_path / "frozen.pb")
    assert list(export.inputs) == ["x"]
    wanted = trained[1][case]
    np.testing.assert_allclose(outputs(v1, export, case), wanted, rtol=0, atol=2e-6)
    assert bool(export.changes) == (case != "layer norm")


@pytest.mark.parametrize("case", ["fused", "slim", "dropout", "lstm"])
def test_as_it_trains_it_differs(v1, trained, tmp_path, case):
    export = exported(trained, case, tmp_path / "frozen.pb", keep_training=True)
    assert export.changes == []
    assert np.abs(outputs(v1, export, case) - trained[1][case]).max() > 1e-2


@pytest.mark.parametrize("case", sorted(training_graphs.REFUSED))
def test_what_is_not_exact_is_refused_by_name(trained, tmp_path, case):
    with pytest.raises(GraphExportError, match=training_graphs.REFUSED[case]):
        exported(trained, case, tmp_path / "frozen.pb")
    assert not os.listdir(str(tmp_path))
    exported(trained, case, tmp_path / "frozen.pb", keep_training=True)


def test_an_input_that_is_asked_for_stays(v1, trained, tmp_path):
    inputs = ["x", "is_training"]
    export = exported(trained, "placeholder", tmp_path / "frozen.pb", inputs=inputs)
    assert list(export.inputs) == inputs
    values = outputs(v1, export, "placeholder", {"is_training:0": False})
    np.testing.assert_allclose(values, trained[1]["placeholder"], rtol=0, atol=2e-6)


def test_a_saved_model(v1, trained, tmp_path):
    export = exported(trained, "fused", tmp_path / "saved", checkpoints.to_saved_model)
    with v1.Graph().as_default(), v1.Session() as session:
        v1.saved_model.load(session, ["serve"], export.path)
        values = session.run("logits:0", {"x:0": training_graphs.inputs("fused")})
    np.testing.assert_allclose(values, trained[1]["fused"], rtol=0, atol=2e-6)


@pytest.mark.parametrize("rate", ["number", "tensor"])
@pytest.mark.parametrize("kind", ["plain", "noise-shape"])
def test_the_dropout_of_this_tensorflow(tf, v1, graph, session, tmp_path, rate, kind):
    """TF 2 chooses between the scaled input and zero, where TF 1.15 multiplies with a mask."""
    x = v1.placeholder(tf.float32, [None, 4], name="x")
    w = v1.get_variable("w", [4, 3])
    share = 0.4 if rate == "number" else v1.placeholder_with_default(0.4, [], name="rate")
    shape = None if kind == "plain" else [1, 3]
    v1.identity(v1.nn.dropout(v1.matmul(x, w), rate=share, noise_shape=shape), name="y")
    running = session(finalize=False)
    prefix = str(tmp_path / "m")
    with graph.as_default():
        v1.train.Saver().save(running, prefix)
    done = checkpoints.to_frozen(prefix, prefix + ".meta", tmp_path / "f.pb", ["y"], ["x"])
    assert [change for change in done.changes if "no dropout" in change]
    values = np.random.RandomState(0).randn(5, 4).astype(np.float32)
    expected = values @ running.run(w)
    graph_def = v1.GraphDef()
    graph_def.ParseFromString((tmp_path / "f.pb").read_bytes())
    with v1.Graph().as_default(), v1.Session() as frozen:
        tf.import_graph_def(graph_def, name="")
        assert np.abs(frozen.run("y:0", {"x:0": values}) - expected).max() < 1e-6
