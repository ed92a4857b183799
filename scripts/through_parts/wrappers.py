"""Every optimizer of a test wrapped, so that nothing may change: masks that freeze nothing..."""

import numpy as np
import tensorflow as tf
from tensorflow.python.training import optimizer as tf_optimizer

from tfgraphtools import training
from tfgraphtools.errors import TfgraphtoolsError


def _all(variable):
    return True


def _freeze(mask, **options):
    return lambda optimizer: training.FreezeOptimizer(optimizer, {_all: mask()}, **options)


def _array():
    return np.array(False)


def _placeholder():
    return tf.compat.v1.placeholder_with_default(False, [])


def _accumulate(optimizer):
    return training.GradientAccumulationOptimizer(optimizer, 1)


def _rates(optimizer):
    return training.LRMultiplierOptimizer(optimizer, {_all: 1.0})


def _partition(optimizer):
    return training.PartitionOptimizer([training.Group("all", _all, optimizer)])


def _same(optimizer):
    return training.GradientTransformOptimizer(optimizer, lambda pairs: pairs)


#: {name: optimizer -> wrapped optimizer}
WRAPPERS = {
    "freeze-array": _freeze(_array),
    "freeze-tensor": _freeze(lambda: tf.constant(False)),
    "freeze-fed": _freeze(_placeholder),
    "freeze-reset": _freeze(_placeholder, slots="reset"),
    "freeze-advance": _freeze(_placeholder, slots="advance"),
    "freeze-compact": _freeze(_array, slots="compact"),
    "freeze-element": _freeze(_placeholder, clock="element"),
    "rates": _rates,
    "partition": _partition,
    "transform": _same,
    "accumulate": _accumulate,
    "average": lambda optimizer: training.ExponentialAverageOptimizer(optimizer, 0.9),
    "decay": lambda optimizer: training.DecoupledWeightDecayOptimizer(optimizer, {_all: 0.0}),
    "stack-a": lambda optimizer: _freeze(_placeholder)(_rates(_partition(optimizer))),
    "stack-b": lambda optimizer: _same(_freeze(_array)(_accumulate(optimizer))),
    "stack-c": lambda optimizer: _partition(_same(_freeze(_placeholder)(optimizer))),
}


def install(log, kind):
    """Sends `apply_gradients` of every optimizer through a wrapper."""
    original, wrapped, inside = tf_optimizer.Optimizer.apply_gradients, {}, []

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        if inside or tf.executing_eagerly():
            return original(self, grads_and_vars, global_step, name)
        pairs = list(grads_and_vars)
        inside.append(self)
        try:
            if id(self) not in wrapped:
                wrapped[id(self)] = self, WRAPPERS[kind](self)
            log.event("asked", kind)
            return wrapped[id(self)][1].apply_gradients(pairs, global_step, name)
        except TfgraphtoolsError as error:
            log.event("refused", f"{kind}: {error}")
            return original(self, pairs, global_step, name)
        finally:
            inside.pop()

    tf_optimizer.Optimizer.apply_gradients = apply_gradients
