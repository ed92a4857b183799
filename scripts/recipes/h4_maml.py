"""H4: MAML (model-agnostic meta-learning): weights from which one step fits a new task.

`graph_replace` gives the loss of the query points at the weights after one step on the support
points, as a function of the weights before it. Its gradient goes through the step, second
derivatives included. Each task is a sine of another amplitude and phase, of which 10
points are given (few-shot learning).
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients, training

tf1 = tf.compat.v1

STEPS, TASKS, POINTS, INNER_RATE, UNITS = 1000, 4, 10, 0.05, 40


def sample(random):
    """The points of a new task: support inputs and targets, query inputs and targets."""
    amplitude, phase = random.uniform(1, 4), random.uniform(0, np.pi)
    support, query = random.uniform(-4, 4, [2, POINTS, 1])
    return [support, amplitude * np.sin(support - phase), query, amplitude * np.sin(query - phase)]


def loss_of(x, y, w1, b1, w2, b2, w3):
    hidden = tf.tanh(tf.matmul(tf.tanh(tf.matmul(x, w1) + b1), w2) + b2)
    return tf.reduce_mean((tf.matmul(hidden, w3) - y) ** 2)


def train(method, steps):
    """(the first weights, the meta-gradient of the first task, losses of new tasks)."""
    shapes = {"w1": [1, UNITS], "b1": [UNITS], "w2": [UNITS] * 2, "b2": [UNITS], "w3": [UNITS, 1]}
    random = np.random.RandomState(0)
    with tf1.Graph().as_default(), tf1.Session() as session:
        tf1.set_random_seed(1)
        task = [tf1.placeholder(tf.float32, [POINTS, 1]) for _ in range(4)]
        weights = [tf1.get_variable(name, shape) for name, shape in shapes.items()]
        before, query_loss = loss_of(*task[:2], *weights), loss_of(*task[2:], *weights)
        pairs = zip(weights, tf1.gradients(before, weights))
        after = gradients.graph_replace(query_loss, {w: w - INNER_RATE * g for w, g in pairs})
        optimizer = training.GradientAccumulationOptimizer(tf1.train.AdamOptimizer(0.01), TASKS)
        meta_gradient = tf1.gradients(after, weights)
        step = optimizer.minimize(after if method == "MAML" else query_loss)
        session.run(tf1.global_variables_initializer())
        first = session.run([weights, meta_gradient], dict(zip(task, sample(random))))
        for _ in range(steps * TASKS):
            session.run(step, dict(zip(task, sample(random))))
        new_tasks = [dict(zip(task, sample(random))) for _ in range(200)]
        return first, np.mean([session.run([query_loss, after], new) for new in new_tasks], 0)


def main(steps=STEPS):
    figures = {method: train(method, steps) for method in ("joint training", "MAML")}
    rows = [[name, *(f"{loss:.2f}" for loss in row[1])] for name, row in figures.items()]
    _show.table("loss on new tasks", ["trained by", "before a step", "after one step"], rows)
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
