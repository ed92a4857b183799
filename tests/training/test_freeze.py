"""FreezeOptimizer: frozen elements and their slots stay bit for bit; the others train as ever."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, MaskError, NothingMatchedError, OptimizerKindError
from training_cases import CORE, same_bits

STEPS = 8
SHAPE = (5, 3)


def start_values():
    return np.random.RandomState(0).normal(size=SHAPE).astype(np.float32)


def state_of(optimizer, variable):
    slots = [optimizer.get_slot(variable, name) for name in optimizer.get_slot_names()]
    return [variable] + [slot for slot in slots if slot is not None]


@pytest.mark.parametrize("case", CORE)
def test_random_fed_masks(case, variables, graph, v1, training, session):
    """The whole promise, over 8 steps, with NaN as the gradient of everything frozen."""
    grad = v1.placeholder(v1.float32, SHAPE)
    mask = v1.placeholder("bool", SHAPE)
    plain_v = v1.get_variable("plain", initializer=start_values())
    frozen_v = v1.get_variable("frozen", initializer=start_values())
    plain_optimizer = CORE[case].build(v1.train, 0.1)
    frozen = training.FreezeOptimizer(CORE[case].build(v1.train, 0.1), {"frozen": mask})
    steps = [
        plain_optimizer.apply_gradients([(grad, plain_v)]),
        frozen.apply_gradients([(grad, frozen_v)]),
    ]
    run = session()
    state = state_of(frozen, frozen_v)
    random = np.random.RandomState(1)
    ever_frozen = np.zeros(SHAPE, bool)
    for _ in range(STEPS):
        now = random.rand(*SHAPE) < 0.4
        now[0] = False
        ever_frozen |= now
        g = random.normal(size=SHAPE).astype(np.float32)
        before = run.run(state)
        run.run(steps[0], {grad: g})
        run.run(steps[1], {grad: np.where(now, np.nan, g), mask: now})
        for old, new in zip(before, run.run(state)):
            assert same_bits(old[now], new[now])
            assert np.isfinite(new).all()
        assert not same_bits(before[0], run.run(frozen_v))
    for a, b in zip(run.run(state_of(plain_optimizer, plain_v)), run.run(state)):
        assert same_bits(a[~ever_frozen], b[~ever_frozen])
    assert not ever_frozen[0].any() and ever_frozen.any()


MASKS = {  # mask -> the frozen elements of a (3, 3) variable
    "scalar-true": (True, np.ones((3, 3), bool)),
    "scalar-false": (False, np.zeros((3, 3), bool)),
    "elements": (np.eye(3, dtype=bool), np.eye(3, dtype=bool)),
    "rank-1-is-columns": ([True, False, False], np.tile([True, False, False], (3, 1))),
    "rows": ([[True], [False], [False]], np.tile([[True], [False], [False]], (1, 3))),
}


@pytest.mark.parametrize("kind", ["array", "tensor", "placeholder", "unknown-shape", "variable"])
@pytest.mark.parametrize("name", MASKS)
def test_masks_broadcast_as_in_numpy(name, kind, variables, graph, v1, tf, training, session):
    mask, wanted = MASKS[name]
    feed = {}
    if kind == "tensor":
        mask = tf.constant(mask)
    elif kind == "variable":
        mask = v1.get_variable("mask", initializer=np.array(mask), trainable=False)
    elif kind != "array":
        holder = v1.placeholder(tf.bool, np.shape(mask) if kind == "placeholder" else None)
        feed, mask = {holder: mask}, holder
    w = v1.get_variable("w", initializer=np.ones((3, 3), np.float32))
    step = training.FreezeOptimizer(v1.train.MomentumOptimizer(0.1, 0.9), {"w": mask}).minimize(
        tf.reduce_sum(w * w)
    )
    run = session()
    run.run(step, feed)
    assert np.array_equal(run.run(w) == 1, wanted)


def test_variables_without_a_mask_train_as_ever(variables, graph, v1, tf, training, session):
    free = v1.get_variable("free", initializer=[1.0, 2.0])
    twin = v1.get_variable("twin", initializer=[1.0, 2.0])
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": True})
    steps = [
        optimizer.minimize(tf.reduce_sum(free * free + w * w), var_list=[free, w]),
        v1.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(twin * twin), var_list=[twin]),
    ]
    run = session()
    for _ in range(3):
        run.run(steps)
    values = run.run([free, twin, w])
    assert same_bits(values[0], values[1]) and list(values[2]) == [1, 2]


def test_a_mask_is_read_before_the_step_changes_it(variables, graph, v1, tf, training, session):
    """A schedule over the global step sees the step it freezes, not the next one."""
    global_step = v1.train.get_or_create_global_step()
    w = v1.get_variable("w", initializer=[1.0])
    step = training.FreezeOptimizer(
        v1.train.GradientDescentOptimizer(0.1), {"w": global_step < 3}
    ).minimize(tf.reduce_sum(w), global_step=global_step)
    run = session()
    seen = []
    for _ in range(5):
        run.run(step)
        seen.append(run.run(w)[0])
    np.testing.assert_allclose(seen, [1, 1, 1, 0.9, 0.8], rtol=1e-6)


def test_slots_reset_and_advance(variables, graph, v1, training, session):
    grad = v1.placeholder(v1.float32, [2])
    optimizers, steps = {}, []
    for mode in ("keep", "reset", "advance"):
        w = v1.get_variable(mode, initializer=[1.0, 1.0])
        optimizer = training.FreezeOptimizer(
            v1.train.AdagradOptimizer(0.1), {mode: [True, False]}, slots=mode
        )
        steps.append(optimizer.apply_gradients([(grad, w)]))
        optimizers[mode] = (w, optimizer.get_slot(w, "accumulator"))
    run = session()
    for _ in range(2):
        run.run(steps, {grad: [2.0, 2.0]})
    for mode, accumulator in [("keep", 0.1), ("reset", 0.1), ("advance", 8.1)]:
        w, slot = run.run(optimizers[mode])
        assert w[0] == 1 and w[1] < 1
        np.testing.assert_allclose(slot, [accumulator, 8.1], rtol=1e-6)


def test_reset_forgets_what_was_learned(variables, graph, v1, training, session):
    grad, mask = v1.placeholder(v1.float32, [1]), v1.placeholder(v1.bool, [])
    w = v1.get_variable("w", initializer=[1.0])
    optimizer = training.FreezeOptimizer(
        v1.train.MomentumOptimizer(0.1, 0.9), {"w": mask}, slots="reset"
    )
    step = optimizer.apply_gradients([(grad, w)])
    run = session()
    run.run(step, {grad: [1.0], mask: False})
    assert run.run(optimizer.get_slot(w, "momentum")) == [1.0]
    run.run(step, {grad: [1.0], mask: True})
    assert run.run(optimizer.get_slot(w, "momentum")) == [0.0]


def test_constraints_leave_frozen_elements(variables, graph, v1, tf, training, session):
    """v=[3,4] clipped to norm 1: the frozen 3 stays 3."""
    w = v1.get_variable("w", initializer=[3.0, 4.0], constraint=lambda v: tf.clip_by_norm(v, 1.0))
    step = training.FreezeOptimizer(
        v1.train.GradientDescentOptimizer(0.1), {"w": [True, False]}
    ).minimize(tf.reduce_sum(w))
    run = session()
    run.run(step)
    value = run.run(w)
    assert value[0] == 3 and value[1] < 1


def test_sparse_gradients(variables, graph, v1, tf, training, session):
    table = v1.get_variable("table", initializer=np.ones((4, 2), np.float32))
    mask = np.array([[True, False], [False, False], [False, True], [False, False]])
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"table": mask})
    step = optimizer.minimize(tf.reduce_sum(v1.nn.embedding_lookup(table, [0, 0, 2])))
    run = session()
    for _ in range(3):
        run.run(step)
    moved = run.run(table) != 1
    assert np.array_equal(moved, [[False, True], [False, False], [True, False], [False, False]])


def test_one_mask_for_a_partitioned_variable(variables, graph, v1, tf, training):
    with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(3)):
        table = v1.get_variable("table", [5, 2], initializer=v1.ones_initializer())
    total = tf.convert_to_tensor(table)
    mask = np.random.RandomState(3).rand(5, 2) < 0.5
    for passed_mask in (mask, v1.placeholder_with_default(mask, None)):
        step = training.FreezeOptimizer(
            v1.train.AdamOptimizer(0.1), {"net/table": passed_mask}
        ).minimize(tf.reduce_sum(total))
        with v1.Session() as run:
            run.run(v1.global_variables_initializer())
            run.run(step)
            assert np.array_equal(run.run(total) == 1, mask)


class OwnState:
    """An optimizer in the manner of BERT's: no hooks, and state of its own making."""

    def __new__(cls, v1, shape=None):
        class AdamWeightDecay(v1.train.Optimizer):
            def __init__(self):
                super().__init__(False, "AdamWeightDecay")

            def apply_gradients(self, pairs, global_step=None, name=None):
                updates = []
                for grad, variable in pairs:
                    m = v1.get_variable(
                        variable.op.name + "/adam_m",
                        shape or variable.shape.as_list(),
                        trainable=False,
                        initializer=v1.zeros_initializer(),
                    )
                    new = 0.9 * m + (0.1 * grad if shape is None else v1.reduce_sum(grad))
                    step = new if shape is None else v1.reduce_sum(new)
                    updates += [m.assign(new), variable.assign(variable - 0.1 * step)]
                return v1.group(*updates)

        return AdamWeightDecay()


def test_state_of_an_optimizers_own_making(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    longer = v1.get_variable("w/adam", initializer=[1.0, 1.0])
    step = training.FreezeOptimizer(
        OwnState(v1), {"w": [True, False], "w/adam": [False, True]}
    ).minimize(tf.reduce_sum(w * w + longer))
    run = session()
    m = [v for v in v1.global_variables() if v.op.name.endswith("adam_m")]
    for _ in range(2):
        run.run(step)
    values = dict(zip([v.op.name for v in m], run.run(m)))
    assert values["w/adam_m"][0] == 0 and values["w/adam_m"][1] != 0
    assert values["w/adam/adam_m"][1] == 0 and values["w/adam/adam_m"][0] != 0
    assert run.run(w)[0] == 1 and run.run(longer)[1] == 1


def test_a_group_may_be_named_like_a_variable(variables, graph, v1, tf, training, session):
    """Its Partition/w/beta1_power is not state of w."""
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    groups = training.PartitionOptimizer([training.Group("w", "w", v1.train.AdamOptimizer(0.1))])
    step = training.FreezeOptimizer(groups, {"w": [True, False]}).minimize(tf.reduce_sum(w))
    run = session()
    run.run(step)
    assert list(run.run(w) == 1) == [True, False]


def test_state_of_another_shape_is_refused(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    with pytest.raises(OptimizerKindError, match=r"AdamWeightDecay.*'w/adam_m' of shape"):
        training.FreezeOptimizer(OwnState(v1, [1]), {"w": True}).minimize(tf.reduce_sum(w))


def test_the_train_op_collection_holds_the_whole_step(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": True})
    step = optimizer.minimize(tf.reduce_sum(w))
    assert v1.get_collection(v1.GraphKeys.TRAIN_OP) == [step]


@pytest.mark.parametrize(
    "build, error, words",
    [
        (lambda t, o: t.FreezeOptimizer(o, {"w": [1, 0]}), MaskError, "int64.*mask > 0"),
        (lambda t, o: t.FreezeOptimizer(o, {"w": [True] * 3}), MaskError, r"\(2,\).*\(3,\).*rows"),
        (lambda t, o: t.FreezeOptimizer(o, {"w": [[True]]}), MaskError, r"\(1, 1\)"),
        (lambda t, o: t.FreezeOptimizer(o, {"v": True}), NothingMatchedError, "'v' among 'w'"),
        (lambda t, o: t.FreezeOptimizer(o, {"w:0": True}), NothingMatchedError, "mean 'w'"),
        (lambda t, o: t.FreezeOptimizer(o, {}), ArgumentError, "none"),
        (lambda t, o: t.FreezeOptimizer(o, {"w": True}, slots="drop"), ArgumentError, "'drop'"),
        (lambda t, o: t.FreezeOptimizer(0.1, {"w": True}), OptimizerKindError, "0.1 of type float"),
        (lambda t, o: t.FreezeOptimizer(type(o), {"w": True}), OptimizerKindError, "an instance"),
    ],
    ids=[
        "int-mask",
        "wrong-length",
        "too-many-dimensions",
        "no-such-variable",
        "colon-zero",
        "no-mask",
        "unknown-slots",
        "no-optimizer",
        "a-class",
    ],
)
def test_mistakes(build, error, words, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    with pytest.raises(error, match=words):
        build(training, v1.train.AdamOptimizer()).minimize(tf.reduce_sum(w))
