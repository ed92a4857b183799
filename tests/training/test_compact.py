"""``slots="compact"``: slots for the trainable elements alone."""

import re

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, OptimizerKindError
from training_cases import CORE, same_bits

SHAPES = {"in-packets": (16, 40), "with-a-rest": (7, 11), "vector": (201,), "rank-3": (3, 5, 9)}


def mask_of(shape, trainable):
    mask = np.ones(shape, bool)
    size = mask.size
    chosen = {
        "few": np.random.RandomState(3).choice(size, max(2, size // 10), replace=False),
        "only-the-rest": np.arange(size - 2, size),
        "first-and-last": [0, size - 1],
        "all": np.arange(size),
    }[trainable]
    mask.reshape(-1)[chosen] = False
    return mask


def pair(v1, shape):
    start = np.random.RandomState(0).normal(size=shape).astype(np.float32)
    return [v1.get_variable(name, initializer=start) for name in ("plain", "w")]


@pytest.mark.costly(in_ci=24)
@pytest.mark.parametrize("trainable", ["few", "only-the-rest", "first-and-last", "all"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("case", ["sgd", "adam", "rmsprop-centered", "ftrl"])
def test_bits(case, shape, trainable, variables, graph, v1, tf, training, session):
    check_bits(case, SHAPES[shape], mask_of(SHAPES[shape], trainable), v1, tf, training, session)


@pytest.mark.parametrize("case", CORE)
def test_every_optimizer(case, variables, graph, v1, tf, training, session):
    check_bits(case, (30, 40), mask_of((30, 40), "few"), v1, tf, training, session)


def test_many_elements_are_scattered_in_pieces(variables, graph, v1, tf, training, session):
    check_bits("adam", (300, 100), mask_of((300, 100), "all"), v1, tf, training, session)


def check_bits(case, shape, mask, v1, tf, training, session):
    plain_w, w = pair(v1, shape)
    grad = v1.placeholder(tf.float32, shape)
    plain_optimizer = CORE[case].build(v1.train, 0.1)
    compact = training.FreezeOptimizer(CORE[case].build(v1.train, 0.1), {"w": mask}, "compact")
    steps = [o.apply_gradients([(grad, v)]) for o, v in ((plain_optimizer, plain_w), (compact, w))]
    assert compact.ways() == {"w": "compact slots"}
    run = session()
    before = run.run(w)
    for step in range(4):
        g = np.random.RandomState(step).normal(size=shape).astype(np.float32)
        run.run(steps[0], {grad: g})
        run.run(steps[1], {grad: np.where(mask, np.nan, g)})
    wanted, values = run.run([plain_w, w])
    assert same_bits(values[mask], before[mask])
    if tf.__version__.startswith("1.") and mask.size % 64:
        # There the plain optimizer's own last bits depend on the number of threads.
        np.testing.assert_allclose(values[~mask], wanted[~mask], rtol=1e-5, atol=1e-6)
    else:
        assert same_bits(values[~mask], wanted[~mask])
    assert not same_bits(values, before)


def test_rows_keep_their_columns(graph, v1, tf, training):
    w = v1.get_variable("w", [50, 16])
    mask = np.ones([50, 1], bool)
    mask[[3, 7, 9, 40, 41]] = False
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": mask}, "compact")
    optimizer.apply_gradients([(tf.ones([50, 16]), w)])
    assert slots(v1) == {"w/Trainable/Adam": [8, 16], "w/Trainable/Adam_1": [8, 16]}


def slots(v1):
    """{name without the number of the mask: shape} of the slots."""
    variables_made = [v for v in v1.global_variables() if "/Trainable" in v.name]
    return {
        re.sub("_of_mask_[0-9a-f]{8}", "", v.op.name): v.shape.as_list() for v in variables_made
    }


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_names_do_not_depend_on_order_or_scope(order, variables, graph, v1, tf, training):
    variable_of = {name: v1.get_variable(name, [100]) for name in order}
    mask = mask_of((100,), "few")
    optimizer = training.FreezeOptimizer(
        v1.train.MomentumOptimizer(0.1, 0.9), {"a": mask, "b": mask}, "compact"
    )
    with v1.name_scope("training" + order):
        optimizer.apply_gradients([(tf.ones([100]), variable_of[name]) for name in order])
    assert set(slots(v1)) == {"a/Trainable/Momentum", "b/Trainable/Momentum"}


def test_two_steps_share_their_slots(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=np.zeros(100, np.float32))
    mask = mask_of((100,), "few")
    optimizer = training.FreezeOptimizer(
        v1.train.MomentumOptimizer(1.0, 1.0), {"w": mask}, "compact"
    )
    steps = [optimizer.apply_gradients([(tf.ones([100]), w)]) for _ in range(2)]
    run = session()
    for step in steps:
        run.run(step)
    assert np.array_equal(run.run(w), np.where(mask, 0, -3))
    assert len(slots(v1)) == 1


def test_a_stock_saver_goes_on(variables, graph, v1, tf, training, session, tmp_path):
    w = v1.get_variable("w", initializer=np.zeros(100, np.float32))
    optimizer = training.FreezeOptimizer(
        v1.train.AdamOptimizer(0.1), {"w": mask_of((100,), "few")}, "compact"
    )
    grad = v1.placeholder(tf.float32, [100])
    step, saver = optimizer.apply_gradients([(grad, w)]), v1.train.Saver()
    feeds = [{grad: np.random.RandomState(i).normal(size=100)} for i in range(6)]
    run = session()
    for feed in feeds[:3]:
        run.run(step, feed)
    path = saver.save(run, str(tmp_path / "model"))
    ends = []
    for _ in range(2):
        for feed in feeds[3:]:
            run.run(step, feed)
        ends.append(run.run(w))
        saver.restore(run, path)
    assert same_bits(*ends)


@pytest.mark.parametrize("moved", [0, 1])
def test_slots_of_another_mask_are_refused(moved, variables, v1, tf, training, tmp_path):
    """Two masks of as many elements have slots of one shape: a restore would mix them up."""

    def build(first):
        w = v1.get_variable("w", initializer=np.zeros(128, np.float32))
        mask = np.arange(128) // 8 != first
        optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": mask}, "compact")
        step = optimizer.apply_gradients([(tf.ones([128]), w)])
        run = v1.Session()
        run.run(v1.global_variables_initializer())
        run.run(step)
        return run, v1.train.Saver()

    with v1.Graph().as_default():
        run, saver = build(0)
        path = saver.save(run, str(tmp_path / "model"))
    with v1.Graph().as_default():
        run, saver = build(moved)
        if not moved:
            return saver.restore(run, path)
        with pytest.raises(tf.errors.NotFoundError, match="w/Trainable_of_mask_.*/Adam not found"):
            saver.restore(run, path)


def test_partitioned(variables, graph, v1, tf, training, session):
    start = np.zeros((60, 10), np.float32)
    partitioner = v1.fixed_size_partitioner(3)
    w = v1.get_variable(
        "w", start.shape, initializer=v1.zeros_initializer(), partitioner=partitioner
    )
    mask = mask_of(start.shape, "few")
    optimizer = training.FreezeOptimizer(
        v1.train.GradientDescentOptimizer(1.0), {"w": mask}, "compact"
    )
    step, whole = optimizer.minimize(tf.reduce_sum(w)), tf.convert_to_tensor(w)
    run = session()
    run.run(step)
    assert np.array_equal(run.run(whole), np.where(mask, 0, -1))


def test_beside_plain_variables_in_groups(variables, graph, v1, tf, training, session):
    w, other = (v1.get_variable(n, initializer=np.zeros(100, np.float32)) for n in ("w", "other"))
    mask = mask_of((100,), "few")
    groups = training.PartitionOptimizer(
        [
            training.Group("slow", "w", v1.train.MomentumOptimizer(0.1, 0.5)),
            training.Group("fast", "other", v1.train.MomentumOptimizer(1.0, 0.5)),
        ]
    )
    step = training.FreezeOptimizer(groups, {"w": mask}, "compact").minimize(
        tf.reduce_sum(w) + tf.reduce_sum(other)
    )
    run = session()
    for _ in range(2):
        run.run(step)
    np.testing.assert_allclose(run.run(w), np.where(mask, 0, -0.25), rtol=1e-6)
    assert np.array_equal(run.run(other), np.full(100, -2.5))


MASKS = {
    "known-later": lambda v1, tf: v1.placeholder(tf.bool, [4]),
    "nothing-trains": lambda v1, tf: np.ones(4, bool),
    "whole-variable": lambda v1, tf: True,
}


@pytest.mark.parametrize("mask", MASKS)
def test_refused_masks(mask, graph, v1, tf, training):
    w = v1.get_variable("w", [4])
    optimizer = training.FreezeOptimizer(
        v1.train.AdamOptimizer(), {"w": MASKS[mask](v1, tf)}, "compact"
    )
    with pytest.raises(OptimizerKindError, match="slots='compact' for .*w.*trainable|step runs"):
        optimizer.apply_gradients([(tf.ones([4]), w)])


def test_refused_sparse(graph, v1, tf, training):
    w = v1.get_variable("w", [4, 2])
    optimizer = training.FreezeOptimizer(
        v1.train.AdamOptimizer(), {"w": np.eye(4, 2, dtype=bool)}, "compact"
    )
    grad = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([0]), tf.constant([4, 2]))
    with pytest.raises(OptimizerKindError, match="a sparse gradient"):
        optimizer.apply_gradients([(grad, w)])


@pytest.mark.parametrize("option", [{"clock": "element"}, {"fused": True}])
def test_refused_options(option, graph, v1, training):
    with pytest.raises(ArgumentError):
        training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": [True]}, "compact", **option)
