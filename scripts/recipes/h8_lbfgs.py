"""H8: L-BFGS in a Session: what replaces `tf.contrib.opt.ScipyOptimizerInterface`.

`scipy.optimize` (`fmin_l_bfgs_b`, lbfgs) asks for the loss and its gradient at a point: one run of
the session. With `gradients.hvp` it also gets products with the Hessian, for Newton's method.
`tfgraphtools run` still provides `ScipyOptimizerInterface`, after `tfgraphtools legacy install`.
"""

import _show
import numpy as np
import tensorflow as tf
from scipy import optimize

from tfgraphtools import gradients

tf1 = tf.compat.v1

START, DESCENT_STEPS = np.float64([-1.2, 1.0, -0.5, 0.8]), 500


def main():
    figures = {}
    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.get_variable("x", initializer=START)
        loss = tf.reduce_sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)  # Rosenbrock's
        (gradient,) = tf1.gradients(loss, [x])
        direction = tf1.placeholder(tf.float64, x.shape)
        product = gradients.hvp(loss, x, direction)
        descent = tf1.train.GradientDescentOptimizer(1e-3).minimize(loss)
        session.run(tf1.global_variables_initializer())
        losses = [session.run([loss, descent])[0] for _ in range(DESCENT_STEPS)]
        figures["gradient descent"] = (losses, session.run(x))

        def loss_and_gradient(values):
            x.load(values, session)
            value, slope = session.run([loss, gradient])
            losses.append(value)
            return value, slope

        def hessian_product(values, vector):
            x.load(values, session)
            return session.run(product, {direction: vector})

        methods = {"L-BFGS-B": {}, "trust-ncg": {"hessp": hessian_product}}
        for method, more in methods.items():
            losses = []
            minimum = optimize.minimize(loss_and_gradient, START, jac=True, method=method, **more)
            x.load(minimum.x, session)  # the session's variable has the result
            figures[method] = (losses, session.run(x))
    rows = [[name, len(seen), f"{seen[-1]:.1e}"] for name, (seen, _) in figures.items()]
    _show.table("Rosenbrock's function of 4 variables", ["method", "evaluations", "loss"], rows)
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
