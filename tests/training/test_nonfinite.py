"""Skipped steps: after one, every variable is bit for bit what it was, in every order of wrappers.

The reference is the same chain without the optimizer that skips, run with the good batches only.
"""

import itertools
import os

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, OptimizerKindError
from training_cases import CORE, same_bits

SHAPE = (4, 3)
FROZEN = np.arange(12).reshape(SHAPE) % 3 == 0

#: {letter: wrap(training, optimizer, name)}; S skips.
WRAPPERS = {
    "S": lambda t, o, name: t.SkipNonFiniteOptimizer(o, name=name),
    "F": lambda t, o, name: t.FreezeOptimizer(o, {"w": FROZEN}, name=name),
    "A": lambda t, o, name: t.GradientAccumulationOptimizer(o, 2, name=name),
    "K": lambda t, o, name: t.LookaheadOptimizer(o, 2, name=name),
    "E": lambda t, o, name: t.ExponentialAverageOptimizer(o, 0.5, name=name),
    "W": lambda t, o, name: t.WeightAverageOptimizer(o, name=name),
    "D": lambda t, o, name: t.DecoupledWeightDecayOptimizer(o, {"w": 0.1}, name=name),
    "L": lambda t, o, name: t.LRMultiplierOptimizer(o, {"w": 0.5}, name=name),
    "P": lambda t, o, name: t.PartitionOptimizer([t.Group("all", "w", o)], name=name),
    "R": lambda t, o, name: t.TrustRatioOptimizer(o, of="gradient", name=name),
    "C": lambda t, o, name: t.GradientTransformOptimizer(
        o, t.transforms.clip_by_global_norm(1.0), name=name
    ),
}
OTHERS = "FAKEWDLPRC"
PAIRS = [order for other in OTHERS for order in ("S" + other, other + "S")]
TRIPLES = [
    "".join(order)
    for two in itertools.combinations(OTHERS, 2)
    for order in itertools.permutations("S" + "".join(two))
]
#: A quarter of them; ``TFGRAPHTOOLS_TRIPLES=1`` takes all, which is five minutes.
TRIPLES = TRIPLES if os.environ.get("TFGRAPHTOOLS_TRIPLES") else [*TRIPLES[::4], "SRC", "RSC"]
FEW = ["AFS", "SAF", "FSA", "DKSA", "EASF", "ACS", "SAC", "PKSE"]


def chain(training, optimizer, letters):
    for depth, letter in enumerate(reversed(letters)):
        if letter != " ":
            optimizer = WRAPPERS[letter](training, optimizer, f"Own{letter}{depth}")
    return optimizer


def batches(bad):
    """[(gradient, whether it is finite)]: of trainable elements."""
    random = np.random.RandomState(0)
    drawn = []
    for good in (True, True, False, True, False, False, True, True):
        grad = random.normal(size=SHAPE).astype(np.float32)
        if not good:
            grad[1, 1] = bad
        drawn.append((grad, good))
    return drawn


def pairs_of(tf, grad, w, kind):
    """The pairs of a gradient: dense, of rows, or of each slice of a partitioned variable."""
    if kind == "sparse":
        rows = tf.range(SHAPE[0])
        return [(tf.IndexedSlices(grad, rows, tf.constant(SHAPE)), w)]
    if kind == "partitioned":
        return list(zip(tf.split(grad, [2, 2]), list(w)))
    return [(grad, w)]


def variable(v1, kind):
    start = v1.ones_initializer()
    if kind != "partitioned":
        return v1.get_variable("w", SHAPE, initializer=start)
    with v1.variable_scope("", partitioner=v1.fixed_size_partitioner(2)):
        return v1.get_variable("w", SHAPE, initializer=start)


def states(tf, training, leaf, letters, bad, kind, all_batches):
    """{name: value} of all variables at the end, and how many runs were skipped."""
    v1 = tf.compat.v1
    with v1.Graph().as_default(), v1.Session() as run:
        w = variable(v1, kind)
        grad = v1.placeholder(tf.float32, SHAPE)
        count = v1.train.get_or_create_global_step()
        optimizer = chain(training, leaf(v1.train), letters)
        step = optimizer.apply_gradients(pairs_of(tf, grad, w, kind), global_step=count)
        run.run(v1.global_variables_initializer())
        for values, good in batches(bad):
            if good or all_batches:
                run.run(step, {grad: values})
        values = {v.op.name: run.run(v) for v in v1.global_variables()}
    skipped = [values.pop(name) for name in sorted(values) if name.endswith("/skipped")]
    return values, skipped


def check(tf, training, leaf, letters, bad, kind="dense"):
    try:
        expected, _ = states(tf, training, leaf, letters.replace("S", " "), bad, kind, False)
    except OptimizerKindError:
        assert kind != "dense"  # the chain is refused without the skip, too
        return
    seen, skipped = states(tf, training, leaf, letters, bad, kind, True)
    assert sorted(seen) == sorted(expected)
    for name in expected:
        assert same_bits(seen[name], expected[name]), name
    assert skipped == [3] * letters.count("S")


@pytest.fixture(autouse=True)
def ref_variables_in_branches(variables, v1):
    """No optimizer of TensorFlow reaches a ref variable in a branch of control flow v2."""
    if variables == "ref":
        v1.disable_control_flow_v2()


@pytest.mark.costly(in_ci=12)
@pytest.mark.parametrize(
    "kind", ["dense", "sparse", pytest.param("partitioned", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("case", CORE)
def test_every_optimizer(case, kind, variables, tf, training):
    check(tf, training, lambda train: CORE[case].build(train, 0.1), "S", np.nan, kind)


def momentum(train):
    return train.MomentumOptimizer(0.1, 0.9)


@pytest.mark.parametrize("letters", PAIRS + FEW)
def test_every_order(letters, variables, tf, training):
    check(tf, training, momentum, letters, np.inf if letters[0] == "S" else -np.inf)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["dense", "sparse", "partitioned"])
@pytest.mark.parametrize("letters", PAIRS + FEW)
def test_every_kind_of_gradient(letters, kind, variables, tf, training):
    if kind == "partitioned" and "R" in letters:
        pytest.skip("slices share one ratio: see test_trust")
    check(tf, training, lambda train: train.AdamOptimizer(0.1), letters, np.nan, kind)


@pytest.mark.slow
@pytest.mark.parametrize("letters", TRIPLES)
def test_triples(letters, variables, tf, training):
    check(tf, training, momentum, letters, np.nan)


def stepped(v1, session, optimizer, w, values, dtype="float32"):
    """The value of w after each run, and the number of skipped runs."""
    grad = v1.placeholder(dtype, w.shape)
    step = optimizer.apply_gradients([(grad, w)])
    run, seen = session(), []
    for value in values:
        run.run(step, {grad: value})
        seen.append(list(run.run(w)))
    return seen, run.run(optimizer.skipped())


@pytest.mark.parametrize("slots", ["keep", "reset", "compact", "advance"])
@pytest.mark.parametrize("order", ["inside", "around"])
def test_frozen_elements_skip_no_step(order, slots, variables, graph, v1, training, session):
    """But where the moments of frozen elements advance: there the NaN would be kept."""
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    skips, sgd = training.SkipNonFiniteOptimizer, v1.train.GradientDescentOptimizer(1.0)
    mask = {"w": np.array([True, False])}
    if order == "inside":
        optimizer = skips(training.FreezeOptimizer(sgd, mask, slots))
    else:
        inner = skips(sgd)
        optimizer = training.FreezeOptimizer(inner, mask, slots)
        optimizer.skipped = inner.skipped
    seen, count = stepped(v1, session, optimizer, w, [[np.nan, 1.0], [np.nan, np.nan]])
    assert seen == [[1.0, 2.0 if slots == "advance" else 1.0]] * 2
    assert count == (2 if slots == "advance" else 1)


@pytest.mark.parametrize("mask", [True, "fed"])
def test_a_variable_that_is_frozen_as_a_whole(mask, variables, graph, v1, training, session):
    w = v1.get_variable("w", initializer=[1.0])
    if mask == "fed":
        mask = v1.placeholder_with_default(True, [])
    inner = training.FreezeOptimizer(v1.train.GradientDescentOptimizer(1.0), {"w": mask})
    optimizer = training.SkipNonFiniteOptimizer(inner)
    assert stepped(v1, session, optimizer, w, [[np.nan]]) == ([[1.0]], 0)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_sums_that_overflow_are_no_reason(dtype, variables, graph, v1, tf, training, session):
    """Each element is finite; their sum is not."""
    dtype = tf.as_dtype(dtype)
    w = v1.get_variable("w", initializer=tf.zeros([3], dtype))
    optimizer = training.SkipNonFiniteOptimizer(v1.train.GradientDescentOptimizer(1.0))
    largest = [dtype.max, dtype.max, 0]
    grad = v1.placeholder(dtype, [3])
    step = optimizer.apply_gradients([(grad, w)])
    result = tf.cast(w, tf.float64)
    run = session()
    for values in (largest, [0, 0, np.nan], [0, -np.inf, 1]):
        run.run(step, {grad: np.array(values, dtype.as_numpy_dtype)})
    assert run.run(optimizer.skipped()) == 2
    assert run.run(result)[0] == -np.float64(dtype.max)


def test_a_transform_inside_that_overflows(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[0.0, 0.0])

    def squared(pairs):
        return [(grad * grad, variable) for grad, variable in pairs]

    inner = training.GradientTransformOptimizer(v1.train.GradientDescentOptimizer(1.0), squared)
    optimizer = training.SkipNonFiniteOptimizer(inner)
    assert stepped(v1, session, optimizer, w, [[1e30, 1.0], [1.0, 2.0]]) == (
        [[0.0, 0.0], [-1.0, -4.0]],
        1,
    )


@pytest.mark.parametrize("outside", ["SA", "AS"])
def test_a_transform_of_the_mean_that_overflows(
    outside, variables, graph, v1, tf, training, session
):
    """The step is skipped, of the accumulation's wrappers too; the sum begins anew."""
    w = v1.get_variable("w", initializer=[8.0, 8.0])

    def squared(pairs):
        return [(grad * grad, variable) for grad, variable in pairs]

    inner = training.GradientTransformOptimizer(v1.train.GradientDescentOptimizer(1.0), squared)
    inner = training.DecoupledWeightDecayOptimizer(inner, {"w": 0.5})
    skips = training.SkipNonFiniteOptimizer
    if outside == "AS":
        inner = skip = skips(inner)
    optimizer = training.GradientAccumulationOptimizer(inner, 2)
    if outside == "SA":
        optimizer = skip = skips(optimizer)
    else:
        optimizer.skipped = skip.skipped
    values = [[1e30, 1.0], [1e30, 1.0], [1.0, 2.0], [1.0, 2.0]]
    seen, count = stepped(v1, session, optimizer, w, values)
    assert seen == [[8.0, 8.0]] * 3 + [[3.0, 0.0]] and count == 1


def test_a_transform_around_that_repairs(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[0.0, 0.0])
    inner = training.SkipNonFiniteOptimizer(v1.train.GradientDescentOptimizer(1.0))

    def repaired(pairs):
        return [(tf.clip_by_value(grad, -1.0, 1.0), variable) for grad, variable in pairs]

    optimizer = training.GradientTransformOptimizer(inner, repaired)
    optimizer.skipped = inner.skipped
    seen, count = stepped(v1, session, optimizer, w, [[np.inf, 0.5], [np.nan, 0.5]])
    assert seen == [[-1.0, -0.5]] * 2 and count == 1


def test_one_group_skips_the_whole_step(variables, graph, v1, tf, training, session):
    w, u = (v1.get_variable(name, initializer=[1.0]) for name in "wu")
    grads = [v1.placeholder(tf.float32, [1]) for _ in "wu"]
    count = v1.train.get_or_create_global_step()
    sgd = v1.train.GradientDescentOptimizer
    skips = training.SkipNonFiniteOptimizer(sgd(1.0))
    groups = [training.Group("w", "w", skips), training.Group("u", "u", sgd(1.0))]
    optimizer = training.DecoupledWeightDecayOptimizer(
        training.PartitionOptimizer(groups), {"u": 0.5}
    )
    step = optimizer.apply_gradients(list(zip(grads, [w, u])), global_step=count)
    run = session()
    run.run(step, dict(zip(grads, [[np.nan], [0.5]])))
    assert run.run([w, u, count]) == [[1.0], [1.0], 0]
    run.run(step, dict(zip(grads, [[1.0], [0.5]])))
    assert run.run([w, u, count]) == [[0.0], [0.0], 1]


def test_a_variable_that_no_group_trains(variables, graph, v1, tf, training, session):
    w, u = (v1.get_variable(name, initializer=[1.0]) for name in "wu")
    sgd = v1.train.GradientDescentOptimizer(1.0)
    groups = [training.Group("w", "w", sgd), training.Group("u", "u", None)]
    optimizer = training.SkipNonFiniteOptimizer(training.PartitionOptimizer(groups))
    step = optimizer.apply_gradients([(tf.ones([1]), w), (tf.constant([np.nan], tf.float32), u)])
    run = session()
    run.run(step)
    assert run.run([w, u, optimizer.skipped()]) == [[0.0], [1.0], 0]


def test_no_race(variables, graph, v1, tf, training, session):
    """With transforms looked at before the step: no gradient sees a variable that has changed."""
    from training_cases import check_no_race, product_of_identities

    loss, factors = product_of_identities(v1, tf)
    sgd = v1.train.GradientDescentOptimizer
    groups = [
        training.Group("a", "a", training.SkipNonFiniteOptimizer(sgd(0.1))),
        training.Group(
            "rest",
            "[bcd]",
            training.GradientTransformOptimizer(sgd(0.1), training.transforms.scale(2.0)),
        ),
    ]
    optimizer = training.PartitionOptimizer(groups)
    grads = optimizer.compute_gradients(loss, factors)
    step = optimizer.apply_gradients(grads)
    check_no_race(v1, tf, session, factors, [grad for grad, _ in grads], step)


def test_flush_and_hooks(variables, graph, v1, tf, training, tmp_path):
    w = v1.get_variable("w", initializer=0.0)
    grad = v1.placeholder_with_default(-1.0, [])
    inner = training.GradientAccumulationOptimizer(v1.train.GradientDescentOptimizer(1.0), 4)
    optimizer = training.SkipNonFiniteOptimizer(inner)
    count = v1.train.get_or_create_global_step()
    step = optimizer.apply_gradients([(grad, w)], global_step=count)
    lines = (tmp_path / "lines").open("w")
    hooks = [
        training.FlushHook(inner, checkpoint_dir=str(tmp_path)),
        training.ProgressHook({"skipped": optimizer.skipped()}, every=1, stream=lines),
    ]
    with v1.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), hooks=hooks) as run:
        for value in (-1.0, np.nan, -3.0):
            run.run(step, {grad: value})
    lines.close()
    assert "skipped 1 " in (tmp_path / "lines").read_text().splitlines()[-1]
    reader = v1.train.NewCheckpointReader(v1.train.latest_checkpoint(str(tmp_path)))
    assert reader.get_tensor("w") == 2.0 and reader.get_tensor("SkipNonFinite/skipped") == 1


def test_mistakes(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    sgd = v1.train.GradientDescentOptimizer(1.0)
    skips = training.SkipNonFiniteOptimizer(sgd)
    assert skips.skipped() is None
    skips.minimize(tf.reduce_sum(w))
    with pytest.raises(ArgumentError, match="in use.*name="):
        training.SkipNonFiniteOptimizer(sgd).minimize(tf.reduce_sum(w))
    with pytest.raises(OptimizerKindError, match="SkipNonFiniteOptimizer"):
        training.SkipNonFiniteOptimizer("adam")

    class Hiding(v1.train.Optimizer):
        """It wraps another optimizer, in an attribute of its own choice."""

        def __init__(self, inner):
            super().__init__(False, "Hiding")
            self._mine = inner

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            return self._mine.apply_gradients(grads_and_vars, global_step, name)

    hidden = Hiding(training.SkipNonFiniteOptimizer(sgd, name="Hidden"))
    decays = training.DecoupledWeightDecayOptimizer(hidden, {"w": 0.1})
    with pytest.raises(OptimizerKindError, match="Put the one that skips around the whole"):
        decays.minimize(tf.reduce_sum(w))


@pytest.mark.parametrize("wrapper", ["skip", "scale", "accumulation", "around"])
def test_workers_would_wait_for_ever(wrapper, graph, v1, tf, training):
    """Inside a SyncReplicasOptimizer the global step must go on in every run."""
    w = v1.get_variable("w", initializer=[1.0])
    sgd = v1.train.GradientDescentOptimizer(1.0)
    inner = {
        "skip": training.SkipNonFiniteOptimizer,
        "scale": training.LossScaleOptimizer,
        "accumulation": lambda o: training.GradientAccumulationOptimizer(o, 2),
        "around": lambda o: training.LRMultiplierOptimizer(
            training.SkipNonFiniteOptimizer(o), {"w": 0.5}
        ),
    }[wrapper](sgd)
    optimizer = v1.train.SyncReplicasOptimizer(inner, 1)
    with pytest.raises(OptimizerKindError, match="SyncReplicasOptimizer around.*leaves out steps"):
        optimizer.minimize(tf.reduce_sum(w), global_step=v1.train.get_or_create_global_step())
