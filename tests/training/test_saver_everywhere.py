"""In every configuration a stock Saver saves all of the training, and a step adds no op."""

import numpy as np
import pytest

from training_cases import CORE, same_bits

pytestmark = pytest.mark.quick

SHAPE = (4, 48)
FEW = np.arange(4 * 48).reshape(SHAPE) % 7 != 0


def fed(v1):
    """A mask that a step may feed."""
    return v1.placeholder_with_default(FEW, SHAPE)


def by_group(t, v1, build):
    groups = [t.Group("a", "w", build()), t.Group("b", "net/b", build())]
    return t.PartitionOptimizer(groups)


CONFIGURATIONS = {
    "groups": by_group,
    "rates": lambda t, v1, build: t.LRMultiplierOptimizer(build(), {"w": 0.5}),
    "freeze-fed": lambda t, v1, build: t.FreezeOptimizer(build(), {"w": fed(v1)}),
    "freeze-array": lambda t, v1, build: t.FreezeOptimizer(build(), {"w": FEW}),
    "freeze-rows": lambda t, v1, build: t.FreezeOptimizer(
        build(), {"w": v1.placeholder_with_default(FEW[:, :1], [4, 1])}
    ),
    "freeze-whole": lambda t, v1, build: t.FreezeOptimizer(build(), {"net/b": True}),
    "slots-reset": lambda t, v1, build: t.FreezeOptimizer(build(), {"w": fed(v1)}, "reset"),
    "slots-advance": lambda t, v1, build: t.FreezeOptimizer(build(), {"w": fed(v1)}, "advance"),
    "slots-compact": lambda t, v1, build: t.FreezeOptimizer(build(), {"w": FEW}, "compact"),
    "freeze-around-groups": lambda t, v1, build: t.FreezeOptimizer(
        by_group(t, v1, build), {"w": fed(v1)}
    ),
    "decay": lambda t, v1, build: t.DecoupledWeightDecayOptimizer(build(), {"w": 0.01}),
    "transform": lambda t, v1, build: t.GradientTransformOptimizer(
        build(), t.transforms.clip_by_global_norm(0.5)
    ),
    "accumulate": lambda t, v1, build: t.GradientAccumulationOptimizer(build(), 2),
}


def trained(case, configuration, v1, tf, training):
    """(the step, its variables) of a model of one matrix and one vector."""
    start = np.random.RandomState(0).normal(size=SHAPE).astype(np.float32)
    w = v1.get_variable("w", initializer=start)
    b = v1.get_variable("net/b", initializer=np.ones(SHAPE[1], np.float32))
    optimizer = CONFIGURATIONS[configuration](training, v1, lambda: CORE[case].build(v1.train, 0.1))
    return optimizer.minimize(tf.reduce_sum(tf.sin(w) * b * b))


def steps(v1, run, step, count):
    for _ in range(count):
        run.run(step)
    return {v.op.name: run.run(v) for v in v1.global_variables()}


#: Every configuration under these, and every optimizer in those. (The whole product holds too.)
OPTIMIZERS = ["adam", "rmsprop-centered", "ftrl"]
ALWAYS = ["groups", "freeze-fed", "slots-compact"]
PAIRS = [
    (case, configuration)
    for case in CORE
    for configuration in CONFIGURATIONS
    if case in OPTIMIZERS or configuration in ALWAYS
]


@pytest.mark.slow
@pytest.mark.parametrize("case, configuration", PAIRS)
def test_round_trip(case, configuration, variables, v1, tf, training, tmp_path):
    prefix = str(tmp_path / "model.ckpt")
    with v1.Graph().as_default() as graph, v1.Session() as run:
        step = trained(case, configuration, v1, tf, training)
        run.run(v1.global_variables_initializer())
        saver = v1.train.Saver()
        graph.finalize()
        half_way = steps(v1, run, step, 3)
        saver.save(run, prefix, write_meta_graph=False)
        wanted = steps(v1, run, step, 3)
    with v1.Graph().as_default() as graph, v1.Session() as run:
        step = trained(case, configuration, v1, tf, training)
        saver = v1.train.Saver()
        graph.finalize()
        saver.restore(run, prefix)
        values = steps(v1, run, step, 3)
    assert sorted(values) == sorted(wanted)
    for name in wanted:
        assert same_bits(values[name], wanted[name]), name
    assert not same_bits(half_way["w"], wanted["w"])
