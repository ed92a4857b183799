"""Evaluation with the averages, with every wrapper outside and inside of the one that averages."""

import numpy as np
import pytest

from training_cases import same_bits

#: {id: wrap(training, optimizer)}
WRAPPERS = {
    "rates": lambda t, o: t.LRMultiplierOptimizer(o, {"w": 0.5}),
    "freeze": lambda t, o: t.FreezeOptimizer(o, {"w": [True, False]}),
    "reset": lambda t, o: t.FreezeOptimizer(o, {"w": [True, False]}, slots="reset"),
    "transform": lambda t, o: t.GradientTransformOptimizer(o, t.transforms.scale(0.5)),
    "decay": lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w": 0.1}),
    "accumulation": lambda t, o: t.GradientAccumulationOptimizer(o, 2),
    "lookahead": lambda t, o: t.LookaheadOptimizer(o, 2),
    "trust": lambda t, o: t.TrustRatioOptimizer(o),
    "partition": lambda t, o: t.PartitionOptimizer([t.Group("all", "w", o)]),
    "skip": lambda t, o: t.SkipNonFiniteOptimizer(o),
    "scale": lambda t, o: t.LossScaleOptimizer(o, 8.0),
}
AVERAGES = {
    "exponential": lambda t, o: t.ExponentialAverageOptimizer(o, 0.5),
    "weights": lambda t, o: t.WeightAverageOptimizer(o),
}


@pytest.mark.parametrize("inside", [False, True], ids=["outside", "inside"])
@pytest.mark.parametrize("wrapper", sorted(WRAPPERS))
@pytest.mark.parametrize("kind", sorted(AVERAGES))
def test_averages_in_and_out(kind, wrapper, inside, variables, graph, v1, tf, training, session):
    """The averages are those of the values that the whole chain leaves: NumPy's of the trace."""
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    grad = v1.placeholder_with_default([0.5, -1.0], [2])
    momentum = v1.train.MomentumOptimizer(0.1, 0.9)
    wrap, average = WRAPPERS[wrapper], AVERAGES[kind]
    if inside:
        averaging = optimizer = average(training, wrap(training, momentum))
    else:
        averaging = average(training, momentum)
        optimizer = wrap(training, averaging)
    step = optimizer.apply_gradients([(grad, w)])
    states = v1.global_variables()
    run = session()
    values = [run.run(w)]
    for _ in range(6):
        run.run(step)
        values.append(run.run(w))
    if wrapper == "accumulation" and not inside:  # then runs in between are no steps of it
        values = values[::2]
    expected = np.float64(values[0])
    for count, value in enumerate(values[1:], 1):
        expected += (value - expected) * (0.5 if kind == "exponential" else 1 / count)
    before = run.run(states)
    with averaging.swapped(run):
        np.testing.assert_allclose(run.run(w), expected, rtol=1e-6)
    for state, old, new in zip(states, before, run.run(states)):
        assert same_bits(old, new), state.op.name


@pytest.mark.parametrize("kind", sorted(AVERAGES))
def test_a_skipped_step_is_not_averaged(kind, variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=[1.0, 2.0])
    grad = v1.placeholder(tf.float32, [2])
    inner = training.SkipNonFiniteOptimizer(v1.train.GradientDescentOptimizer(1.0))
    averaging = AVERAGES[kind](training, inner)
    step = averaging.apply_gradients([(grad, w)])
    run = session()
    run.run(step, {grad: [np.nan, 1.0]})
    with averaging.swapped(run):  # as before the first step
        assert list(run.run(w)) == [1.0, 2.0]
    for values in ([1.0, 1.0], [np.inf, 1.0], [1.0, 1.0]):
        run.run(step, {grad: values})
    with averaging.swapped(run):
        assert list(run.run(w)) == ([-0.25, 0.75] if kind == "exponential" else [-0.5, 0.5])
