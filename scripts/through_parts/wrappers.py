"""Every optimizer of a test wrapped, so that nothing may change: masks that freeze nothing..."""

import numpy as np
import tensorflow as tf
from tensorflow.python.training import optimizer as tf_optimizer

from tfgraphtools import training
from tfgraphtools.errors import TfgraphtoolsError


def _all(variable):
    return True


def _none(variable):
    return False


def _scalar(_):
    return {_all: np.array(False)}


def _whole(variables):
    """An array of each variable's own shape; a scalar where that is not known."""
    shapes = [tf.TensorShape(getattr(variable, "shape", None)) for variable in variables]
    return {
        variable: np.zeros(shape.as_list() if shape.is_fully_defined() else [], bool)
        for variable, shape in zip(variables, shapes)
    }


def _tensor(_):
    return {_all: tf.constant(False)}


def _fed(_):
    return {_all: tf.compat.v1.placeholder_with_default(False, [])}


def _variable(_):
    return {_all: tf.compat.v1.Variable(False, trainable=False, name="through_mask")}


def _freeze(masks, **options):
    return lambda optimizer, variables: training.FreezeOptimizer(
        optimizer, masks(variables), **options
    )


def _wrap(kind, *arguments, **options):
    return lambda optimizer, _: kind(optimizer, *arguments, **options)


def _partition(optimizer, _):
    return training.PartitionOptimizer([training.Group("all", _all, optimizer)])


#: {name: (optimizer, variables) -> wrapped optimizer}. `through` reads the names from this text.
WRAPPERS = {
    "freeze-scalar": _freeze(_scalar),
    "freeze-array": _freeze(_whole),
    "freeze-tensor": _freeze(_tensor),
    "freeze-fed": _freeze(_fed),
    "freeze-variable": _freeze(_variable),
    "freeze-reset": _freeze(_fed, slots="reset"),
    "freeze-advance": _freeze(_fed, slots="advance"),
    "freeze-compact": _freeze(_whole, slots="compact"),
    "freeze-element": _freeze(_fed, clock="element"),
    "rates": _wrap(training.LRMultiplierOptimizer, {_all: 1.0}),
    "partition": _partition,
    "transform": _wrap(training.GradientTransformOptimizer, lambda pairs: pairs),
    "accumulate": _wrap(training.GradientAccumulationOptimizer, 1),
    "average": _wrap(training.ExponentialAverageOptimizer, 0.9),
    "mean": _wrap(training.WeightAverageOptimizer),
    "lookahead": _wrap(training.LookaheadOptimizer, 10**6),
    "decay": _wrap(training.DecoupledWeightDecayOptimizer, {_all: 0.0}),
    "trust": _wrap(training.TrustRatioOptimizer, exclude=_all),
    "skip": _wrap(training.SkipNonFiniteOptimizer),
    "scale": _wrap(training.LossScaleOptimizer, 1.0, growth_steps=None),
}


def install(log, kinds):
    """Sends `apply_gradients` of every optimizer through wrappers.

    Args:
      kinds: names of wrappers with "+" between them, the outermost first.
    """
    construct, inside = tf_optimizer.Optimizer.__init__, []

    def constructed(self, *arguments, **options):
        for kind in type(self).__mro__:
            if "apply_gradients" in vars(kind) and not kind.__module__.startswith("tfgraphtools."):
                _send_through(log, kinds, kind, inside)
        construct(self, *arguments, **options)

    tf_optimizer.Optimizer.__init__ = constructed


def _send_through(log, kinds, kind, inside):
    """Patches `apply_gradients` of a class of optimizers, once."""
    original, wrapped = vars(kind)["apply_gradients"], {}
    if getattr(original, "through", False):
        return

    def apply_gradients(self, grads_and_vars, *arguments, **options):
        if inside or tf.executing_eagerly():
            return original(self, grads_and_vars, *arguments, **options)
        pairs = list(grads_and_vars)
        inside.append(self)
        try:
            if id(self) not in wrapped:
                wrapped[id(self)] = self, _wrapped(self, kinds, [v for _, v in pairs])
            log.event("asked", kinds)
            return wrapped[id(self)][1].apply_gradients(pairs, *arguments, **options)
        except TfgraphtoolsError as error:
            log.event("refused", f"{kinds}: {error}")
            return original(self, pairs, *arguments, **options)
        finally:
            inside.pop()

    apply_gradients.through = True
    kind.apply_gradients = apply_gradients


def _wrapped(optimizer, kinds, variables):
    for kind in reversed(kinds.split("+")):
        optimizer = WRAPPERS[kind](optimizer, variables)
    return optimizer
