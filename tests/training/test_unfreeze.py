"""UnfreezeHook: masks change at given global steps, in a finalized graph, and after a restore."""

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, MaskError, NothingMatchedError


def build(v1, tf, training):
    """Two variables that lose 1 in each step in which they are not frozen."""
    low, head = (v1.get_variable(name, initializer=[0.0, 0.0]) for name in ("low", "head"))
    mask = v1.get_variable("mask", initializer=True, trainable=False)
    rows = v1.get_variable("rows", initializer=[True, True], trainable=False)
    step = training.FreezeOptimizer(
        v1.train.GradientDescentOptimizer(1.0), {"low": mask, "head": rows}
    ).minimize(tf.reduce_sum(low + head), global_step=v1.train.get_or_create_global_step())
    return step, low, head


SCHEDULE = {3: {"mask": False}, 1: {"rows": [False, True]}, 4: {"mask": True, "rows": False}}
#           after 1..6 steps: low, head
WANTED = [(0, [0, 0]), (0, [-1, 0]), (0, [-2, 0]), (-1, [-3, 0]), (-1, [-4, -1]), (-1, [-5, -2])]


@pytest.mark.parametrize("interrupted", [False, True], ids=["at-once", "restored-after-4"])
def test_gradual_unfreezing(interrupted, variables, v1, tf, training, tmp_path):
    seen = []
    for last in (4, 6) if interrupted else (6,):
        with v1.Graph().as_default() as graph:
            step, low, head = build(v1, tf, training)
            hooks = [training.UnfreezeHook(SCHEDULE), v1.train.StopAtStepHook(last_step=last)]
            with v1.train.MonitoredTrainingSession(
                checkpoint_dir=str(tmp_path), hooks=hooks
            ) as session:
                assert graph.finalized
                while not session.should_stop():
                    session.run(step)
                    seen.append(session._tf_sess().run([low, head]))
    assert len(seen) == 6
    for (low, head), (wanted_low, wanted_head) in zip(seen, WANTED):
        assert low.tolist() == [wanted_low] * 2 and head.tolist() == wanted_head


def test_the_initializer_is_as_it_was(variables, v1, tf, training):
    with v1.Graph().as_default():
        step, _, _ = build(v1, tf, training)
        again = v1.global_variables_initializer()
        mask = v1.global_variables("mask")[0]
        hook = training.UnfreezeHook({0: [(mask, False)]})
        with v1.train.MonitoredTrainingSession(hooks=[hook]) as session:
            session.run(step)
            assert not session._tf_sess().run(mask)
            session._tf_sess().run(again)
            assert session._tf_sess().run(mask)


@pytest.mark.parametrize(
    "schedule, error, words",
    [
        ({}, ArgumentError, "none"),
        ({-1: {"mask": False}}, ArgumentError, "got -1"),
        ({"1": {"mask": False}}, ArgumentError, "got '1'"),
        ({1: {"nask": False}}, NothingMatchedError, "step 1.*mean 'mask'"),
        ({1: {"low": False}}, MaskError, "'low'.*a float32 variable"),
        ({1: {"mask": 0}}, MaskError, "dtype int64"),
        ({1: {"rows": [True] * 3}}, MaskError, r"'rows'.*\(2,\).*\(3,\)"),
    ],
)
def test_mistakes(schedule, error, words, graph, v1, tf, training):
    build(v1, tf, training)
    with pytest.raises(error, match=words):
        training.UnfreezeHook(schedule).begin()


def test_a_graph_without_a_global_step(graph, training):
    with pytest.raises(ArgumentError, match="get_or_create_global_step"):
        training.UnfreezeHook({1: {"mask": np.bool_(False)}}).begin()
