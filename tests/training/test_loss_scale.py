"""The loss scale: the numbers of TensorFlow's own, step by step, and what float16 loses."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, OptimizerKindError
from training_cases import same_bits

FACTORS = [1.0, 3.0, np.nan, 1.0, 1e-3, 0.5, 7.0, np.inf, -np.inf, 2.0, 1.0, 1.0, 1.0, 3e38, 1.0]


def stock(v1):
    """(its optimizer, its dynamic and its fixed scale) as far as this TensorFlow has them."""
    for module in (v1.train, v1.mixed_precision if hasattr(v1, "mixed_precision") else None):
        module = getattr(module, "experimental", module)
        if hasattr(module, "MixedPrecisionLossScaleOptimizer"):
            names = ("MixedPrecisionLossScaleOptimizer", "DynamicLossScale", "FixedLossScale")
            return [getattr(module, name) for name in names]
    return pytest.skip("this TensorFlow has no loss scale")


def seen_by(v1, tf, build, factors=FACTORS):
    """[(w, its momentum, global step, scale, good steps)] after each run."""
    with v1.Graph().as_default(), v1.Session() as run:
        w = v1.get_variable("w", initializer=[1.0, 2.0])
        table = v1.get_variable("table", initializer=[[1.0, 2.0], [3.0, 4.0]])
        factor = v1.placeholder(tf.float32, [])
        count = v1.train.get_or_create_global_step()
        loss = tf.reduce_sum(w) * factor + tf.reduce_sum(tf.gather(table, [1])) * factor
        step = build(v1.train.MomentumOptimizer(0.1, 0.9)).minimize(loss, global_step=count)
        names = ("current_loss_scale", "good_steps")
        states = [v for v in v1.global_variables() if v.op.name.split("/")[-1] in names]
        states = sorted(states, key=lambda v: v.op.name.split("/")[-1])
        states += sorted(
            [v for v in v1.trainable_variables()]
            + [v for v in v1.global_variables() if v.op.name.endswith("Momentum")],
            key=lambda v: v.op.name,
        )
        run.run(v1.global_variables_initializer())
        rows = []
        for value in factors:
            run.run(step, {factor: value})
            rows.append(run.run(states + [count]))
        return rows


@pytest.mark.parametrize(
    "scale, growth_steps, factor",
    [(2.0**15, 2, 2.0), (3.0, 1, 1.7), (1.0, 3, 2.0), (2.0**126, 1, 2.0)],
)
def test_as_the_dynamic_scale_of_tensorflow(
    scale, factor, growth_steps, variables, v1, tf, training
):
    optimizer, dynamic, _ = stock(v1)
    if variables == "ref":
        v1.disable_control_flow_v2()
    expected = seen_by(v1, tf, lambda o: optimizer(o, dynamic(scale, growth_steps, factor)))
    ours = seen_by(v1, tf, lambda o: training.LossScaleOptimizer(o, scale, growth_steps, factor))
    for row, own in zip(expected, ours):
        for value, own_value in zip(row, own):
            assert same_bits(value, own_value)


def test_as_the_fixed_scale_of_tensorflow(variables, v1, tf, training):
    """But that a step that overflows is skipped."""
    optimizer, _, fixed = stock(v1)
    factors = [factor for factor in FACTORS if abs(factor) < 10]
    expected = seen_by(v1, tf, lambda o: optimizer(o, fixed(128.0)), factors)
    ours = seen_by(v1, tf, lambda o: training.LossScaleOptimizer(o, 128.0, None), factors)
    for row, own in zip(expected, ours):
        for value, own_value in zip(row, own):
            assert same_bits(value, own_value)
    last = seen_by(v1, tf, lambda o: training.LossScaleOptimizer(o, 128.0, None), [1.0, np.nan])
    for value, own_value in zip(*last):
        assert same_bits(value, own_value)


def scales(scale, growth_steps, factor, finite):
    """The reference: the scale after each run, in float32."""
    scale, good, seen = np.float32(scale), 0, []
    for is_finite in finite:
        good += 1
        if not is_finite:
            scale, good = max(scale / np.float32(factor), np.float32(1)), 0
        elif good >= growth_steps:
            with np.errstate(over="ignore"):
                higher = scale * np.float32(factor)
            scale, good = (higher if np.isfinite(higher) else scale), 0
        seen.append(scale)
    return seen


def test_as_numpy(variables, v1, tf, training):
    finite = [np.isfinite(factor) and factor < 1e38 for factor in FACTORS * 3]
    rows = seen_by(v1, tf, lambda o: training.LossScaleOptimizer(o, 32.0, 2), FACTORS * 3)
    assert [row[0] for row in rows] == scales(32.0, 2, 2.0, finite)
    assert [row[-1] for row in rows] == list(np.cumsum(finite))


def test_gradients_that_float16_loses(variables, graph, v1, tf, training, session):
    """A layer in float16 with float32 weights: below 6e-8 its gradients are 0 without a scale."""
    small = 2.0**-20
    gradients = []
    for scale in (1.0, 2.0**12):
        w = v1.get_variable(f"w{scale}", initializer=[1.0])
        half = tf.cast(w, tf.float16)
        loss = tf.reduce_sum(tf.cast(half * np.float16(2.0**-14), tf.float32)) * small
        optimizer = training.LossScaleOptimizer(
            v1.train.GradientDescentOptimizer(1.0), scale, None, name=f"Scale{scale:g}"
        )
        ((grad, _),) = optimizer.compute_gradients(loss, [w])
        gradients.append(grad)
    assert [list(value) for value in session().run(gradients)] == [[0.0], [2.0**-34]]


def test_an_overflow_of_float16(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=tf.ones([2], tf.float16))
    loss = tf.reduce_sum(w * np.float16(3.0))
    optimizer = training.LossScaleOptimizer(
        v1.train.GradientDescentOptimizer(0.25), scale=2.0**17, growth_steps=100
    )
    step = optimizer.minimize(loss)
    states = [w, optimizer.loss_scale(), optimizer.skipped()]
    run = session()
    for _ in range(4):
        run.run(step)
    # 3 * 2**15 is more than float16 holds: three steps are skipped.
    assert [np.max(value) for value in run.run(states)] == [0.25, 2.0**14, 3]


#: {id: wrap(training, optimizer that scales)} of what may stand around it.
AROUND = {
    "freeze": lambda t, o: t.FreezeOptimizer(o, {"w": [False, True]}),
    "decay": lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w": 0.1}),
    "accumulation": lambda t, o: t.GradientAccumulationOptimizer(o, 1),
    "average": lambda t, o: t.ExponentialAverageOptimizer(o, 0.5),
    "lookahead": lambda t, o: t.LookaheadOptimizer(o, 2),
    "rates": lambda t, o: t.LRMultiplierOptimizer(o, {"w": 0.5}),
    "clip": lambda t, o: t.GradientTransformOptimizer(o, t.transforms.clip_by_global_norm(1.0)),
    "skip": lambda t, o: t.SkipNonFiniteOptimizer(o),
}


@pytest.mark.costly(in_ci=8)
@pytest.mark.parametrize("inside", [False, True], ids=["around", "inside"])
@pytest.mark.parametrize("wrapper", sorted(AROUND))
def test_with_other_wrappers(wrapper, inside, variables, v1, tf, training):
    """As the wrapper around the plain optimizer, in the runs that are not skipped."""

    def scaled(optimizer):
        return training.LossScaleOptimizer(optimizer, 8.0, 2)

    wrap = AROUND[wrapper]
    good = [factor for factor in FACTORS if abs(factor) < 10]
    expected = seen_by(v1, tf, lambda o: wrap(training, o), good)
    ours = seen_by(
        v1,
        tf,
        (lambda o: wrap(training, scaled(o))) if inside else (lambda o: scaled(wrap(training, o))),
    )
    for value, own_value in zip(expected[-1], ours[-1][2:]):
        assert same_bits(value, own_value)
    finite = [abs(factor) < 10 for factor in FACTORS]
    assert [row[0] for row in ours] == scales(8.0, 2, 2.0, finite)


def test_saved_and_restored(variables, v1, tf, training, tmp_path):
    prefix = str(tmp_path / "model.ckpt")
    rows = []
    for part in (slice(0, 9), slice(9, None)):
        with v1.Graph().as_default(), v1.Session() as run:
            w = v1.get_variable("w", initializer=[1.0, 2.0])
            factor = v1.placeholder(tf.float32, [])
            optimizer = training.LossScaleOptimizer(v1.train.AdamOptimizer(), 32.0, 2)
            step = optimizer.minimize(tf.reduce_sum(w) * factor)
            saver = v1.train.Saver()
            if part.start:
                saver.restore(run, prefix)
            else:
                run.run(v1.global_variables_initializer())
            for value in FACTORS[part]:
                run.run(step, {factor: value})
                rows.append(run.run(optimizer.loss_scale()))
            saver.save(run, prefix)
    reader = v1.train.NewCheckpointReader(prefix)
    assert reader.get_tensor("LossScale/skipped") == 4
    finite = [abs(factor) < 1e38 for factor in FACTORS]
    assert rows == scales(32.0, 2, 2.0, finite)


def test_several_towers_and_a_second_try(variables, graph, v1, tf, training, session):
    """Gradients are computed twice and applied once; a cell that fails can be run again."""
    w = v1.get_variable("w", initializer=1.0)
    for rate in (None, 0.5):
        optimizer = training.LossScaleOptimizer(v1.train.GradientDescentOptimizer(rate or 1.0))
        towers = [optimizer.compute_gradients(w * factor, [w])[0][0] for factor in (1.0, 3.0)]
        if rate is not None:  # the first time the program fails here
            step = optimizer.apply_gradients([(tf.add_n(towers) / 2, w)])
    names = [v.op.name for v in v1.global_variables() if "scale" in v.op.name]
    assert names == ["LossScale/current_loss_scale"]
    run = session()
    run.run(step)
    assert run.run(w) == 0.0


def test_a_callable_loss_and_a_gradient_of_it(graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0, 2.0], use_resource=True)
    optimizer = training.LossScaleOptimizer(v1.train.GradientDescentOptimizer(1.0))
    pairs = optimizer.compute_gradients(lambda: w * 3.0, [w], grad_loss=tf.constant([1.0, 2.0]))
    assert list(session().run(pairs[0][0])) == [3.0, 6.0]


def test_mistakes(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    sgd = v1.train.GradientDescentOptimizer(1.0)
    for wrong in ({"scale": 0.5}, {"scale": "dynamic"}, {"factor": 1.0}, {"growth_steps": 0}):
        with pytest.raises(ArgumentError, match=next(iter(wrong))):
            training.LossScaleOptimizer(sgd, **wrong)
    scaled = training.LossScaleOptimizer(sgd)
    assert scaled.loss_scale() is None
    with pytest.raises(OptimizerKindError, match="computes its own.*around the whole"):
        training.PartitionOptimizer([training.Group("w", "w", scaled)])
    scaled.minimize(tf.reduce_sum(w))
    with pytest.raises(ArgumentError, match="in use.*name="):
        training.LossScaleOptimizer(sgd).minimize(tf.reduce_sum(w))
    with tf.distribute.MirroredStrategy(["/cpu:0"]).scope():
        with pytest.raises(OptimizerKindError, match="strategy"):
            training.LossScaleOptimizer(sgd, name="Mirrored").minimize(tf.reduce_sum(w))
