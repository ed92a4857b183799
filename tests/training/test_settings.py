"""Numbers that a session sets between two runs, on a finalized graph."""

import numpy as np
import pytest

from tfgraphtools import _tf
from tfgraphtools.errors import ArgumentError

#: {id: (build(training, v1, setting), the step of w with a gradient of 1 for a value of it)}
USES = {
    "rate": (lambda t, v1, s: v1.train.GradientDescentOptimizer(s), lambda w, x: w - x),
    "multiplier": (
        lambda t, v1, s: t.LRMultiplierOptimizer(sgd(v1), {"w": s}),
        lambda w, x: w - x,
    ),
    "decay": (
        lambda t, v1, s: t.DecoupledWeightDecayOptimizer(sgd(v1), {"w": s}),
        lambda w, x: w - x * w - 1,
    ),
    "add-decay": (
        lambda t, v1, s: t.GradientTransformOptimizer(
            sgd(v1), t.transforms.add_weight_decay({"w": s})
        ),
        lambda w, x: w - (1 + x * w),
    ),
    "threshold": (
        lambda t, v1, s: t.GradientTransformOptimizer(sgd(v1), t.transforms.clip_by_global_norm(s)),
        lambda w, x: w - min(1.0, x),
    ),
    "trust": (
        lambda t, v1, s: t.TrustRatioOptimizer(sgd(v1), coefficient=s),
        lambda w, x: w - x * abs(w),
    ),
}


def sgd(v1):
    return v1.train.GradientDescentOptimizer(1.0)


@pytest.mark.parametrize("use", USES)
def test_set_between_runs(use, variables, graph, v1, tf, training, session):
    build, update = USES[use]
    number = training.setting(0.5, "number")
    w = v1.get_variable("w", initializer=np.float32(8))
    step = build(training, v1, number).apply_gradients([(tf.constant(1.0), w)])
    run, expected = session(), 8.0
    for value in (None, 0.25, 0.125):
        if value is not None:
            training.set_values(run, {"number" if value == 0.25 else _tf.key(number): value})
        run.run(step)
        expected = update(expected, value or 0.5)
        np.testing.assert_allclose(run.run(w), expected, rtol=1e-6)


def test_all_or_none(variables, graph, v1, training, session):
    low, high = training.setting(1.0, "low"), training.setting(2.0, "high")
    run = session()
    with pytest.raises(ArgumentError, match="set_values of 'high'"):
        training.set_values(run, {"low": 3.0, "high": [1.0, 2.0]})
    assert run.run([low, high]) == [1.0, 2.0]
    with pytest.raises(ArgumentError, match="'lo'.*'low'"):
        training.set_values(run, {"lo": 3.0})
    training.set_values(run, {"low": 3.0, "high": 4})
    assert run.run([low, high]) == [3.0, 4.0]


def test_it_is_saved_and_not_trained(variables, graph, v1, training, session, tmp_path):
    decay = training.setting(0.5, "decay")
    assert v1.trainable_variables() == []
    saver, run = v1.train.Saver(), session(finalize=False)
    training.set_values(run, {decay.op.name: 0.75})
    path = saver.save(run, str(tmp_path / "model"))
    run.run(decay.initializer)
    saver.restore(run, path)
    assert run.run(decay) == 0.75


def test_a_monitored_session(variables, graph, v1, training):
    decay = training.setting(0.5, "decay")
    with v1.train.MonitoredSession() as session:
        training.set_values(session, {"decay": 0.25})
        assert session.run(decay) == 0.25


def test_names(graph, training):
    training.setting(0.5, "decay")
    with pytest.raises(ArgumentError, match="'decay' in use"):
        training.setting(0.5, "decay")
    with pytest.raises(ArgumentError, match="setting value"):
        training.setting(float("nan"), "other")


def rows(v1, training, rates):
    return training.grouped(
        v1.train.GradientDescentOptimizer,
        [
            ("kernels", ".*/kernel", rates[0], 0.25),
            ("others", training_rank_below(2), rates[1], 0),
            ("table", "table", None, 0),
        ],
    )


def training_rank_below(rank):
    return lambda variable: variable.shape.rank < rank


def test_rows_of_rate_and_decay(variables, graph, v1, tf, training, session):
    kernel = v1.get_variable("a/kernel", initializer=np.full((2, 2), 4.0, np.float32))
    bias = v1.get_variable("a/bias", initializer=np.full(2, 4.0, np.float32))
    table = v1.get_variable("table", initializer=np.full((3, 2), 4.0, np.float32))
    optimizer = rows(v1, training, (0.5, 0.25))
    pairs = optimizer.compute_gradients(sum(tf.reduce_sum(w) for w in (kernel, bias, table)))
    assert len(pairs) == 2
    step, run = optimizer.apply_gradients(pairs), session()
    run.run(step)
    values = [np.unique(value) for value in run.run([kernel, bias, table])]
    np.testing.assert_array_equal(values, [[4 * 0.75 - 0.5], [4 - 0.25], [4.0]])


@pytest.mark.parametrize(
    "make, table, what",
    [
        (lambda rate: None, [("a", "w", 0.1)], "grouped rows"),
        ("Adam", [("a", "w", 0.1, 0)], "grouped: expected a function"),
        (lambda rate: "Adam", [("a", "w", 0.1, 0)], "Group 'a'"),
    ],
)
def test_no_rows(make, table, what, graph, v1, training):
    v1.get_variable("w", initializer=1.0)
    with pytest.raises(Exception, match=what) as caught:
        training.grouped(make, table)
    assert type(caught.value).__module__ == "tfgraphtools.errors"
