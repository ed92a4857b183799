"""A TF 1 script: an Estimator whose optimizers and hooks are ours. It checks itself."""

import io
import sys

import numpy as np
import tensorflow as tf

from tfgraphtools import training

START = np.ones([4, 1], np.float32)
stream = io.StringIO()
hooks = {}


def model_fn(features, labels, mode):
    w = tf.get_variable("head/w", initializer=START)
    b = tf.get_variable("low/b", initializer=[0.5])
    mask = tf.get_variable("mask", initializer=[[True], [False], [True], [False]], trainable=False)
    loss = tf.reduce_mean(tf.square(tf.matmul(features["x"], w) + b - labels))
    count = tf.train.get_or_create_global_step()
    optimizer = training.PartitionOptimizer(
        [
            training.Group("head", "head/.*", tf.train.AdamOptimizer(0.1)),
            training.Group("low", "low/.*", tf.train.MomentumOptimizer(0.1, 0.9)),
        ]
    )
    optimizer = training.LRMultiplierOptimizer(optimizer, {"low/.*": 0.5})
    optimizer = training.FreezeOptimizer(optimizer, {"head/.*": mask})
    pairs = optimizer.compute_gradients(loss)
    train = optimizer.apply_gradients(pairs, global_step=count)
    hooks["trace"] = training.TraceHook({"w": w, "mask": mask})
    mine = [
        training.UnfreezeHook({3: {"mask": False}}),
        training.FrozenGuardHook(optimizer),
        hooks["trace"],
        training.ProgressHook({"loss": loss}, every=2, stream=stream),
        training.SummaryHook(sys.argv[1] + "/summaries", pairs, rates=optimizer, every=2),
    ]
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train, training_hooks=mine)


def data():
    x = np.random.RandomState(0).normal(size=[8, 4]).astype(np.float32)
    return tf.data.Dataset.from_tensors(({"x": x}, x[:, :1] * 3)).repeat()


tf.logging.set_verbosity(tf.logging.ERROR)
estimator = tf.estimator.Estimator(model_fn, model_dir=sys.argv[1] + "/model")
estimator.train(data, steps=2)
before = estimator.get_variable_value("head/w")
assert np.array_equal(before[::2], START[::2]) and (before[1::2] != START[1::2]).all(), before
estimator.train(data, steps=3)  # after a restore: step 3 is frozen, 4 and 5 are not
values = hooks["trace"]["w"]
assert values.shape == (4, 4, 1), values.shape
assert np.array_equal(values[1][::2], START[::2]), values
assert (values[2][::2] != START[::2]).all(), values
assert estimator.get_variable_value("global_step") == 5
names = estimator.get_variable_names()
assert {"head/w/Adam", "low/b/Momentum", "Partition/head/beta1_power"} <= set(names), names
assert "step 2" in stream.getvalue() and "loss" in stream.getvalue(), stream.getvalue()
assert estimator.evaluate(data, steps=1)["global_step"] == 5


def accumulating(features, labels, mode):
    """Six batches of gradient -1, in steps of four: the rest is taken when training ends."""
    w = tf.get_variable("w", initializer=0.0)
    loss = tf.reduce_mean(features["x"]) * w
    average = training.ExponentialAverageOptimizer(tf.train.GradientDescentOptimizer(1.0), 0.5)
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(
            mode,
            loss=loss,
            eval_metric_ops={"w": tf.metrics.mean(w)},
            scaffold=tf.train.Scaffold(saver=tf.train.Saver(average.variables_to_restore())),
        )
    optimizer = training.GradientAccumulationOptimizer(average, 4)
    train = optimizer.minimize(loss, global_step=tf.train.get_or_create_global_step())
    flush = training.FlushHook(optimizer, checkpoint_dir=sys.argv[1] + "/flushed")
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train, training_hooks=[flush])


def six():
    return tf.data.Dataset.from_tensors({"x": -np.ones(3, np.float32)}).repeat(6)


estimator = tf.estimator.Estimator(accumulating, model_dir=sys.argv[1] + "/flushed")
estimator.train(six)
assert estimator.get_variable_value("w") == 2, estimator.get_variable_value("w")
assert estimator.get_variable_value("global_step") == 2
assert estimator.evaluate(six, steps=1)["w"] == 1.25  # of 0, 1 and 2, at a decay of 0.5
print("as expected")
