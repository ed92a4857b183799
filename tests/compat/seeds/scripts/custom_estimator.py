"""An Estimator with a model_fn of its own, fed by shuffle().repeat().batch()."""

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
rng = np.random.RandomState(0)
data, labels = rng.rand(60, 6).astype(np.float32), rng.randint(0, 3, 60).astype(np.int32)


class Printer(tf.train.SessionRunHook):
    def __init__(self, loss):
        self.loss = loss

    def before_run(self, context):
        return tf.train.SessionRunArgs(self.loss)

    def after_run(self, context, values):
        print(f"{values.results:.6f}")


def input_fn():
    dataset = tf.data.Dataset.from_tensor_slices(({"x": data}, labels))
    return dataset.shuffle(30).repeat().batch(16)


def model_fn(features, labels, mode, params):
    net = tf.layers.dense(features["x"], params["units"], activation=tf.nn.relu)
    net = tf.layers.dropout(net, 0.3, training=mode == tf.estimator.ModeKeys.TRAIN)
    logits = tf.layers.dense(net, 3)
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"p": tf.nn.softmax(logits)})
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    metrics = {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))}
    train = tf.train.AdamOptimizer(0.01).minimize(loss, tf.train.get_global_step())
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=train, eval_metric_ops=metrics, training_hooks=[Printer(loss)]
    )


config = tf.estimator.RunConfig(tf_random_seed=5)
estimator = tf.estimator.Estimator(model_fn, params={"units": 12}, config=config)
estimator.train(input_fn, steps=25)


def test_fn():
    return tf.data.Dataset.from_tensor_slices(({"x": data}, labels)).batch(20)


result = estimator.evaluate(test_fn)
print("{:.6f} {:.6f}".format(result["loss"], result["accuracy"]))
print(next(estimator.predict(test_fn))["p"])
