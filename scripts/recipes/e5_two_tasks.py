"""E5: two tasks that pull against each other, without letting one undo the other.

The valley of the first task runs across that of the second. With the plain sum of the
gradients a step may go up in one of them. `project_conflicting` (PCGrad) takes out of each
gradient what points against the other.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1

STEPS, RATE, START = 150, 0.01, np.float32([-2.5, 1.5])


def losses_of(w):
    """Two steep valleys that cross, of which the first is ten times as steep."""
    across, along = w[0] + 2 * w[1] - 1, w[0] - w[1] - 1
    return [10 * tf.square(across), tf.square(along) + 0.3 * tf.square(w[0] + 1)]


def path(projected):
    """(the points on the way, both losses at each, how often one rose in a step)."""
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
        ["gradients", "first loss", "second loss", "steps in which a loss rose"],
        [
            [name, f"{values[-1][0]:.3f}", f"{values[-1][1]:.3f}", rises]
            for name, (_, values, rises) in figures.items()
        ],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
