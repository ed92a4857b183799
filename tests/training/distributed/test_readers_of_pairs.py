"""Checkpoints that another thread saves, of every pair of wrappers, in one process and on servers.

Two variables of each kind of mask are trained alike: in a checkpoint of one moment all their state
is the same. ``TFGRAPHTOOLS_WHOLE=1`` saves 300 checkpoints in each case.
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
FROZEN = {f"w_{kind}_.*": mask for kind, mask in MASKS.items()}
#: {id: wrap(training, optimizer)}
WRAPPERS = {
    "freeze": lambda t, o: t.FreezeOptimizer(o, FROZEN, name="Frozen"),
    "decay": lambda t, o: t.DecoupledWeightDecayOptimizer(o, {"w.*": 0.1}),
    "rates": lambda t, o: t.LRMultiplierOptimizer(o, {"w.*": 0.5}),
    "transform": lambda t, o: t.GradientTransformOptimizer(o, t.transforms.scale(0.5)),
    "trust": lambda t, o: t.TrustRatioOptimizer(o, of="gradient"),
    "lookahead": lambda t, o: t.LookaheadOptimizer(o, 2),
    "accumulation": lambda t, o: t.GradientAccumulationOptimizer(o, 2),
    "average": lambda t, o: t.ExponentialAverageOptimizer(o, 0.5),
    "weight-average": lambda t, o: t.WeightAverageOptimizer(o),
    "skip": lambda t, o: t.SkipNonFiniteOptimizer(o),
    "partition": lambda t, o: t.PartitionOptimizer([t.Group("all", ".*", o)]),
}
#: A first step on a server may take longer than some checkpoints.
MOST_CHECKPOINTS = max(2000, CHECKPOINTS)
PAIRS = ["+".join(pair) for pair in itertools.permutations(WRAPPERS, 2)]


@pytest.fixture(scope="module")
def server(tf):
    return tf.compat.v1.train.Server({"ps": ["localhost:0"]}, "ps", 0)  # any free port


def built(tf, v1, training, names):
    """The step of a freeze inside of the wrappers, the first outermost."""
    tables = [
        v1.get_variable(f"w_{kind}_{twin}", initializer=START)
        for kind in sorted(MASKS)
        for twin in ("one", "two")
    ]
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), FROZEN)
    for name in reversed(names):
        optimizer = WRAPPERS[name](training, optimizer)
    count = v1.train.get_or_create_global_step()
    pairs = [(tf.sin(table), table) for table in tables]
    return optimizer.apply_gradients(pairs, global_step=count)


def differing(saved, ones):
    """Returns what of a checkpoint is not of one moment: twins that differ, frozen elements."""
    twins = [name for name in ones if not same_bits(*map(saved.get_tensor, both(name)))]
    moved = [
        f"w_{kind}_one, frozen"
        for kind, mask in MASKS.items()
        if not same_bits(saved.get_tensor(f"w_{kind}_one")[mask], START[mask])
    ]
    return twins + moved


def both(name):
    """Returns the names of the state of a variable and of its twin."""
    return name, name.replace("_one", "_two", 1)


@pytest.mark.slow(in_ci=6)
@pytest.mark.parametrize("place", ["one-process", "server"])
@pytest.mark.parametrize("pair", PAIRS)
def test_one_moment(pair, place, variables, graph, tf, v1, training, server, tmp_path):
    v1.Session.reset(server.target)
    target = server.target if place == "server" else ""
    with v1.device("/job:ps/task:0" if target else None):
        try:
            step = built(tf, v1, training, pair.split("+"))
        except OptimizerKindError as error:
            pytest.skip(str(error))
    saver = training.ConsistentSaver(max_to_keep=2)
    names = [v.op.name for v in v1.global_variables()]
    ones = [name for name in names if "_one" in name]
    initialize = v1.global_variables_initializer()

    def steps_of_checkpoints():
        steps = set()
        with v1.Session(target) as session:
            session.run(initialize)
            with stepping(session, step):
                for number in range(MOST_CHECKPOINTS):
                    path = saver.save(session, str(tmp_path / "m"), number, write_meta_graph=False)
                    saved = v1.train.NewCheckpointReader(path)
                    assert differing(saved, ones) == []
                    steps.add(int(saved.get_tensor("global_step")))
                    if number + 1 >= CHECKPOINTS and len(steps) > 1:
                        break
        return steps

    steps = unless_sent_twice(tf, steps_of_checkpoints)
    assert len(steps) > 1 and len(ones) > 2 * len(MASKS)
    v1.Session.reset(server.target)


def unless_sent_twice(tf, run):
    """Runs it again where TensorFlow's servers send one of its requests twice, and refuse it.

    gRPC repeats a request whose answer is late. The worker takes each once, and aborts the run.
    """
    for _ in range(3):
        try:
            return run()
        except tf.errors.AbortedError as error:
            if "received twice" not in str(error):
                raise
    pytest.skip("TensorFlow's server aborted three runs")
