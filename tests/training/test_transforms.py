"""Gradient transforms against NumPy, dense and sparse, in every float dtype."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, MaskError, NothingMatchedError, TransformError
from training_cases import same_bits

GRADS = {"w": np.array([3.0, -4.0, 12.0]), "t": np.array([[1.0, -5.0], [0.0, 0.0], [2.0, 0.5]])}
SLICES = [(0, [0.25, -8.0]), (2, [2.0, 0.5]), (0, [0.75, 3.0])]  # "t": row 0 is there twice
MASKS = {"w": np.array([True, False, True]), "t": np.array([[1, 0], [0, 0], [0, 1]], bool)}


def by_factor(w, t):
    return {"w": GRADS["w"] * w, "t": GRADS["t"] * t}


def each(function):
    return {name: function(grad) for name, grad in GRADS.items()}


GLOBAL_NORM = np.sqrt(sum(np.sum(grad**2) for grad in GRADS.values()))

CASES = {  # id: (transform, the gradients it must give)
    "nothing": (lambda t: t.chain(), GRADS),
    "norm-not-reached": (lambda t: t.clip_by_norm(100.0), GRADS),
    "global-norm-not-reached": (lambda t: t.clip_by_global_norm(49.0), GRADS),
    "scale": (lambda t: t.scale(0.5), by_factor(0.5, 0.5)),
    "scale-one": (lambda t: t.scale(0.5, ".*/t"), by_factor(1, 0.5)),
    "value": (lambda t: t.clip_by_value(-4, 2.5), each(lambda grad: np.clip(grad, -4, 2.5))),
    "norm": (lambda t: t.clip_by_norm(6.5), by_factor(0.5, 1)),
    "global-norm": (lambda t: t.clip_by_global_norm(2.0), by_factor(*[2 / GLOBAL_NORM] * 2)),
    "zero-frozen": (
        lambda t: t.zero_frozen({".*/w": MASKS["w"], ".*/t": MASKS["t"]}),
        {name: np.where(mask, 0, GRADS[name]) for name, mask in MASKS.items()},
    ),
    "weight-decay": (  # of variables that are 2
        lambda t: t.add_weight_decay({".*/w": 0.25, ".*/t": 0.5}),
        {"w": GRADS["w"] + 0.5, "t": GRADS["t"] + 1},
    ),
    "first-to-last": (
        lambda t: t.chain(t.scale(2.0), t.clip_by_value(-5.0, 5.0)),
        each(lambda grad: np.clip(grad * 2, -5, 5)),
    ),
}

TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 1e-6, "float64": 1e-14}


def make_pairs(v1, tf, dtype, kind):
    """Two variables of this dtype, each 2 throughout, and their gradients; one has none."""
    with v1.variable_scope(dtype):
        w, t, unused = (
            v1.get_variable(name, initializer=tf.cast(tf.fill(shape, 2.0), dtype))
            for name, shape in [("w", [3]), ("t", [3, 2]), ("unused", [])]
        )
    t_grad = tf.cast(tf.constant(GRADS["t"]), dtype)
    if kind == "sparse":
        rows, values = zip(*SLICES)
        t_grad = tf.IndexedSlices(
            tf.cast(tf.constant(values), dtype), tf.constant(rows), tf.constant([3, 2])
        )
    return [(tf.cast(tf.constant(GRADS["w"]), dtype), w), (None, unused), (t_grad, t)]


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("case", CASES)
def test_as_numpy(case, kind, variables, graph, v1, tf, training, session):
    build, wanted = CASES[case]
    casts = {}
    for dtype in TOLERANCE:
        pairs = make_pairs(v1, tf, dtype, kind)
        transformed = build(training.transforms)(pairs)
        assert [v for _, v in transformed] == [v for _, v in pairs] and transformed[1][0] is None
        for grad, variable in (transformed[0], transformed[2]):
            assert grad.dtype == dtype
            casts[dtype, variable.op.name[-1]] = tf.cast(tf.convert_to_tensor(grad), "float64")
    for (dtype, name), value in session().run(casts).items():
        np.testing.assert_allclose(value, wanted[name], TOLERANCE[dtype], 1e-6, err_msg=dtype)


def test_sparse_gradients_stay_sparse(graph, v1, tf, training):
    t = training.transforms
    pairs = make_pairs(v1, tf, "float32", "sparse")
    frozen = t.zero_frozen({".*/t": True})
    for transform in (frozen, t.scale(2), t.clip_by_norm(1), t.clip_by_global_norm(1)):
        assert isinstance(transform(pairs)[2][0], tf.IndexedSlices)


def test_a_partitioned_variable_has_one_norm(variables, graph, v1, tf, training, session):
    with v1.variable_scope("net", partitioner=v1.fixed_size_partitioner(2)):
        parts = list(v1.get_variable("w", [4], initializer=v1.zeros_initializer()))
    other = v1.get_variable("w", initializer=[0.0])
    grads = [[3.0, 0.0], [0.0, 4.0], [7.0]]
    pairs = [(tf.constant(grad), v) for grad, v in zip(grads, parts + [other])]
    clipped = [grad for grad, _ in training.transforms.clip_by_norm(1.0)(pairs)]
    values = np.concatenate(session().run(clipped))
    np.testing.assert_allclose(values, [0.6, 0, 0, 0.8, 1], rtol=1e-6)


@pytest.mark.parametrize("case", CASES)
def test_without_any_gradient(case, graph, v1, tf, training):
    pairs = [(None, variable) for _, variable in make_pairs(v1, tf, "float32", "dense")]
    assert CASES[case][0](training.transforms)(pairs) == pairs


@pytest.mark.parametrize("clip", ["clip_by_norm", "clip_by_global_norm"])
def test_a_gradient_within_the_norm_keeps_its_bits(clip, graph, v1, tf, training, session):
    grad = np.random.RandomState(0).normal(size=1000).astype(np.float32)
    w = v1.get_variable("w", initializer=grad)
    clipped = getattr(training.transforms, clip)(49.0)([(tf.constant(grad), w)])[0][0]
    assert same_bits(session().run(clipped), grad)


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_the_norm_of_half_floats_does_not_overflow(dtype, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=tf.cast(tf.zeros([2]), dtype))
    grad = tf.cast(tf.constant([3000.0, 4000.0]), dtype)
    (clipped, _) = training.transforms.clip_by_global_norm(5.0)([(grad, w)])[0]
    as_float32 = tf.cast(clipped, "float32")
    np.testing.assert_allclose(session().run(as_float32), [3, 4], rtol=1e-2)


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_a_gradient_without_a_norm_becomes_nan(bad, graph, v1, tf, training, session):
    with_bad, other = (v1.get_variable(name, initializer=[1.0, 1.0]) for name in "ab")
    pairs = [(tf.constant([bad, 1.0]), with_bad), (tf.constant([5.0, 5.0]), other)]
    t = training.transforms
    each_own, joint = t.clip_by_norm(1.0)(pairs), t.clip_by_global_norm(1.0)(pairs)
    values = session().run([[grad for grad, _ in result] for result in (each_own, joint)])
    assert np.isnan(values[0][0]).all() and np.isfinite(values[0][1]).all()
    assert np.isnan(values[1]).all()


NORM = [3.0, 4.0, 12.0]


@pytest.mark.parametrize("place", ["freeze-inside", "freeze-around"])
@pytest.mark.parametrize(
    "order, wanted",
    [("freeze-then-clip", [0.6, 0.8, 0]), ("clip-then-freeze", [3 / 13, 4 / 13, 0])],
)
def test_freeze_first_then_clip(order, wanted, place, variables, graph, v1, tf, training, session):
    """g=[3,4,12] with the last element frozen, clipped to norm 1: [.6,.8,0]."""
    t = training.transforms
    mask = {"w": [False, False, True]}
    parts = [t.zero_frozen(mask), t.clip_by_global_norm(1.0)]
    transform = t.chain(*(parts if order == "freeze-then-clip" else parts[::-1]))
    w = v1.get_variable("w", initializer=[0.0, 0.0, 0.0])
    transformed, freeze = training.GradientTransformOptimizer, training.FreezeOptimizer
    sgd = v1.train.GradientDescentOptimizer(1.0)
    if place == "freeze-inside":
        optimizer = transformed(freeze(sgd, mask), transform)
    else:
        optimizer = freeze(transformed(sgd, transform), mask)
    step = optimizer.apply_gradients([(tf.constant(NORM), w)])
    run = session()
    run.run(step)
    np.testing.assert_allclose(-run.run(w), wanted, rtol=1e-6)


def test_decay_of_a_sparse_gradient_reaches_no_frozen_row(
    variables, graph, v1, tf, training, session
):
    """The gradient that the freeze is given has rows 0 and 2; the decayed one has all."""
    table = v1.get_variable("table", initializer=np.ones((4, 20), np.float32))
    optimizer = training.FreezeOptimizer(
        training.GradientTransformOptimizer(
            v1.train.GradientDescentOptimizer(0.5),
            training.transforms.add_weight_decay({"table": 0.5}),
        ),
        {"table": [[True], [True], [False], [False]]},
    )
    step = optimizer.minimize(tf.reduce_sum(tf.gather(table, [0, 2])))
    run = session()
    run.run(step)
    assert run.run(table)[:, 0].tolist() == [1, 1, 0.25, 0.75]


def test_nan_in_frozen_elements_does_not_reach_the_norm(graph, v1, tf, training, session):
    t = training.transforms
    w = v1.get_variable("w", initializer=[1.0, 1.0])
    transform = t.chain(t.zero_frozen({"w": [True, False]}), t.clip_by_global_norm(1.0))
    grad = transform([(tf.constant([np.nan, 4.0]), w)])[0][0]
    assert session().run(grad).tolist() == [0, 1]


@pytest.mark.parametrize("place", ["per-group", "global"])
def test_where_the_clip_stands_says_what_the_norm_is_of(
    place, variables, graph, v1, tf, training, session
):
    sgd, clip = v1.train.GradientDescentOptimizer, training.transforms.clip_by_global_norm(1.0)
    clipped = training.GradientTransformOptimizer
    a, b = (v1.get_variable(name, initializer=[0.0]) for name in "ab")
    inner = (lambda o: clipped(o, clip)) if place == "per-group" else (lambda o: o)
    optimizer = training.PartitionOptimizer(
        [training.Group("a", "a", inner(sgd(1.0))), training.Group("b", "b", inner(sgd(1.0)))]
    )
    if place == "global":
        optimizer = clipped(optimizer, clip)
    step = optimizer.minimize(tf.reduce_sum(3 * a + 4 * b))
    run = session()
    run.run(step)
    wanted = {"per-group": [[-1], [-1]], "global": [[-0.6], [-0.8]]}[place]
    np.testing.assert_allclose(run.run([a, b]), wanted, rtol=1e-6)


def test_limits_may_be_fed(graph, v1, tf, training, session):
    limit = v1.placeholder(tf.float32, [])
    w = v1.get_variable("w", initializer=[0.0, 0.0])
    clipped = training.transforms.clip_by_norm(limit)([(tf.constant([3.0, 4.0]), w)])[0][0]
    run = session()
    np.testing.assert_allclose(run.run(clipped, {limit: 1.0}), [0.6, 0.8], rtol=1e-6)
    assert run.run(clipped, {limit: 5.0}).tolist() == [3, 4]


def test_state_and_names_stay_the_plain_optimizers(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    optimizer = training.GradientTransformOptimizer(
        v1.train.AdamOptimizer(), training.transforms.clip_by_norm(1.0)
    )
    with v1.name_scope("train"):
        optimizer.minimize(tf.reduce_sum(w))
    names = sorted(v.op.name for v in v1.global_variables())
    assert names == ["train/beta1_power", "train/beta2_power", "w", "w/Adam", "w/Adam_1"]
    assert optimizer.get_slot(w, "m").op.name == "w/Adam"


def test_names_and_the_table(graph, v1, tf, training):
    t = training.transforms
    limit = v1.placeholder(tf.float32, [], name="limit")
    transform = t.chain(t.clip_by_value(-0.1, 2), t.scale(0.5), t.clip_by_norm(limit), dict.copy)
    assert t.name_of(transform) == "clip_by_value(-0.1, 2), scale(0.5), clip_by_norm(limit:0), copy"
    w = v1.get_variable("w", initializer=1.0)
    optimizer = training.GradientTransformOptimizer(
        training.GradientAccumulationOptimizer(
            training.DecoupledWeightDecayOptimizer(v1.train.AdamOptimizer(), {"w": 0.01}), 8
        ),
        t.chain(t.zero_frozen({"w": True}), t.clip_by_global_norm(1.0)),
    )
    optimizer.minimize(w)
    row = optimizer.describe().splitlines()[2]
    assert row.split("  ")[0] == "w" and row.endswith("every 8 runs  0.01")
    assert "zero_frozen, clip_by_global_norm(1)" in row


@pytest.mark.parametrize(
    "transform, words",
    [
        (lambda pairs: pairs[1:], "lambda.*'a', 'b', got 'b'"),
        (lambda pairs: pairs[::-1], "got 'b', 'a'"),
        (lambda pairs: [(g[:1], v) for g, v in pairs], r"of shape \(2,\).*of shape \(1,\)"),
        (lambda pairs: [(g > 0, v) for g, v in pairs], "a float32 gradient.*a bool one"),
    ],
    ids=["dropped", "reordered", "another-shape", "another-dtype"],
)
def test_a_transform_that_returns_something_else(transform, words, graph, v1, tf, training):
    variables = [v1.get_variable(name, initializer=[1.0, 1.0]) for name in "ab"]
    optimizer = training.GradientTransformOptimizer(v1.train.AdamOptimizer(), transform)
    with pytest.raises(TransformError, match=words):
        optimizer.minimize(tf.add_n(variables))


@pytest.mark.parametrize(
    "build, error, words",
    [
        (lambda t: t.clip_by_value(1, 2), ArgumentError, "clip_by_value low.*got 1"),
        (lambda t: t.clip_by_value(-1, -2), ArgumentError, "clip_by_value high.*got -2"),
        (lambda t: t.clip_by_norm(0), ArgumentError, "clip_by_norm.*got 0"),
        (lambda t: t.clip_by_norm("1"), ArgumentError, "got '1'"),
        (lambda t: t.clip_by_global_norm(float("inf")), ArgumentError, "got inf"),
        (lambda t: t.scale(float("nan")), ArgumentError, "got nan"),
        (lambda t: t.scale(2, "v"), NothingMatchedError, "scale.*'v' among 'w'"),
        (lambda t: t.zero_frozen({}), ArgumentError, "zero_frozen.*none"),
        (lambda t: t.zero_frozen({"w": 1.0}), MaskError, "zero_frozen 'w'.*float64"),
        (lambda t: t.zero_frozen({"v": True}), NothingMatchedError, "zero_frozen 'v'"),
        (lambda t: t.add_weight_decay({"w": -1}), ArgumentError, "add_weight_decay 'w'.*-1"),
        (lambda t: t.add_weight_decay({"v": 1}), NothingMatchedError, "add_weight_decay 'v'"),
        (lambda t: t.add_weight_decay({}), ArgumentError, "add_weight_decay.*none"),
        (lambda t: 0.1, ArgumentError, r"GradientTransformOptimizer.*0\.1"),
    ],
)
def test_mistakes(build, error, words, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    with pytest.raises(error, match=words):
        training.GradientTransformOptimizer(
            v1.train.AdamOptimizer(), build(training.transforms)
        ).minimize(tf.reduce_sum(w))
