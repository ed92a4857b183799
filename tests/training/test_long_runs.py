"""Counters, powers and corrections after many steps: loaded, and compared with float64."""

import numpy as np
import pytest

from training_cases import same_bits

STEPS = [10, 1_000, 100_000, 10_000_000]
START, GRAD = np.array([1.0, -2.0]), np.array([0.5, 3.0])

pytestmark = pytest.mark.parametrize("steps", STEPS)


def named(v1, end):
    return next(v for v in v1.global_variables() if v.op.name.endswith(end))


def variable(v1):
    return v1.get_variable("w", initializer=START.astype(np.float32))


def after(v1, session, step, loaded, results):
    """The results of one step from a state in which some variables are loaded."""
    run = session()
    for state, value in loaded.items():
        state.load(value, run)
    run.run(step)
    return run.run(results)


@pytest.mark.parametrize("decay", [0.9, 0.9999])
@pytest.mark.parametrize("debias", [False, True], ids=["plain", "debias"])
def test_exponential_average(debias, decay, steps, variables, graph, v1, tf, training, session):
    """With a decay that follows the number of updates, and with a weight of many steps."""
    w = variable(v1)
    count = v1.train.get_or_create_global_step()
    updates = None if debias else count
    sgd = v1.train.GradientDescentOptimizer(1.0)
    optimizer = training.ExponentialAverageOptimizer(sgd, decay, updates, debias)
    step = optimizer.apply_gradients([(tf.constant(GRAD, tf.float32), w)], global_step=count)
    average, weight = optimizer.average(w), named(v1, "/weight")
    decay = float(np.float32(decay))  # what the optimizer is given
    before = -np.expm1(steps * np.log(decay)) if debias else 1.0
    old = np.array([0.25, 4.0])
    loaded = {count: steps, weight: before, average: old}
    new_average, counted, new_weight = after(v1, session, step, loaded, [average, count, weight])
    kept = decay if debias else min(decay, (1 + steps) / (10 + steps))
    expected_weight = kept * before + (1 - kept) if debias else 1.0
    rate = (1 - kept) / expected_weight
    np.testing.assert_allclose(new_average, old + rate * (START - GRAD - old), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(new_weight, expected_weight, rtol=1e-6)
    assert counted == steps + 1


@pytest.mark.parametrize("every", [1, 7])
def test_weight_average(every, steps, variables, graph, v1, tf, training, session):
    w = variable(v1)
    optimizer = training.WeightAverageOptimizer(
        v1.train.GradientDescentOptimizer(1.0), start=3, every=every
    )
    step = optimizer.apply_gradients([(tf.constant(GRAD, tf.float32), w)])
    average, counter = optimizer.average(w), named(v1, "/steps")
    old = np.array([0.25, 4.0])
    new_average, counted = after(
        v1, session, step, {counter: steps, average: old}, [average, counter]
    )
    snapshots, remainder = divmod(steps + 1 - 3, every)
    expected = old if remainder else old + (START - GRAD - old) / (1 + snapshots)
    np.testing.assert_allclose(new_average, expected, rtol=1e-6)
    assert counted == steps + 1


@pytest.mark.parametrize("every", [5, 7])
def test_lookahead(every, steps, variables, graph, v1, tf, training, session):
    w = variable(v1)
    optimizer = training.LookaheadOptimizer(v1.train.GradientDescentOptimizer(1.0), every, 0.25)
    step = optimizer.apply_gradients([(tf.constant(GRAD, tf.float32), w)])
    slow, counter = optimizer.slow(w), named(v1, "/steps")
    old = np.array([0.25, 4.0])
    value, new_slow, counted = after(
        v1, session, step, {counter: steps - 1, slow: old}, [w, slow, counter]
    )
    fast = START - GRAD
    expected = old if steps % every else old + 0.25 * (fast - old)
    np.testing.assert_allclose(new_slow, expected, rtol=1e-6)
    np.testing.assert_allclose(value, fast if steps % every else expected, rtol=1e-6)
    assert counted == steps


def test_accumulation(steps, variables, graph, v1, tf, training, session):
    """The last run of a step of so many; their sum is of that size."""
    w = variable(v1)
    optimizer = training.GradientAccumulationOptimizer(
        v1.train.GradientDescentOptimizer(1.0), steps
    )
    step = optimizer.apply_gradients([(tf.constant(GRAD, tf.float32), w)])
    total, runs = named(v1, "/gradient_sum"), named(v1, "/runs")
    loaded = {total: GRAD * (steps - 1), runs: steps - 1}
    value, count, left = after(v1, session, step, loaded, [w, runs, total])
    np.testing.assert_allclose(value, START - GRAD, rtol=1e-6)
    assert count == 0 and not left.any()


@pytest.mark.parametrize("bad", [False, True], ids=["finite", "skipped"])
def test_skips_and_the_loss_scale(bad, steps, variables, graph, v1, tf, training, session):
    w = variable(v1)
    adam = v1.train.AdamOptimizer(0.1)
    optimizer = training.LossScaleOptimizer(adam, 8.0, growth_steps=steps + 1)
    count = v1.train.get_or_create_global_step()
    grad = np.where([bad, False], np.nan, GRAD).astype(np.float32)
    step = optimizer.apply_gradients([(tf.constant(grad), w)], global_step=count)
    powers = [beta**steps for beta in (0.9, 0.999)]
    loaded = {named(v1, "good_steps"): steps, optimizer.skipped(): steps, count: steps}
    loaded.update(zip([named(v1, "beta1_power"), named(v1, "beta2_power")], powers))
    results = [w, optimizer.loss_scale() if steps else None, optimizer.skipped(), count]
    results += [named(v1, "good_steps"), named(v1, "beta2_power")]
    scale = named(v1, "current_loss_scale")
    loaded[scale] = 8.0
    value, now, skipped, counted, good, power = after(v1, session, step, loaded, results)
    rate = 0.1 * np.sqrt(1 - powers[1]) / (1 - powers[0])
    moved = START - rate * 0.1 * GRAD / (np.sqrt(0.001) * GRAD + 1e-8)
    np.testing.assert_allclose(value, START if bad else moved, rtol=1e-5)
    assert (now, skipped, counted, good) == (
        (4.0, steps + 1, steps, 0) if bad else (16.0, steps, steps + 1, 0)
    )
    np.testing.assert_allclose(power, powers[1] * (1 if bad else 0.999), rtol=1e-6, atol=1e-37)


@pytest.mark.parametrize("wrapper", ["freeze", "rates", "partition", "decay", "trust"])
def test_powers_go_on_as_alone(wrapper, steps, variables, graph, v1, tf, training, session):
    """Of Adam inside each wrapper that keeps no counter, underflow included."""
    wraps = {
        "freeze": lambda o: training.FreezeOptimizer(o, {"w": [False, False]}),
        "rates": lambda o: training.LRMultiplierOptimizer(o, {"w": 1.0}),
        "partition": lambda o: training.PartitionOptimizer([training.Group("all", "w", o)]),
        "decay": lambda o: training.DecoupledWeightDecayOptimizer(o, {"w": 0.0}),
        "trust": lambda o: training.TrustRatioOptimizer(o, exclude="w"),
    }
    grad = tf.constant(GRAD, tf.float32)
    plain_w = v1.get_variable("plain", initializer=START.astype(np.float32))
    with v1.variable_scope("reference"):
        plain_step = v1.train.AdamOptimizer(0.1).apply_gradients([(grad, plain_w)])
    before = v1.global_variables()
    w = variable(v1)
    step = wraps[wrapper](v1.train.AdamOptimizer(0.1)).apply_gradients([(grad, w)])
    powers = [v for v in v1.global_variables() if v.op.name.split("_power")[0][-5:-1] == "beta"]
    loaded = {p: (0.9 if "beta1" in p.op.name else 0.999) ** steps for p in powers}
    assert len(powers) == 4 and before
    results = after(v1, session, v1.group(step, plain_step), loaded, [w, plain_w, powers])
    assert same_bits(results[0], results[1])
    for power, value in zip(powers, results[2]):
        beta = 0.9 if "beta1" in power.op.name else 0.999
        np.testing.assert_allclose(value, beta ** (steps + 1), rtol=2e-6, atol=1e-37)
