"""The rest of an accumulation: the step with the mean of the runs that are left."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, OptimizerKindError
from training_cases import same_bits

pytestmark = pytest.mark.quick

MASK = np.array([True, False, False])


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("left", [0, 1, 2])
def test_as_a_step_with_the_mean(left, sparse, variables, graph, v1, tf, training, session):
    """A step of three runs, some more, a flush, twice: as the plain optimizer on the means."""
    w, v = (v1.get_variable(n, initializer=np.ones([3, 2], np.float32)) for n in "wv")
    grad = v1.placeholder(tf.float32, [3, 2])
    gradient = tf.IndexedSlices(grad, tf.range(3), tf.constant([3, 2])) if sparse else grad
    count = v1.train.get_or_create_global_step()
    inner = training.FreezeOptimizer(
        training.LRMultiplierOptimizer(v1.train.AdamOptimizer(0.1), {"w": 0.5}),
        {"w": MASK[:, None]},
    )
    averaging = training.ExponentialAverageOptimizer(inner, 0.5)
    optimizer = training.GradientAccumulationOptimizer(averaging, 3)
    step = optimizer.apply_gradients([(gradient, w)], global_step=count)
    before = list(graph.get_collection("train_op"))
    flush = optimizer.flush()
    assert graph.get_collection("train_op") == before
    plain_step = v1.train.AdamOptimizer(0.05).apply_gradients([(grad, v)])
    run = session()
    random, steps = np.random.RandomState(0), 0
    for _ in range(2):
        for size in (3, left):
            grads = random.normal(size=(size, 3, 2)).astype(np.float32)
            for batch in grads:
                run.run(step, {grad: batch})
            if size == left:
                run.run(flush)
            if size:
                run.run(plain_step, {grad: grads.mean(0)})
            steps += size > 0
            ours, reference = run.run([w, v])
            np.testing.assert_allclose(ours, np.where(MASK[:, None], 1, reference), rtol=1e-5)
            assert run.run(count) == steps


def test_hook_and_checkpoint(variables, graph, v1, tf, training, tmp_path):
    w = v1.get_variable("w", initializer=0.0)
    optimizer = training.GradientAccumulationOptimizer(v1.train.GradientDescentOptimizer(1.0), 4)
    count = v1.train.get_or_create_global_step()
    step = optimizer.apply_gradients([(tf.constant(-1.0), w)], global_step=count)
    hook = training.FlushHook(optimizer, checkpoint_dir=str(tmp_path))
    with v1.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path), hooks=[hook]) as run:
        for _ in range(6):
            run.run(step)
        assert run.run(w) == 1.0
    reader = v1.train.NewCheckpointReader(v1.train.latest_checkpoint(str(tmp_path)))
    assert reader.get_tensor("w") == 2.0
    assert reader.get_tensor("global_step") == 2
    assert reader.get_tensor("GradientAccumulation/runs") == 0
    assert reader.get_tensor("w/gradient_sum") == 0


def test_a_hook_for_two_graphs(variables, v1, tf, training, tmp_path):
    """Each session is saved by its own Saver: that of the first has the ops of another there."""
    optimizer = training.GradientAccumulationOptimizer(v1.train.GradientDescentOptimizer(1.0), 4)
    hook = training.FlushHook(optimizer, checkpoint_dir=str(tmp_path))
    for name in ("first", "second"):
        with v1.Graph().as_default():
            variable = v1.get_variable(name, initializer=0.0)
            count = v1.train.get_or_create_global_step()
            step = optimizer.apply_gradients([(tf.constant(-1.0), variable)], global_step=count)
            if name == "second":
                v1.train.Saver([count])
            with v1.train.MonitoredTrainingSession(hooks=[hook]) as run:
                run.run(step)
        reader = v1.train.NewCheckpointReader(v1.train.latest_checkpoint(str(tmp_path)))
        assert reader.get_tensor(name) == 1.0


@pytest.mark.parametrize("told", [False, True])
def test_a_scaffold_with_a_saver_of_its_own(told, graph, v1, tf, training, tmp_path):
    """It saves under names of its own: another Saver's checkpoint would not restore."""
    w = v1.get_variable("w", initializer=0.0)
    optimizer = training.GradientAccumulationOptimizer(v1.train.GradientDescentOptimizer(1.0), 4)
    count = v1.train.get_or_create_global_step()
    step = optimizer.apply_gradients([(tf.constant(-1.0), w)], global_step=count)
    saver = v1.train.Saver({"other": w, "global_step": count})
    hook = training.FlushHook(optimizer, str(tmp_path), saver=saver if told else None)
    scaffold = v1.train.Scaffold(saver=saver)
    if not told:
        with pytest.raises(ArgumentError, match="saver=scaffold.saver"):
            v1.train.MonitoredTrainingSession(hooks=[hook], scaffold=scaffold)
        return
    with v1.train.MonitoredTrainingSession(hooks=[hook], scaffold=scaffold) as run:
        run.run(step)
    reader = v1.train.NewCheckpointReader(v1.train.latest_checkpoint(str(tmp_path)))
    assert reader.get_tensor("other") == 1.0


def test_mistakes(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=[1.0])
    inner = training.GradientAccumulationOptimizer(v1.train.AdamOptimizer(), 2, name="Inner")
    optimizer = training.GradientAccumulationOptimizer(inner, 2)
    with pytest.raises(ArgumentError, match="the step is built.*minimize"):
        optimizer.flush()
    optimizer.minimize(tf.reduce_sum(w))
    with pytest.raises(OptimizerKindError, match="Multiply the steps"):
        optimizer.flush()


#: {id: around(training, optimizer, placeholder)} of wrappers that a flush goes through.
AROUND = {
    "rates": lambda t, o, fed: t.LRMultiplierOptimizer(o, {"w": v1_float(fed)}),
    "freeze": lambda t, o, fed: t.FreezeOptimizer(o, {"w": [True, False, False]}),
    "freeze-fed": lambda t, o, fed: t.FreezeOptimizer(o, {"w": fed > 0.5}),
    "reset": lambda t, o, fed: t.FreezeOptimizer(o, {"w": [True, False, False]}, slots="reset"),
    "transform": lambda t, o, fed: t.GradientTransformOptimizer(o, t.transforms.scale(0.5)),
    "trust": lambda t, o, fed: t.TrustRatioOptimizer(o, decays={"w": 0.1}),
    "trust-of-gradient": lambda t, o, fed: t.TrustRatioOptimizer(o, of="gradient"),
    "partition": lambda t, o, fed: t.PartitionOptimizer([t.Group("all", "w", o)]),
    "skip": lambda t, o, fed: t.SkipNonFiniteOptimizer(o),
    "skip-around-clip": lambda t, o, fed: t.SkipNonFiniteOptimizer(
        t.GradientTransformOptimizer(o, t.transforms.clip_by_global_norm(0.5))
    ),
    "loss-scale": lambda t, o, fed: t.LossScaleOptimizer(o, 8.0, growth_steps=100),
}
AROUND["three"] = lambda t, o, fed: AROUND["freeze"](t, AROUND["rates"](t, o, fed), fed)
AROUND["three-more"] = lambda t, o, fed: AROUND["partition"](t, AROUND["three"](t, o, fed), fed)


def v1_float(fed):
    return fed * 0.5


@pytest.mark.costly(in_ci=10)
@pytest.mark.parametrize("around", sorted(AROUND))
@pytest.mark.parametrize("value", [0.0, 1.0])
def test_with_the_wrappers_around(value, around, variables, v1, tf, training):
    """A run and a flush are what the chain does in a run if every run is a step."""
    states = []
    for steps in (3, 1):
        with v1.Graph().as_default(), v1.Session() as run:
            w = v1.get_variable("w", initializer=[1.0, 2.0, 3.0])
            fed = v1.placeholder(tf.float32, [])
            count = v1.train.get_or_create_global_step()
            inner = training.GradientAccumulationOptimizer(
                v1.train.MomentumOptimizer(0.1, 0.9), steps
            )
            optimizer = AROUND[around](training, inner, fed)
            step = optimizer.apply_gradients([(tf.constant([1.0, -2.0, 4.0]), w)], count)
            flush = inner.flush() if steps == 3 else tf.no_op()
            run.run(v1.global_variables_initializer())
            for _ in range(2):
                run.run(step, {fed: value})
                run.run(flush, {fed: value})
            kept = [v for v in v1.global_variables() if "gradient_sum" not in v.op.name]
            states.append({v.op.name: run.run(v) for v in kept})
    for name, state in states[1].items():
        assert same_bits(states[0][name], state), name
    assert states[0]["global_step"] == 2


@pytest.mark.parametrize(
    "wrap, name",
    [
        (lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w": 0.1}), "DecoupledWeightDecay"),
        (lambda t, o: t.ExponentialAverageOptimizer(o, 0.5), "ExponentialAverage"),
        (lambda t, o: t.WeightAverageOptimizer(o), "WeightAverage"),
        (lambda t, o: t.LookaheadOptimizer(o, 2), "Lookahead"),
        (lambda t, o: t.FreezeOptimizer(t.LookaheadOptimizer(o, 2), {"w": True}), "Lookahead"),
    ],
    ids=["decay", "average", "weight-average", "lookahead", "inside-a-freeze"],
)
def test_wrappers_around_that_move_in_every_run(wrap, name, graph, v1, tf, training):
    w = v1.get_variable("w", initializer=1.0)
    inner = training.GradientAccumulationOptimizer(v1.train.GradientDescentOptimizer(1.0), 3)
    wrap(training, inner).minimize(w)
    with pytest.raises(OptimizerKindError, match=rf"flush.*{name}Optimizer.*Put it inside"):
        inner.flush()


def test_a_flush_leaves_the_other_groups_alone(variables, graph, v1, tf, training, session):
    w, u = (v1.get_variable(name, initializer=1.0) for name in "wu")
    sgd = v1.train.GradientDescentOptimizer
    inner = training.GradientAccumulationOptimizer(sgd(1.0), 3)
    optimizer = training.PartitionOptimizer(
        [training.Group("w", "w", inner), training.Group("u", "u", sgd(1.0))]
    )
    step, flush = optimizer.minimize(w + u), inner.flush()
    run = session()
    run.run(step)
    assert run.run([w, u]) == [1.0, 0.0]
    run.run(flush)
    assert run.run([w, u]) == [0.0, 0.0]


def flushing(v1, tf, training, frozen):
    w = v1.get_variable("w", initializer=np.ones([3], np.float32))
    optimizer = training.GradientAccumulationOptimizer(
        training.FreezeOptimizer(v1.train.GradientDescentOptimizer(1.0), {"w": frozen}), 4
    )
    count = v1.train.get_or_create_global_step()
    return w, optimizer, optimizer.apply_gradients([(tf.ones([3]), w)], global_step=count)


def test_a_mask_that_must_be_fed(variables, graph, v1, tf, training):
    """It is told before the first run, and not at the end of a long training."""
    frozen = v1.placeholder(tf.bool, [3], "frozen")
    w, optimizer, step = flushing(v1, tf, training, frozen)
    with pytest.raises(ArgumentError, match="none for frozen:0"):
        training.FlushHook(optimizer).begin()
    hook = training.FlushHook(optimizer, feed_dict={frozen: MASK})
    with v1.train.MonitoredSession(hooks=[hook]) as run:
        run.run(step, {frozen: MASK})
        hook.end(run.run_step_fn(lambda step_context: step_context.session))
        assert same_bits(run.run(w), np.array([1, 0, 0], np.float32))


class Listener:
    """What a `CheckpointSaverListener` is told, in order."""

    def __init__(self, v1):
        self.told = []
        names = ("begin", "before_save", "after_save", "end")
        listener = type("Recorded", (v1.train.CheckpointSaverListener,), {})
        self.object = listener()
        for name in names:
            setattr(self.object, name, self._teller(name))

    def _teller(self, name):
        return lambda session=None, step=None: self.told.append((name, step))


def test_listeners(variables, graph, v1, tf, training, tmp_path):
    """As TensorFlow's own hook calls them at its end, with the step after the flush."""
    _, optimizer, step = flushing(v1, tf, training, MASK)
    ours, stock = Listener(v1), Listener(v1)
    folder = str(tmp_path / "new")
    hooks = [
        v1.train.CheckpointSaverHook(folder, save_steps=100, listeners=[stock.object]),
        training.FlushHook(optimizer, folder, listeners=[ours.object]),
    ]
    with v1.train.MonitoredSession(hooks=hooks) as run:
        run.run(step)
    names = ["begin", "before_save", "after_save", "end"]
    assert ours.told == list(zip(names, [None, 1, 1, 1]))
    assert [name for name, _ in stock.told if name != "begin"][-3:] == names[1:]
    assert v1.train.latest_checkpoint(folder).endswith("model.ckpt-1")
    with pytest.raises(ArgumentError, match="a checkpoint_dir"):
        training.FlushHook(optimizer, listeners=[ours.object])
