"""Per-example gradients beside a loop over the examples, at batch 64.

    python scripts/bench/per_example.py

"loop": the batch is fed one example at a time. "rows": one `tf.gradients` of each loss in
the batch, all fetched together. Medians of seconds; the time to build is not in them.
"""

import os
import time

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


def recurrent(x):
    kernel, h = weight("cell", 8 + 32, 32), tf.zeros([tf.shape(x)[0], 32])
    for i in range(8):
        h = tf.tanh(tf.matmul(tf.concat([x[:, 8 * i : 8 * i + 8], h], 1), kernel))
    return tf.matmul(h, weight("top", 32, 10))


def median(work, runs=9):
    work()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return sorted(times)[runs // 2]


def one(model):
    """(seconds vectorised, in a loop, by rows)."""
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

        return (
            median(lambda: session.run(each, fed)),
            median(loop),
            median(lambda: session.run(rows, fed)),
        )


def main():
    tf1.disable_eager_execution()
    print(f"{'':16}{'ours, ms':>10}{'loop, ms':>10}{'times':>7}{'rows, ms':>10}{'times':>7}")
    for model in (perceptron, convolutions, recurrent):
        ours, loop, rows = (1e3 * seconds for seconds in one(model))
        print(
            f"{model.__name__:16}{ours:10.1f}{loop:10.1f}{loop / ours:7.1f}"
            f"{rows:10.1f}{rows / ours:7.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
