"""All state of a step moves or none: failed runs, and frozen elements whose gradient is NaN."""

import itertools

import numpy as np
import pytest

from tfgraphtools.errors import OptimizerKindError
from training_cases import same_bits

SIZE = 4
FROZEN = np.array([True, False, True, False])

#: {letter: wrap(training, optimizer, mask, name)}
WRAPPERS = {
    "F": lambda t, o, mask, name: t.FreezeOptimizer(o, {"w": mask}, name=name),
    "A": lambda t, o, mask, name: t.GradientAccumulationOptimizer(o, 2, name=name),
    "K": lambda t, o, mask, name: t.LookaheadOptimizer(o, 2, name=name),
    "E": lambda t, o, mask, name: t.ExponentialAverageOptimizer(o, 0.5, name=name),
    "W": lambda t, o, mask, name: t.WeightAverageOptimizer(o, name=name),
    "D": lambda t, o, mask, name: t.DecoupledWeightDecayOptimizer(o, {"w": 0.1}, name=name),
    "L": lambda t, o, mask, name: t.LRMultiplierOptimizer(o, {"w": 0.5}, name=name),
    "P": lambda t, o, mask, name: t.PartitionOptimizer([t.Group("all", "w", o)], name=name),
    "R": lambda t, o, mask, name: t.TrustRatioOptimizer(o, name=name),
}
CHAINS = ["".join(order) for other in "AKEWDLPR" for order in itertools.permutations("F" + other)]
CHAINS += ["".join(order) for order in itertools.permutations("FAK")]
CHAINS += ["".join(order) for order in itertools.permutations("FAE")]
CHAINS += ["AFKP", "KAFD", "FKAW"]


def chain(training, optimizer, letters, mask):
    for depth, letter in enumerate(reversed(letters)):
        optimizer = WRAPPERS[letter](training, optimizer, mask, f"Own{letter}{depth}")
    return optimizer


@pytest.mark.costly(in_ci=20)
@pytest.mark.parametrize("bad", [np.nan, np.inf], ids=["nan", "inf"])
@pytest.mark.parametrize("leaf", ["momentum", "adam"])
@pytest.mark.parametrize("letters", CHAINS)
def test_frozen_elements_of_every_state(
    letters, leaf, bad, variables, graph, v1, training, session
):
    """They keep every bit whatever their gradient is, and are finite after the release."""
    w = v1.get_variable("w", initializer=np.arange(1, SIZE + 1, dtype=np.float32))
    grad, mask = v1.placeholder(v1.float32, [SIZE]), v1.placeholder(v1.bool, [SIZE])
    train = v1.train
    adam = train.AdamOptimizer(0.1)
    optimizer = chain(
        training, adam if leaf == "adam" else train.MomentumOptimizer(0.1, 0.9), letters, mask
    )
    try:
        step = optimizer.apply_gradients([(grad, w)])
    except OptimizerKindError:
        assert "R" in letters
        return
    states = [v for v in v1.global_variables() if v.shape.as_list() == [SIZE]]
    run = session()
    values = np.where(FROZEN, bad, 0.5).astype(np.float32)
    run.run(step, {grad: np.full(SIZE, 0.5), mask: np.zeros(SIZE, bool)})
    moving = [v for v in states if v.op.name.endswith(("Average", "gradient_waits"))]
    before, start = run.run(states), run.run(w)
    for _ in range(5):
        run.run(step, {grad: values, mask: FROZEN})
    for state, old, new in zip(states, before, run.run(states)):
        old = np.where(np.isnan(old), start, old)  # what no run began yet begins with the value
        assert np.isfinite(new).all(), state.op.name
        if all(state is not other for other in moving):  # averages follow the value that stays
            assert same_bits(old[FROZEN], new[FROZEN]), state.op.name
    for _ in range(5):
        run.run(step, {grad: np.full(SIZE, 0.5), mask: np.zeros(SIZE, bool)})
    for state, new in zip(states, run.run(states)):
        assert np.isfinite(new).all(), state.op.name


@pytest.mark.costly(in_ci=12)
@pytest.mark.parametrize("fails", ["mask", "gradient", "not-fed", "rate", "decay"])
@pytest.mark.parametrize(
    "letters", ["A", "AF", "FA", "AEF", "EAF", "AK", "KA", "F", "K", "AD", "DA"]
)
def test_a_failed_run_changes_nothing(letters, fails, variables, graph, v1, tf, training, session):
    """Whatever fails before the first write; the runs after it are as without it."""
    weights = [v1.get_variable(name, initializer=np.ones(SIZE, np.float32)) for name in ("w", "u")]
    grad, mask = v1.placeholder(tf.float32, [SIZE]), v1.placeholder(tf.bool, None)
    good = v1.placeholder_with_default(True, [])
    rate, asserted = 0.1, [v1.debugging.Assert(good, ["fails"])]
    late = grad
    if fails == "gradient":
        for _ in range(3):  # the other one is there before it fails
            late = tf.sqrt(late * late)
        with tf.control_dependencies(asserted):
            late = tf.identity(late)
    if fails == "rate":
        with tf.control_dependencies(asserted):
            rate = tf.identity(0.1)
    needed = v1.placeholder(tf.float32, [])
    momentum = v1.train.MomentumOptimizer(rate, 0.9)
    if fails == "not-fed":
        late = late * needed
    if fails == "decay":
        with tf.control_dependencies(asserted):
            tensor = tf.identity(0.01)
        momentum = training.DecoupledWeightDecayOptimizer(momentum, {"w": tensor})
    for depth, letter in enumerate(reversed(letters)):
        momentum = WRAPPERS[letter](training, momentum, mask, f"Own{letter}{depth}")
    step = momentum.apply_gradients([(grad, weights[0]), (late, weights[1])])
    run = session()
    feed = {grad: np.full(SIZE, 0.5), mask: FROZEN, needed: 1.0}
    states = v1.global_variables()
    uses_mask = "F" in letters
    for at in range(4):
        before = run.run(states)
        wrong = dict(feed)
        if fails == "mask":
            wrong[mask] = np.ones(SIZE + 1, bool)
        elif fails == "not-fed":
            wrong.pop(needed)
        else:
            wrong[good] = False
        if fails != "mask" or uses_mask:
            with pytest.raises(tf.errors.InvalidArgumentError):
                run.run(step, wrong)
            for state, old, new in zip(states, before, run.run(states)):
                assert same_bits(old, new), (at, state.op.name)
        run.run(step, feed)
