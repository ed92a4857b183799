"""One step of training, in a graph and a session of its own."""

import numpy as np
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
            #: how many ops a run executes, those of functions once each
            self.op_count = _op_count(graph, self._step)

    def __call__(self):
        self.session.run(self._step, self._feed)


def _op_count(graph, step):
    """Counts the ops that a step needs, with those of the graph's functions."""
    seen, waiting = set(), [getattr(step, "op", step)]
    while waiting:
        op = waiting.pop()
        if op not in seen:
            seen.add(op)
            waiting += [tensor.op for tensor in op.inputs] + list(op.control_inputs)
    functions = graph.as_graph_def().library.function
    return len(seen) + sum(len(function.node_def) for function in functions)


def adam():
    return v1.train.AdamOptimizer(1e-3)


def update(optimizer_for, size, columns=1000, bad=False):
    """One update of a matrix with a gradient that costs nothing; a bad one ends in a NaN."""

    def build():
        shape = [size // columns, columns]
        w = v1.get_variable("w", shape, initializer=v1.ones_initializer())
        values = np.ones(shape, np.float32)
        values[-1, -1] = np.nan if bad else 1
        start = v1.constant_initializer(values) if bad else v1.ones_initializer()
        gradient = v1.get_variable("gradient", shape, initializer=start, trainable=False)
        optimizer, feed = optimizer_for(shape)
        return optimizer.apply_gradients([(gradient.read_value(), w)]), feed

    return build
