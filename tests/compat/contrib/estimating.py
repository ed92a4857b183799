"""A TF1 script of estimators, TPUEstimator on a CPU, graph_editor and other small packages."""

import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
X = np.random.RandomState(0).randn(64, 3).astype(np.float32)
Y = (X.sum(1) > 0).astype(np.int32)
COLUMNS = [tf.feature_column.numeric_column("x", shape=[3])]


def data(params=None):
    return tf.data.Dataset.from_tensor_slices(({"x": X}, Y)).repeat(4).batch(16)


def config():
    return tf.estimator.RunConfig(model_dir=tempfile.mkdtemp(), tf_random_seed=1)


def model_fn(features, labels, mode, params):
    w = tf.get_variable("w", initializer=tf.constant([[0.1], [0.2], [0.3]]))
    logits = tf.matmul(features["x"], w)[:, 0]
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"p": tf.sigmoid(logits)})
    loss = tf.losses.sigmoid_cross_entropy(labels, logits)
    step = tf.train.GradientDescentOptimizer(0.5).minimize(loss, tf.train.get_global_step())
    accuracy = tf.metrics.accuracy(labels, tf.cast(logits > 0, tf.int32))
    return tf.estimator.EstimatorSpec(
        mode, loss=loss, train_op=step, eval_metric_ops={"accuracy": accuracy}
    )


estimator = tf.estimator.Estimator(model_fn, config=config())
tf.estimator.train_and_evaluate(
    estimator,
    tf.estimator.TrainSpec(data, max_steps=8),
    tf.estimator.EvalSpec(data, steps=2, throttle_secs=0, start_delay_secs=0),
)
found = estimator.evaluate(data)
print(found["loss"], found["accuracy"], [float(p["p"]) for p in estimator.predict(data)][:3])

classifier = tf.estimator.DNNClassifier([4], COLUMNS, config=config())
classifier.train(data, steps=3)
print(sorted(classifier.get_variable_names()))

linear = tf.estimator.LinearClassifier(COLUMNS, config=config())
linear.train(data, steps=5)
print(linear.evaluate(data)["loss"])


def tpu_model_fn(features, labels, mode, params):
    w = tf.get_variable("w", [3, 1], initializer=tf.zeros_initializer())
    loss = tf.reduce_mean((tf.matmul(features["x"], w)[:, 0] - tf.cast(labels, tf.float32)) ** 2)
    step = tf.train.GradientDescentOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    return tf.contrib.tpu.TPUEstimatorSpec(mode, loss=loss, train_op=step)


tpu = tf.contrib.tpu.TPUEstimator(
    tpu_model_fn,
    use_tpu=False,
    train_batch_size=16,
    eval_batch_size=16,
    config=tf.contrib.tpu.RunConfig(model_dir=tempfile.mkdtemp()),
)
tpu.train(data, max_steps=4)
print(tpu.evaluate(data, steps=2)["loss"])


def points():
    return tf.data.Dataset.from_tensors({"x": X}).repeat(2)


for kmeans, seed in (
    (tf.contrib.factorization.KMeansClustering, "random_seed"),
    (tf.estimator.experimental.KMeans, "seed"),
):
    clusters = kmeans(
        3, use_mini_batch=False, config=config(), feature_columns=COLUMNS, **{seed: 3}
    )
    clusters.train(points)
    print(clusters.score(points), clusters.cluster_centers().tolist())

a, b = tf.constant(1.0), tf.constant(2.0)
total = tf.add(a, b)
replaced = tf.contrib.graph_editor.graph_replace(total * 3.0, {total: tf.constant(5.0)})
with tf.Session() as session:
    print(float(session.run(replaced)))
elsewhere = tf.Graph()
tripled = tf.contrib.copy_graph.copy_op_to_graph(total * 3.0, elsewhere, [])
with tf.Session(graph=elsewhere) as session:
    print(float(session.run(tripled)))
print(tf.contrib.learn.datasets.load_iris().data.shape)
