"""Object-based checkpoints of tf.train.Checkpoint: read, rewritten, restored by TF."""

import numpy as np
import pytest

from tfgraphtools import checkpoints
from tfgraphtools.checkpoints.format import object_graph
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY
from tfgraphtools.errors import PlanError

pytestmark = pytest.mark.quick

KEY = "/.ATTRIBUTES/VARIABLE_VALUE"


def build(tf, v1, value):
    variable = v1.get_variable("w", initializer=np.full(3, value, np.float32), use_resource=True)
    other = v1.get_variable("b", initializer=np.float64(value), use_resource=True)
    optimizer = v1.train.AdamOptimizer()
    train = optimizer.minimize(tf.reduce_sum(variable**2), var_list=[variable])
    root = v1.train.Checkpoint(net=v1.train.Checkpoint(w=variable), b=other, optimizer=optimizer)
    return root, variable, other, train


@pytest.fixture
def saved(tf, v1, tmp_path):
    with v1.Graph().as_default(), v1.Session() as session:
        root, variable, _, train = build(tf, v1, 5.0)
        session.run(v1.global_variables_initializer())
        session.run(train)
        return root.save(str(tmp_path / "object"), session=session), session.run(variable)


def restored(tf, v1, prefix):
    """The values after restoring everything into a new graph, nothing left out."""
    with v1.Graph().as_default(), v1.Session() as session:
        root, variable, other, _ = build(tf, v1, 0.0)
        status = root.restore(str(prefix))
        status.assert_consumed()
        status.run_restore_ops(session)
        return session.run([variable, other])


def test_reading(saved):
    prefix, value = saved
    with checkpoints.open_checkpoint(prefix) as ckpt:
        assert np.array_equal(ckpt["net/w" + KEY], value)
        graph = ckpt.object_graph
        assert graph.paths()["net/w" + KEY] == "net/w"
        slots = graph.slots()
        (slot,) = [key for key, (owner, name) in slots.items() if name == "m"]
        assert slots[slot][0] == "net/w" + KEY
        rows = {row.name: row for row in checkpoints.listing(ckpt)}
        assert rows[slot].owner == "net/w" + KEY and rows[slot].slot == "m"
    assert checkpoints.verify(prefix).ok


def test_renamed_keys_are_renamed_in_the_graph(saved, tf, v1, tmp_path):
    prefix, value = saved
    with checkpoints.open_checkpoint(prefix) as ckpt:
        checkpoints.plan(ckpt, rename=[("(.*)", r"x/\1")]).apply(tmp_path / "renamed")
    with checkpoints.open_checkpoint(tmp_path / "renamed") as renamed:
        assert GRAPH_KEY in renamed and "x/net/w" + KEY in renamed
    values = restored(tf, v1, tmp_path / "renamed")
    assert np.array_equal(values[0], value) and values[1] == 5.0


def test_dropped_keys_leave_the_graph(saved, tmp_path, tf, v1):
    prefix, value = saved
    with checkpoints.open_checkpoint(prefix) as ckpt:
        checkpoints.plan(ckpt, drop="b/.*").apply(tmp_path / "dropped")
        checkpoints.strip(ckpt).apply(tmp_path / "stripped")
    with checkpoints.open_checkpoint(tmp_path / "dropped") as dropped:
        assert "b" + KEY not in dropped.object_graph.paths()
        assert set(dropped.object_graph.paths()) <= set(dropped)
    with checkpoints.open_checkpoint(tmp_path / "stripped") as stripped:
        assert not any("OPTIMIZER_SLOT" in name or "beta" in name for name in stripped)
        assert np.array_equal(stripped["net/w" + KEY], value)


def test_a_cast_keeps_the_graph_byte_for_byte(saved, tmp_path):
    prefix, _ = saved
    with checkpoints.open_checkpoint(prefix) as ckpt:
        checkpoints.plan(ckpt, cast={"b/.*": "float32"}).apply(tmp_path / "cast")
        with checkpoints.open_checkpoint(tmp_path / "cast") as cast:
            assert cast[GRAPH_KEY].item() == ckpt[GRAPH_KEY].item()


def test_an_identical_rewrite_is_byte_for_byte(saved):
    with checkpoints.open_checkpoint(saved[0]) as ckpt:
        graph = ckpt[GRAPH_KEY].item()
    assert object_graph.with_keys(graph, lambda key: key) == graph


def test_two_graphs_are_not_merged(saved):
    with checkpoints.open_checkpoint(saved[0]) as ckpt:
        for function in (
            lambda: checkpoints.merge([ckpt, ckpt]),
            lambda: checkpoints.split(ckpt, "b/.*"),
        ):
            with pytest.raises(PlanError, match="object-based"):
                function()


def test_what_is_added_is_noted(saved):
    with checkpoints.open_checkpoint(saved[0]) as ckpt:
        assert "x" in checkpoints.plan(ckpt, add={"x": [1.0]}).notes[0]
