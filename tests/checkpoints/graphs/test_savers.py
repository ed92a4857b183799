"""Graphs with several Savers: the one that `saver_def` names says what is restored from where."""

import numpy as np
import pytest

from tfgraphtools import checkpoints, graphs
from tfgraphtools.checkpoints.graphs import graph_training, metagraph

LAYER = np.float32([[5.0], [7.0]])
AVERAGE = np.float32([[1.5], [2.5]])


def _model(v1):
    """A graph y = x @ w with an average of w; returns (w, the average)."""
    x = v1.placeholder("float32", [None, 2], name="x")
    w = v1.get_variable("w", initializer=LAYER)
    v1.identity(v1.matmul(x, w), name="y")
    average = v1.train.ExponentialMovingAverage(0.5)
    average.apply([w])
    return w, average


def _saved(v1, prefix, savers):
    """Saves all variables, and the graph with the Saver that a function returns."""
    with v1.Graph().as_default(), v1.Session() as session:
        w, average = _model(v1)
        saver = savers(v1, w, average)
        everything = v1.train.Saver({"w": w, "w/ExponentialMovingAverage": average.average(w)})
        session.run(w.initializer)
        session.run(v1.global_variables_initializer())
        average.average(w).load(AVERAGE, session)
        everything.save(session, str(prefix), write_meta_graph=False)
        saver.export_meta_graph(str(prefix) + ".meta")
        return str(prefix)


def _train_then_serve(v1, w, average):
    saver = v1.train.Saver()
    v1.train.Saver(average.variables_to_restore())
    return saver


def _serve_then_train(v1, w, average):
    serving = v1.train.Saver(average.variables_to_restore())
    v1.train.Saver()
    return serving


def _with_warm_start(v1, w, average):
    saver = v1.train.Saver(sharded=True)
    v1.train.Saver({"old/w": w})
    return saver


def _with_late_average(v1, w, average):
    saver = v1.train.Saver()
    v1.train.Saver({"w/ExponentialMovingAverage": w, "w": average.average(w)})  # exchanged
    return saver


CASES = {
    _train_then_serve: ("w", LAYER),
    _serve_then_train: ("w/ExponentialMovingAverage", AVERAGE),
    _with_warm_start: ("w", LAYER),
    _with_late_average: ("w", LAYER),
}


@pytest.fixture(params=list(CASES), ids=lambda savers: savers.__name__.lstrip("_"))
def saved(request, v1, tmp_path, variables):
    """(prefix, the tensor of w, its value)."""
    prefix = _saved(v1, tmp_path / "model.ckpt", request.param)
    return (prefix, *CASES[request.param])


def test_a_frozen_graph_has_what_its_saver_restores(saved, v1, tmp_path):
    prefix, _, weights = saved
    checkpoints.to_frozen(prefix, prefix + ".meta", tmp_path / "frozen.pb", "y")
    with open(str(tmp_path / "frozen.pb"), "rb") as file:
        graph_def = v1.GraphDef.FromString(file.read())
    with v1.Graph().as_default(), v1.Session() as session:
        v1.import_graph_def(graph_def, name="")
        assert np.array_equal(session.run("y:0", {"x:0": np.eye(2)}), weights)
    with v1.Graph().as_default(), v1.Session() as session:  # the oracle: TensorFlow's own Saver
        v1.train.import_meta_graph(prefix + ".meta").restore(session, prefix)
        assert np.array_equal(session.run("y:0", {"x:0": np.eye(2)}), weights)


def test_what_is_missing_is_what_its_saver_would_miss(saved):
    prefix, tensor, _ = saved
    expected = metagraph.read(prefix + ".meta").expected
    assert tensor in expected and "old/w" not in expected
    with checkpoints.open_checkpoint(prefix) as ckpt:
        assert set(expected) <= set(ckpt)


def test_the_summary_of_a_graph_names_its_tensors(saved):
    prefix, tensor, _ = saved
    keys = {variable.name: variable.key for variable in graphs.show(prefix + ".meta").variables}
    assert keys["w"] == tensor


def test_sparse_updates_are_those_of_the_saved_tensor(v1, tmp_path, variables):
    with v1.Graph().as_default(), v1.Session() as session:
        w = v1.get_variable("w", initializer=LAYER)
        loss = v1.reduce_sum(v1.gather(w, [0, 0]))
        v1.train.MomentumOptimizer(0.1, 0.9).minimize(loss)
        saver = v1.train.Saver()
        v1.train.Saver({"old/w": w})
        session.run(v1.global_variables_initializer())
        prefix = saver.save(session, str(tmp_path / "model.ckpt"))
    assert "w" in graph_training.read(prefix + ".meta").sparse


def test_without_a_saver_def_a_variable_is_restored_under_its_own_name(v1, tmp_path, variables):
    with v1.Graph().as_default() as graph:
        w, average = _model(v1)
        _train_then_serve(v1, w, average)
        path = tmp_path / "graph.pb"
        path.write_bytes(graph.as_graph_def().SerializeToString())
    assert metagraph.restored_by(*metagraph.nodes(str(path)))["w"] == ("w", "")
