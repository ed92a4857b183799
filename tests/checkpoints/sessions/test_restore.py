"""restore: what fits, into live sessions of both TFs; TF's own variables are the oracle."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.errors import (
    CollisionError,
    DamagedCheckpointError,
    NothingMatchedError,
    UnmatchedError,
)

pytestmark = pytest.mark.quick


def save(path, **arrays):
    np.savez(str(path) + ".npz", **{name.replace("__", "/"): a for name, a in arrays.items()})
    checkpoints.from_npz(str(path) + ".npz", str(path), overwrite=True)
    return str(path)


@pytest.fixture(params=[False, True], ids=["ref", "resource"])
def graph(request, tf):
    """(tf, a finalized graph's session, {name: variable})."""
    v1 = getattr(tf, "compat", tf).v1 if hasattr(tf, "compat") else tf
    with v1.Graph().as_default(), v1.Session() as session:
        with v1.variable_scope("", use_resource=request.param):
            variables = {
                "a/w": v1.get_variable("a/w", [4, 3], initializer=v1.zeros_initializer()),
                "a/b": v1.get_variable("a/b", [3], initializer=v1.zeros_initializer()),
                "h": v1.get_variable("h", [2], v1.float16, v1.zeros_initializer()),
                "z": v1.get_variable("z", [2], v1.bfloat16, v1.zeros_initializer()),
                "n": v1.get_variable("n", [], v1.int64, v1.zeros_initializer()),
                "p": v1.get_variable(
                    "p",
                    [5, 2],
                    initializer=v1.zeros_initializer(),
                    partitioner=v1.fixed_size_partitioner(2),
                ),
            }
            whole = v1.concat(list(variables["p"]), 0)
        session.run(v1.global_variables_initializer())
        session.graph.finalize()
        yield session, variables, whole


W = np.arange(12, dtype=np.float32).reshape(4, 3)
P = np.arange(10, dtype=np.float32).reshape(5, 2)


def test_by_name(graph, tmp_path):
    session, variables, whole = graph
    path = save(tmp_path / "c", a__w=W, p=P, n=np.int64(7), more=np.ones(2))
    report = checkpoints.restore(session, path)
    assert report.loaded == {"a/w": "a/w", "p": "p", "n": "n"} and report.unused == ["more"]
    assert sorted(report.left) == ["a/b", "h", "z"]
    assert report.left["h"] == "no tensor of this name"
    assert np.array_equal(session.run(variables["a/w"]), W)
    assert np.array_equal(session.run(whole), P) and session.run(variables["n"]) == 7
    assert (session.run(variables["a/b"]) == 0).all()
    assert "- h: no tensor of this name" in str(report)


def test_by_rule_and_what_does_not_fit(graph, tmp_path):
    session, variables, _ = graph
    arrays = {"old__w": W, "old__b": np.ones(4, np.float32), "h": np.ones(2, np.float32)}
    path = save(tmp_path / "c", **arrays)
    report = checkpoints.restore(session, path, rules=[("old/(.*)", r"a/\1")])
    assert report.loaded == {"a/w": "old/w"}
    assert "has the shape [4], the variable [3]" in report.left["a/b"]
    assert "is float32, the variable float16: cast it first" in report.left["h"]
    with pytest.raises(UnmatchedError, match="a tensor for every variable"):
        checkpoints.restore(session, path, strict=True)
    with pytest.raises(CollisionError):
        checkpoints.restore(session, path, rules={"old/w": "h"})
    with pytest.raises(NothingMatchedError):
        checkpoints.restore(session, path, rules={"none": "h"})


def test_averages_chosen_variables_and_bfloat16(graph, tmp_path):
    session, variables, _ = graph
    name = "a__w__ExponentialMovingAverage"
    path = save(tmp_path / "c", **{"a__w": W, name: W + 1, "a__b": np.ones(3, np.float32)})
    assert "a/b" not in checkpoints.restore(session, path, variables=[variables["a/w"]]).loaded
    assert (session.run(variables["a/b"]) == 0).all()
    report = checkpoints.restore(session, path, use_ema=True)
    assert report.loaded["a/w"] == "a/w/ExponentialMovingAverage"
    assert np.array_equal(session.run(variables["a/w"]), W + 1)
    with checkpoints.open_checkpoint(save(tmp_path / "d", z=np.ones(2, np.float32))) as ckpt:
        checkpoints.plan(ckpt, cast={"z": "bfloat16"}).apply(str(tmp_path / "e"))
    assert checkpoints.restore(session, str(tmp_path / "e")).loaded == {"z": "z"}
    assert session.run(variables["z"]).astype(np.float32).tolist() == [1, 1]


def test_damage_loads_nothing(graph, tmp_path):
    session, variables, _ = graph
    path = save(tmp_path / "c", a__b=np.ones(3, np.float32), a__w=W)
    data = tmp_path / "c.data-00000-of-00001"
    raw = bytearray(data.read_bytes())
    raw[-1] ^= 1
    data.write_bytes(bytes(raw))
    with pytest.raises(DamagedCheckpointError):
        checkpoints.restore(session, path)
    assert (session.run(variables["a/b"]) == 0).all() and (session.run(variables["a/w"]) == 0).all()


def test_a_monitored_session_and_a_scaffold(tf, tmp_path):
    """Hooks that need a feed do not run; variables that nobody has initialized are."""
    v1 = tf.compat.v1
    path = save(tmp_path / "c", w=W, table=np.ones((9, 2), np.float32))
    reports = []
    with v1.Graph().as_default():
        w = v1.get_variable("w", [4, 3])
        v1.get_variable("table", [11, 2], initializer=v1.zeros_initializer())
        v1.train.get_or_create_global_step()
        fed = v1.placeholder(tf.float32, [])
        loss = v1.reduce_sum(w) * fed
        hook = v1.train.LoggingTensorHook([loss], every_n_iter=1)

        def init(scaffold, session):
            reports.append(checkpoints.restore(session, path, variables=[w]))

        scaffold = v1.train.Scaffold(
            init_op=v1.global_variables_initializer(), init_fn=init, local_init_op=v1.no_op()
        )
        creator = v1.train.ChiefSessionCreator(scaffold)
        with v1.train.MonitoredSession(creator, hooks=[hook]) as session:
            assert np.array_equal(session.run(w, {fed: 1.0}), W)
            reports.append(checkpoints.restore(session, path))
            assert np.array_equal(session.run(w, {fed: 1.0}), W)
        with v1.Session() as session:
            reports.append(checkpoints.restore(session, path))
            assert np.array_equal(session.run(w), W)
    assert [report.loaded for report in reports] == [{"w": "w"}] * 3
    reason = "'table' has the shape [9, 2], the variable [11, 2]"
    assert reports[1].left["table"] == reports[2].left["table"] == reason
    assert reports[1].left["global_step"] == "no tensor of this name"


def test_two_copies_of_a_model(tf, tmp_path):
    """One call loads a checkpoint into an online and a target network, and into one of no scope."""
    v1 = tf.compat.v1
    path = save(tmp_path / "c", net__w=W, net__b=np.ones(3, np.float32))
    with v1.Graph().as_default(), v1.Session() as session:
        for scope in ("online", "target", "other"):
            with v1.variable_scope(scope):
                v1.get_variable("w", initializer=np.zeros_like(W))
                v1.get_variable("b", initializer=np.zeros(3, np.float32))
        v1.get_variable("w", initializer=np.zeros_like(W))
        session.run(v1.global_variables_initializer())
        rules = [("net/(.*)", r"\1")]
        report = checkpoints.restore(session, path, rules, into=["online", "target/", ""])
        assert report.loaded == {
            "online/w": "net/w",
            "online/b": "net/b",
            "target/w": "net/w",
            "target/b": "net/b",
            "w": "net/w",
        }
        assert sorted(report.left) == ["other/b", "other/w"] and report.unused == []
        for variable in v1.global_variables():
            value = session.run(variable)
            expected = 0 if variable.op.name.startswith("other") else W if value.ndim > 1 else 1
            assert (value == expected).all(), variable.op.name
        with pytest.raises(NothingMatchedError, match="it has 'target/w', 'target/b'"):
            checkpoints.restore(session, path, into=["target"])  # net/w is not below it
        with pytest.raises(NothingMatchedError, match="no variable"):
            checkpoints.restore(session, path, rules, into=["online", "targte"])
        with pytest.raises(UnmatchedError):
            checkpoints.restore(session, path, rules, into=["online", "target"], strict=True)
