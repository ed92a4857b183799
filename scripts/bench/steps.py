"""One step of training, in a graph and a session of its own."""

import tensorflow as tf

v1 = tf.compat.v1


class Step:
    """A graph, a session and the one step to run in it."""

    def __init__(self, build, resource):
        """``build()`` returns the step and its feed, or None."""
        with tf.Graph().as_default() as graph:
            (v1.enable_resource_variables if resource else v1.disable_resource_variables)()
            self._step, self._feed = build()
            initialize = v1.global_variables_initializer()
            self.session = v1.Session(graph=graph)
            self.session.run(initialize)
            graph.finalize()

    def __call__(self):
        self.session.run(self._step, self._feed)


def adam():
    return v1.train.AdamOptimizer(1e-3)
