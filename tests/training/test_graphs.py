"""One program, many graphs: none is kept alive, and none is mixed up with another."""

import gc
import inspect
import io
import os
import weakref

import numpy as np
import pytest

MASK = {"w": [True, False]}
#: How many graphs each slow test builds and drops.
GRAPHS = int(os.environ.get("TFGRAPHTOOLS_GRAPHS", 4))

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
    "master-weights": lambda t, v1: t.MasterWeightsOptimizer(momentum(v1)),
    "skip": lambda t, v1: t.SkipNonFiniteOptimizer(momentum(v1)),
    "loss-scale": lambda t, v1: t.LossScaleOptimizer(momentum(v1)),
    "amsgrad": lambda t, v1: t.FreezeOptimizer(t.AMSGradOptimizer(), MASK),
    "adamw": lambda t, v1: t.FreezeOptimizer(t.AdamWOptimizer(), MASK),
    "nadam": lambda t, v1: t.FreezeOptimizer(t.NadamOptimizer(), MASK),
    "radam": lambda t, v1: t.FreezeOptimizer(t.RAdamOptimizer(), MASK),
    "lion": lambda t, v1: t.FreezeOptimizer(t.LionOptimizer(), MASK),
    "adafactor": lambda t, v1: t.FreezeOptimizer(t.AdafactorOptimizer(factored=False), MASK),
    "by-schedule": lambda t, v1: t.GradientAccumulationOptimizer(
        momentum(v1), v1.get_variable("runs", initializer=2, trainable=False)
    ),
}


def momentum(v1):
    return v1.train.MomentumOptimizer(0.1, 0.9)


#: Public names that `used` and `functions_used` need not call: a part of others, or no function.
PARTS = {"PartialRestore", "ZeroGradientEffects", "schedules", "transforms"}


def functions_used(v1, tf, training, folder):
    """Uses the public functions and hooks that `used` does not; returns a weak reference."""
    with v1.Graph().as_default() as graph:
        frozen = v1.get_variable("frozen", initializer=True, trainable=False)
        w = v1.get_variable("w", initializer=np.ones(2, np.float32))
        rates = training.layer_decay(["w"], 0.5)
        decay = training.setting(0.1, "decay")
        rows = training.grouped(v1.train.AdamOptimizer, [("all", "w", 0.1, decay)])
        optimizer = training.LRMultiplierOptimizer(rows, rates)
        optimizer = training.FreezeOptimizer(optimizer, {"w": frozen})
        pairs = optimizer.compute_gradients(tf.reduce_sum(w * w))
        step = optimizer.apply_gradients(pairs, v1.train.get_or_create_global_step())
        training.add_summaries(pairs, rates=optimizer)
        hooks = [
            training.SummaryHook(folder, pairs, rates=optimizer, every=1),
            training.ProgressHook({"w": w[0]}, every=1, stream=io.StringIO()),
            training.UnfreezeHook({1: {"frozen": False}}),
        ]
        with v1.train.MonitoredSession(hooks=hooks) as session:
            for _ in range(2):
                session.run(step)
        training.zero_gradient_effects(momentum(v1))
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            saved = v1.train.Saver().save(session, os.path.join(folder, "saved"))
            training.restore_what_fits(session, saved)
            training.set_values(session, {"decay": 0.2})
            training.ConsistentSaver(max_to_keep=1).save(session, saved)
        return weakref.ref(graph)


def test_every_public_name_is_used(training):
    code = [inspect.getsource(function) for function in (used, functions_used, *MAKERS.values())]
    code = "".join(code)
    left = {n for n in training.__all__ if f".{n}(" not in code}
    assert left == PARTS


@pytest.mark.costly(in_ci=2)
@pytest.mark.parametrize("count", [2, pytest.param(GRAPHS, marks=pytest.mark.slow)])
def test_functions_keep_no_graph(count, variables, v1, tf, training, tmp_path):
    graphs = [functions_used(v1, tf, training, str(tmp_path)) for _ in range(count)]
    gc.collect()
    assert [graph() for graph in graphs] == [None] * count


def used(make, v1, tf, training, tmp_path):
    """Builds, runs and drops a graph; returns a weak reference to it."""
    with v1.Graph().as_default() as graph:
        w = v1.get_variable("w", initializer=np.ones(2, np.float32))
        optimizer = make(training, v1)
        step = optimizer.minimize(tf.reduce_sum(w * training.frozen_read(w, MASK["w"])))
        hooks = [training.TraceHook({"w": w}), training.PreemptionHook()]
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


@pytest.mark.costly(in_ci=6)
@pytest.mark.parametrize("count", [2, pytest.param(GRAPHS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("maker", sorted(MAKERS))
def test_no_graph_is_kept(maker, count, variables, v1, tf, training, tmp_path):
    graphs = [used(MAKERS[maker], v1, tf, training, tmp_path) for _ in range(count)]
    gc.collect()
    assert [graph() for graph in graphs] == [None] * count


def test_an_optimizer_of_many_graphs(v1, tf, training):
    """It is made once: masks and scopes go with their graphs. (TensorFlow's keeps the last one.)"""
    groups = [training.Group("a", "w", v1.train.GradientDescentOptimizer(1.0))]
    optimizer = training.FreezeOptimizer(training.PartitionOptimizer(groups), {"w": True})
    graphs = []
    for _ in range(3):
        with v1.Graph().as_default() as graph:
            optimizer.minimize(v1.get_variable("w", initializer=1.0))
            graphs.append(weakref.ref(graph))
    del graph
    gc.collect()
    assert [graph() for graph in graphs[:-1]] == [None] * 2


def test_rules_of_two_graphs(v1, tf, training):
    """Each pair of names once."""
    groups = [training.Group("a", "w", v1.train.AdamOptimizer())]
    optimizer = training.PartitionOptimizer(groups)
    for _ in range(2):
        with v1.Graph().as_default():
            optimizer.minimize(v1.get_variable("w", initializer=1.0))
    names = [name for name, _ in optimizer.checkpoint_rules()]
    assert names == ["beta1_power", "beta2_power"]


def test_notes_of_two_graphs(v1, tf, training):
    """One optimizer object in two graphs: each has its own variables and ways."""
    optimizer = training.LRMultiplierOptimizer(v1.train.GradientDescentOptimizer(1.0), {".*": 0.5})
    graphs = {name: v1.Graph() for name in ("first", "second")}
    for name, graph in graphs.items():
        with graph.as_default():
            optimizer.minimize(tf.reduce_sum(v1.get_variable(name, initializer=[1.0, 2.0])))
    assert list(optimizer.notes()) == ["second"]  # of the last one
    for name, graph in graphs.items():
        with graph.as_default():
            assert list(optimizer.notes()) == [name]
            assert name in optimizer.describe()


def test_ways_of_two_graphs(v1, tf, training):
    optimizer = training.FreezeOptimizer(v1.train.GradientDescentOptimizer(1.0), {".*": True})
    graphs = {name: v1.Graph() for name in ("first", "second")}
    for name, graph in graphs.items():
        with graph.as_default():
            optimizer.minimize(tf.reduce_sum(v1.get_variable(name, initializer=[1.0, 2.0])))
    for name, graph in graphs.items():
        with graph.as_default():
            assert list(optimizer.ways()) == [name]
