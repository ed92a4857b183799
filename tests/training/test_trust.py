"""Trust ratios: LAMB and LARS as published, against NumPy."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, NothingMatchedError, OptimizerKindError

SHAPES = {"layer/kernel": (4, 3), "layer/bias": (3,), "norm/gamma": (3,)}
RATE, BETA1, BETA2, EPSILON, DECAY = 0.01, 0.9, 0.999, 1e-6, 0.01


def values(seed):
    random = np.random.RandomState(seed)
    return {name: random.normal(size=shape) for name, shape in SHAPES.items()}


def run_steps(v1, tf, session, build, steps=5):
    """{name: value} of the variables after steps with the gradients of `values(1...)`."""
    start = values(0)
    variables = {
        n: v1.get_variable(n, initializer=value.astype(np.float32)) for n, value in start.items()
    }
    fed = {n: v1.placeholder(tf.float32, shape) for n, shape in SHAPES.items()}
    step = build().apply_gradients([(fed[n], variables[n]) for n in SHAPES])
    run = session()
    for number in range(1, steps + 1):
        run.run(step, {fed[n]: grad for n, grad in values(number).items()})
    return run.run(variables)


def lamb(steps=5, bias_correction=True):
    """Algorithm 2 of arXiv:1904.00962; without decay and ratio for biases and gammas (BERT)."""
    x = values(0)
    m, v = ({n: np.zeros(shape) for n, shape in SHAPES.items()} for _ in "mv")
    for t in range(1, steps + 1):
        for n, g in values(t).items():
            m[n] = BETA1 * m[n] + (1 - BETA1) * g
            v[n] = BETA2 * v[n] + (1 - BETA2) * g * g
            corrected = m[n] / (1 - BETA1**t), v[n] / (1 - BETA2**t)
            r = corrected[0] / (np.sqrt(corrected[1]) + EPSILON)
            if n == "layer/kernel":
                r = r + DECAY * x[n]
                r = r * np.linalg.norm(x[n]) / np.linalg.norm(r)
            x[n] = x[n] - RATE * r
    return x


#: What the LAMB of timm 1.0.31 (timm/optim/lamb.py) makes of the same steps in float64, with
#: lr=0.01, eps=1e-6, max_grad_norm=None and a weight decay of 0.01 of the kernel alone.
OF_TIMM = {
    "layer/kernel": [
        [1.6965358, 0.419272, 1.0355375],
        [2.2581419, 1.8874307, -0.9035644],
        [0.904262, -0.0734257, -0.0923515],
        [0.5035829, 0.111341, 1.4494115],
    ],
    "layer/bias": [0.7637432, 0.1347461, 0.4202014],
    "norm/gamma": [0.3742371, 1.5278928, -0.1984024],
}


def lars(steps=5, momentum=0.9, eta=0.001, decay=1e-4):
    """Algorithm 1 of arXiv:1708.03888."""
    x, v = values(0), {n: np.zeros(shape) for n, shape in SHAPES.items()}
    for t in range(1, steps + 1):
        for n, g in values(t).items():
            norms = np.linalg.norm(x[n]), np.linalg.norm(g)
            local = eta * norms[0] / (norms[1] + decay * norms[0])
            v[n] = momentum * v[n] + RATE * local * (g + decay * x[n])
            x[n] = x[n] - v[n]
    return x


def test_lamb(variables, graph, v1, tf, training, session):
    values = run_steps(
        v1,
        tf,
        session,
        lambda: training.TrustRatioOptimizer(
            v1.train.AdamOptimizer(RATE, epsilon=EPSILON),
            decays={".*/kernel": DECAY},
            exclude=".*/(bias|beta|gamma)",
        ),
    )
    for name, expected in lamb().items():
        np.testing.assert_allclose(values[name], expected, rtol=1e-4, atol=2e-6, err_msg=name)
        np.testing.assert_allclose(OF_TIMM[name], expected, rtol=1e-6, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("schedule", [False, True], ids=["constant", "in-the-coefficient"])
def test_lars(schedule, variables, graph, v1, tf, training, session):
    def build():
        rate = 1.0 if schedule else RATE
        return training.TrustRatioOptimizer(
            v1.train.MomentumOptimizer(rate, 0.9),
            of="gradient",
            coefficient=tf.constant(0.001 * RATE) if schedule else None,
            decays={".*": 1e-4},
        )

    values = run_steps(v1, tf, session, build)
    for name, expected in lars().items():
        np.testing.assert_allclose(values[name], expected, rtol=1e-5, atol=1e-6, err_msg=name)


def test_a_rate_of_zero_and_a_variable_of_zero(variables, graph, v1, tf, training, session):
    """Warm-up begins at rate 0, and biases begin at 0: nothing becomes NaN."""
    w = v1.get_variable("w", initializer=[3.0, 4.0])
    b = v1.get_variable("b", initializer=[0.0, 0.0])
    rate = v1.placeholder(tf.float32, [])
    optimizer = training.TrustRatioOptimizer(v1.train.GradientDescentOptimizer(rate))
    step = optimizer.apply_gradients([(tf.constant([0.0, 2.0]), v) for v in (w, b)])
    run = session()
    run.run(step, {rate: 0.0})
    assert np.array_equal(run.run(w), [3, 4]) and np.array_equal(run.run(b), [0, 0])
    run.run(step, {rate: 0.5})
    np.testing.assert_allclose(run.run([w, b]), [[3, 1.5], [0, -1]], rtol=1e-6)


@pytest.mark.parametrize("large", [1.0, 1e25], ids=["finite", "infinite-ratio"])
@pytest.mark.parametrize("mask", ["rows", "fed"])
def test_frozen_bits(mask, large, variables, graph, v1, tf, training, session):
    """Pruned elements are often -0.0; 0 times the ratio of a norm that overflows is NaN."""
    start = np.full([64, 4], -0.0, np.float32)
    start[0] = large
    w = v1.get_variable("w", initializer=start)
    rows = np.arange(64)[:, np.newaxis] > 0
    frozen = rows if mask == "rows" else v1.placeholder(tf.bool, [64, 1])
    optimizer = training.FreezeOptimizer(v1.train.GradientDescentOptimizer(0.1), {"w": frozen})
    step = training.TrustRatioOptimizer(optimizer).minimize(tf.reduce_sum(w))
    run = session()
    run.run(step, {} if mask == "rows" else {frozen: rows})
    assert run.run(w)[1:].tobytes() == start[1:].tobytes()
    assert run.run(w)[0, 0] != large


def test_the_plain_optimizers_slots_and_names(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[3.0, 4.0])
    step = training.TrustRatioOptimizer(v1.train.AdamOptimizer(0.1)).minimize(tf.reduce_sum(w * w))
    run = session()
    run.run(step)
    names = {v.op.name for v in v1.global_variables()}
    assert names == {"w", "w/Adam", "w/Adam_1", "beta1_power", "beta2_power"}


def test_a_group_over_two_optimizers_is_refused(graph, v1, tf, training):
    a, b = (v1.get_variable(name, initializer=[1.0]) for name in "ab")
    groups = [training.Group(name, name, v1.train.AdamOptimizer()) for name in "ab"]
    optimizer = training.TrustRatioOptimizer(training.PartitionOptimizer(groups), groups=["a|b"])
    with pytest.raises(OptimizerKindError, match="that one optimizer trains"):
        optimizer.minimize(tf.reduce_sum(a * b))


@pytest.mark.parametrize("of", ["update", "gradient"])
def test_slices_count_as_one(of, variables, graph, v1, tf, training, session):
    values = np.float32([[1.0], [2.0], [2.0], [4.0]])
    whole = v1.get_variable("whole", initializer=values)

    def part(shape, dtype=None, partition_info=None):
        begin = partition_info.var_offset[0]
        return tf.constant(values[begin : begin + int(shape[0])])

    with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(2)):
        table = v1.get_variable("w", [4, 1], initializer=part)
    loss = tf.reduce_sum(tf.square(whole)) + tf.reduce_sum(tf.square(tf.convert_to_tensor(table)))
    optimizer = training.TrustRatioOptimizer(v1.train.MomentumOptimizer(0.1, 0.9), of, 0.5)
    step, value = optimizer.minimize(loss), tf.convert_to_tensor(table)
    run = session()
    for _ in range(3):
        run.run(step)
    norms = run.run([whole, value])
    np.testing.assert_allclose(norms[0], norms[1], rtol=1e-6)
    assert (norms[0] < values).all()


@pytest.mark.parametrize("of", ["update", "gradient"])
def test_a_group_of_several_dtypes(of, variables, graph, v1, tf, training, session):
    start = {"w": np.array([3.0, 0.0], np.float32), "v": np.array([4.0])}
    w, v = (v1.get_variable(n, initializer=value) for n, value in start.items())
    optimizer = training.TrustRatioOptimizer(
        v1.train.GradientDescentOptimizer(0.5), of, coefficient=1.0, groups=["w|v"]
    )
    step = optimizer.apply_gradients([(tf.constant([0.6, 0.0]), w), (tf.ones_like(v) * 0.8, v)])
    run = session()
    run.run(step)
    # One ratio for both: the norm 5 of the variables over the norm 1 of the gradients.
    np.testing.assert_allclose(np.concatenate(run.run([w, v])), [1.5, 0.0, 2.0], rtol=1e-6)


def test_a_variable_of_unknown_shape(variables, graph, v1, tf, training):
    w = v1.Variable(v1.placeholder_with_default([1.0], None), validate_shape=False, name="w")
    with pytest.raises(OptimizerKindError, match="for 'w'.*shape known"):
        training.TrustRatioOptimizer(v1.train.AdamOptimizer()).minimize(tf.reduce_sum(w))


MISTAKES = {
    "of": (lambda t, v1: t.TrustRatioOptimizer(v1.train.AdamOptimizer(), "step"), "'step'"),
    "coefficient": (
        lambda t, v1: t.TrustRatioOptimizer(v1.train.AdamOptimizer(), coefficient=0),
        "positive",
    ),
    "decay": (
        lambda t, v1: t.TrustRatioOptimizer(v1.train.AdamOptimizer(), decays={"w": -1}),
        "at least 0",
    ),
    "exclude": (
        lambda t, v1: t.TrustRatioOptimizer(v1.train.AdamOptimizer(), exclude="bias"),
        "'bias'",
    ),
    "ftrl": (lambda t, v1: t.TrustRatioOptimizer(v1.train.FtrlOptimizer(0.1)), "got FtrlOptimizer"),
    "two": (
        lambda t, v1: t.TrustRatioOptimizer(t.TrustRatioOptimizer(v1.train.AdamOptimizer())),
        "a second one",
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes(case, graph, v1, tf, training):
    build, words = MISTAKES[case]
    w = v1.get_variable("w", initializer=[1.0])
    with pytest.raises((ArgumentError, NothingMatchedError, OptimizerKindError), match=words):
        build(training, v1).minimize(tf.reduce_sum(w * w))
