"""FrozenGuardHook: silent while frozen elements stay, and exact when one moves."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, FrozenMovedError, MaskError, NothingMatchedError
from tfgraphtools.training.hooks import guard

MASK = np.array([[True, False], [False, True]])


def run_steps(v1, step, hooks, feeds):
    with v1.train.MonitoredTrainingSession(hooks=hooks) as session:
        for feed in feeds:
            session.run(step, feed)


@pytest.fixture
def weights(graph, v1):
    return v1.get_variable("w", initializer=np.full((2, 2), 0.5, np.float32))


@pytest.mark.parametrize(
    "kind, slots",
    [(kind, "keep") for kind in ("array", "placeholder", "variable", "schedule")]
    + [("array", "reset"), ("array", "advance")],
)
def test_it_is_silent_while_they_stay(kind, slots, variables, graph, v1, tf, training, weights):
    global_step = v1.train.get_or_create_global_step()
    holder = v1.placeholder(tf.bool, None)
    mask = {
        "array": MASK,
        "placeholder": holder,
        "variable": v1.get_variable("mask", initializer=MASK, trainable=False),
        "schedule": tf.logical_or(global_step < 2, MASK),
    }[kind]
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": mask}, slots=slots)
    step = optimizer.minimize(tf.reduce_sum(weights**2), global_step=global_step)
    clipped = training.GradientTransformOptimizer(optimizer, lambda pairs: pairs)
    feeds = [{}] * 4
    if kind == "placeholder":
        feeds = [{holder: MASK}, {holder: ~MASK}, {holder: True}, {holder.name: False}]
    run_steps(v1, step, [training.FrozenGuardHook(clipped)], feeds)


def test_a_gradient_mask_does_not_freeze_under_adam(variables, graph, v1, tf, training, weights):
    """What users find out late: the gradient is zero and the weight moves on."""
    mask = v1.placeholder(tf.bool, [2, 2])
    value = tf.where(mask, tf.stop_gradient(weights), weights)
    step = v1.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(value**2))
    hook = training.FrozenGuardHook({"w": mask})
    free = np.zeros_like(MASK)
    with pytest.raises(FrozenMovedError, match=r"after run 3: .*'w'\[0, 0\].*and 1 more") as info:
        run_steps(v1, step, [hook], [{mask: free}, {mask: free}, {mask: MASK}])
    moved = info.value
    assert "0.3" in moved.expected and "0.2" in moved.got  # from about 0.3 to about 0.23


@pytest.mark.parametrize("slots", ["keep", "reset"])
def test_a_slot_that_moves(slots, variables, graph, v1, tf, training, weights):
    optimizer = training.FreezeOptimizer(
        v1.train.MomentumOptimizer(0.1, 0.9), {"w": MASK}, slots=slots
    )
    step = optimizer.minimize(tf.reduce_sum(weights**2))
    slot = optimizer.get_slot(weights, "momentum")
    with tf.control_dependencies([step]):
        bad = v1.scatter_update(slot, [1], [[0.0, 7.0]])
    hook = training.FrozenGuardHook(optimizer)
    if slots == "keep":
        with pytest.raises(FrozenMovedError, match=r"'w/Momentum'\[1, 1\] to stay .*0\.0.*7\.0"):
            run_steps(v1, bad, [hook], [{}])
    else:
        run_steps(v1, bad, [hook], [{}])  # slots that are not kept are not checked


def test_state_that_is_no_slot(variables, graph, v1, tf, training, weights):
    class OwnState(v1.train.Optimizer):  # in the manner of BERT's
        def apply_gradients(self, pairs, global_step=None, name=None):
            grad, variable = pairs[0]
            moment = v1.get_variable("w/adam_m", [2, 2], trainable=False)
            return v1.group(moment.assign(grad), variable.assign_sub(grad))

    optimizer = training.FreezeOptimizer(OwnState(False, "OwnState"), {"w": MASK})
    step = optimizer.minimize(tf.reduce_sum(weights**2))
    with tf.control_dependencies([step]):
        bad = v1.scatter_update(v1.global_variables("w/adam_m")[0], [0], [[7.0, 7.0]])
    run_steps(v1, step, [training.FrozenGuardHook(optimizer)], [{}])
    with pytest.raises(FrozenMovedError, match=r"'w/adam_m'\[0, 0\] to stay .*7\.0"):
        run_steps(v1, bad, [training.FrozenGuardHook(optimizer)], [{}])


@pytest.mark.parametrize("slots", ["keep", "advance"])
def test_a_pattern_that_slots_match_too(slots, variables, graph, v1, tf, training, weights):
    """`.*` is every variable of the step, and none of another shape, and no slot."""
    v1.get_variable("w/other", initializer=[1.0, 2.0, 3.0], trainable=False)
    optimizer = training.FreezeOptimizer(
        v1.train.AdamOptimizer(0.1), {".*": v1.placeholder_with_default(MASK, None)}, slots=slots
    )
    step = optimizer.minimize(tf.reduce_sum(weights**2))
    run_steps(v1, step, [training.FrozenGuardHook(optimizer)], [{}] * 2)
    run_steps(v1, step, [training.FrozenGuardHook({".*": MASK})], [{}] * 2)


def test_a_variable_that_is_not_trainable(graph, v1, tf, training, weights):
    mean = v1.get_variable("mean", initializer=1.0, trainable=False)
    change = v1.assign_add(mean, 1.0)
    with pytest.raises(FrozenMovedError, match="'mean'"):
        run_steps(v1, change, [training.FrozenGuardHook([(mean, True)])], [{}])


def test_after_a_hook_that_changes_the_mask(variables, graph, v1, tf, training, weights):
    mask = v1.get_variable("mask", initializer=True, trainable=False)
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": mask})
    step = optimizer.minimize(
        tf.reduce_sum(weights), global_step=v1.train.get_or_create_global_step()
    )
    unfreeze = training.UnfreezeHook({1: {"mask": False}})
    run_steps(v1, step, [unfreeze, training.FrozenGuardHook(optimizer)], [{}] * 3)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_one_bit_is_enough(dtype, variables, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=tf.cast([0.0, 1.0], dtype))
    flip = v1.assign(w, tf.cast([-0.0, 1.0], dtype))
    with pytest.raises(FrozenMovedError, match=r"'w'\[0\]"):
        run_steps(v1, flip, [training.FrozenGuardHook({"w": [True, False]})], [{}])


def test_nan_that_stays_is_no_move(variables, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[np.nan])
    step = v1.assign(w, w * 1.0)
    run_steps(v1, step, [training.FrozenGuardHook({"w": True})], [{}])


def test_a_scalar_and_every_second_run(variables, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=0.0)
    step = v1.assign_add(w, 1.0)
    run_steps(v1, step, [training.FrozenGuardHook({"w": True}, every=2)], [{}])
    with pytest.raises(FrozenMovedError, match="run 2: expected 'w' to stay.*1.0.*, got.*2.0"):
        run_steps(v1, step, [training.FrozenGuardHook({"w": True}, every=2)], [{}, {}])


def test_a_run_that_does_not_feed_the_mask_is_not_checked(graph, v1, tf, training, weights):
    mask = v1.placeholder(tf.bool, [])
    change = v1.assign_add(weights, tf.ones([2, 2]))
    hook = training.FrozenGuardHook({"w": mask})
    run_steps(v1, change, [hook], [{}, {mask: False}])


@pytest.mark.parametrize("fed_by", ["hook", "call"])
def test_masks_that_another_hook_feeds(fed_by, graph, v1, tf, training, weights, monkeypatch):
    """They are not seen, and the guard says that it has checked nothing."""
    logging, lines = guard.v1.logging, []
    monkeypatch.setattr(logging, "warning", lambda line, *parts: lines.append(line % parts))
    mask = v1.placeholder(tf.bool, [], name="mask")
    change = tf.group(v1.assign_add(weights, tf.zeros([2, 2])), tf.identity(mask))
    hooks = [training.FrozenGuardHook({"w": mask})]
    if fed_by == "hook":
        hooks.append(v1.train.FeedFnHook(lambda: {mask: True}))
    run_steps(v1, change, hooks, [{}, {}] if fed_by == "hook" else [{mask: True}])
    warned = [line for line in lines if "none of 2 runs fed mask:0 to session.run" in line]
    assert len(warned) == (fed_by == "hook")


def test_partitioned(variables, graph, v1, tf, training):
    with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(2)):
        table = v1.get_variable("table", [4], initializer=v1.ones_initializer())
    change = v1.assign(list(table)[1], [1.0, 2.0])
    free_there, frozen_there = [True, True, True, False], [False, False, False, True]
    run_steps(v1, change, [training.FrozenGuardHook({"net/table": free_there})], [{}])
    with pytest.raises(FrozenMovedError, match=r"'net/table/part_1'\[1\]"):
        run_steps(v1, change, [training.FrozenGuardHook({"net/table": frozen_there})], [{}])


@pytest.mark.parametrize(
    "build, error, words",
    [
        (lambda t, v1: t.FrozenGuardHook({}), ArgumentError, "none"),
        (lambda t, v1: t.FrozenGuardHook({"w": True}, every=0), ArgumentError, "every.*got 0"),
        (lambda t, v1: t.FrozenGuardHook({"w": 1.0}), MaskError, "FrozenGuardHook 'w'.*float64"),
        (lambda t, v1: t.FrozenGuardHook({"v": True}), NothingMatchedError, "'v'"),
        (
            lambda t, v1: t.FrozenGuardHook(v1.train.AdamOptimizer()),
            ArgumentError,
            "got AdamOptimizer",
        ),
        (
            lambda t, v1: t.FrozenGuardHook(
                t.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": True})
            ),
            ArgumentError,
            "no such step.*minimize",
        ),
        (
            lambda t, v1: t.FrozenGuardHook({"w": v1.random.uniform([2, 2]) < 0.5}),
            MaskError,
            "type RandomUniform.*feed it",
        ),
    ],
)
def test_mistakes(build, error, words, graph, v1, tf, training, weights):
    with pytest.raises(error, match=words):
        build(training, v1).begin()
