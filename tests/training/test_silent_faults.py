"""Cases that gave other numbers, or late and raw errors, before anybody read the code by line."""

import inspect

import numpy as np
import pytest

from tfgraphtools._tf import IS_TF1
from tfgraphtools.errors import ArgumentError


def descent(v1, rate=1.0):
    return v1.train.GradientDescentOptimizer(rate)


def test_swapped_variables_made_from_one_tensor(variables, graph, v1, tf, training, session):
    """Each has its own average, though the tensor that is fed to set both is the same."""
    initial = tf.random.uniform([2])
    w, u = v1.Variable(initial, name="w"), v1.Variable(initial, name="u")
    optimizer = training.ExponentialAverageOptimizer(descent(v1), 0.5)
    step = optimizer.apply_gradients([(tf.constant([1.0, 1.0]), w), (tf.constant([3.0, 3.0]), u)])
    run = session()
    before = run.run([w, u])
    run.run(step)
    with optimizer.swapped(run):
        averages = run.run([w, u])
    expected = [before[0] - 0.5, before[1] - 1.5]
    np.testing.assert_allclose(averages, expected, rtol=1e-5, atol=1e-6)
    expected = [before[0] - 1, before[1] - 3]
    np.testing.assert_allclose(run.run([w, u]), expected, rtol=1e-5, atol=1e-6)


def test_swapped_after_init_from_checkpoint(variables, graph, v1, tf, training, session, tmp_path):
    with v1.Graph().as_default(), v1.Session() as writer:
        source = v1.get_variable("w", initializer=np.float32([5.0]))
        frozen = v1.get_variable("frozen", initializer=True)
        writer.run([source.initializer, frozen.initializer])
        path = v1.train.Saver().save(writer, str(tmp_path / "model"))
    w = v1.get_variable("w", initializer=np.float32([1.0]))
    frozen = v1.get_variable("frozen", initializer=False, trainable=False)
    v1.train.init_from_checkpoint(path, {"w": "w", "frozen": "frozen"})
    count = v1.train.get_or_create_global_step()
    optimizer = training.ExponentialAverageOptimizer(descent(v1), 0.5)
    step = optimizer.apply_gradients([(tf.constant([1.0]), w)], global_step=count)
    hook = training.UnfreezeHook({0: {"frozen": False}})
    hook.begin()
    run = session()
    run.run(step)
    with optimizer.swapped(run):
        assert run.run(w) == [4.5]
    assert run.run([w, frozen]) == [[4.0], True]
    hook.before_run(v1.train.SessionRunContext(None, run))
    assert not run.run(frozen)


#: id: wrap(training, optimizer)
WRAPPERS = {
    "multiplier": lambda t, o: t.LRMultiplierOptimizer(o, {"w": 0.5}),
    "accumulation": lambda t, o: t.GradientAccumulationOptimizer(o, 2),
    "average": lambda t, o: t.ExponentialAverageOptimizer(o, 0.5),
    "trust": lambda t, o: t.TrustRatioOptimizer(o, of="gradient"),
}


@pytest.mark.parametrize("wrap", WRAPPERS)
def test_a_variable_that_is_given_twice(wrap, graph, v1, tf, training):
    """Refused: a multiplier of 0.5 acted as 0.25, and an accumulation doubled the sum."""
    w = v1.get_variable("w", initializer=[1.0])
    optimizer = WRAPPERS[wrap](training, descent(v1))
    with pytest.raises(
        ArgumentError, match="one gradient for each variable, got two for 'w'.*var_list"
    ):
        optimizer.minimize(tf.reduce_sum(w), var_list=[w, w])


def clipping(v1, tf, inside):
    """An optimizer of another library's form: it clips, then has the wrapped one take the step."""

    class Clipping(v1.train.Optimizer):
        def __init__(self):
            super().__init__(False, "Clipping")
            self._optimizer = inside

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            clipped = [(tf.clip_by_value(g, -1.0, 1.0), v) for g, v in grads_and_vars]
            return self._optimizer.apply_gradients(clipped, global_step, name)

    return Clipping()


def test_what_another_wrapper_does_to_gradients_reaches_a_transform_inside(
    variables, graph, v1, tf, training, session
):
    w = v1.get_variable("w", initializer=[0.0, 0.0])
    doubled = training.GradientTransformOptimizer(descent(v1), training.transforms.scale(2.0))
    optimizer = training.SkipNonFiniteOptimizer(clipping(v1, tf, doubled))
    step = optimizer.apply_gradients([(tf.constant([10.0, 0.5]), w)])
    run = session()
    run.run(step)
    assert run.run(w).tolist() == [-2.0, -1.0]


def test_flush_of_a_sum_that_half_floats_do_not_hold(variables, graph, v1, tf, training, session):
    """The sum of 3 x 30,000 overflows in float16; the mean of them does not."""
    w = v1.get_variable("w", initializer=np.zeros(1, np.float16))
    accumulation = training.GradientAccumulationOptimizer(descent(v1, 0.001), 8)
    optimizer = training.SkipNonFiniteOptimizer(accumulation)
    step = optimizer.apply_gradients([(tf.constant([30000.0], tf.float16), w)])
    flush = accumulation.flush()
    run = session()
    for _ in range(3):
        run.run(step)
    run.run(flush)
    np.testing.assert_allclose(run.run(w), [-30.0], rtol=1e-2)
    assert run.run(optimizer.skipped()) == 0


@pytest.mark.parametrize("names", [("a", "b", "a-b"), ("a", "a", "A")], ids=["joined", "case"])
def test_groups_whose_state_would_have_one_name(names, graph, v1, training):
    shared, own = (v1.train.AdamOptimizer() for _ in range(2))
    groups = [training.Group(names[0], "w", shared), training.Group(names[2], "x", own)]
    if names[0] != names[1]:
        groups.append(training.Group(names[1], "u", shared))
    with pytest.raises(ArgumentError, match="two optimizers under .* Rename a group"):
        training.PartitionOptimizer(groups)


def test_rates_of_groups_in_a_group(graph, v1, tf, training, session):
    inner = [training.Group(n, n, descent(v1, r)) for n, r in (("low", 0.25), ("top", 0.5))]
    inner = training.PartitionOptimizer(inner, name="Inner")
    groups = [training.Group("x", "x", descent(v1)), training.Group("both", "low|top", inner)]
    rates = training.learning_rates(training.PartitionOptimizer(groups))
    assert session().run(rates) == {"x": 1.0, "both": 0.25, "both/top": 0.5}


@pytest.mark.parametrize("hook", ["AverageHook", "FlushHook"])
def test_a_hook_given_a_wrapper_around(hook, v1, training):
    wrapper = training.LRMultiplierOptimizer(descent(v1), {"w": 1})
    with pytest.raises(ArgumentError, match="LRMultiplierOptimizer.*not a wrapper around it"):
        getattr(training, hook)(wrapper)


def test_trace_of_slices_is_refused_before_the_first_run(graph, v1, tf, training):
    w = v1.get_variable("w", initializer=np.ones([4, 2], np.float32))
    grad = tf.gradients(tf.reduce_sum(tf.gather(w, [1, 2])), [w])[0]
    with pytest.raises(ArgumentError, match="IndexedSlices.*of slices their values"):
        training.TraceHook({"g": grad}).begin()


def test_trace_without_a_run(graph, v1, tf, training, tmp_path):
    """The end of a session that was over at its beginning raised, and stopped the other hooks."""
    path = tmp_path / "trace.csv"
    loss = tf.constant(1.0)
    with v1.train.MonitoredSession(hooks=[training.TraceHook({"loss": loss}, csv_path=str(path))]):
        pass
    assert path.read_text().split() == ["step,loss"]


def test_a_number_as_a_rate_to_summarise(graph, v1, tf, training, tmp_path):
    """It raised in the first run that is summarised, the 100th by default."""
    w = v1.get_variable("w", initializer=[1.0])
    pairs = descent(v1).compute_gradients(tf.reduce_sum(w))
    step = descent(v1).apply_gradients(pairs)
    hook = training.SummaryHook(str(tmp_path), pairs, rates={"rate": 0.5}, every=1)
    with v1.train.MonitoredSession(hooks=[hook]) as run:
        run.run(step)
    (events,) = tmp_path.glob("events*")
    values = [v for e in v1.train.summary_iterator(str(events)) for v in e.summary.value]
    assert [v.simple_value for v in values if v.tag == "rates/rate"] == [0.5]


@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_a_sum_that_waits_for_its_frozen_row(sparse, variables, graph, v1, tf, training, session):
    """Row 0 is frozen when the step is due: the next has the mean of all four runs for it."""
    w = v1.get_variable("w", initializer=[[1.0], [2.0]])
    mask, grad = v1.placeholder(tf.bool, [2, 1]), v1.placeholder(tf.float32, [2, 1])
    rows = v1.placeholder(tf.int32, [None])
    gradient = tf.IndexedSlices(tf.gather(grad, rows), rows, [2, 1]) if sparse else grad
    freezing = training.FreezeOptimizer(descent(v1), {"w": mask})
    step = training.GradientAccumulationOptimizer(freezing, 2).apply_gradients([(gradient, w)])
    run = session()
    for frozen, row in ((False, 0), (True, 1), (False, 1), (False, 1)):
        feed = {mask: [[frozen], [False]], grad: np.eye(2)[row][:, None], rows: [row]}
        run.run(step, feed)
    assert run.run(w).ravel().tolist() == [0.75, 0.5]


def test_norms_under_a_skip_leave_frozen_gradients_out(
    variables, graph, v1, tf, training, contrib, session
):
    """LARS inside a transform inside a freeze, and a skip around: as without the skip."""
    steps, trained = [], []
    for name in "wu":
        variable = v1.get_variable(name, initializer=[3.0, 4.0])
        lars = training.GradientTransformOptimizer(
            contrib.opt.LARSOptimizer(1.0), training.transforms.scale(1.0)
        )
        optimizer = training.FreezeOptimizer(lars, {name: [True, False]})
        if name == "u":
            optimizer = training.SkipNonFiniteOptimizer(optimizer)
        trained.append(variable)
        steps.append(optimizer.apply_gradients([(tf.constant([100.0, 1.0]), variable)]))
    run = session()
    run.run(steps)
    expected, skipping = run.run(trained)
    assert expected.tolist() == skipping.tolist() != [3.0, 4.0]


def test_hooks_that_another_wrapper_calls_by_name(variables, graph, v1, tf, training, session):
    class ByName(v1.train.Optimizer):
        def __init__(self, optimizer):
            super().__init__(False, "ByName")
            self._optimizer = optimizer
            self._prepare, self._create_slots = optimizer._prepare, optimizer._create_slots

        def _apply_dense(self, grad, var):
            return self._optimizer._apply_dense(grad=grad, var=var)

        def _resource_apply_dense(self, grad, handle):
            names = inspect.signature(type(self._optimizer)._resource_apply_dense).parameters
            return self._optimizer._resource_apply_dense(grad, **{list(names)[2]: handle})

    w = v1.get_variable("w", initializer=[1.0])
    step = training.LRMultiplierOptimizer(ByName(descent(v1)), {"w": 0.5}).minimize(2.0 * w)
    run = session()
    run.run(step)
    assert run.run(w) == [0.0]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("clip", ["clip_by_norm", "clip_by_global_norm"])
def test_the_norm_of_complex_gradients(clip, dtype, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=tf.zeros([2], dtype), use_resource=True)
    grad = tf.constant([3 + 4j, 12j], dtype)
    ((clipped, _),) = getattr(training.transforms, clip)(6.5)([(grad, w)])
    np.testing.assert_allclose(session().run(clipped), [1.5 + 2j, 6j], rtol=1e-6)
    with pytest.raises(ArgumentError, match="real gradients.*got a complex"):
        training.transforms.clip_by_value(-1, 1)([(grad, w)])


@pytest.mark.skipif(IS_TF1, reason="TF 1.15 has no kernel for complex variables")
@pytest.mark.parametrize("bad", [np.nan, np.inf, complex(0, np.nan), complex(0, np.inf)])
def test_a_complex_gradient_that_is_not_finite_is_skipped(bad, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=tf.zeros([2], tf.complex64), use_resource=True)
    grad = v1.placeholder(tf.complex64, [2])
    step = training.SkipNonFiniteOptimizer(descent(v1)).apply_gradients([(grad, w)])
    run = session()
    run.run(step, {grad: [1 + 2j, bad]})
    assert not run.run(w).any()
    run.run(step, {grad: [1 + 2j, 3j]})
    assert run.run(w).tolist() == [-1 - 2j, -3j]


@pytest.mark.skipif(IS_TF1, reason="TF 1.15 has no kernel for complex variables")
@pytest.mark.parametrize("of", ["update", "gradient"])
def test_the_trust_ratio_of_complex_variables(of, graph, v1, tf, training, session):
    """|w| = 5 and |gradient| = 13: a step of length 5 * 0.1."""
    w = v1.get_variable("w", initializer=tf.constant([3 + 4j], tf.complex64), use_resource=True)
    optimizer = training.TrustRatioOptimizer(descent(v1), of=of, coefficient=0.1)
    step = optimizer.apply_gradients([(tf.constant([5 + 12j], tf.complex64), w)])
    run = session()
    run.run(step)
    np.testing.assert_allclose(run.run(w), [3 + 4j - 0.5 * (5 + 12j) / 13], rtol=1e-5)
