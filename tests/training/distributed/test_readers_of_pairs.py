"""Checkpoints that another thread saves, of every pair of wrappers, in one process and on servers.

Two variables are trained alike: in a checkpoint of one moment all their state is the same.
``TFGRAPHTOOLS_WHOLE=1`` saves 300 checkpoints in each case.
"""

import itertools

import numpy as np
import pytest
from stepping_threads import CHECKPOINTS, stepping

from tfgraphtools.errors import OptimizerKindError
from training_cases import same_bits

SHAPE = (100, 40)
START = np.random.RandomState(0).normal(size=SHAPE).astype(np.float32)
MASKS = {
    "elements": np.random.RandomState(1).rand(*SHAPE) < 0.5,
    "few": np.arange(4000).reshape(SHAPE) % 1000 == 7,
    "rows": np.broadcast_to(np.arange(SHAPE[0])[:, None] % 4 == 0, SHAPE),
}
#: {id: wrap(training, optimizer, mask)}
WRAPPERS = {
    "freeze": lambda t, o, m: t.FreezeOptimizer(o, {"w.*": m}, name="Frozen"),
    "decay": lambda t, o, m: t.DecoupledWeightDecayOptimizer(o, {"w.*": 0.1}),
    "rates": lambda t, o, m: t.LRMultiplierOptimizer(o, {"w.*": 0.5}),
    "transform": lambda t, o, m: t.GradientTransformOptimizer(o, t.transforms.scale(0.5)),
    "trust": lambda t, o, m: t.TrustRatioOptimizer(o, of="gradient"),
    "lookahead": lambda t, o, m: t.LookaheadOptimizer(o, 2),
    "accumulation": lambda t, o, m: t.GradientAccumulationOptimizer(o, 2),
    "average": lambda t, o, m: t.ExponentialAverageOptimizer(o, 0.5),
    "weight-average": lambda t, o, m: t.WeightAverageOptimizer(o),
    "skip": lambda t, o, m: t.SkipNonFiniteOptimizer(o),
    "partition": lambda t, o, m: t.PartitionOptimizer([t.Group("all", ".*", o)]),
}
#: A first step on a server may take longer than some checkpoints.
MOST_CHECKPOINTS = max(2000, CHECKPOINTS)
PAIRS = ["+".join(pair) for pair in itertools.permutations(WRAPPERS, 2)]


@pytest.fixture(scope="module")
def server(tf):
    return tf.compat.v1.train.Server({"ps": ["localhost:0"]}, "ps", 0)  # any free port


def built(tf, v1, training, names, mask):
    """(variables, the step) of a freeze inside of the wrappers, the first outermost."""
    tables = [v1.get_variable(name, initializer=START) for name in ("w_one", "w_two")]
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w.*": mask})
    for name in reversed(names):
        optimizer = WRAPPERS[name](training, optimizer, mask)
    count = v1.train.get_or_create_global_step()
    pairs = [(tf.sin(table), table) for table in tables]
    return tables, optimizer.apply_gradients(pairs, global_step=count)


@pytest.mark.slow(in_ci=6)
@pytest.mark.parametrize("mask", sorted(MASKS))
@pytest.mark.parametrize("place", ["one-process", "server"])
@pytest.mark.parametrize("pair", PAIRS)
def test_one_moment(pair, place, mask, variables, graph, tf, v1, training, server, tmp_path):
    v1.Session.reset(server.target)
    frozen, target = MASKS[mask], server.target if place == "server" else ""
    with v1.device("/job:ps/task:0" if target else None):
        try:
            _, step = built(tf, v1, training, pair.split("+"), frozen)
        except OptimizerKindError as error:
            pytest.skip(str(error))
    saver = training.ConsistentSaver(max_to_keep=2)
    names = [v.op.name for v in v1.global_variables()]
    ones = [name for name in names if name.startswith("w_one")]
    initialize = v1.global_variables_initializer()
    steps = set()
    with v1.Session(target) as session:
        session.run(initialize)
        with stepping(session, step):
            for number in range(MOST_CHECKPOINTS):
                path = saver.save(session, str(tmp_path / "m"), number, write_meta_graph=False)
                saved = v1.train.NewCheckpointReader(path)
                for name in ones:
                    one = saved.get_tensor(name)
                    assert same_bits(one, saved.get_tensor(name.replace("w_one", "w_two"))), name
                assert same_bits(saved.get_tensor("w_one")[frozen], START[frozen])
                steps.add(int(saved.get_tensor("global_step")))
                if number + 1 >= CHECKPOINTS and len(steps) > 1:
                    break
    assert len(steps) > 1 and len(ones) > 2
    v1.Session.reset(server.target)
