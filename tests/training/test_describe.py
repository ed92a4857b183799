"""describe(): the table of what a step does with each variable."""

import numpy as np
import pytest

pytestmark = pytest.mark.quick


def test_table(variables, graph, v1, tf, training):
    conv = v1.get_variable("conv/w", [3, 2])
    head = v1.get_variable("head/w", [2, 2])
    v1.get_variable("unused", [5, 5])
    alone = v1.get_variable("alone", [2])
    mask = v1.placeholder(tf.bool, [], name="mask")
    partition = training.PartitionOptimizer(
        [
            training.Group("lower", "conv/w", v1.train.GradientDescentOptimizer(0.1)),
            training.Group("head", "head/w", v1.train.AdamOptimizer()),
            training.Group("rest", "unused|alone", None),
        ]
    )
    optimizer = training.FreezeOptimizer(
        training.LRMultiplierOptimizer(partition, {"conv/w": 0.01}),
        {"conv/w": np.eye(3, 2, dtype=bool), "head/w": mask},
    )
    assert "minimize" in optimizer.describe()
    loss = tf.reduce_sum(conv) + tf.reduce_sum(head) + tf.reduce_sum(alone)
    optimizer.minimize(loss, var_list=[conv, head])
    lines = [line.split("  ") for line in optimizer.describe().splitlines()]
    lines = [[cell.strip() for cell in line if cell.strip()] for line in lines]
    assert lines[0] == ["variable", "shape", "frozen", "way", "rate", "group", "optimizer"]
    assert lines[2] == [
        "conv/w", "(3, 2)", "2 of 6", "copy and restore", "x 0.01", "lower",
        "GradientDescentOptimizer",
    ]  # fmt: skip
    assert lines[3] == [
        "head/w", "(2, 2)", "by mask:0", "whole variable", "x 1", "head", "AdamOptimizer"
    ]  # fmt: skip
    assert lines[5:] == [
        ["Not trained by this step: 2 variables, 27 elements:"],
        ["unused (5, 5)"],
        ["alone (2,)"],
    ]


@pytest.mark.parametrize("counted", [True, False])
def test_a_rate_that_stands_still(counted, variables, graph, v1, tf, training, session):
    """BERT's first mistake: the rate is 0 in step 0, and nothing counts the steps."""
    count = v1.train.get_or_create_global_step()
    warm_up = tf.cast(count, tf.float32) / 10.0
    rate = v1.train.polynomial_decay(0.1, count, 100) * warm_up
    w = v1.get_variable("w", initializer=1.0)
    optimizer = training.LRMultiplierOptimizer(v1.train.AdamOptimizer(rate), {"w": 1.0})
    step = optimizer.minimize(w * w, global_step=count if counted else None)
    warning = "follows 'global_step', to which no op adds"
    assert (warning in optimizer.describe()) == (not counted)
    run = session()
    assert "AdamOptimizer: 0 now" in optimizer.describe(run)
    run.run(step)
    shown = "AdamOptimizer: 0.0099 now" if counted else "AdamOptimizer: 0 now"
    assert shown in optimizer.describe(run)


def test_rates_without_a_value(variables, graph, v1, tf, training):
    """A sentence in the place of the number: the table is shown all the same."""
    w, u = (v1.get_variable(name, initializer=1.0) for name in "wu")
    shape = v1.placeholder_with_default([1.0], None)
    v1.Variable(shape, validate_shape=False, name="of_any_shape")
    fed, kept = v1.placeholder(tf.float32, [], name="rate"), v1.Variable(0.5, trainable=False)
    optimizer = training.PartitionOptimizer(
        [
            training.Group("fed", "w", v1.train.AdamOptimizer(fed)),
            training.Group("kept", "u", v1.train.MomentumOptimizer(kept, 0.9)),
        ]
    )
    optimizer.apply_gradients([(v1.ones([]), w), (v1.ones([]), u)])
    with v1.Session() as run:
        lines = optimizer.describe(run).splitlines()
        run.run(kept.initializer)
        later = optimizer.describe(run)
    assert lines[-2:] == [
        "  AdamOptimizer: ? (it is fed: session.run('rate:0', feed) shows it)",
        "  MomentumOptimizer: ? (it reads a variable that is not initialised)",
    ]
    assert "Not trained by this step: 1 variables, an unknown number of elements:" in lines
    assert "  of_any_shape unknown" in lines
    assert "MomentumOptimizer: 0.5 now" in later
