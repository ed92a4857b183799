"""C6: override a gradient with a custom function: 5 times the gradient through an identity.

TF wants a name that was registered, once in a process. `override_gradient` takes
the function. The value does not change by a bit, and the gradient is exactly 5
times what it was.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1


def five_times(op, grad):
    return 5.0 * grad


def main():
    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.constant(np.float32([0.1, -3.3, 1e-8]))
        with gradients.override_gradient({"Identity": five_times}) as hits:
            y = tf1.identity(x)
        gradient = tf1.gradients(tf1.reduce_sum(y * y), x)[0]
        before, after, slope = session.run([x, y, gradient])
    figures = {
        "same bits": before.tobytes() == after.tobytes(),
        "gradient / (2 x)": (slope / (2 * before)).tolist(),
        "ops": [op.name for op in hits["Identity"]],
    }
    _show.table(
        "sum(identity(x)^2) with 5 times the gradient through the identity",
        ["what", "found"],
        [[what, str(found)] for what, found in figures.items()],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
