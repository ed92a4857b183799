"""A model with everything that an export has to carry; run as a script, it trains and saves it.

python tests/helpers/graph_models.py FOLDER    (under any TensorFlow)
"""

import os
import sys

import numpy as np

FEED = {"x": np.random.RandomState(0).randn(3, 6).astype(np.float32), "words": ["a", "c", "zz"]}


def build(tf, v1, folder, partitions=2):
    """The op ``probs``, of the placeholders ``x`` and ``words``; returns the training op."""
    with open(os.path.join(folder, "vocabulary.txt"), "w") as file:
        file.write("a\nb\nc\n")
    with v1.device("/gpu:0"):
        x = v1.placeholder(tf.float32, [None, 6], name="x")
        kernel = v1.get_variable("w", [6, 8], partitioner=v1.fixed_size_partitioner(partitions))
        h = tf.matmul(x, tf.convert_to_tensor(kernel))
    h, updates = _normalized(tf, v1, h)
    words = v1.placeholder(tf.string, [None], name="words")
    table = v1.lookup.StaticHashTable(
        v1.lookup.TextFileInitializer(
            os.path.join(folder, "vocabulary.txt"), tf.string, -2, tf.int64, -1
        ),
        -1,
    )
    h += tf.nn.embedding_lookup(v1.get_variable("embedding", [5, 8]), table.lookup(words) + 1)
    _, h = v1.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, tf.tanh(a)), [0, h])
    probs = tf.nn.softmax(h, name="probs")
    loss = tf.reduce_sum(probs[:, 0]) * v1.get_variable("unused_by_probs", [])
    with v1.control_dependencies(updates):
        return v1.train.AdamOptimizer().minimize(loss, v1.train.get_or_create_global_step())


def _normalized(tf, v1, h):
    """Batch normalisation as tf.layers builds it: a placeholder chooses the statistics."""
    training = v1.placeholder_with_default(False, [], name="training")
    with v1.variable_scope("bn"):
        mean = v1.get_variable("moving_mean", [8], trainable=False)
        variance = v1.get_variable(
            "moving_variance", [8], initializer=v1.ones_initializer(), trainable=False
        )
        gamma = v1.get_variable("gamma", [8], initializer=v1.ones_initializer())
    batch_mean, batch_variance = tf.nn.moments(h, [0])
    chosen_mean = v1.cond(training, lambda: batch_mean, lambda: tf.identity(mean))
    chosen_variance = v1.cond(training, lambda: batch_variance, lambda: tf.identity(variance))
    updates = [
        v1.assign(mean, 0.9 * mean + 0.1 * chosen_mean),
        v1.assign(variance, 0.9 * variance + 0.1 * chosen_variance),
    ]
    return tf.nn.batch_normalization(h, chosen_mean, chosen_variance, None, gamma, 1e-3), updates


def train_and_save(tf, v1, folder, **options):
    """Returns (prefix, the probabilities that the session itself computes)."""
    config = v1.ConfigProto(allow_soft_placement=True)
    with v1.Graph().as_default(), v1.Session(config=config) as session:
        train = build(tf, v1, folder, **options)
        session.run([v1.global_variables_initializer(), v1.tables_initializer()])
        feed = {name + ":0": value for name, value in FEED.items()}
        for _ in range(3):
            session.run(train, dict(feed, **{"training:0": True}))
        expected = session.run("probs:0", feed)
        return v1.train.Saver().save(session, os.path.join(folder, "model.ckpt")), expected


def load(tf, folder):
    """The probabilities of a SavedModel, called as TF 2 does."""
    function = tf.saved_model.load(folder).signatures["serving_default"]
    return function(**{name: tf.constant(value) for name, value in FEED.items()})["probs"].numpy()


if __name__ == "__main__":
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow

    if sys.argv[1] == "train":
        _, probabilities = train_and_save(tensorflow, tensorflow.compat.v1, sys.argv[2])
        np.save(os.path.join(sys.argv[2], "expected.npy"), probabilities)
    else:
        np.save(os.path.join(sys.argv[2], "found.npy"), load(tensorflow, sys.argv[2]))
