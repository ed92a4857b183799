"""Rates that follow the global step, beside PyTorch's and NumPy's in float64."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError

STEPS = 20
RATE = 0.5


def rates(v1, tf, make, count=STEPS + 5):
    """Returns the rates of the first steps, run on one graph."""
    with v1.Graph().as_default() as graph:
        step = v1.placeholder(tf.int64, [])
        rate = make(step)
        graph.finalize()
        with v1.Session() as session:
            return [session.run(rate, {step: i}) for i in range(count)]


def of_cosine(i, first=RATE, last=0.01):
    return last + (first - last) * (1 + np.cos(np.pi * min(i, STEPS) / STEPS)) / 2


def test_warm_up(v1, tf, training):
    found = rates(v1, tf, lambda step: training.schedules.warm_up(step, 4, RATE))
    expected = [RATE * min(1, (i + 1) / 4) for i in range(STEPS + 5)]
    np.testing.assert_allclose(found, expected, rtol=1e-7)


def test_cosine(v1, tf, training):
    found = rates(v1, tf, lambda step: training.schedules.cosine(step, STEPS, RATE, 0.01))
    np.testing.assert_allclose(found, [of_cosine(i) for i in range(STEPS + 5)], rtol=1e-6)
    theirs = rates(v1, tf, lambda step: v1.train.cosine_decay(RATE, step, STEPS, 0.02))
    np.testing.assert_allclose(found, theirs, rtol=1e-5)


def test_warm_up_of_a_cosine(v1, tf, training):
    def make(step):
        return training.schedules.warm_up(step, 5, training.schedules.cosine(step, STEPS, RATE))

    expected = [of_cosine(i, last=0.0) * min(1, (i + 1) / 5) for i in range(STEPS + 5)]
    np.testing.assert_allclose(rates(v1, tf, make), expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("rise", [0.3, 0.5, 0.12])
def test_one_cycle(rise, v1, tf, training):
    torch = pytest.importorskip("torch")
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weight], lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, RATE, total_steps=STEPS, pct_start=rise
    )
    expected = []
    for _ in range(STEPS):
        expected.append(schedule.get_last_lr()[0])
        optimizer.step()
        if len(expected) < STEPS:
            schedule.step()
    found = rates(v1, tf, lambda s: training.schedules.one_cycle(s, STEPS, RATE, rise), STEPS + 3)
    np.testing.assert_allclose(found[:STEPS], expected, rtol=1e-5)
    assert found[STEPS:] == [found[STEPS - 1]] * 3


def test_a_schedule_trains(variables, graph, v1, tf, training, session):
    step = v1.train.get_or_create_global_step()
    rate = training.schedules.warm_up(step, 4, 0.5)
    w = v1.get_variable("w", initializer=np.float32(0))
    optimizer = v1.train.GradientDescentOptimizer(rate)
    train_op = optimizer.apply_gradients([(tf.constant(1.0), w)], global_step=step)
    run = session()
    for _ in range(6):
        run.run(train_op)
    np.testing.assert_allclose(run.run(w), -0.5 * (0.25 + 0.5 + 0.75 + 3), rtol=1e-6)


@pytest.mark.parametrize(
    "call, what",
    [
        (lambda s, step: s.warm_up(step, 0, 0.1), "warm_up steps"),
        (lambda s, step: s.warm_up("step", 3, 0.1), "warm_up step"),
        (lambda s, step: s.warm_up(step, 3, -1), "warm_up rate"),
        (lambda s, step: s.cosine(step, 3, 0.1, -0.1), "cosine last"),
        (lambda s, step: s.one_cycle(step, 10, 0.1, rise=1.0), "one_cycle rise"),
        (lambda s, step: s.one_cycle(step, 10, 0.1, rise=0.1), "one_cycle rise"),
        (lambda s, step: s.one_cycle(step, 10, 0.1, last_share=0), "one_cycle last_share"),
    ],
)
def test_no_such_numbers(call, what, graph, v1, training):
    with pytest.raises(ArgumentError, match=what):
        call(training.schedules, v1.train.get_or_create_global_step())
