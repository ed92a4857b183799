"""The servers of the scalars that wrappers keep: beside their variables, in any build order."""

import numpy as np
import pytest

SERVERS = {"a": "/job:ps/task:1", "b": "/job:ps/task:0", "c": "/job:ps/task:1"}

#: id: (wrapper, the names of its scalars)
WRAPPERS = {
    "skip": (lambda t, o: t.SkipNonFiniteOptimizer(o), ["SkipNonFinite/skipped"]),
    "scale": (
        lambda t, o: t.LossScaleOptimizer(o),
        ["LossScale/current_loss_scale", "LossScale/good_steps", "LossScale/skipped"],
    ),
    "accumulation": (
        lambda t, o: t.GradientAccumulationOptimizer(o, 2),
        ["GradientAccumulation/runs"],
    ),
    "lookahead": (lambda t, o: t.LookaheadOptimizer(o), ["Lookahead/steps"]),
    "every-second": (
        lambda t, o: t.ExponentialAverageOptimizer(o, 0.5, every=2),
        ["ExponentialAverage/steps", "ExponentialAverage/weight"],
    ),
}


def built(wrapper, order, v1, tf, training):
    """The optimizer of a worker, which makes the variables in this order outside of servers."""
    with v1.Graph().as_default(), v1.device("/job:worker/task:1"):
        variables = []
        for name in order:
            with v1.device(SERVERS[name]):
                variables.append(v1.get_variable(name, initializer=np.ones(2, np.float32)))
        optimizer = WRAPPERS[wrapper][0](training, v1.train.GradientDescentOptimizer(0.1))
        optimizer.minimize(tf.add_n([tf.reduce_sum(variable) for variable in variables]))
        text = optimizer.describe()
        return {v.op.name: v.device for v in v1.global_variables()}, text


@pytest.mark.parametrize("order", ["abc", "bca", "cab"])
@pytest.mark.parametrize("wrapper", sorted(WRAPPERS))
def test_beside_the_first_variable_by_name(wrapper, order, variables, v1, tf, training):
    """A worker that builds in another order finds the same; none waits for another worker."""
    devices, text = built(wrapper, order, v1, tf, training)
    for name in WRAPPERS[wrapper][1]:
        assert devices[name].startswith("/job:ps/task:1"), devices
        assert f"{name}  /job:ps/task:1" in text
    assert all("worker" not in device for device in devices.values())
