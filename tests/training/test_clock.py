"""clock="element": each element's bias correction counts its own steps."""

import numpy as np
import pytest

from oracles import Adam
from tfgraphtools.errors import ArgumentError, OptimizerKindError
from training_cases import same_bits


def frozen_adam(v1, training, clock, size=1, rate=0.1, **options):
    w = v1.get_variable("w", initializer=np.zeros(size, np.float32))
    mask = v1.placeholder(v1.bool, None)
    grad = v1.placeholder_with_default(np.ones(size, np.float32), [size])
    optimizer = training.FreezeOptimizer(
        v1.train.AdamOptimizer(rate), {"w": mask}, clock=clock, **options
    )
    return w, mask, grad, optimizer, optimizer.apply_gradients([(grad, w)])


@pytest.mark.parametrize("clock, first, ten", [("global", 2.515, 44.0), ("element", 1.0, 10.0)])
def test_late_release(clock, first, ten, variables, graph, v1, training, session):
    """Gradient 1, frozen for 999 steps: the first step and ten steps, in learning rates."""
    rate = 1e-3
    w, mask, _, _, step = frozen_adam(v1, training, clock, rate=rate)
    run = session()
    for _ in range(999):
        run.run(step, {mask: True})
    assert run.run(w)[0] == 0
    run.run(step, {mask: False})
    assert -run.run(w)[0] / rate == pytest.approx(first, rel=1e-3)
    for _ in range(9):
        run.run(step, {mask: False})
    assert -run.run(w)[0] / rate == pytest.approx(ten, rel=1e-3)


@pytest.mark.parametrize("clock, end", [("global", -0.178094), ("element", -0.2)])
def test_frozen_between_two_steps(clock, end, variables, graph, v1, training, session):
    w, mask, _, _, step = frozen_adam(v1, training, clock)
    run = session()
    for frozen in (False, True, True, False):
        run.run(step, {mask: frozen})
    assert run.run(w)[0] == pytest.approx(end, abs=1e-6)


def test_each_element_as_with_an_adam_of_its_own(variables, graph, v1, training, session):
    size, steps = 12, 40
    w, mask, grad, _, step = frozen_adam(v1, training, "element", size)
    twin = v1.get_variable("twin", initializer=np.zeros(size, np.float32))
    plain_step = v1.train.AdamOptimizer(0.1).apply_gradients([(grad, twin)])
    run = session()
    random = np.random.RandomState(0)
    oracles, wanted = [Adam() for _ in range(size)], np.zeros(size)
    for _ in range(steps):
        frozen = random.rand(size) < 0.5
        frozen[0] = False
        g = random.normal(size=size)
        before = run.run(w)
        run.run([step, plain_step], {mask: frozen, grad: g})
        assert same_bits(run.run(w)[frozen], before[frozen])
        for i in np.flatnonzero(~frozen):
            wanted[i] = oracles[i].step(wanted[i], g[i], 0.1)
    np.testing.assert_allclose(run.run(w), wanted, rtol=1e-4, atol=1e-5)
    assert same_bits(run.run(w)[:1], run.run(twin)[:1])  # never frozen: the plain optimizer's


def test_reset_begins_anew(variables, graph, v1, training, session):
    w, mask, _, _, step = frozen_adam(v1, training, "element", slots="reset")
    run = session()
    for frozen in [False] * 5 + [True] * 3 + [False] * 4:
        before = run.run(w)[0]
        run.run(step, {mask: frozen})
        moved = before - run.run(w)[0]
        assert moved == pytest.approx(0.0 if frozen else 0.1, abs=1e-5)


def test_inside_and_around_a_multiplier(variables, graph, v1, training, session):
    weights, steps = [], []
    masks = v1.placeholder(v1.bool, [])
    for name in ("inside", "around"):
        w = v1.get_variable(name, initializer=[0.0])
        weights.append(w)
        adam = v1.train.AdamOptimizer(0.1)
        if name == "inside":
            optimizer = training.FreezeOptimizer(
                training.LRMultiplierOptimizer(adam, {name: 3}), {name: masks}, clock="element"
            )
        else:
            optimizer = training.LRMultiplierOptimizer(
                training.FreezeOptimizer(adam, {name: masks}, clock="element"), {name: 3}
            )
        steps.append(optimizer.apply_gradients([(v1.ones([1]), w)]))
    run = session()
    for frozen in [True] * 9 + [False]:
        run.run(steps, {masks: frozen})
    for value in run.run(weights):
        assert value[0] == pytest.approx(-0.3, rel=1e-5)


def test_the_clock_is_saved(variables, v1, training, tmp_path):
    prefix, values = str(tmp_path / "model"), []
    for restored in (False, True):
        with v1.Graph().as_default(), v1.Session() as run:
            w, mask, _, _, step = frozen_adam(v1, training, "element")
            run.run(v1.global_variables_initializer())
            if restored:
                v1.train.Saver().restore(run, prefix)
            else:
                for _ in range(20):
                    run.run(step, {mask: True})
                v1.train.Saver().save(run, prefix)
            run.run(step, {mask: False})
            values.append(run.run(w))
    assert same_bits(*values) and values[0][0] == pytest.approx(-0.1, rel=1e-5)


def test_an_optimizer_that_begins_anew(variables, graph, v1, training, session):
    """`variables()` are all of its state: initialised again, it takes its first step again."""
    w = v1.get_variable("w", initializer=[0.0])
    mask = v1.placeholder(v1.bool, [])
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(0.1), {"w": mask}, clock="element")
    step = optimizer.apply_gradients([(v1.ones([1]), w)])
    anew = v1.variables_initializer(optimizer.variables() + [w])
    run = session()
    for frozen in (True, False, False, False):
        run.run(step, {mask: frozen})
    run.run(anew)
    run.run(step, {mask: False})
    assert run.run(w) == pytest.approx([-0.1], rel=1e-5)
    assert run.run(optimizer.get_slot(w, "FreezeOwnSteps")) == [0]


def test_a_constraint_is_named(graph, v1, training):
    w = v1.get_variable("w", initializer=[0.0], constraint=lambda x: x)
    optimizer = training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": True}, clock="element")
    with pytest.raises(OptimizerKindError, match="got a variable with a constraint"):
        optimizer.apply_gradients([(v1.ones([1]), w)])


def test_mistakes(graph, v1, training):
    w = v1.get_variable("w", initializer=[0.0])
    with pytest.raises(OptimizerKindError, match="clock='element' for 'w'.*MomentumOptimizer"):
        training.FreezeOptimizer(
            v1.train.MomentumOptimizer(0.1, 0.9), {"w": True}, clock="element"
        ).apply_gradients([(v1.ones([1]), w)])
    with pytest.raises(ArgumentError, match="clock"):
        training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": True}, clock="mine")
    with pytest.raises(ArgumentError, match="fused"):
        training.FreezeOptimizer(v1.train.AdamOptimizer(), {"w": True}, clock="element", fused=True)


@pytest.mark.parametrize("order", ["inside", "around"])
def test_a_trust_ratio_is_refused(order, graph, v1, training):
    """It would scale the decay, a part of the ratio's step, by the element's bias correction."""
    w = v1.get_variable("w", initializer=[1.0])

    def frozen(optimizer):
        return training.FreezeOptimizer(optimizer, {"w": True}, clock="element")

    def trusted(optimizer, **options):
        return training.TrustRatioOptimizer(optimizer, decays={"w": 0.1}, **options)

    adam = v1.train.AdamOptimizer(0.1)
    optimizer = frozen(trusted(adam)) if order == "inside" else trusted(frozen(adam))
    with pytest.raises(OptimizerKindError, match="clock='element' for 'w'.*trust ratio"):
        optimizer.apply_gradients([(v1.ones([1]), w)])
    trusted(frozen(v1.train.AdamOptimizer(0.1)), of="gradient").apply_gradients([(v1.ones([1]), w)])


def test_a_step_left_out_by_a_multiplier_is_missed(variables, graph, v1, tf, training, session):
    """In a run at rate 0 no element takes a step: its clock waits, as while it is frozen."""
    w = v1.get_variable("w", initializer=[0.0, 0.0])
    rate = v1.placeholder(tf.float32, [])
    optimizer = training.FreezeOptimizer(
        v1.train.AdamOptimizer(0.1), {"w": [True, False]}, clock="element"
    )
    step = training.LRMultiplierOptimizer(optimizer, {"w": rate}).apply_gradients(
        [(tf.ones([2]), w)]
    )
    run = session()
    for now in (1.0, 0.0, 0.0, 0.0, 1.0, 1.0):
        run.run(step, {rate: now})
    np.testing.assert_allclose(run.run(w), [0, -0.3], rtol=1e-4)  # three steps of Adam's own


def adams_step(number, m, v, betas, rate=0.1, grad=1.0, epsilon=1e-8):
    """Returns how far Adam moves in its step of this number, in float64."""
    m = betas[0] * m + (1 - betas[0]) * grad
    v = betas[1] * v + (1 - betas[1]) * grad**2
    correction = np.sqrt(1 - betas[1] ** number) / (1 - betas[0] ** number)
    return -rate * correction * m / (np.sqrt(v) + epsilon)


@pytest.mark.parametrize("betas", [(0.9, 0.9), (0.9, 0.999), (0.5, 0.9999), (0.0, 0.99)], ids=str)
@pytest.mark.parametrize("steps", [10, 1000, 10**5, 10**7])
def test_after_any_number_of_steps(steps, betas, graph, v1, training, session):
    """The state of the optimizer after so many steps, and of elements that took some of them."""
    own = np.array([0, 1, 2, 10, steps // 3, steps], np.int64)
    rounded = np.asarray(betas, np.float32).astype(np.float64)
    w = v1.get_variable("w", initializer=np.zeros(len(own), np.float32))
    mask = v1.placeholder(v1.bool, [])
    adam = v1.train.AdamOptimizer(0.1, *betas)
    optimizer = training.FreezeOptimizer(adam, {"w": mask}, clock="element")
    step = optimizer.apply_gradients([(v1.ones([len(own)]), w)])
    clock = next(v for v in v1.global_variables() if v.op.name == "w/FreezeOwnSteps")
    run = session()
    adam.get_slot(w, "m").load(np.full(len(own), 0.25, np.float32), run)
    adam.get_slot(w, "v").load(np.full(len(own), 0.5, np.float32), run)
    for power, beta in zip(adam._get_beta_accumulators(), rounded):
        power.load(np.float32(beta**steps), run)
    clock.load(own, run)
    run.run(step, {mask: True})
    assert not run.run(w).any()
    assert list(run.run(clock)[1:]) == list(own[1:])
    run.run(step, {mask: False})
    numbers = np.where(own > 0, own, steps)  # the first waits at the step that it missed
    expected = adams_step(numbers, 0.25, 0.5, rounded)
    np.testing.assert_allclose(run.run(w), expected, rtol=2e-4)
    assert list(run.run(clock)[1:]) == list(own[1:] + 1)


@pytest.mark.parametrize(
    "slots, expected",
    [("keep", [3, 4, 4]), ("reset", [1, 2, 2]), ("advance", [0, 0, 5])],
)
def test_counts_of_steps(slots, expected, variables, graph, v1, training, session):
    """Two steps, one frozen, one of its own, and one at rate 0, which no element takes."""
    w = v1.get_variable("w", initializer=[0.0])
    mask, rate = v1.placeholder(v1.bool, []), v1.placeholder(v1.float32, [])
    optimizer = training.FreezeOptimizer(
        v1.train.AdamOptimizer(0.1), {"w": mask}, clock="element", slots=slots
    )
    optimizer = training.LRMultiplierOptimizer(optimizer, {"w": rate})
    step = optimizer.apply_gradients([(v1.ones([1]), w)])
    clock = next(v for v in v1.global_variables() if v.op.name == "w/FreezeOwnSteps")
    run, counts = session(), []
    for frozen, now in [(False, 1), (False, 1), (True, 1), (False, 1), (False, 0)]:
        run.run(step, {mask: frozen, rate: now})
        counts.append(int(run.run(clock)[0]))
    assert counts == [0, 0] + expected
