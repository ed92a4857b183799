"""Estimators of tf.estimator over feature columns: the loss and predictions after a few steps."""

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
rng = np.random.RandomState(0)
features = {
    "x": rng.rand(60, 6).astype(np.float32),
    "kind": rng.choice(["a", "b", "c"], 60),
    "color": rng.choice(["red", "green"], 60),
}
labels = rng.randint(0, 3, 60).astype(np.int32)


def train_fn():
    dataset = tf.data.Dataset.from_tensor_slices((features, labels))
    return dataset.shuffle(100).repeat().batch(16)


def test_fn():
    return tf.data.Dataset.from_tensor_slices((features, labels)).batch(20)


column = tf.feature_column
x = column.numeric_column("x", [6])
kind = column.categorical_column_with_vocabulary_list("kind", ["a", "b", "c"])
color = column.categorical_column_with_hash_bucket("color", 5)
dense = [x, column.indicator_column(kind), column.embedding_column(color, 2)]
sparse = [kind, color, column.crossed_column(["kind", "color"], 7)]
config = tf.estimator.RunConfig(tf_random_seed=7)
for estimator in (
    tf.estimator.DNNClassifier([8, 8], dense, n_classes=3, dropout=0.2, config=config),
    tf.estimator.LinearClassifier([x] + sparse, n_classes=3, config=config),
):
    estimator.train(train_fn, steps=10)
    result = estimator.evaluate(test_fn)
    print("{:.6f} {:.6f}".format(result["average_loss"], result["loss"]))
    for _, prediction in zip(range(4), estimator.predict(test_fn)):
        print(prediction["probabilities"])
