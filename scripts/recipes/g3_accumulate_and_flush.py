"""G3: large batches by accumulation, and the rest of an epoch.

Ten batches, and one step for every four: two batches are left at the end.
`FlushHook` takes a last step with their mean, in any MonitoredSession or Estimator.
"""

import _show
import numpy as np
import tensorflow as tf

from tfgraphtools import training

tf1 = tf.compat.v1

BATCHES, STEPS = 10, 4


def main():
    with tf1.Graph().as_default():
        w = tf1.get_variable("w", initializer=0.0)
        gradient = tf1.placeholder(tf.float32, [])
        optimizer = training.GradientAccumulationOptimizer(
            tf1.train.GradientDescentOptimizer(1.0), steps=STEPS
        )
        count = tf1.train.get_or_create_global_step()
        train = optimizer.apply_gradients([(gradient, w)], global_step=count)
        trace = training.TraceHook({"w": w})
        flushed = {}

        class After(tf1.train.SessionRunHook):
            def end(self, session):
                flushed.update(w=session.run(w), steps=session.run(count))

        hooks = [trace, training.FlushHook(optimizer), After()]
        with tf1.train.MonitoredSession(hooks=hooks) as session:
            for number in range(1, BATCHES + 1):
                session.run(train, {gradient: -number})
    figures = {
        "w": [float(value) for value in np.asarray(trace["w"])],
        "flushed": float(flushed["w"]),
        "steps": int(flushed["steps"]),
    }
    _show.table(
        "Gradients 1 to 10, learning rate 1",
        ["batches", "w"],
        [[i, value] for i, value in enumerate(figures["w"])] + [["flush", figures["flushed"]]],
    )
    return figures


if __name__ == "__main__":
    _show.as_in_tf1()
    main()
