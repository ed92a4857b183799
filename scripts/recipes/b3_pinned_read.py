"""B3: read a variable with some elements pinned, in a fixed order with its assigns.

`frozen_read` is a copy taken once: after the ops that its control dependencies
name, before the ops that depend on it, whatever is assigned later. Its gradient
is zero where the mask is True.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1


def main(runs=50):
    """Runs "assign, read, assign again" many times: the read is of the first assign every time."""
    with tf1.Graph().as_default() as graph, tf1.Session() as session:
        w = tf1.get_variable("w", initializer=np.zeros(4, np.float32))
        frozen = tf1.placeholder(tf.bool, [4])
        new = tf1.placeholder(tf.float32, [4])
        with tf1.control_dependencies([tf1.assign(w, new)]):
            pinned = training.frozen_read(w, frozen)
        with tf1.control_dependencies([pinned]):
            later = tf1.assign(w, -new)
        gradient = tf1.gradients(tf1.reduce_sum(pinned**2), w)[0]
        session.run(tf1.global_variables_initializer())
        graph.finalize()
        up_to_date = 0
        for value in range(1, runs + 1):
            feed = {new: [value] * 4, frozen: [True, False, False, True]}
            read, slope, _ = session.run([pinned, gradient, later], feed)
            up_to_date += int((read == value).all() and (session.run(w) == -value).all())
    figures = {"up_to_date": up_to_date, "read": read.tolist(), "slope": slope.tolist()}
    _show.table(
        "assign w = k; read; assign w = -k",
        ["", "value"],
        [
            ["runs", runs],
            ["reads that were exactly k", up_to_date],
            ["the last read", figures["read"]],
            ["its gradient of sum(read ** 2)", figures["slope"]],
        ],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
