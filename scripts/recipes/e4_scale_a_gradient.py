"""E4: the lower layers at 1/100 of the gradient, by a factor inside the network.

The usual `x / 100 + (1 - 1/100) * stop_gradient(x)` costs two products and a sum in
the forward pass, and rounds the value. `scale_gradient(x, 0.01)` hands the value on
bit for bit. (With Adam and similar optimizers a factor on the gradient is no rate: see E1, E2.)
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1


def by_stop_gradient(x):
    """The usual attempt."""
    return x / 100 + (1 - 1 / 100) * tf1.stop_gradient(x)


def by_scale_gradient(x):
    """The answer."""
    return gradients.scale_gradient(x, 0.01)


def main():
    images = np.random.RandomState(0).randn(64, 32).astype(np.float32)
    figures = {}
    for title, scale in [
        ("plain", tf1.identity),
        ("stop_gradient", by_stop_gradient),
        ("scale_gradient", by_scale_gradient),
    ]:
        with tf1.Graph().as_default(), tf1.Session() as session:
            tf1.set_random_seed(1)
            w = tf1.constant(np.random.RandomState(1).randn(32, 16).astype(np.float32))
            hidden = tf1.nn.tanh(tf1.matmul(images, w))
            passed = scale(hidden)
            loss = tf1.reduce_sum(passed**2)
            value, handed_on, slope = session.run([hidden, passed, tf1.gradients(loss, w)[0]])
            figures[title] = {
                "changed": int((value != handed_on).sum()),
                "of": value.size,
                "gradient": slope,
            }
    for row in figures.values():
        row["ratio"] = float(np.median(row["gradient"] / figures["plain"]["gradient"]))
    _show.table(
        "a hidden layer with 1/100 of its gradient",
        ["way", "values changed by rounding", "gradient / plain"],
        [
            [title, f"{row['changed']} of {row['of']}", f"{row['ratio']:.6f}"]
            for title, row in figures.items()
        ],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
