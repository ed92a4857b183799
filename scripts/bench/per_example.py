"""Per-example gradients beside a loop over the examples, at batch 64.

    python scripts/bench/per_example.py [--only lstm]

"loop": the batch is fed one example at a time. "rows": one `tf.gradients` of each loss in
the batch, all fetched together. All ways are timed one after another: medians, and the medians
of the ratios within each round. The time to build is not in them.
"""

import argparse
import os
import time
from statistics import median

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

from tfgraphtools import gradients  # noqa: E402

tf1 = tf.compat.v1
BATCH = 64


def weight(name, *shape):
    start = np.random.RandomState(0).normal(0, 0.1, shape).astype(np.float32)
    return tf1.get_variable(name, initializer=start)


def perceptron(x):
    h = tf.tanh(tf.matmul(x, weight("w1", 64, 128)))
    return tf.matmul(tf.tanh(tf.matmul(h, weight("w2", 128, 128))), weight("w3", 128, 10))


def convolutions(x):
    h = tf.reshape(x, [-1, 8, 8, 1])
    for i, channels in enumerate([8, 8]):
        kernel = weight(f"k{i}", 3, 3, int(h.shape[-1]), channels)
        h = tf.nn.relu(tf.nn.conv2d(h, kernel, strides=[1, 1, 1, 1], padding="SAME"))
    return tf.matmul(tf.reduce_mean(h, [1, 2]), weight("top", 8, 10))


def depthwise(x):
    h = tf.reshape(x, [-1, 8, 8, 1])
    for i in range(2):
        h = tf1.nn.depthwise_conv2d(h, weight(f"d{i}", 3, 3, int(h.shape[-1]), 2), [1] * 4, "SAME")
        h = tf.nn.conv2d(
            h, weight(f"p{i}", 1, 1, int(h.shape[-1]), 8), strides=[1] * 4, padding="SAME"
        )
        h = tf.nn.leaky_relu(h)
    return tf.matmul(tf.reduce_mean(h, [1, 2]), weight("top", 8, 10))


def volumes(x):
    h = tf.reshape(x, [-1, 4, 4, 4, 1])
    for i, channels in enumerate([8, 8]):
        kernel = weight(f"k{i}", 3, 3, 3, int(h.shape[-1]), channels)
        h = tf.nn.relu(tf.nn.conv3d(h, kernel, strides=[1] * 5, padding="SAME"))
    return tf.matmul(tf.reduce_mean(h, [1, 2, 3]), weight("top", 8, 10))


def recurrent(x):
    kernel, h = weight("cell", 8 + 32, 32), tf.zeros([tf.shape(x)[0], 32])
    for i in range(8):
        h = tf.tanh(tf.matmul(tf.concat([x[:, 8 * i : 8 * i + 8], h], 1), kernel))
    return tf.matmul(h, weight("top", 32, 10))


def lstm(x):
    """An LSTM in a `while_loop`, as `dynamic_rnn` builds it."""
    kernel, zeros = weight("cell", 8 + 16, 64), tf.zeros([tf.shape(x)[0], 16])

    def body(i, h, c):
        step = tf.gather(tf.reshape(x, [-1, 8, 8]), i, axis=1)
        add, keep, new, out = tf.split(tf.matmul(tf.concat([step, h], 1), kernel), 4, axis=1)
        c = tf.sigmoid(keep) * c + tf.sigmoid(add) * tf.tanh(new)
        return i + 1, tf.sigmoid(out) * tf.tanh(c), c

    h = tf.while_loop(lambda i, *_: i < 8, body, [0, zeros, zeros])[1]
    return tf.matmul(h, weight("top", 16, 10))


def scan(x):
    """A recurrent layer in `tf.scan`."""
    kernel, zeros = weight("cell", 8 + 32, 32), tf.zeros([tf.shape(x)[0], 32])
    steps = tf.transpose(tf.reshape(x, [-1, 8, 8]), [1, 0, 2])
    states = tf.scan(lambda h, e: tf.tanh(tf.matmul(tf.concat([e, h], 1), kernel)), steps, zeros)
    return tf.matmul(states[-1], weight("top", 32, 10))


def mapped(x):
    """A layer for each of eight parts, in `tf.map_fn`."""
    kernel = weight("kernel", 8, 32)
    parts = tf.transpose(tf.reshape(x, [-1, 8, 8]), [1, 0, 2])
    h = tf.reduce_mean(tf.map_fn(lambda part: tf.tanh(tf.matmul(part, kernel)), parts), 0)
    return tf.matmul(h, weight("top", 32, 10))


def keras_lstm(x):
    h = tf.keras.layers.LSTM(16)(tf.reshape(x, [-1, 8, 8]))
    return tf.matmul(h, weight("top", 16, 10))


def embedding(x):
    words = tf.nn.embedding_lookup(weight("table", 1000, 16), tf.cast(x * 999, tf.int32))
    return tf.matmul(tf.tanh(tf.reduce_mean(words, 1)), weight("top", 16, 10))


def normalised(x):
    """Group and layer normalisation, of which no example sees another."""
    kernel = weight("kernel", 3, 3, 1, 8)
    h = tf.nn.conv2d(tf.reshape(x, [-1, 8, 8, 1]), kernel, strides=[1] * 4, padding="SAME")
    h = tf.reshape(h, [-1, 8, 8, 2, 4])
    mean, variance = tf.nn.moments(h, [1, 2, 4], keepdims=True)
    h = tf.reshape((h - mean) * tf1.rsqrt(variance + 1e-3), [-1, 8, 8, 8]) * weight("gamma", 8)
    h = tf.reduce_mean(tf.nn.relu(h), [1, 2])
    mean, variance = tf.nn.moments(h, [1], keepdims=True)
    return tf.matmul((h - mean) * tf1.rsqrt(variance + 1e-3), weight("top", 8, 10))


MODELS = (
    perceptron, convolutions, depthwise, volumes, recurrent, lstm, scan, mapped, keras_lstm,
    embedding, normalised,
)  # fmt: skip


def seconds(works, runs=9):
    """For each work the seconds of every round; all are timed one after another."""
    rounds = []
    for _ in range(runs + 1):
        rounds.append([])
        for work in works:
            start = time.perf_counter()
            work()
            rounds[-1].append(time.perf_counter() - start)
    return list(zip(*rounds[1:]))


def ratio(times, others):
    return median(time / other for time, other in zip(times, others))


def one(model):
    """The seconds of every round: vectorised, in a loop, by rows."""
    random = np.random.RandomState(1)
    images, labels = random.rand(BATCH, 64).astype(np.float32), random.randint(0, 10, BATCH)
    with tf1.Graph().as_default(), tf1.Session() as session:
        x, y = tf1.placeholder(tf.float32, [None, 64]), tf1.placeholder(tf.int32, [None])
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=model(x))
        xs = tf1.trainable_variables()
        each = gradients.per_example_gradients(losses, xs)
        whole = tf1.gradients(losses, xs)
        rows = [tf1.gradients(losses[i], xs) for i in range(BATCH)]
        session.run(tf1.global_variables_initializer())
        fed = {x: images, y: labels}

        def loop():
            for i in range(BATCH):
                session.run(whole, {x: images[i : i + 1], y: labels[i : i + 1]})

        return seconds([lambda: session.run(each, fed), loop, lambda: session.run(rows, fed)])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", choices=[model.__name__ for model in MODELS])
    only = options.parse_args().only
    tf1.disable_eager_execution()
    print(f"{'':16}{'ours, ms':>10}{'loop, ms':>10}{'times':>7}{'rows, ms':>10}{'times':>7}")
    for model in MODELS:
        if only not in (None, model.__name__):
            continue
        ours, loop, rows = one(model)
        print(
            f"{model.__name__:16}{1e3 * median(ours):10.1f}"
            f"{1e3 * median(loop):10.1f}{ratio(loop, ours):7.1f}"
            f"{1e3 * median(rows):10.1f}{ratio(rows, ours):7.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
