"""One program, many graphs: none is kept alive, and none is mixed up with another."""

import gc
import weakref

import numpy as np
import pytest

MASK = {"w": [True, False]}

#: {id: wrap(training, v1)}
MAKERS = {
    "freeze": lambda t, v1: t.FreezeOptimizer(momentum(v1), MASK),
    "clock": lambda t, v1: t.FreezeOptimizer(v1.train.AdamOptimizer(), MASK, clock="element"),
    "rates": lambda t, v1: t.LRMultiplierOptimizer(momentum(v1), {"w": 0.5}),
    "partition": lambda t, v1: t.PartitionOptimizer([t.Group("a", "w", momentum(v1))]),
    "transform": lambda t, v1: t.GradientTransformOptimizer(
        momentum(v1), t.transforms.clip_by_global_norm(1.0)
    ),
    "decay": lambda t, v1: t.DecoupledWeightDecayOptimizer(momentum(v1), {"w": 0.1}),
    "accumulation": lambda t, v1: t.GradientAccumulationOptimizer(momentum(v1), 2),
    "average": lambda t, v1: t.ExponentialAverageOptimizer(momentum(v1), 0.9),
    "weight-average": lambda t, v1: t.WeightAverageOptimizer(momentum(v1)),
    "lookahead": lambda t, v1: t.LookaheadOptimizer(momentum(v1)),
    "trust": lambda t, v1: t.TrustRatioOptimizer(momentum(v1)),
}


def momentum(v1):
    return v1.train.MomentumOptimizer(0.1, 0.9)


def used(make, v1, tf, training, tmp_path):
    """Builds, runs and drops a graph; returns a weak reference to it."""
    with v1.Graph().as_default() as graph:
        w = v1.get_variable("w", initializer=np.ones(2, np.float32))
        optimizer = make(training, v1)
        step = optimizer.minimize(tf.reduce_sum(w * training.frozen_read(w, MASK["w"])))
        hooks = [training.TraceHook({"w": w})]
        if hasattr(optimizer, "flush"):
            hooks.append(training.FlushHook(optimizer))
        if hasattr(optimizer, "swapped"):
            hooks.append(training.AverageHook(optimizer))
        if hasattr(optimizer, "ways"):
            hooks.append(training.FrozenGuardHook(optimizer))
        with v1.train.MonitoredSession(hooks=hooks) as session:
            session.run(step)
        optimizer.describe()
        training.learning_rates(optimizer)
        return weakref.ref(graph)


@pytest.mark.parametrize("maker", sorted(MAKERS))
def test_no_graph_is_kept(maker, variables, v1, tf, training, tmp_path):
    graphs = [used(MAKERS[maker], v1, tf, training, tmp_path) for _ in range(3)]
    gc.collect()
    assert [graph() for graph in graphs] == [None] * 3


def test_rules_of_two_graphs(v1, tf, training):
    """Each pair of names once."""
    groups = [training.Group("a", "w", v1.train.AdamOptimizer())]
    optimizer = training.PartitionOptimizer(groups)
    for _ in range(2):
        with v1.Graph().as_default():
            optimizer.minimize(v1.get_variable("w", initializer=1.0))
    names = [name for name, _ in optimizer.checkpoint_rules()]
    assert names == ["beta1_power", "beta2_power"]
