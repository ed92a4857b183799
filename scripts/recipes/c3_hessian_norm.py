"""C3: the gradient at w + delta within one graph, and the Hessian norm that needs it.

`tf.gradients(b, a + delta)` is None: b was built from a, not from a + delta.
`graph_replace` gives b as a function of a + delta. On it is built

    mean over M draws d ~ N(0, I) of (grad f(w + d) - grad f(w - d)) / (2 d)

"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1


def main():
    figures = {}
    with tf1.Graph().as_default(), tf1.Session() as session:
        w = tf1.get_variable("w", initializer=2.0)
        loss = 3.0 * w * w
        delta = tf1.constant(0.5)
        moved = gradients.graph_replace(loss, {w: w + delta})
        session.run(tf1.global_variables_initializer())
        figures["usual"] = tf1.gradients(loss, w + delta)[0]
        figures["moved"] = session.run([moved, tf1.gradients(moved, delta)[0]])
        norm = gradients.hessian_norm(loss, w, samples=8, seed=1)
        each = gradients.hessian_norm(loss, w, samples=8, seed=1, elementwise=True)
        figures["scalar"] = session.run([norm, each])
    with tf1.Graph().as_default(), tf1.Session() as session:
        matrix = np.float32([[2, 1, 0], [1, 3, 0], [0, 0, 5]])  # the Hessian
        v = tf1.get_variable("v", initializer=np.ones(3, np.float32))
        quadratic = tf1.reduce_sum(v * tf.linalg.matvec(matrix, v)) / 2.0
        norm = gradients.hessian_norm(quadratic, v, samples=50, seed=1)
        blocks = gradients.hessian(quadratic, v)
        session.run(tf1.global_variables_initializer())
        figures["norm"], figures["hessian"] = session.run([norm, blocks])
        figures["spectral norm"] = float(np.linalg.norm(matrix, 2))
    _show.table(
        "f = 3 w^2 at w = 2 (Hessian 6), and a quadratic with a known Hessian",
        ["what", "value"],
        [
            ["tf.gradients(f, w + 0.5)", figures["usual"]],
            ["f(w + 0.5) by graph_replace", figures["moved"][0]],
            ["its gradient", figures["moved"][1]],
            ["hessian_norm of f, 8 samples", round(float(figures["scalar"][0]), 4)],
            ["hessian_norm of the quadratic", round(float(figures["norm"]), 4)],
            ["its largest eigenvalue", round(figures["spectral norm"], 4)],
        ],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
