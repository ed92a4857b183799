"""Master weights: NumPy in float32; frozen elements; savers; other wrappers in any order."""

import itertools

import numpy as np
import pytest

from tfgraphtools.errors import OptimizerKindError
from training_cases import same_bits

HALVES = ["float16", "bfloat16"]
RATE = np.float32(2.0**-10)


def numpys(tf, dtype):
    return tf.as_dtype(dtype).as_numpy_dtype


def half_variable(tf, v1, dtype, start=1.0, name="w"):
    return v1.get_variable(name, initializer=tf.constant(start, dtype, [4, 3]))


def gradients(count, seed=0):
    return np.random.RandomState(seed).normal(size=(count, 4, 3)).astype(np.float32)


class Momentum:
    """NumPy's float32: ``m = 0.9 m + g``, ``w -= rate m``, with products rounded."""

    def __init__(self, start):
        self.weights, self.m = np.full([4, 3], start, np.float32), np.zeros([4, 3], np.float32)

    def step(self, grad, moves=True):
        m = self.m * np.float32(0.9) + grad
        self.m = np.where(moves, m, self.m)
        self.weights = np.where(moves, self.weights - m * RATE, self.weights)


@pytest.mark.parametrize("dtype", HALVES)
def test_numpys_float32(dtype, variables, graph, v1, tf, training, session):
    w = half_variable(tf, v1, dtype)
    grad = v1.placeholder(dtype, w.shape)
    optimizer = training.MasterWeightsOptimizer(v1.train.MomentumOptimizer(RATE, 0.9))
    step = optimizer.apply_gradients([(grad, w)])
    run, oracle = session(), Momentum(1.0)
    for given in gradients(20):
        halves = given.astype(numpys(tf, dtype))
        run.run(step, {grad: halves})
        oracle.step(halves.astype(np.float32))
        assert same_bits(run.run(optimizer.master(w)), oracle.weights)
        assert same_bits(run.run(w), oracle.weights.astype(numpys(tf, dtype)))
    slot = optimizer.get_slot(optimizer.master(w), "momentum")
    assert same_bits(run.run(slot), oracle.m)
    assert slot.op.name == "w/MasterWeight/Momentum"


@pytest.mark.parametrize("dtype", HALVES)
def test_small_steps_add_up(dtype, variables, graph, v1, tf, training, session):
    """1 - 2**-13 is 1 in half floats: alone the variable would never move."""
    w = half_variable(tf, v1, dtype)
    sgd = v1.train.GradientDescentOptimizer(2.0**-13)
    step = training.MasterWeightsOptimizer(sgd).apply_gradients([(tf.ones_like(w), w)])
    run = session()
    for _ in range(2**6):
        run.run(step)
    assert (run.run(w).astype(np.float32) == 1 - 2.0**-7).all()


SHARES = np.linspace(0.25, 1.0, 12, dtype=np.float32).reshape(4, 3)
#: {id: wrap(training, train, wrap of the optimizer inside)}
CHAINS = {
    "adam": lambda t, train, w: w(train.AdamOptimizer(0.01)),
    "lamb": lambda t, train, w: t.TrustRatioOptimizer(
        w(train.AdamOptimizer(0.01)), decays={".*": 0.01}
    ),
    "lamb inside": lambda t, train, w: w(t.TrustRatioOptimizer(train.AdamOptimizer(0.01))),
    "multiplied": lambda t, train, w: w(
        t.LRMultiplierOptimizer(train.AdamOptimizer(0.01), {".*": t.setting(0.5, "share")})
    ),
    "by element": lambda t, train, w: t.LRMultiplierOptimizer(
        w(train.AdamOptimizer(0.01)), {".*": SHARES}
    ),
    "group": lambda t, train, w: w(
        t.PartitionOptimizer([t.Group("all", ".*", train.AdamOptimizer(0.01))])
    ),
    "lion": lambda t, train, w: w(t.LionOptimizer(0.01)),
    "adafactor": lambda t, train, w: w(t.AdafactorOptimizer(0.01)),
}


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("dtype", HALVES)
def test_as_a_float32_variable(dtype, chain, variables, v1, tf, training):
    """The same chain without us, on a float32 variable with the same gradients, is the oracle."""
    weights = {}
    for is_half in (True, False):
        with tf.Graph().as_default(), v1.Session() as run:
            w = half_variable(tf, v1, dtype if is_half else tf.float32)
            wrap = training.MasterWeightsOptimizer if is_half else lambda optimizer: optimizer
            optimizer = CHAINS[chain](training, v1.train, wrap)
            grad = v1.placeholder(dtype, w.shape)
            step = optimizer.apply_gradients([(tf.cast(grad, w.dtype.base_dtype), w)])
            run.run(v1.global_variables_initializer())
            for given in gradients(5):
                run.run(step, {grad: given.astype(numpys(tf, dtype))})
            name = "w/MasterWeight:0" if is_half else "w:0"
            weights[is_half] = run.run(_named(v1, name))
    assert same_bits(weights[True], weights[False])


def _named(v1, name):
    (variable,) = [v for v in v1.global_variables() if v.name == name]
    return variable


MASK = np.arange(12).reshape(4, 3) % 3 == 1
MASKS = {
    "array": lambda tf, v1: MASK,
    "fed": lambda tf, v1: v1.placeholder_with_default(MASK, [4, 3]),
    "variable": lambda tf, v1: v1.get_variable("mask", initializer=MASK, trainable=False),
    "one": lambda tf, v1: np.arange(12).reshape(4, 3) == 4,
}


@pytest.mark.parametrize("inside", [True, False], ids=["inside", "around"])
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("dtype", HALVES)
def test_frozen_bits(dtype, mask, inside, variables, graph, v1, tf, training, session):
    """Of the variable, its weights and their slots, whatever the gradient there is."""
    w = half_variable(tf, v1, dtype)
    momentum, frozen = v1.train.MomentumOptimizer(RATE, 0.9), {"w": MASKS[mask](tf, v1)}
    if inside:
        optimizer = training.MasterWeightsOptimizer(training.FreezeOptimizer(momentum, frozen))
        master = optimizer
    else:
        master = training.MasterWeightsOptimizer(momentum)
        optimizer = training.FreezeOptimizer(master, frozen)
    grad = v1.placeholder(dtype, w.shape)
    step = optimizer.apply_gradients([(grad, w)])
    run, where = session(), MASK if mask != "one" else np.arange(12).reshape(4, 3) == 4
    start = np.full([4, 3], -0.0, numpys(tf, dtype))
    start[1:] = gradients(1)[0, 1:].astype(start.dtype)
    w.load(start, run)
    oracle = Momentum(0.0)
    oracle.weights = start.astype(np.float32)
    states = [w, master.master(w), momentum.get_slot(master.master(w), "momentum")]
    before = run.run(states)
    for given in gradients(4, seed=1):
        halves = given.astype(start.dtype)
        run.run(step, {grad: np.where(where, np.array(np.nan, start.dtype), halves)})
        oracle.step(halves.astype(np.float32), ~where)
    after = run.run(states)
    for old, new in zip(before, after):
        assert same_bits(old[where], new[where])
    assert same_bits(after[1][~where], oracle.weights[~where])
    assert same_bits(after[0][~where], oracle.weights.astype(start.dtype)[~where])


@pytest.mark.parametrize("restored", ["all", "variable"])
@pytest.mark.parametrize("dtype", HALVES)
def test_a_stock_saver(dtype, restored, variables, v1, tf, training, tmp_path):
    """It keeps the weights; a checkpoint of the variable alone begins them again from it."""
    given = gradients(6)

    def build():
        w = half_variable(tf, v1, dtype)
        grad = v1.placeholder(tf.float32, w.shape)
        optimizer = training.MasterWeightsOptimizer(v1.train.GradientDescentOptimizer(RATE))
        step = optimizer.apply_gradients([(tf.cast(grad, dtype), w)])
        return w, grad, optimizer, step

    oracle = np.ones([4, 3], np.float32)
    halves = [x.astype(numpys(tf, dtype)).astype(np.float32) for x in given]
    with tf.Graph().as_default(), v1.Session() as run:
        w, grad, optimizer, step = build()
        run.run(v1.global_variables_initializer())
        for x, half in zip(given[:3], halves):
            run.run(step, {grad: x})
            oracle = oracle - RATE * half
        path = v1.train.Saver(None if restored == "all" else [w]).save(run, str(tmp_path / "m"))
    if restored == "variable":
        oracle = oracle.astype(numpys(tf, dtype)).astype(np.float32)
    with tf.Graph().as_default(), v1.Session() as run:
        w, grad, optimizer, step = build()
        run.run(v1.global_variables_initializer())
        v1.train.Saver(None if restored == "all" else [w]).restore(run, path)
        for x, half in zip(given[3:], halves[3:]):
            run.run(step, {grad: x})
            oracle = oracle - RATE * half
        assert same_bits(run.run(optimizer.master(w)), oracle)


#: {id: wrap(training, optimizer)} of what goes around and inside in any order
OTHERS = {
    "scale": lambda t, o: t.LossScaleOptimizer(o, 2.0**8, None),
    "sum": lambda t, o: t.GradientAccumulationOptimizer(o, 2),
    "average": lambda t, o: t.ExponentialAverageOptimizer(o, 0.5),
    "clip": lambda t, o: t.GradientTransformOptimizer(o, t.transforms.clip_by_value(-0.5, 0.5)),
    "master": lambda t, o: t.MasterWeightsOptimizer(o),
}


@pytest.mark.slow(in_ci=6)
@pytest.mark.parametrize("order", list(itertools.permutations(OTHERS)), ids="-".join)
def test_any_order(order, variables, graph, v1, tf, training, session):
    dtype = HALVES[sum(map(ord, "".join(order[:2]))) % 2]
    w = half_variable(tf, v1, dtype)
    factor = v1.placeholder(dtype, w.shape)
    optimizer = v1.train.GradientDescentOptimizer(RATE)
    parts = {}
    for name in reversed(order):
        parts[name] = optimizer = OTHERS[name](training, optimizer)
    step = optimizer.minimize(tf.reduce_sum(factor * w))
    run = session()
    half = numpys(tf, dtype)
    weights, average = np.ones([4, 3], np.float32), np.ones([4, 3], np.float32)
    for number, given in enumerate(np.repeat(gradients(3), 2, axis=0)):  # pairs of equal ones
        given = given.astype(half)
        run.run(step, {factor: given})
        is_due = number % 2 == 1
        if is_due:
            weights = weights - RATE * np.clip(given.astype(np.float32), -0.5, 0.5)
        if is_due or order.index("average") < order.index("sum"):
            average -= (average - weights.astype(half).astype(np.float32)) * np.float32(0.5)
        assert same_bits(run.run(w), weights.astype(half))
        if is_due:  # what is inside the sum begins with its first step
            assert same_bits(run.run(parts["master"].master(w)), weights)
            assert same_bits(run.run(parts["average"].average(w)), average.astype(half))


@pytest.mark.parametrize("around", [True, False], ids=["around", "inside"])
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "rows"])
@pytest.mark.parametrize("dtype", HALVES)
def test_decay_is_taken_off_the_weights(
    dtype, sparse, around, variables, graph, v1, tf, training, session
):
    """1 - 2**-12 is 1 in half floats."""
    w = half_variable(tf, v1, dtype)
    wraps = [
        lambda o: training.DecoupledWeightDecayOptimizer(o, {"w": 2.0**-12}),
        training.MasterWeightsOptimizer,
    ]
    optimizer = v1.train.GradientDescentOptimizer(RATE)
    for wrap in wraps[::1] if not around else wraps[::-1]:
        optimizer = wrap(optimizer)
    grad = tf.zeros([4, 3], dtype)
    if sparse:
        grad = tf.IndexedSlices(grad[:2], tf.constant([0, 2]), tf.constant([4, 3]))
    step = optimizer.apply_gradients([(grad, w)])
    run, weights = session(), np.ones([4, 3], np.float32)
    rows = [0, 2] if sparse else [0, 1, 2, 3]
    for _ in range(16):
        run.run(step)
        weights[rows] -= np.float32(2.0**-12) * weights[rows]
    assert same_bits(run.run(w), weights.astype(numpys(tf, dtype)))
    assert (run.run(w)[rows] < 1).all()


def test_other_dtypes_are_left_alone(variables, graph, v1, tf, training, session):
    w, half = (
        v1.get_variable("w", initializer=tf.ones([2])),
        half_variable(tf, v1, "float16", 1, "h"),
    )
    optimizer = training.MasterWeightsOptimizer(v1.train.AdamOptimizer(0.1), selector="w")
    optimizer.minimize(tf.reduce_sum(w) + tf.reduce_sum(tf.cast(half, tf.float32)))
    assert optimizer.master(w) is None and optimizer.master(half) is None


REFUSED = {
    "LookaheadOptimizer for 'w'": lambda t, o: t.LookaheadOptimizer(t.MasterWeightsOptimizer(o)),
    "MasterWeightsOptimizer for 'w'": lambda t, o: t.MasterWeightsOptimizer(
        t.MasterWeightsOptimizer(o, name="Second")
    ),
    "slots='reset'": lambda t, o: t.FreezeOptimizer(
        t.MasterWeightsOptimizer(o), {"w": MASK}, slots="reset"
    ),
    "clock='element'": lambda t, o: t.FreezeOptimizer(
        t.MasterWeightsOptimizer(o), {"w": MASK}, clock="element"
    ),
    "slots='compact'": lambda t, o: t.MasterWeightsOptimizer(
        t.FreezeOptimizer(o, {"w": MASK}, slots="compact")
    ),
    "TrustRatioOptimizer group for 'w', 'h'": lambda t, o: t.TrustRatioOptimizer(
        t.MasterWeightsOptimizer(o), groups=[".*"]
    ),
}


@pytest.mark.parametrize("words", REFUSED)
def test_refused_by_name(words, variables, graph, v1, tf, training):
    w, h = half_variable(tf, v1, "float16"), half_variable(tf, v1, "float16", 1.0, "h")
    optimizer = REFUSED[words](training, v1.train.AdamOptimizer(0.1))
    with pytest.raises(OptimizerKindError, match=words):
        optimizer.minimize(tf.reduce_sum(w * h))


def test_a_skipped_step_leaves_all(variables, graph, v1, tf, training, session):
    w = half_variable(tf, v1, "float16")
    grad = v1.placeholder("float16", w.shape)
    master = training.MasterWeightsOptimizer(v1.train.MomentumOptimizer(0.1, 0.9))
    optimizer = training.SkipNonFiniteOptimizer(master)
    step = optimizer.apply_gradients([(grad, w)])
    run = session()
    states = [v for v in v1.global_variables() if "skipped" not in v.op.name]
    run.run(step, {grad: np.ones([4, 3])})
    before = run.run(states)
    run.run(step, {grad: np.full([4, 3], np.inf)})
    assert all(map(same_bits, before, run.run(states)))


@pytest.mark.parametrize("around", [True, False], ids=["around", "inside"])
@pytest.mark.parametrize("dtype", HALVES)
def test_a_flush(dtype, around, variables, graph, v1, tf, training, session):
    """Of two gradients that wait for a third: their mean, in the float32 weights."""
    w = half_variable(tf, v1, dtype)
    sgd = v1.train.GradientDescentOptimizer(RATE)
    if around:
        total = training.GradientAccumulationOptimizer(sgd, 3)
        optimizer = master = training.MasterWeightsOptimizer(total)
    else:
        master = training.MasterWeightsOptimizer(sgd)
        optimizer = total = training.GradientAccumulationOptimizer(master, 3)
    step = optimizer.apply_gradients([(tf.ones_like(w), w)])
    flush, run = total.flush(), session()
    run.run(step)
    run.run(step)
    assert (run.run(w) == 1).all()
    run.run(flush)
    assert (run.run(master.master(w)) == 1 - RATE).all()
    assert same_bits(run.run(w), run.run(master.master(w)).astype(numpys(tf, dtype)))
