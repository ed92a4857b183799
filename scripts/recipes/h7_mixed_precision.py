"""H7: mixed precision: float16 (fp16) layers, float32 weights and a dynamic loss scale.

The weights stay float32 and are cast for each product (`tf.cast`); the loss is computed in
float32. Gradients below 6e-8 are 0 in float16, and the training stops early.
`LossScaleOptimizer` multiplies the loss, divides the gradients, skips a step that overflows, and
adjusts the scale by itself.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

EXAMPLES, INPUTS, STEPS, RATE, START_SCALE = 2048, 8, 80, 0.2, 2.0**40


def data():
    """Small targets, as a trained network's errors are."""
    random = np.random.RandomState(0)
    inputs = random.normal(size=[EXAMPLES, INPUTS]).astype(np.float32)
    return inputs, inputs.dot(random.normal(0, 1e-3, [INPUTS, 1])).astype(np.float32)


def train(dtype, scaled):
    """(the weights before each step, the scale before each step, the number of skipped steps)."""
    inputs, targets = data()
    with tf1.Graph().as_default(), tf1.Session() as session:
        w = tf1.get_variable("w", [INPUTS, 1], initializer=tf1.zeros_initializer())
        outputs = tf.matmul(tf.cast(inputs, dtype), tf.cast(w, dtype))
        loss = tf.reduce_mean((tf.cast(outputs, tf.float32) - targets) ** 2)
        optimizer = tf1.train.GradientDescentOptimizer(RATE)
        if scaled:
            optimizer = training.LossScaleOptimizer(optimizer, START_SCALE, growth_steps=10)
        step = optimizer.minimize(loss)
        scale = optimizer.loss_scale() if scaled else tf.constant(1.0)
        session.run(tf1.global_variables_initializer())
        rows = []
        for _ in range(STEPS):
            rows.append(session.run([w, scale]))
            session.run(step)
        skipped = int(session.run(optimizer.skipped())) if scaled else 0
    weights, scales = zip(*rows)
    return np.array(weights), np.array(scales), skipped


def distances(weights):
    """How far the weights are from the solution, as a part of its norm."""
    solution = np.linalg.lstsq(*data(), rcond=None)[0]
    return np.linalg.norm(weights - solution, axis=(1, 2)) / np.linalg.norm(solution)


def main():
    ways = {"float32": (tf.float32, False), "float16": (tf.float16, False)}
    ways["float16, loss scale"] = (tf.float16, True)
    figures = {name: train(*way) for name, way in ways.items()}
    rows = [[name, f"{distances(w)[-1]:.0e}", skipped] for name, (w, _, skipped) in figures.items()]
    _show.table("after training", ["products", "distance from the solution", "skipped"], rows)
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
