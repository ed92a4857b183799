"""E2: twice the learning rate for y, under SGD and under every other optimizer.

Doubling the *gradient* of y is right only for optimizers like SGD: Adam divides it
out again. `LRMultiplierOptimizer` multiplies the rate that y's update sees, and
is bit for bit the optimizer at that rate.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

OPTIMIZERS = {
    "GradientDescent": tf1.train.GradientDescentOptimizer,
    "Momentum": lambda rate: tf1.train.MomentumOptimizer(rate, 0.9),
    "Nesterov": lambda rate: tf1.train.MomentumOptimizer(rate, 0.9, use_nesterov=True),
    "Adagrad": tf1.train.AdagradOptimizer,
    "AdagradDA": lambda rate: tf1.train.AdagradDAOptimizer(
        rate, tf1.train.get_or_create_global_step()
    ),
    "Adadelta": tf1.train.AdadeltaOptimizer,
    "Adam": tf1.train.AdamOptimizer,
    "RMSProp": tf1.train.RMSPropOptimizer,
    "RMSProp centered": lambda rate: tf1.train.RMSPropOptimizer(rate, centered=True),
    "RMSProp momentum": lambda rate: tf1.train.RMSPropOptimizer(rate, momentum=0.9),
    "Ftrl": tf1.train.FtrlOptimizer,
    "ProximalAdagrad": tf1.train.ProximalAdagradOptimizer,
    "ProximalGradientDescent": tf1.train.ProximalGradientDescentOptimizer,
}


def published(steps=5):
    """x=1, y=0, loss (x-y)**2, SGD at 0.1, y at twice the rate: [x, y] after each step."""
    with tf1.Graph().as_default(), tf1.Session() as session:
        x = tf1.get_variable("x", initializer=1.0)
        y = tf1.get_variable("y", initializer=0.0)
        sgd = tf1.train.GradientDescentOptimizer(0.1)
        train = training.LRMultiplierOptimizer(sgd, {"y": 2.0}).minimize((x - y) ** 2)
        session.run(tf1.global_variables_initializer())
        values = []
        for _ in range(steps):
            session.run(train)
            values.append(session.run([x, y]))
        return values


def after(make_optimizer, gradient, steps=20):
    """The value of a variable that starts at 0, after 20 steps with one gradient."""
    with tf1.Graph().as_default(), tf1.Session() as session:
        y = tf1.get_variable("y", initializer=np.zeros(1, np.float32))
        global_step = tf1.train.get_or_create_global_step()
        train = make_optimizer().apply_gradients([(tf1.constant([gradient]), y)], global_step)
        session.run(tf1.global_variables_initializer())
        for _ in range(steps):
            session.run(train)
        return float(session.run(y)[0])


def compare(make, rate=0.1, factor=10.0):
    """What ten times the gradient and ten times the rate do to the way that y goes."""
    plain = after(lambda: make(rate), 1.0)
    by_gradient = after(lambda: make(rate), factor)
    by_rate = after(lambda: training.LRMultiplierOptimizer(make(rate), {"y": factor}), 1.0)
    return {
        "by_gradient": by_gradient / plain,
        "by_rate": by_rate / plain,
        "as_the_plain_optimizer": by_rate == after(lambda: make(rate * factor), 1.0),
    }


def main():
    figures = {name: compare(make) for name, make in OPTIMIZERS.items()}
    _show.table(
        "How far y goes in 20 steps, over the way at the plain rate (expected: 10)",
        ["optimizer", "gradient x 10", "rate x 10", "the plain one at that rate"],
        [
            [
                name,
                f"{found['by_gradient']:.2f}",
                f"{found['by_rate']:.2f}",
                "bit-equal" if found["as_the_plain_optimizer"] else "DIFFERS",
            ]
            for name, found in figures.items()
        ],
    )
    figures["published"] = published()
    _show.table(
        "SGD at 0.1, loss (x - y)**2, y at twice the rate",
        ["step", "x", "y"],
        [[step, f"{x:.5g}", f"{y:.5g}"] for step, (x, y) in enumerate(figures["published"], 1)],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
