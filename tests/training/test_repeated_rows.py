"""Sparse gradients that have a row several times: the plain optimizer's bits, under each wrapper.

An accumulation sums such rows in an order of its own, as docs/guides/training.md says.
"""

import numpy as np
import pytest

from training_cases import same_bits

SHAPE = (40, 33)
FROZEN = 3
ROWS = np.array([7] * 37 + [9] * 3 + [11, 12] + [7] * 20 + [FROZEN, 13], np.int32)
MASK = np.arange(SHAPE[0])[:, None] == FROZEN

#: {id: wrap(training, optimizer, v1)}
WRAPPERS = {
    "array": lambda t, o, v1: t.FreezeOptimizer(o, {"w": MASK}),
    "fed": lambda t, o, v1: t.FreezeOptimizer(o, {"w": v1.placeholder_with_default(MASK, None)}),
    "rate": lambda t, o, v1: t.LRMultiplierOptimizer(
        o, {"w": v1.placeholder_with_default(1.0, [])}
    ),
    "group": lambda t, o, v1: t.PartitionOptimizer([t.Group("all", "w", o)]),
    "decay": lambda t, o, v1: t.DecoupledWeightDecayOptimizer(o, {"w": 0.0}),
    "average": lambda t, o, v1: t.ExponentialAverageOptimizer(o, 0.9),
    "lookahead": lambda t, o, v1: t.LookaheadOptimizer(o, steps=100),
    "skip": lambda t, o, v1: t.SkipNonFiniteOptimizer(o),
    "accumulation": lambda t, o, v1: t.GradientAccumulationOptimizer(o, 1),
}

OPTIMIZERS = {
    "sgd": lambda train: train.GradientDescentOptimizer(0.1),
    "momentum": lambda train: train.MomentumOptimizer(0.1, 0.9),
    "adagrad": lambda train: train.AdagradOptimizer(0.1),
    "adam": lambda train: train.AdamOptimizer(0.1),
    "rmsprop": lambda train: train.RMSPropOptimizer(0.1),
}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_repeated_rows(wrapper, optimizer, variables, graph, v1, tf, training, session):
    random = np.random.RandomState(0)
    values = random.normal(size=(len(ROWS), SHAPE[1])).astype(np.float32)
    start = random.normal(size=SHAPE).astype(np.float32)
    plain, w = (v1.get_variable(name, initializer=start) for name in ("plain", "w"))
    build = OPTIMIZERS[optimizer]
    grad = tf.IndexedSlices(tf.constant(values), tf.constant(ROWS), tf.constant(SHAPE))
    steps = [
        used.apply_gradients([(grad, variable)])
        for used, variable in (
            (build(v1.train), plain),
            (WRAPPERS[wrapper](training, build(v1.train), v1), w),
        )
    ]
    run = session()
    for _ in range(3):
        for step in steps:
            run.run(step)
    expected, result = run.run([plain, w])
    if wrapper in ("array", "fed"):
        expected[FROZEN] = start[FROZEN]
    if wrapper == "accumulation":
        np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-5)
    else:
        assert same_bits(result, expected)
    assert not same_bits(result[7], start[7])
