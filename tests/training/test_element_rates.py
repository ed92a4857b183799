"""Multipliers of single elements: NumPy's steps, and every bit of an element at 0 stays."""

import numpy as np
import pytest

import oracles
from tfgraphtools.errors import ArgumentError, MaskError, OptimizerKindError, TfgraphtoolsError
from training_cases import same_bits

START = np.random.RandomState(0).normal(size=(4, 6)).astype(np.float32)
RATES = np.random.RandomState(1).choice([0.0, 0.5, 1.0, 2.0], size=(4, 6)).astype(np.float32)
RUNS = 4

#: {id: (build(train), oracle)}
OPTIMIZERS = {
    "sgd": (lambda t: t.GradientDescentOptimizer(0.25), oracles.GradientDescent),
    "momentum": (lambda t: t.MomentumOptimizer(0.25, 0.9), oracles.Momentum),
    "adagrad": (lambda t: t.AdagradOptimizer(0.25), oracles.Adagrad),
    "adam": (lambda t: t.AdamOptimizer(0.25), oracles.Adam),
    "rmsprop": (lambda t: t.RMSPropOptimizer(0.25), oracles.RMSProp),
}
#: {id: multipliers(v1, array)}
KINDS = {
    "array": lambda v1, array: array,
    "list": lambda v1, array: array.tolist(),
    "fed": lambda v1, array: v1.placeholder_with_default(array, array.shape),
    "variable": lambda v1, array: v1.get_variable("rates", initializer=array, trainable=False),
}


def gradient(run):
    return np.random.RandomState(10 + run).normal(size=START.shape).astype(np.float32)


def check(v1, tf, training, session, optimizer, w, slots, expected, rates=RATES, grad=None):
    """Takes steps; compares with NumPy where the rate is not 0, and bits where it is."""
    frozen = np.broadcast_to(rates, START.shape) == 0
    feed = grad if grad is not None else v1.placeholder(tf.float32, START.shape)
    step = optimizer.apply_gradients([(feed, w)])
    states = [w] + [optimizer.get_slot(w, name) for name in slots]
    run = session()
    before = run.run(states)
    for number in range(RUNS):
        fed = np.where(frozen, np.nan, gradient(number)).astype(np.float32)
        run.run(step, {feed: fed})
    after = run.run(states)
    for old, new in zip(before, after):
        assert same_bits(old[frozen], new[frozen])
    np.testing.assert_allclose(after[0][~frozen], expected[~frozen], rtol=2e-5, atol=2e-6)


def stepped(oracle, rates=RATES, of_step=lambda value, moved: moved - value):
    value = START.astype(np.float64)
    for number in range(RUNS):
        moved = oracle.step(value, gradient(number).astype(np.float64), 0.25)
        value = value + of_step(value, moved) * rates
    return value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_each_element_has_its_rate(name, kind, variables, graph, v1, tf, training, session):
    build, oracle = OPTIMIZERS[name]
    w = v1.get_variable("w", initializer=START)
    optimizer = training.LRMultiplierOptimizer(build(v1.train), {"w": KINDS[kind](v1, RATES)})
    slots = build(v1.train).get_slot_names()
    expected = stepped(oracle())
    check(v1, tf, training, session, optimizer, w, slots, expected)
    for slot in optimizer.get_slot_names():
        assert optimizer.get_slot(w, slot) is not None
    assert "by element" in optimizer.describe()


@pytest.mark.parametrize("name", ["momentum", "adam"])
def test_slots_of_an_element_at_zero_stay(name, variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=START)
    fed = v1.placeholder(tf.float32, START.shape)
    optimizer = training.LRMultiplierOptimizer(OPTIMIZERS[name][0](v1.train), {"w": fed})
    grad = v1.placeholder(tf.float32, START.shape)
    step = optimizer.apply_gradients([(grad, w)])
    states = [w] + [optimizer.get_slot(w, slot) for slot in optimizer.get_slot_names()]
    run = session()
    run.run(step, {grad: gradient(0), fed: np.ones_like(RATES)})
    before = run.run(states)
    run.run(step, {grad: np.full_like(RATES, np.nan), fed: np.zeros_like(RATES)})
    assert all(same_bits(*pair) for pair in zip(before, run.run(states)))
    run.run(step, {grad: gradient(1), fed: RATES})
    for old, new in zip(before, run.run(states)):
        assert same_bits(old[RATES == 0], new[RATES == 0]) and not same_bits(old, new)


@pytest.mark.parametrize("rates", [RATES[:1], RATES[:, :1], RATES[0], np.full((1, 1), 0.5)])
def test_broadcasts(rates, variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=START)
    optimizer = training.LRMultiplierOptimizer(
        v1.train.GradientDescentOptimizer(0.25), {"w": rates}
    )
    expected = stepped(oracles.GradientDescent(), rates)
    check(v1, tf, training, session, optimizer, w, [], expected, rates)


def test_beside_a_number(variables, graph, v1, tf, training, session):
    """Two multipliers of a variable multiply, inside of one another; another has a number."""
    w = v1.get_variable("w", initializer=START)
    inner = training.LRMultiplierOptimizer(v1.train.GradientDescentOptimizer(0.25), {"w": RATES})
    optimizer = training.LRMultiplierOptimizer(inner, {"w": 0.5})
    expected = stepped(oracles.GradientDescent(), 0.5 * RATES)
    check(v1, tf, training, session, optimizer, w, [], expected)


@pytest.mark.parametrize("outside", ["trust", "rates"])
def test_a_trust_ratio_does_not_count_them(outside, variables, graph, v1, tf, training, session):
    """But for the elements at 0, which are frozen: they count in no norm."""
    w = v1.get_variable("w", initializer=START)
    sgd = v1.train.GradientDescentOptimizer(0.25)
    if outside == "trust":
        optimizer = training.TrustRatioOptimizer(training.LRMultiplierOptimizer(sgd, {"w": RATES}))
    else:
        optimizer = training.LRMultiplierOptimizer(training.TrustRatioOptimizer(sgd), {"w": RATES})
    trained = RATES != 0

    def of_step(value, moved):
        grad = (value - moved) / 0.25
        ratio = np.linalg.norm(value[trained]) / np.linalg.norm(grad[trained])
        return -0.25 * ratio * grad

    expected = stepped(oracles.GradientDescent(), RATES, of_step)
    check(v1, tf, training, session, optimizer, w, [], expected)


def test_of_a_partitioned_variable(variables, graph, v1, tf, training, session):
    with v1.variable_scope("", partitioner=v1.fixed_size_partitioner(2)):
        whole = v1.get_variable("w", [4, 6], initializer=v1.ones_initializer())
    optimizer = training.LRMultiplierOptimizer(v1.train.GradientDescentOptimizer(1.0), {"w": RATES})
    step = optimizer.apply_gradients([(tf.ones([2, 6]), part) for part in whole])
    run = session()
    run.run(step)
    np.testing.assert_array_equal(np.concatenate(run.run(list(whole))), 1 - RATES)


def test_a_sparse_gradient(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=START)
    optimizer = training.LRMultiplierOptimizer(v1.train.GradientDescentOptimizer(1.0), {"w": RATES})
    slices = tf.IndexedSlices(tf.ones([3, 6]), tf.constant([1, 3, 1]), tf.constant([4, 6]))
    step, run = optimizer.apply_gradients([(slices, w)]), session()
    run.run(step)
    grad = np.array([0, 2, 0, 1])[:, None] * np.ones([4, 6])
    np.testing.assert_allclose(run.run(w), START - RATES * grad, rtol=1e-6)


@pytest.mark.parametrize(
    "rates, error",
    [
        (-RATES, ArgumentError),
        (np.full_like(RATES, np.inf), ArgumentError),
        (RATES > 0, ArgumentError),
        (RATES[:, :4] + 1, MaskError),
        (RATES[:, :4], MaskError),
    ],
)
def test_no_such_multipliers(rates, error, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=START)
    with pytest.raises(error, match="LRMultiplierOptimizer|FreezeOptimizer"):
        training.LRMultiplierOptimizer(
            v1.train.GradientDescentOptimizer(1.0), {"w": rates}
        ).apply_gradients([(tf.ones_like(w), w)])


def test_refused_by_name(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=START)
    optimizer = training.LRMultiplierOptimizer(v1.train.FtrlOptimizer(0.1), {"w": RATES})
    with pytest.raises(OptimizerKindError, match="of the elements of 'w'.*FtrlOptimizer"):
        optimizer.apply_gradients([(tf.ones_like(w), w)])
    decay = training.DecoupledWeightDecayOptimizer(
        training.LRMultiplierOptimizer(v1.train.GradientDescentOptimizer(0.1), {"w": RATES}),
        {"w": 0.1},
        multiplied=True,
    )
    with pytest.raises(TfgraphtoolsError, match="multiplied=True"):
        decay.apply_gradients([(tf.ones_like(w), w)])
