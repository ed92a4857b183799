"""H9: Hogwild and A3C: asynchronous training by several threads of one session.

The threads train the same variables (multithreading). In Hogwild each thread runs the same step
on its own batches. In A3C each thread has a copy of the weights: it fetches the shared weights,
computes gradients with its copy, and applies them to the shared weights. `use_locking=True` makes
each update of a variable atomic, and each step is counted. Without it, threads can overwrite the
updates of others.
"""

from concurrent import futures

import _show
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1

THREADS, STEPS, BATCH, SIZE, RATE = 4, 100, 16, 20, 0.1


def loss_of(weights, x, y):
    logits = tf.reduce_sum(x * weights, 1)
    return tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=logits))


def batches(worker):
    """The batches of a worker; the labels follow from the weights (1, -1, 1, -1...)."""
    random = np.random.RandomState(worker)
    for _ in range(STEPS):
        x = random.normal(size=[BATCH, SIZE])
        yield x, np.float32(x.dot((-1.0) ** np.arange(SIZE)) > 0)


def train(method, threads=THREADS):
    """(the weights, the number of steps that was counted, the accuracy on other points)."""
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        shared = tf1.get_variable("shared", [SIZE], initializer=tf1.zeros_initializer())
        count = tf1.train.get_or_create_global_step()
        optimizer = tf1.train.GradientDescentOptimizer(RATE, use_locking=True)
        x, y = tf1.placeholder(tf.float32, [None, SIZE]), tf1.placeholder(tf.float32, [None])
        pulls, steps = [], []
        for worker in range(threads):
            weights = shared
            if method == "A3C":
                weights = tf1.get_variable(f"worker_{worker}", [SIZE], trainable=False)
            pulls.append(tf1.assign(weights, shared) if method == "A3C" else tf.no_op())
            (gradient,) = tf1.gradients(loss_of(weights, x, y), [weights])
            steps.append(optimizer.apply_gradients([(gradient, shared)], count))
        session.run(tf1.global_variables_initializer())
        graph.finalize()

        def work(worker):
            for inputs, labels in batches(worker):
                session.run(pulls[worker])
                session.run(steps[worker], {x: inputs, y: labels})

        with futures.ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, range(threads)))  # raises what a thread raised
        weights, counted = session.run([shared, count])
    right = [(inputs.dot(weights) > 0) == labels for inputs, labels in batches(THREADS)]
    return weights, int(counted), float(np.mean(right))


def main():
    figures = {method: train(method) for method in ("Hogwild", "A3C")}
    rows = [[name, counted, f"{right:.3f}"] for name, (_, counted, right) in figures.items()]
    _show.table(f"{THREADS} threads", ["method", "steps", "accuracy on other points"], rows)
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
