"""C4: an integer-valued layer (floor, ceil, cast) inside a network that trains.

Floor stops the gradient. `gradients.floor` has the same values, bit for bit, and
the gradient of the identity. TF's own gradient checker calls that an error of 499
or 1, depending on the point; `check_gradients` says what it is: a jump of 1, or a
flat step, with the surrogate gradient 1.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import gradients

tf1 = tf.compat.v1

LAYERS = {
    "tf.floor": tf.floor,
    "gradients.floor": gradients.floor,
    "gradients.ceil": gradients.ceil,
    "gradients.round": gradients.round,
    "gradients.to_integer": gradients.to_integer,
}


def train(layer):
    """The mean loss over 200 steps' end of fitting y = 4 x - 1 through a layer of integers."""
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        x = np.linspace(-2, 2, 41).astype(np.float32)
        wanted = np.round(4 * x - 1)
        w = tf1.get_variable("w", initializer=0.5)
        b = tf1.get_variable("b", initializer=0.5)
        whole = layer(w * x + b)
        loss = tf1.reduce_mean((whole - wanted) ** 2)
        variables = [v for v in (w, b) if tf1.gradients(loss, v)[0] is not None]
        step = (
            tf1.train.GradientDescentOptimizer(0.05).minimize(loss, var_list=variables)
            if variables
            else tf1.no_op()
        )
        session.run(tf1.global_variables_initializer())
        graph.finalize()
        before = session.run(loss)
        for _ in range(200):
            session.run(step)
        after, values = session.run([loss, whole])
        return float(before), float(after), bool((values == np.round(values)).all())


def check():
    with tf1.Graph().as_default():
        found = {}
        for point in (2.0, 1.6):
            x = tf1.constant(point)
            y = gradients.floor(x)
            result = gradients.check_gradients(y, x).result(x)
            accepted = gradients.check_gradients(y, x, expect_surrogate=1.0).ok
            found[point] = result.verdict, result.jump, result.analytic, accepted, result.found()
        return found


def main():
    figures = {"trained": {name: train(layer) for name, layer in LAYERS.items()}}
    figures["checked"] = check()
    _show.table(
        "fitting integers: loss before and after 200 steps",
        ["layer", "before", "after", "all whole"],
        [
            [name, f"{a:.3f}", f"{b:.3f}", whole]
            for name, (a, b, whole) in figures["trained"].items()
        ],
    )
    _show.table(
        "check_gradients of gradients.floor",
        ["x", "verdict", "what it says"],
        [[x, row[0], row[-1]] for x, row in figures["checked"].items()],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
