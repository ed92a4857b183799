"""E5: two tasks that pull against each other, without letting one undo the other.

One point is best for both tasks, but the first is ten times as steep: with the sum of the
gradients it decides the direction, and the second loss rises at first. `project_conflicting`
(PCGrad) removes from each gradient what points against the other.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1

STEPS, RATE, START = 250, 0.004, np.float32([2, 3])


def losses_of(w):
    """Two valleys that cross at zero, of which the first is ten times as steep."""
    return [10 * tf.square(w[0]), tf.square(0.6 * w[1] - 0.8 * w[0])]


def path(projected):
    """(the points of the path, both losses at each, the steps in which a loss rose)."""
    with tf1.Graph().as_default(), tf1.Session() as session:
        w = tf1.get_variable("w", initializer=START)
        losses = losses_of(w)
        optimizer = tf1.train.GradientDescentOptimizer(RATE)
        tasks = [optimizer.compute_gradients(loss) for loss in losses]
        if projected:
            pairs = gradients.project_conflicting(tasks, seed=1)
        else:
            pairs = [(tf.add_n([pairs[0][0] for pairs in tasks]), w)]
        step = optimizer.apply_gradients(pairs)
        session.run(tf1.global_variables_initializer())
        points, values = [session.run(w)], [session.run(losses)]
        for _ in range(STEPS):
            session.run(step)
            points.append(session.run(w))
            values.append(session.run(losses))
    points, values = np.array(points), np.array(values)
    rises = int((np.diff(values, axis=0) > 1e-6).any(axis=1).sum())
    return points, values, rises


def main():
    figures = {"sum": path(False), "projected": path(True)}
    _show.table(
        f"two tasks, {STEPS} steps",
        ["gradients", "first loss", "second loss", "its highest", "steps in which a loss rose"],
        [
            [name, *(f"{value:.3f}" for value in (*values[-1], values[:, 1].max())), rises]
            for name, (_, values, rises) in figures.items()
        ],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
