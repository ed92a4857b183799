"""G1: averages of the weights: exponential, SWA, and lookahead.

Noisy steps end in a cloud around the minimum. An average of the weights is near
its middle, without a smaller learning rate: it is kept beside the weights, saved
with them, and swapped in to evaluate. Lookahead pulls the weights themselves back.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

STEPS, SIZE, RATE = 200, 100, 0.3
WRAPPERS = {
    "SGD": lambda sgd: sgd,
    "ExponentialAverageOptimizer": lambda sgd: training.ExponentialAverageOptimizer(
        sgd, 0.97, debias=True
    ),
    "WeightAverageOptimizer": lambda sgd: training.WeightAverageOptimizer(sgd, start=50),
    "LookaheadOptimizer": lambda sgd: training.LookaheadOptimizer(sgd, steps=5, rate=0.3),
}


def distances(wrap):
    """How far the weights to evaluate are from the minimum after each step."""
    noise = np.random.RandomState(0)
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        w = tf1.get_variable("w", initializer=np.ones(SIZE, np.float32))
        target = tf1.placeholder(tf.float32, [SIZE])  # of the batch: the minimum is 0
        optimizer = wrap(tf1.train.GradientDescentOptimizer(RATE))
        train = optimizer.minimize(tf1.reduce_sum((w - target) ** 2) / 2)
        session.run(tf1.global_variables_initializer())
        graph.finalize()
        found = []
        for _ in range(STEPS):
            session.run(train, {target: noise.normal(size=SIZE)})
            if hasattr(optimizer, "swapped"):
                with optimizer.swapped(session):
                    found.append(float(np.linalg.norm(session.run(w))))
            else:
                found.append(float(np.linalg.norm(session.run(w))))
        return found


def main():
    figures = {name: distances(wrap) for name, wrap in WRAPPERS.items()}
    _show.table(
        "Distance from the minimum, mean of the last 50 steps",
        ["optimizer", "distance"],
        [[name, f"{np.mean(found[-50:]):.2f}"] for name, found in figures.items()],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
