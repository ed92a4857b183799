"""Summaries, read back from the event file."""

import collections
import glob
import os

import numpy as np
import pytest

from tfgraphtools.errors import ArgumentError, OptimizerKindError


def events(v1, directory):
    """{tag: {step: value}}: a float, or (min, max, count) of a histogram."""
    values_of = collections.defaultdict(dict)
    for path in sorted(glob.glob(os.path.join(str(directory), "events.*"))):
        for event in v1.train.summary_iterator(path):
            for value in event.summary.value:
                histogram = value.histo
                if value.HasField("histo"):
                    values_of[value.tag][event.step] = (histogram.min, histogram.max, histogram.num)
                elif value.HasField("simple_value"):
                    values_of[value.tag][event.step] = value.simple_value
    return dict(values_of)


@pytest.fixture
def model(graph, v1, tf, training):
    """Two groups whose gradients are [3, 4] and, sparse, ones in rows 0 and 2."""
    w = v1.get_variable("net/w", initializer=[3.0, 4.0])
    table = v1.get_variable("table", initializer=np.ones((4, 1), np.float32))
    unused = v1.get_variable("unused", initializer=1.0)
    global_step = v1.train.get_or_create_global_step()
    rate = v1.train.piecewise_constant(global_step, [0, 1], [0.5, 0.25, 0.125])
    sgd, group = v1.train.GradientDescentOptimizer, training.Group
    optimizer = training.PartitionOptimizer(
        [group("low", "net/w", sgd(0.1)), group("head", "table|unused", sgd(rate))]
    )
    loss = tf.reduce_sum(w * [3.0, 4.0]) + tf.reduce_sum(tf.gather(table, [0, 2]))
    pairs = optimizer.compute_gradients(loss, [w, table, unused])
    return optimizer, pairs, optimizer.apply_gradients(pairs, global_step=global_step)


def test_the_hook_writes_definite_moments(variables, model, v1, training, tmp_path):
    optimizer, pairs, step = model
    hook = training.SummaryHook(tmp_path, pairs, rates=optimizer, every=1)
    with v1.train.MonitoredTrainingSession(hooks=[hook]) as session:
        for _ in range(2):
            session.run(step)
    values_of = events(v1, tmp_path)
    approx = pytest.approx
    assert values_of["rates/low"] == {1: approx(0.1), 2: approx(0.1)}
    assert values_of["rates/head"] == {1: approx(0.5), 2: approx(0.25)}  # of the step, not the next
    assert values_of["gradients/net/w"] == {1: (3, 4, 2), 2: (3, 4, 2)}
    assert values_of["gradients/table"] == {1: (1, 1, 2), 2: (1, 1, 2)}  # the rows that are there
    assert values_of["variables/net/w"] == {
        1: (approx(2.7), approx(3.6), 2),
        2: (approx(2.4), approx(3.2), 2),
    }
    assert values_of["variables/table"][1] == (0.5, 1, 4)
    # |0.1 * [3, 4]| / |[3, 4]|, then over 0.9 of it
    assert values_of["update_ratio/net/w"] == {1: approx(0.1), 2: approx(0.1 / 0.9)}
    assert values_of["update_ratio/table"][1] == approx(np.sqrt(0.5) / 2)
    assert values_of["update_ratio/unused"] == {1: 0, 2: 0} and "gradients/unused" not in values_of
    assert values_of["gradients_not_finite/net/w"] == {1: 0, 2: 0}


def test_every_second_run_and_no_rates(model, v1, training, tmp_path):
    _, pairs, step = model
    hook = training.SummaryHook(tmp_path, pairs, every=2)
    with v1.train.MonitoredTrainingSession(hooks=[hook]) as session:
        for _ in range(5):
            session.run(step)
    values_of = events(v1, tmp_path)
    assert list(values_of["variables/net/w"]) == [2, 4]
    assert not [tag for tag in values_of if tag.startswith("rates/")]


def test_ops_for_merge_all(variables, model, v1, training, session, tmp_path):
    optimizer, pairs, step = model
    with v1.name_scope("anywhere"):
        merged = training.add_summaries(pairs, rates=optimizer)
    assert len(v1.get_collection(v1.GraphKeys.SUMMARIES)) == 9
    everything = v1.summary.merge_all()
    run = session()
    with v1.summary.FileWriter(str(tmp_path)) as writer:
        writer.add_summary(run.run(everything), 0)
        run.run(step)
        writer.add_summary(run.run(merged), 1)
    values_of = events(v1, tmp_path)
    assert values_of["variables/net/w"][0] == (3, 4, 2)
    assert values_of["variables/net/w"][1] == (pytest.approx(2.7), pytest.approx(3.6), 2)
    assert values_of["gradients/table"] == {0: (1, 1, 2), 1: (1, 1, 2)}
    assert values_of["rates/head"] == {0: 0.5, 1: 0.25}


def test_other_collections(model, v1, training):
    _, pairs, _ = model
    training.add_summaries(pairs, rates={"mine": 0.1}, collections=["rare"])
    assert not v1.get_collection(v1.GraphKeys.SUMMARIES) and len(v1.get_collection("rare")) == 8


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_nan_does_not_stop_training(dtype, variables, graph, v1, tf, training, session, tmp_path):
    """TensorFlow's own histogram op fails on NaN, in the very run that one wants to see."""
    w = v1.get_variable("w", initializer=tf.cast([1.0, 2.0, 3.0], dtype))
    grad = tf.cast([np.nan, np.inf, 0.5], dtype)
    all_nan = v1.get_variable("all_nan", initializer=tf.cast([np.nan], dtype))
    merged = training.add_summaries([(grad, w), (all_nan.read_value(), all_nan)])
    text = session().run(merged)
    with v1.summary.FileWriter(str(tmp_path)) as writer:
        writer.add_summary(text, 0)
    values_of = events(v1, tmp_path)
    assert values_of["gradients/w"] == {0: (0.5, 0.5, 1)}
    assert values_of["gradients_not_finite/w"] == {0: 2}
    assert values_of["variables/w"] == {0: (1, 3, 3)}


@pytest.mark.parametrize(
    "build, error, words",
    [
        (lambda t, p: t.add_summaries([]), ArgumentError, "add_summaries.*compute_gradients"),
        (lambda t, p: t.SummaryHook("logs", []), ArgumentError, "SummaryHook.*none"),
        (lambda t, p: t.SummaryHook("logs", p, every=0), ArgumentError, "every.*got 0"),
        (
            lambda t, p: t.add_summaries(p, rates={"a": [1.0, 2.0]}),
            ArgumentError,
            r"rates 'a'.*a scalar.*float32 one of shape \(2,\)",
        ),
        (lambda t, p: t.add_summaries(p, rates={"a": "x"}), ArgumentError, "a string one"),
    ],
)
def test_mistakes(build, error, words, model, training):
    with pytest.raises(error, match=words):
        build(training, model[1])


def test_an_optimizer_without_a_rate(model, v1, training):
    optimizer = v1.train.Optimizer(False, "None")
    with pytest.raises(OptimizerKindError, match="Pass the rates themselves"):
        training.add_summaries(model[1], rates=optimizer)


def test_a_session_that_begins_again(v1, tf, training, tmp_path):
    """As TensorFlow's own hooks: TensorBoard drops what a lost session wrote after the step."""
    folder = tmp_path / "logs"
    for _ in range(2):
        with v1.Graph().as_default():
            w = v1.get_variable("w", initializer=[1.0])
            count = v1.train.get_or_create_global_step()
            optimizer = v1.train.GradientDescentOptimizer(1.0)
            pairs = optimizer.compute_gradients(tf.reduce_sum(w))
            step = optimizer.apply_gradients(pairs, global_step=count)
            hook = training.SummaryHook(str(folder), pairs, every=1)
            with v1.train.MonitoredTrainingSession(
                checkpoint_dir=str(tmp_path), hooks=[hook], save_summaries_steps=None
            ) as run:
                run.run(step)
    v1.summary.FileWriterCache.clear()
    (file,) = folder.iterdir()
    logs = [e for e in v1.train.summary_iterator(str(file)) if e.HasField("session_log")]
    start = v1.SessionLog.START
    assert [(log.session_log.status, log.step) for log in logs] == [(start, 0), (start, 1)]
