"""LRMultiplierOptimizer: each variable sees its own rate, whatever the optimizer."""

import numpy as np
import pytest

from tfgraphtools.errors import (
    ArgumentError,
    MatchedTwiceError,
    NothingMatchedError,
    OptimizerKindError,
)
from training_cases import CORE, same_bits


@pytest.mark.parametrize("case", CORE)
def test_as_the_plain_optimizer_at_the_multiplied_rate(
    case, variables, graph, v1, training, session
):
    grad = v1.placeholder(v1.float32, [4])
    start = np.array([1.0, -2.0, 0.5, 3.0], np.float32)
    fast, base, multiplied = (v1.get_variable(n, initializer=start) for n in ("fast", "base", "m"))
    build = CORE[case].build
    wrapped = training.LRMultiplierOptimizer(build(v1.train, 0.03), {"m": 7})
    steps = [
        build(v1.train, 0.03 * 7).apply_gradients([(grad, fast)]),
        build(v1.train, 0.03).apply_gradients([(grad, base)]),
        wrapped.apply_gradients([(grad, multiplied)]),
    ]
    run = session()
    oracle, value = CORE[case].oracle and CORE[case].oracle(), start.astype(np.float64)
    random = np.random.RandomState(0)
    for _ in range(6):
        g = random.normal(size=4).astype(np.float32)
        run.run(steps, {grad: g})
        if oracle:
            value = oracle.step(value, g.astype(np.float64), 0.21)
    results = run.run([fast, base, multiplied])
    assert same_bits(results[0], results[2]) and not np.array_equal(results[1], results[2])
    if oracle:
        np.testing.assert_allclose(results[2], value, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_a_sparse_gradient_of_other_dtypes(dtype, variables, graph, v1, tf, training, session):
    """TF 1.15's gradient descent multiplies rows by the rate as it was given."""
    variables_of_dtype = [v1.get_variable(n, initializer=np.zeros([4, 1], dtype)) for n in "ab"]
    fed = v1.placeholder_with_default(0.5, [])
    rate = v1.train.GradientDescentOptimizer
    steps = [
        training.LRMultiplierOptimizer(rate(0.1), {v.op.name: multiplier}).minimize(
            tf.reduce_sum(tf.gather(v, [2, 2]))
        )
        for v, multiplier in zip(variables_of_dtype, [0.5, fed])
    ]
    run = session()
    run.run(steps)
    for value in run.run(variables_of_dtype):
        np.testing.assert_allclose(value[:, 0], [0, 0, -0.1, 0], 1e-3 if dtype < "float5" else 1e-7)


E2 = [[0.8, 0.4], [0.72, 0.56], [0.688, 0.624], [0.6752, 0.6496], [0.67008, 0.65984]]


@pytest.mark.parametrize("kind", ["number", "tensor", "placeholder"])
def test_twice_the_rate_for_y(kind, variables, graph, v1, tf, training, session):
    x = v1.get_variable("x", initializer=1.0)
    y = v1.get_variable("y", initializer=0.0)
    two = {"number": 2, "tensor": tf.constant(2.0), "placeholder": v1.placeholder("float32", [])}
    optimizer = training.LRMultiplierOptimizer(
        v1.train.GradientDescentOptimizer(0.1), {"y": two[kind]}
    )
    step = optimizer.minimize((x - y) ** 2)
    run = session()
    for wanted in E2:
        run.run(step, {two[kind]: 2.0} if kind == "placeholder" else {})
        np.testing.assert_allclose(run.run([x, y]), wanted, rtol=1e-6)


def test_a_multiplier_of_one_and_no_multiplier_change_nothing(
    variables, graph, v1, tf, training, session
):
    names = ["one", "unnamed", "other"]
    named, unnamed, other = (v1.get_variable(n, initializer=[1.0, 2.0]) for n in names)
    reference = v1.get_variable("plain", initializer=[1.0, 2.0])
    loss = tf.add_n([tf.reduce_sum(v**3) for v in (named, unnamed, other)])
    steps = [
        training.LRMultiplierOptimizer(
            v1.train.AdamOptimizer(0.1), [("one", 1), (other, 0.5)]
        ).minimize(loss, var_list=[named, unnamed, other]),
        v1.train.AdamOptimizer(0.1).minimize(tf.reduce_sum(reference**3), var_list=[reference]),
    ]
    run = session()
    for _ in range(3):
        run.run(steps)
    values = run.run([named, unnamed, reference, other])
    assert same_bits(values[0], values[2]) and same_bits(values[1], values[2])
    assert not same_bits(values[3], values[2])


@pytest.mark.parametrize("kind", ["number", "placeholder", "variable"])
def test_a_multiplier_of_zero_freezes(kind, variables, graph, v1, tf, training, session):
    """Not only the variable stays: its slots do, which a zero gradient would wear off."""
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    zero = {
        "number": 0,
        "placeholder": v1.placeholder_with_default(0.0, []),
        "variable": v1.get_variable("rate", initializer=0.0, trainable=False),
    }[kind]
    optimizer = training.LRMultiplierOptimizer(v1.train.AdamOptimizer(0.1), {"w": zero})
    step = optimizer.apply_gradients([(tf.ones([2]), w)])
    state = [w] + [optimizer.get_slot(w, name) for name in ("m", "v")]
    filled = [v1.assign(slot, [0.9, 0.9]) for slot in state[1:]]
    run = session()
    run.run(filled)
    before = run.run(state)
    for _ in range(5):
        run.run(step)
    assert all(same_bits(old, new) for old, new in zip(before, run.run(state)))
    if kind == "placeholder":
        run.run(step, {zero: 1.0})
        assert not any(same_bits(old, new) for old, new in zip(before, run.run(state)))


#: id: (our optimizer around SGD of rate 1 with the multiplier, the gradient)
LEFT_ALONE = {
    "constraint": lambda t, o, zero: t.LRMultiplierOptimizer(o, {"w": zero}),
    "trust": lambda t, o, zero: t.LRMultiplierOptimizer(
        t.TrustRatioOptimizer(o, decays={"w": 0.1}), {"w": zero}
    ),
    "decay": lambda t, o, zero: t.LRMultiplierOptimizer(
        t.DecoupledWeightDecayOptimizer(o, {"w": 0.1}, multiplied=True), {"w": zero}
    ),
    "freeze": lambda t, o, zero: t.FreezeOptimizer(
        t.LRMultiplierOptimizer(o, {"w": zero}), {"w": [True] + [False] * 4}
    ),
}


@pytest.mark.parametrize("kind", ["number", "placeholder"])
@pytest.mark.parametrize("case", LEFT_ALONE)
def test_a_multiplier_of_zero_keeps_every_bit(
    case, kind, variables, graph, v1, tf, training, session
):
    """A constraint would clip, -0.0 + 0.0 is 0.0, and 0 times infinity is NaN."""
    start = np.float32([3.0, -0.0, np.inf, -4.0, np.nan])
    constraint = None if case in ("trust", "decay") else lambda w: tf.clip_by_value(w, -1.0, 1.0)
    w = v1.get_variable("w", initializer=start, constraint=constraint)
    zero = 0 if kind == "number" else v1.placeholder_with_default(0.0, [])
    optimizer = LEFT_ALONE[case](training, v1.train.GradientDescentOptimizer(1.0), zero)
    step = optimizer.apply_gradients([(tf.constant([1.0, 0.0, 1.0, 1.0, 1.0]), w)])
    assert constraint is None or w.constraint is constraint
    run = session()
    run.run(step)
    assert run.run(w).tobytes() == start.tobytes()
    if kind == "placeholder" and constraint is not None:
        run.run(step, {zero: 1.0})
        moved = [1.0, -0.0, 1.0, -1.0, np.nan]
        assert np.array_equal(run.run(w)[1:4], moved[1:4])
        assert run.run(w)[0] == (3.0 if case == "freeze" else 1.0)


def test_a_schedule_is_multiplied(variables, graph, v1, training, session):
    global_step = v1.train.get_or_create_global_step()
    rate = v1.train.piecewise_constant(global_step, [0, 1], [1.0, 0.5, 0.25])
    w = v1.get_variable("w", initializer=0.0)
    optimizer = training.LRMultiplierOptimizer(v1.train.GradientDescentOptimizer(rate), {"w": 2})
    step = optimizer.apply_gradients([(v1.ones([]), w)], global_step=global_step)
    run = session()
    values = [run.run(step) or run.run(w) for _ in range(3)]
    assert values == [-2.0, -3.0, -3.5] and run.run(global_step) == 3


@pytest.mark.parametrize(
    "order", ["freeze-around-rates", "rates-around-freeze", "rates-around-groups", "twice"]
)
def test_inside_and_around_the_other_optimizers(order, variables, graph, v1, training, session):
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    sgd = v1.train.GradientDescentOptimizer(0.1)
    rates, freeze = training.LRMultiplierOptimizer, training.FreezeOptimizer
    mask = {"w": [True, False]}
    optimizer, wanted = {
        "freeze-around-rates": lambda: (freeze(rates(sgd, {"w": 3}), mask), [1, 0.7]),
        "rates-around-freeze": lambda: (rates(freeze(sgd, mask), {"w": 3}), [1, 0.7]),
        "rates-around-groups": lambda: (
            rates(training.PartitionOptimizer([training.Group("a", "w", sgd)]), {"w": 3}),
            [0.7, 0.7],
        ),
        "twice": lambda: (rates(rates(sgd, {"w": 3}), {"w": 2}), [0.4, 0.4]),
    }[order]()
    step = optimizer.apply_gradients([(v1.ones([2]), w)])
    run = session()
    run.run(step)
    np.testing.assert_allclose(run.run(w), wanted, rtol=1e-6)


class Deaf:
    """An optimizer in the manner of LARS: it prepares a rate tensor and does not read it."""

    def __new__(cls, v1, base=None):
        class DeafOptimizer(base or v1.train.GradientDescentOptimizer):
            def _apply_dense(self, grad, var):
                return v1.assign_sub(var, 0.1 * grad).op

            _resource_apply_dense = _apply_dense

            def _prepare(self):
                if base is None:
                    super()._prepare()

        return DeafOptimizer(False, "Deaf") if base else DeafOptimizer(0.1)


@pytest.mark.parametrize("base", [False, True], ids=["does-not-read-it", "has-none"])
def test_an_optimizer_that_cannot_be_scaled_is_refused(base, variables, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    inner = Deaf(v1, v1.train.Optimizer if base else None)
    with pytest.raises(OptimizerKindError, match="LRMultiplierOptimizer around DeafOptimizer"):
        training.LRMultiplierOptimizer(inner, {"w": 2}).minimize(tf.reduce_sum(w))
    assert not set(vars(inner)) & {"_apply_dense", "_resource_apply_dense"}  # put back


@pytest.mark.parametrize(
    "multipliers, error, words",
    [
        ({"w": -1.0}, ArgumentError, "-1.0"),
        ({"w": float("nan")}, ArgumentError, "nan"),
        ({"w": "2"}, ArgumentError, "'2'"),
        ({}, ArgumentError, "none"),
        ({"v": 2}, NothingMatchedError, "multiplier 'v'.*among 'w'"),
        ({"w:0": 2}, NothingMatchedError, "Did you mean 'w'"),
        ({"w": 2, ".*": 3}, MatchedTwiceError, "'w'.*which 'w' takes too"),
    ],
    ids=["negative", "nan", "string", "none", "no-such-variable", "colon-zero", "twice"],
)
def test_mistakes(multipliers, error, words, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    with pytest.raises(error, match=words):
        training.LRMultiplierOptimizer(v1.train.AdamOptimizer(), multipliers).minimize(
            tf.reduce_sum(w)
        )
