"""Masks of rows that are read in a run: exact whichever way a run takes, under every optimizer."""

import numpy as np
import pytest

from tfgraphtools import _tf
from training_cases import CORE, same_bits

COLUMNS = 40
#: {case: how many rows, of 40 columns}: with and without elements behind the last packet of 64
SHAPES = {"whole packets": 32, "a rest": 33}


def masks(rows):
    """Masks by which rows freeze, one a step; few rows train in some, many in others."""
    random = np.random.RandomState(1)
    few, many = random.rand(rows, 1) > 0.1, random.rand(rows, 1) > 0.8
    last_alone, first_alone = np.ones([rows, 1], bool), np.ones([rows, 1], bool)
    last_alone[-1] = first_alone[0] = False
    nothing, everything = np.ones([rows, 1], bool), np.zeros([rows, 1], bool)
    return [few, last_alone, many, nothing, few, everything, first_alone, many]


def states_of(optimizer, variable):
    slots = [optimizer.get_slot(variable, name) for name in optimizer.get_slot_names()]
    return [variable] + [slot for slot in slots if slot is not None]


@pytest.mark.costly(in_ci=6)
@pytest.mark.parametrize("rows", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("case", CORE)
def test_each_step_is_the_plain_one_but_for_frozen_rows(
    case, rows, variables, graph, v1, tf, training, session
):
    random = np.random.RandomState(0)
    start = random.normal(size=(rows, COLUMNS)).astype(np.float32)
    plain_w, w = (v1.get_variable(name, initializer=start) for name in ("plain", "w"))
    grad = v1.placeholder(tf.float32, [rows, COLUMNS])
    mask = v1.placeholder(tf.bool, [rows, 1])
    plain, inner = (CORE[case].build(v1.train, 0.1) for _ in range(2))
    frozen = training.FreezeOptimizer(inner, {"w": mask})
    plain_step = plain.apply_gradients([(grad, plain_w)])
    step = frozen.apply_gradients([(grad, w)])
    is_exact_in_parts = rows * COLUMNS % 64 == 0 or not _tf.IS_TF1
    assert frozen.ways() == {"w": "rows that train" if is_exact_in_parts else "rows"}
    states, plain_states = states_of(inner, w), states_of(plain, plain_w)
    pairs = zip(plain_states, states)
    same_start = tf.group(*[v1.assign(own, state.read_value()) for own, state in pairs])
    running = session()
    for mask_now in masks(rows):
        running.run(same_start)
        before = running.run(states)
        values = random.normal(size=(rows, COLUMNS))
        feed = {grad: np.where(mask_now, np.nan, values), mask: mask_now}
        running.run(step, feed)
        running.run(plain_step, feed)
        for old, new, moved in zip(before, running.run(states), running.run(plain_states)):
            assert same_bits(new, np.where(mask_now, old, moved))


def test_two_masks_of_rows_freeze_the_rows_of_both(variables, graph, v1, tf, training, session):
    w = v1.get_variable("w", initializer=np.ones([64, 64], np.float32))
    masks_of_both = [v1.placeholder(tf.bool, [64, 1]) for _ in range(2)]
    optimizer = v1.train.MomentumOptimizer(0.1, 0.9)
    for mask in masks_of_both:
        optimizer = training.FreezeOptimizer(optimizer, {"w": mask})
    step = optimizer.apply_gradients([(tf.ones([64, 64]), w)])
    row = np.arange(64)[:, np.newaxis]
    for first, second in ((row > 1, row < 1), (row % 2 == 0, row % 3 == 0), (row < 0, row < 0)):
        before = session().run(w)
        session().run(step, dict(zip(masks_of_both, (first, second))))
        frozen = np.broadcast_to(first | second, before.shape)
        after = session().run(w)
        assert same_bits(after[frozen], before[frozen])
        assert (after[~frozen] != before[~frozen]).all()
