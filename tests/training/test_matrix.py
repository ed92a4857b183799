"""Frozen elements under every optimizer, dtype and kind of variable; TF 1.15's contrib too."""

import pathlib

import numpy as np
import pytest

from tfgraphtools.errors import OptimizerKindError
from training_cases import CORE, same_bits

SHAPE = (6, 20)
STEPS = 3
DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "frozen_elements.md"


def rate(case):
    """One that moves a float16 in three steps."""
    return 30.0 if case == "adadelta" else 0.01


def check(v1, tf, training, run_in, build, dtype, make, pass_mask=None):
    """Trains a variable and its frozen twin alike; compares the bits of both."""
    mask = np.random.RandomState(4).rand(*SHAPE) < 0.5
    start = tf.cast(tf.constant(np.random.RandomState(0).normal(size=SHAPE)), dtype)
    plain_w, w = make("plain", start), make("w", start)
    grad = v1.placeholder(dtype, SHAPE)
    frozen = training.FreezeOptimizer(
        build(), {"w": mask if pass_mask is None else pass_mask(mask)}
    )
    plain_optimizer = build()
    steps = [
        optimizer.apply_gradients(parts(tf, grad, variable))
        for optimizer, variable in ((plain_optimizer, plain_w), (frozen, w))
    ]
    values = [tf.cast(tf.convert_to_tensor(v), tf.float64) for v in (plain_w, w)]
    slots = [slots_of(frozen, part) for part in (w if isinstance(w, list) else [w])]
    run = run_in()
    before = run.run([values[1], slots])
    for step in range(STEPS):
        g = np.random.RandomState(step).normal(size=SHAPE)
        run.run(steps[0], {grad: g})
        run.run(steps[1], {grad: np.where(mask, np.nan, g)})
    after = run.run([values[1], slots])
    assert same_bits(before[0][mask], after[0][mask])
    wanted = run.run(values[0])
    assert same_bits(wanted[~mask], after[0][~mask]) and not same_bits(before[0], after[0])
    if not isinstance(w, list) and type(w).__name__ != "PartitionedVariable":
        for old, new in zip(before[1][0], after[1][0]):
            assert same_bits(old[mask], new[mask])


def parts(tf, grad, variable):
    """One pair, or one for each slice of a partitioned variable."""
    if type(variable).__name__ != "PartitionedVariable":
        return [(grad, variable)]
    sizes = [part.shape.as_list()[0] for part in variable]
    return list(zip(tf.split(grad, sizes), list(variable)))


def slots_of(optimizer, variable):
    if type(variable).__name__ == "PartitionedVariable":
        return []
    slots = [optimizer.get_slot(variable, name) for name in optimizer.get_slot_names()]
    return [slot for slot in slots if slot is not None]


def plain_variable(v1):
    return lambda name, start: v1.get_variable(name, initializer=start)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
@pytest.mark.parametrize("case", CORE)
def test_dtypes(case, dtype, variables, graph, v1, tf, training, session):
    if not takes(case, dtype, v1, tf):
        pytest.skip(f"TF {tf.__version__} has no {case} for {dtype}")
    check(v1, tf, training, session, builder(case, v1), tf.as_dtype(dtype), plain_variable(v1))


def builder(case, v1):
    return lambda: CORE[case].build(v1.train, rate(case))


def takes(case, dtype, v1, tf):
    """Whether the plain optimizer trains this dtype at all."""
    # On the CPU, and not on the XLA_CPU device that TF 1.15 falls back to.
    with v1.Graph().as_default(), v1.device("/cpu:0"), v1.Session() as run:
        w = v1.get_variable("w", initializer=tf.zeros([2], tf.as_dtype(dtype)))
        try:
            step = CORE[case].build(v1.train, rate(case)).apply_gradients([(tf.ones_like(w), w)])
            run.run(v1.global_variables_initializer())
            run.run(step)
            return bool(np.any(run.run(tf.cast(w, tf.float32))))  # Adadelta's epsilon is 0 in half
        except (tf.errors.InvalidArgumentError, tf.errors.NotFoundError, ValueError, TypeError):
            return False


@pytest.mark.parametrize("case", CORE)
def test_the_documented_table(case, variables, v1, tf):
    """docs/frozen_elements.md says of each dtype what this TensorFlow can train."""
    (row,) = [line for line in DOCS.read_text().splitlines() if line.startswith(f"| {case} |")]
    cells = [cell.strip() for cell in row.split("|")[2:6]]
    dtypes = ["float16", "bfloat16", "float32", "float64"]
    assert cells == ["exact" if takes(case, d, v1, tf) else "-" for d in dtypes]


@pytest.mark.parametrize("case", CORE)
def test_partitioned(case, variables, graph, v1, tf, training, session):
    def make(name, start):
        whole = np.arange(120).reshape(SHAPE).astype(np.float32) / 50 - 1

        def part(shape, dtype=None, partition_info=None):
            begin = partition_info.var_offset[0]
            return tf.constant(whole[begin : begin + shape[0]])

        with v1.variable_scope("", partitioner=v1.fixed_size_partitioner(4)):
            return v1.get_variable(name, SHAPE, initializer=part)

    check(
        v1, tf, training, session, lambda: CORE[case].build(v1.train, rate(case)), tf.float32, make
    )


CONTRIB = {
    "LazyAdam": lambda opt, train: opt.LazyAdamOptimizer(0.01),
    "AdaMax": lambda opt, train: opt.AdaMaxOptimizer(0.01),
    "Nadam": lambda opt, train: opt.NadamOptimizer(0.01),
    "AdamW": lambda opt, train: opt.AdamWOptimizer(0.1, 0.01),
    "MomentumW": lambda opt, train: opt.MomentumWOptimizer(0.1, 0.01, 0.9),
    "AdamGS": lambda opt, train: opt.AdamGSOptimizer(train.create_global_step(), 0.01),
    "PowerSign": lambda opt, train: opt.PowerSignOptimizer(0.01),
    "AddSign": lambda opt, train: opt.AddSignOptimizer(0.01),
}


@pytest.mark.parametrize("case", CONTRIB)
def test_contrib(case, contrib, variables, graph, v1, tf, training, session):
    if case == "AdamGS":
        v1.train.get_or_create_global_step()
        step = v1.train.get_global_step()

        def build():
            return contrib.opt.AdamGSOptimizer(step, 0.01)
    else:

        def build():
            return CONTRIB[case](contrib.opt, v1.train)

    check(v1, tf, training, session, build, tf.float32, plain_variable(v1))


def test_variable_clipping(contrib, variables, graph, v1, tf, training, session):
    """The clipped row of a frozen element: the element stays, the others are clipped."""
    w = v1.get_variable("w", initializer=[[3.0, 4.0]])
    clipped = contrib.opt.VariableClippingOptimizer(
        v1.train.GradientDescentOptimizer(0.1), {w: [1]}, 1.0
    )
    optimizer = training.FreezeOptimizer(clipped, {"w": [[True, False]]})
    step = optimizer.apply_gradients([(tf.ones([1, 2]), w)])
    run = session()
    run.run(step)
    value = run.run(w)
    assert value[0, 0] == 3 and value[0, 1] < 1


@pytest.mark.parametrize("outside", [True, False], ids=["around", "inside"])
def test_loss_scale(outside, contrib, variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    manager = contrib.mixed_precision.FixedLossScaleManager(8.0)
    scale = contrib.mixed_precision.LossScaleOptimizer
    mask = {"w": [True, False]}
    if outside:
        inner = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), mask)
        optimizer = scale(inner, manager)
    else:
        inner = v1.train.AdamOptimizer(0.1)
        optimizer = training.FreezeOptimizer(scale(inner, manager), mask)
    step = optimizer.minimize(tf.reduce_sum(w**2))
    state = [w, inner.get_slot(w, "m"), inner.get_slot(w, "v")]
    run = session()
    before = run.run(state)
    run.run(step)
    for old, new in zip(before, run.run(state)):
        assert old[0] == new[0] and old[1] != new[1]


@pytest.mark.parametrize("kind", ["ShampooOptimizer", "GGTOptimizer"])
def test_optimizers_that_mix_elements_are_refused(kind, contrib, graph, v1, tf, training):
    with pytest.raises(OptimizerKindError, match=f"FreezeOptimizer around {kind}"):
        training.FreezeOptimizer(getattr(contrib.opt, kind)(), {"w": True})


def test_lars_sees_no_frozen_gradient(contrib, variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    optimizer = training.FreezeOptimizer(contrib.opt.LARSOptimizer(0.1), {"w": [True, False]})
    step = optimizer.apply_gradients([(tf.constant([np.nan, 1.0], tf.float32), w)])
    run = session()
    run.run(step)
    value = run.run(w)
    assert value[0] == 1 and np.isfinite(value[1]) and value[1] < 2


def test_norms_of_one_group_leave_the_slots_of_another(graph, v1, tf, training, session, contrib):
    """LARS gets zeros for frozen elements; what Momentum makes of theirs is its own."""
    w, u = (v1.get_variable(name, initializer=[1.0, 1.0]) for name in "wu")
    momentum = v1.train.MomentumOptimizer(0.1, 0.5)
    groups = training.PartitionOptimizer(
        [
            training.Group("lars", "w", contrib.opt.LARSOptimizer(0.1)),
            training.Group("other", "u", momentum),
        ]
    )
    optimizer = training.FreezeOptimizer(groups, {"w|u": [True, False]}, slots="advance")
    step = optimizer.apply_gradients([(tf.constant([2.0, 3.0]), v) for v in (w, u)])
    run = session()
    run.run(step)
    assert run.run(momentum.get_slot(u, "momentum")).tolist() == [2.0, 3.0]
    assert [values[0] for values in run.run([w, u])] == [1.0, 1.0]


def test_lars_takes_no_multiplier(contrib, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    with pytest.raises(OptimizerKindError, match="LARSOptimizer"):
        training.LRMultiplierOptimizer(contrib.opt.LARSOptimizer(0.1), {"w": 2}).minimize(
            tf.reduce_sum(w)
        )
