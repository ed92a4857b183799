"""B2: one run trains v1, another trains v2; whose statistics do they use?

``minimize(var_list=...)`` of two Adams keeps two sets of statistics. Here both
are a choice: one Adam whose slots and clock serve both (what trains is fed), or
one Adam for each group.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

TRAINS = ["v1", "v1", "v2"]  # in each of the runs


def make_loss():
    return tf1.add_n(
        [
            tf1.reduce_sum(tf1.get_variable(name, initializer=np.ones(2, np.float32)) ** 2)
            for name in ("v1", "v2")
        ]
    )


def shared():
    """One op; a fed boolean per variable. Adam's one clock counts every run."""
    freeze = {name: tf1.placeholder(tf.bool, []) for name in ("v1", "v2")}
    optimizer = training.FreezeOptimizer(tf1.train.AdamOptimizer(0.1), frozen=freeze)
    train = optimizer.minimize(make_loss())
    runs = [(train, {freeze[name]: name != trained for name in freeze}) for trained in TRAINS]
    return optimizer.variables(), runs


def separate():
    """Two ops; each group has an Adam, and a clock, of its own."""
    loss = make_loss()
    train, state = {}, []
    for name, other in (("v1", "v2"), ("v2", "v1")):
        optimizer = training.PartitionOptimizer(
            [
                training.Group("trained", name, tf1.train.AdamOptimizer(0.1)),
                training.Group("rest", other, None),
            ],
            name="Train_" + name,
        )
        train[name] = optimizer.minimize(loss)
        state += optimizer.variables()
    return state, [(train[trained], {}) for trained in TRAINS]


def run(build):
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        state, runs = build()
        variables = sorted(tf1.trainable_variables(), key=lambda v: v.op.name)
        session.run(tf1.global_variables_initializer())
        graph.finalize()
        values = []
        for train, feed in runs:
            session.run(train, feed)
            values.append([float(value[0]) for value in session.run(variables)])
        clocks = {v.op.name: v for v in state if v.op.name.endswith("beta1_power")}
        return {
            "state": sorted({v.op.name for v in state}),
            "values": values,
            "clocks": {name: float(value) for name, value in session.run(clocks).items()},
        }


def main():
    figures = {build.__name__: run(build) for build in (shared, separate)}
    for name, found in figures.items():
        _show.table(
            f"{name} statistics",
            ["run trains", "v1", "v2"],
            [[t] + [f"{x:.5f}" for x in row] for t, row in zip(TRAINS, found["values"])],
        )
        print("state:", ", ".join(found["state"]))
        print("clock:", ", ".join(f"{n} = {x:.4f}" for n, x in found["clocks"].items()))
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
