"""A TF 1 script: trainings of an Estimator that start again, beside one Session that never stops.

It prints the cases that are as they should be. The rows of "Long runs" about Estimators are these.
"""

import sys

import numpy as np
import tensorflow as tf

from tfgraphtools import training

START = np.arange(1, 9, dtype=np.float32).reshape(4, 2) / 8
MASK = np.array([[True], [False], [True], [False]])
FOLDER = sys.argv[1]


def build(factor=1.0):
    """Returns the loss and the step of a model whose gradients depend on the number of the run."""
    count = tf.train.get_or_create_global_step()
    w = tf.get_variable("w", initializer=START)
    runs = tf.get_variable(
        "runs",
        [],
        tf.int64,
        tf.zeros_initializer(),
        trainable=False,
        aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA,
    )
    frozen = training.FreezeOptimizer(tf.train.AdamOptimizer(0.1), {"w": MASK})
    average = training.ExponentialAverageOptimizer(frozen, 0.5)
    optimizer = training.GradientAccumulationOptimizer(average, 2)
    loss = factor * tf.reduce_sum(tf.sin(w * tf.cast(runs.read_value() + 1, tf.float32)))
    step = optimizer.minimize(loss, global_step=count)
    with tf.control_dependencies([step]):
        return loss, tf.group(runs.assign_add(1))


def model_fn(features, labels, mode):
    loss, step = build(tf.reduce_mean(features))
    metrics = {"runs": tf.metrics.mean(tf.global_variables("runs")[0])}
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step, eval_metric_ops=metrics)


def batches(count=None):
    return lambda: tf.data.Dataset.from_tensors(np.float32([1.0])).repeat(count)


def estimator(name, warm_start=None, **config):
    config = tf.estimator.RunConfig(model_dir=f"{FOLDER}/{name}", **config)
    return tf.estimator.Estimator(model_fn, config=config, warm_start_from=warm_start)


def uninterrupted(runs, loaded=None):
    """Returns {name: value} of all variables after so many runs of one Session."""
    with tf.Graph().as_default(), tf.Session() as session:
        _, step = build()
        session.run(tf.global_variables_initializer())
        for variable in tf.trainable_variables() if loaded else ():
            variable.load(loaded[variable.op.name], session)
        for _ in range(runs):
            session.run(step)
        variables = tf.global_variables()
        return dict(zip([variable.op.name for variable in variables], session.run(variables)))


def saved(name):
    reader = tf.train.NewCheckpointReader(tf.train.latest_checkpoint(f"{FOLDER}/{name}"))
    return {key: reader.get_tensor(key) for key in reader.get_variable_to_shape_map()}


def check(case, state, expected):
    assert sorted(state) == sorted(expected), (case, sorted(state), sorted(expected))
    for name, value in expected.items():
        same = np.asarray(value).tobytes() == np.asarray(state[name]).tobytes()
        assert same, (case, name, state[name], value)
    assert (state["w"] == START).reshape(4, 2)[::2].all() and (state["w"] != START)[1::2].all(), (
        case
    )
    print("as expected:", case)


tf.logging.set_verbosity(tf.logging.ERROR)

# Five runs, which end in the middle of an accumulation, and four more in a second call.
first = estimator("two")
first.train(batches(5))
check("one call of train", saved("two"), uninterrupted(5))
first.train(batches(4))
check("two calls of train", saved("two"), uninterrupted(9))

# Evaluations in between, of checkpoints of every step; a second call goes on.
spec = tf.estimator.EvalSpec(batches(1), steps=1, throttle_secs=0, start_delay_secs=0)
for steps in (2, 5):
    both = estimator("both", save_checkpoints_steps=1)
    train_spec = tf.estimator.TrainSpec(batches(), max_steps=steps)
    metrics, _ = tf.estimator.train_and_evaluate(both, train_spec, spec)
    assert (metrics["global_step"], metrics["runs"]) == (steps, 2 * steps), metrics
    check(f"train_and_evaluate to {steps}", saved("both"), uninterrupted(2 * steps))

path, before = tf.train.latest_checkpoint(f"{FOLDER}/two"), saved("two")
trained = uninterrupted(4, loaded=before)
for name, warm_start in (
    ("by-default", path),
    ("by-pattern", tf.estimator.WarmStartSettings(path, ".*")),
):
    estimator(name, warm_start).train(batches(4))
    check(f"warm start {name}", saved(name), trained)
everything = tf.estimator.WarmStartSettings(path, [".*"])
estimator("by-list", everything).train(batches(4))
check("warm start by-list", saved("by-list"), uninterrupted(13))

# TensorFlow halves the loss of each of two replicas: the sum of their gradients is exact.
for runs in (5, 4):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    config = tf.estimator.RunConfig(
        model_dir=f"{FOLDER}/mirrored",
        train_distribute=strategy,
        session_config=tf.ConfigProto(device_count={"CPU": 2}),
    )
    mirrored = tf.estimator.Estimator(model_fn, config=config)
    mirrored.train(batches(2 * runs))
check("Mirrored, two calls of train", saved("mirrored"), uninterrupted(9))
