"""Decoupled weight decay against contrib's and NumPy; the rates of layer-wise decay."""

import numpy as np
import pytest

from tfgraphtools._tf import IS_TF1
from tfgraphtools.errors import (
    ArgumentError,
    MatchedTwiceError,
    NothingMatchedError,
)
from training_cases import CORE, check_no_race, product_of_identities, same_bits

START = np.random.RandomState(0).normal(size=(6, 2)).astype(np.float32)


@pytest.mark.skipif(not IS_TF1, reason="tf.contrib is in TF 1.15 only")
@pytest.mark.parametrize("schedule", [False, True], ids=["number", "schedule"])
@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("base", ["AdamW", "MomentumW"])
def test_as_contribs(base, kind, schedule, variables, graph, v1, tf, training, session):
    global_step = v1.train.get_or_create_global_step()
    decay = 0.01
    if schedule:
        decay = v1.train.piecewise_constant(global_step, [1, 2], [0.1, 0.01, 0.001])
    arguments = {"learning_rate": 0.1}
    if base == "MomentumW":
        arguments["momentum"] = 0.9
    theirs, ours = (v1.get_variable(name, initializer=START) for name in ("theirs", "ours"))
    contrib = getattr(tf.contrib.opt, base + "Optimizer")(weight_decay=decay, **arguments)
    plain_optimizer = getattr(v1.train, base[:-1] + "Optimizer")(**arguments)
    decoupled = training.DecoupledWeightDecayOptimizer(plain_optimizer, {"ours": decay})
    # The gradient is fed: contrib's decay does not wait for the gradients, so that
    # one computed from the variable is a matter of luck there.
    shape = [3, 2] if kind == "sparse" else [6, 2]
    fed = v1.placeholder(tf.float32, shape)
    grad = tf.IndexedSlices(fed, tf.constant([0, 3, 3]), [6, 2]) if kind == "sparse" else fed
    their_step = contrib.apply_gradients([(grad, theirs)])
    our_step = decoupled.apply_gradients([(grad, ours)], global_step=global_step)
    run = session()
    random = np.random.RandomState(1)
    for _ in range(5):
        feed = {fed: random.normal(size=shape)}
        run.run(their_step, feed)
        run.run(our_step, feed)
        values = run.run([theirs, ours])
        assert same_bits(*values)
    assert same_bits(values[1][1], START[1]) == (kind == "sparse")


@pytest.mark.parametrize("case", CORE)
def test_the_decay_comes_first_and_the_plain_step_after(
    case, variables, graph, v1, training, session
):
    grad = v1.placeholder(v1.float32, [4])
    start = np.array([1.0, -2.0, 0.5, 3.0], np.float32)
    w = v1.get_variable("w", initializer=start)
    step = training.DecoupledWeightDecayOptimizer(
        CORE[case].build(v1.train, 0.03), {"w": 0.1}
    ).apply_gradients([(grad, w)])
    plain_variable = v1.get_variable("plain", initializer=start)
    shrink = v1.assign_sub(plain_variable, 0.1 * plain_variable)
    plain_step = CORE[case].build(v1.train, 0.03).apply_gradients([(grad, plain_variable)])
    run = session()
    oracle, value = CORE[case].oracle and CORE[case].oracle(), start.astype(np.float64)
    random = np.random.RandomState(0)
    for _ in range(4):
        g = random.normal(size=4).astype(np.float32)
        run.run(step, {grad: g})
        run.run(shrink)
        run.run(plain_step, {grad: g})
        if oracle:
            value = oracle.step(value - 0.1 * value, g.astype(np.float64), 0.03)
    values = run.run([w, plain_variable])
    assert same_bits(*values)
    if oracle:
        np.testing.assert_allclose(values[0], value, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_other_dtypes(dtype, variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=tf.cast([1.0, 2.0], dtype))
    step = training.DecoupledWeightDecayOptimizer(
        v1.train.GradientDescentOptimizer(0.0), {"w": tf.constant(0.25)}
    ).minimize(tf.reduce_sum(w))
    value = tf.cast(w, "float64")
    run = session()
    run.run(step)
    assert run.run(value).tolist() == [0.75, 1.5]


def test_a_row_that_is_looked_up_twice_decays_once(variables, graph, v1, tf, training, session):
    table = v1.get_variable("table", initializer=np.ones((4, 2), np.float32))
    step = training.DecoupledWeightDecayOptimizer(
        v1.train.AdagradOptimizer(0.0), {"table": 0.5}
    ).minimize(tf.reduce_sum(tf.gather(table, [0, 3, 3])))
    run = session()
    run.run(step)
    assert run.run(table).tolist() == [[0.5, 0.5], [1, 1], [1, 1], [0.5, 0.5]]


def test_only_what_is_named_and_has_a_gradient_decays(variables, graph, v1, tf, training, session):
    a, b, c = (v1.get_variable(name, initializer=1.0) for name in "abc")
    step = training.DecoupledWeightDecayOptimizer(
        v1.train.GradientDescentOptimizer(0.5), {"[ac]": 0.5}
    ).minimize(a + b)
    run = session()
    run.run(step)
    assert run.run([a, b, c]) == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("gated", [True, False], ids=["gated", "not-gated"])
def test_no_gradient_sees_a_decayed_variable(gated, variables, graph, v1, tf, training, session):
    """The gradient of a factor is made of the others, before their decay."""
    loss, factors = product_of_identities(v1, tf)
    optimizer = training.DecoupledWeightDecayOptimizer(
        v1.train.GradientDescentOptimizer(0.0), {".": 0.5}
    )
    if gated:
        pairs = optimizer.compute_gradients(loss)
    else:
        pairs = list(zip(v1.gradients(loss, factors), factors))
    step = optimizer.apply_gradients(pairs)
    check_no_race(v1, tf, session, factors, [grad for grad, _ in pairs], step)


def test_frozen_elements_do_not_decay(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    step = training.FreezeOptimizer(
        training.DecoupledWeightDecayOptimizer(v1.train.AdamOptimizer(), {"w": 0.5}),
        {"w": [True, False]},
    ).minimize(tf.reduce_sum(w))
    run = session()
    run.run(step)
    assert run.run(w)[0] == 1 and run.run(w)[1] < 0.6


def test_a_multiplier_does_not_change_the_decay(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=1.0)
    step = training.LRMultiplierOptimizer(
        training.DecoupledWeightDecayOptimizer(v1.train.GradientDescentOptimizer(0.1), {"w": 0.5}),
        {"w": 2},
    ).minimize(w)
    run = session()
    run.run(step)
    assert run.run(w) == pytest.approx(0.5 - 0.2)


ELECTRA = ["embeddings/.*", "encoder/layer_0/.*", "encoder/layer_1/.*", None, "task/.*"]


@pytest.mark.parametrize(
    "layers, decay, wanted",
    [
        (["head"], 0.5, [("head", 1.0)]),
        (["a", "b"], 1, [("a", 1.0), ("b", 1.0)]),
        # timm: decay ** (number of layers - 1 - index)
        (["patch", "block0", "head"], 0.75, [("patch", 0.5625), ("block0", 0.75), ("head", 1.0)]),
        # ELECTRA: decay ** (n_layers + 2 - depth), depth 0 the embeddings, n_layers + 2 the task
        (
            ELECTRA,
            0.5,
            list(zip([layer for layer in ELECTRA if layer], [0.0625, 0.125, 0.25, 1.0])),
        ),
    ],
    ids=["one-layer", "no-decay", "timm", "electra"],
)
def test_layer_decay(layers, decay, wanted, training):
    assert training.layer_decay(layers, decay) == wanted


def test_layer_decay_trains_at_these_rates(variables, graph, v1, tf, training, session):
    names = ["low/w", "mid/w", "head/w", "other"]
    trained = [v1.get_variable(name, initializer=0.0) for name in names]
    multipliers = training.layer_decay(["low/.*", trained[1], ["head/.*"]], 0.5)
    step = training.LRMultiplierOptimizer(
        v1.train.GradientDescentOptimizer(1.0), multipliers
    ).minimize(tf.add_n(trained))
    run = session()
    run.run(step)
    assert run.run(trained) == [-0.25, -0.5, -1.0, -1.0]


@pytest.mark.parametrize(
    "build, error, words",
    [
        (lambda t, o: t.DecoupledWeightDecayOptimizer(o, {}), ArgumentError, "decay.*none"),
        (lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w": 1}), ArgumentError, "'w'.*got 1"),
        (lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w": -0.1}), ArgumentError, "-0.1"),
        (lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w": "x"}), ArgumentError, "'x'"),
        (lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"v": 0.1}), NothingMatchedError, "'v'"),
        (
            lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w": 0.1, ".": 0.2}),
            MatchedTwiceError,
            "decay '.'",
        ),
        (lambda t, o: t.layer_decay([], 0.5), ArgumentError, r"\[\]"),
        (lambda t, o: t.layer_decay(["a", None], 0.5), ArgumentError, "None"),
        (lambda t, o: t.layer_decay(["a"], 0), ArgumentError, "got 0"),
        (lambda t, o: t.layer_decay(["a"], 1.5), ArgumentError, "got 1.5"),
    ],
)
def test_mistakes(build, error, words, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    with pytest.raises(error, match=words):
        build(training, v1.train.AdamOptimizer()).minimize(tf.reduce_sum(w))


@pytest.mark.parametrize("order", ["inside", "around"])
@pytest.mark.parametrize("kind", ["number", "tensor", "both", "zero", "frozen"])
def test_a_decay_that_follows_the_multipliers(
    kind, order, variables, graph, v1, tf, training, session
):
    """As ELECTRA's: rate * multiplier * (update + decay * variable)."""
    rate, decay = 0.1, 0.02
    numbers = {"number": 0.5, "tensor": 0.25, "both": 0.125, "zero": 0.0, "frozen": 0.0}
    multiplier = numbers[kind]
    passed = multiplier if kind in ("number", "zero") else tf.constant(multiplier)
    shrink = tf.constant(rate * decay) if kind == "both" else rate * decay
    start = np.array([1.0, -2.0], np.float32)
    w, u = (v1.get_variable(name, initializer=start) for name in "wu")
    optimizer = v1.train.AdamOptimizer(rate)
    wraps = [
        lambda o: training.DecoupledWeightDecayOptimizer(o, {".": shrink}, multiplied=True),
        lambda o: training.LRMultiplierOptimizer(o, {"w": passed}),
    ]
    for wrap in wraps if order == "inside" else reversed(wraps):
        optimizer = wrap(optimizer)
    grad = np.array([0.5, 3.0], np.float32)
    step = optimizer.apply_gradients([(tf.constant(grad), v) for v in (w, u)])
    run = session()
    expected = np.array([start, start], np.float64)
    m = v = 0.0
    factors = np.array([[multiplier], [1.0]])
    for t in range(1, 4):
        run.run(step)
        m, v = 0.9 * m + 0.1 * grad, 0.999 * v + 0.001 * grad.astype(np.float64) ** 2
        update = m / (1 - 0.9**t) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
        expected -= rate * factors * (update + decay * expected)
    np.testing.assert_allclose(run.run([w, u]), expected, rtol=1e-5)


def test_a_decay_is_multiplied_in_float64(variables, graph, v1, tf, training, session):
    """0.1 * 0.3 rounded to float32 is 1e-9 off."""
    w = v1.get_variable("w", initializer=np.float64([1.0]))
    rate = tf.constant(0.3, tf.float64)
    inner = training.LRMultiplierOptimizer(v1.train.GradientDescentOptimizer(0.5), {"w": rate})
    optimizer = training.DecoupledWeightDecayOptimizer(inner, {"w": 0.1}, multiplied=True)
    step = optimizer.apply_gradients([(tf.zeros([1], tf.float64), w)])
    run = session()
    run.run(step)
    np.testing.assert_allclose(run.run(w), [1 - 0.1 * 0.3], rtol=1e-15)


def test_a_decay_that_its_multiplier_makes_too_large(graph, v1, training):
    w = v1.get_variable("w", initializer=1.0)
    inner = training.LRMultiplierOptimizer(v1.train.GradientDescentOptimizer(1.0), {"w": 4})
    optimizer = training.DecoupledWeightDecayOptimizer(inner, {"w": 0.5}, multiplied=True)
    with pytest.raises(ArgumentError, match="of 'w'.*less than 1 with its multipliers.*got 2"):
        optimizer.minimize(w)


def test_slow_weights_begin_before_the_decay(variables, graph, v1, tf, training, session):
    """A decay around starts neither the slow weights nor an average from what it has shrunk."""
    w = v1.get_variable("w", initializer=[8.0])
    lookahead = training.LookaheadOptimizer(v1.train.GradientDescentOptimizer(1.0), 1, 0.5)
    groups = training.PartitionOptimizer([training.Group("all", "w", lookahead)])
    step = training.DecoupledWeightDecayOptimizer(groups, {"w": 0.5}).apply_gradients(
        [(tf.ones([1]), w)]
    )
    names = [v.op.name for v in v1.global_variables()]
    assert names == ["w", "w/slow", "Partition/all/Lookahead/steps"]
    run = session()
    run.run(step)
    assert list(run.run(w)) == [8 + 0.5 * ((8 * 0.5 - 1) - 8)]
