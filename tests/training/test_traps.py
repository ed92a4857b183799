"""Known traps of groups, rates and frozen elements that no other file of these tests holds."""

import numpy as np
import pytest

from tfgraphtools.errors import OptimizerKindError
from training_cases import same_bits

pytestmark = pytest.mark.quick


def test_a_moving_average_follows_a_frozen_element(contrib, v1, tf, training):
    """The average of a variable is no slot of it: it goes on towards the frozen value."""
    with v1.Graph().as_default(), v1.Session() as run:
        w = v1.get_variable("w", initializer=[1.0, 1.0])
        mask = v1.placeholder(tf.bool, [])
        freeze = training.FreezeOptimizer(v1.train.GradientDescentOptimizer(1.0), {"w": mask})
        averaging = contrib.opt.MovingAverageOptimizer(freeze, average_decay=0.5)
        step = averaging.apply_gradients([(tf.ones([2]), w)])
        run.run(w.initializer)
        run.run(v1.global_variables_initializer())
        run.run(step, {mask: False})
        average = averaging._ema.average(w)
        first = run.run(average)
        for _ in range(2):
            run.run(step, {mask: True})
        assert run.run(w).tolist() == [0, 0]
        np.testing.assert_allclose(run.run(average), first / 4)


def test_a_moving_average_inside_would_see_elements_move(contrib, v1, training):
    with pytest.raises(OptimizerKindError, match=r"MovingAverageOptimizer\(FreezeOptimizer"):
        training.FreezeOptimizer(
            contrib.opt.MovingAverageOptimizer(v1.train.AdamOptimizer()), {"w": True}
        )


@pytest.mark.parametrize("wrapper", ["freeze", "rates", "groups"])
def test_built_inside_a_variable_scope(wrapper, variables, graph, v1, tf, training, session):
    """Slots are named net/net/w/Adam then, as the plain optimizer's are, and are frozen too."""
    with v1.variable_scope("net"):
        w = v1.get_variable("w", initializer=[1.0, 1.0])
        adam = v1.train.AdamOptimizer(0.1)
        optimizer = {
            "freeze": lambda: training.FreezeOptimizer(adam, {w: [True, False]}),
            "rates": lambda: training.LRMultiplierOptimizer(adam, {w: 0.5}),
            "groups": lambda: training.PartitionOptimizer([training.Group("g", w, adam)]),
        }[wrapper]()
        step = optimizer.minimize(tf.reduce_sum(w * w))
    m = optimizer.get_slot(w, "m")
    assert m.op.name == "net/net/w/Adam"
    run = session()
    before = run.run([w, m])
    run.run(step)
    for old, new in zip(before, run.run([w, m])):
        assert same_bits(old[0], new[0]) == (wrapper == "freeze") and old[1] != new[1]


def test_one_optimizer_in_two_groups_takes_one_step(variables, graph, v1, tf, training, session):
    """Two `apply_gradients` of one Adam advance its powers twice a step: .729 for .81."""
    names = ["a", "b"]
    a, b = (v1.get_variable(n, initializer=0.0) for n in names)
    adam = v1.train.AdamOptimizer(0.1)
    optimizer = training.PartitionOptimizer([training.Group(n, n, adam) for n in names])
    ones = tf.ones([])
    step = optimizer.apply_gradients([(ones, a), (ones, b)])
    (power,) = [v for v in optimizer.variables() if v.op.name.endswith("beta1_power")]
    run = session()
    run.run(step)
    assert run.run(power) == pytest.approx(0.81)
    for _ in range(4):
        run.run(step)
    np.testing.assert_allclose(run.run([a, b]), [-0.5, -0.5], rtol=1e-5)


def test_a_group_without_optimizer_keeps_its_slots(variables, graph, v1, tf, training, session):
    """A learning rate of 0 would move m and the powers; None leaves all of it."""
    w, other = (v1.get_variable(n, initializer=[1.0]) for n in ("w", "other"))
    adam = v1.train.AdamOptimizer(0.1)
    first = adam.minimize(tf.reduce_sum(w * w), var_list=[w])
    groups = training.PartitionOptimizer(
        [
            training.Group("alone", "w", None),
            training.Group("other", "other", v1.train.AdamOptimizer(0.1)),
        ]
    )
    step = groups.minimize(tf.reduce_sum(w * other))
    run = session()
    run.run(first)
    state = [w, adam.get_slot(w, "m"), adam.get_slot(w, "v")] + list(adam._get_beta_accumulators())
    before = run.run(state)
    for _ in range(3):
        run.run(step)
    assert all(same_bits(old, new) for old, new in zip(before, run.run(state)))
    assert run.run(other)[0] < 1
