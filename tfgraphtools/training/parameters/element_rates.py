"""Multipliers of single elements of a variable: arrays, tensors and variables."""

import numpy as np

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError, MaskError, OptimizerKindError
from tfgraphtools.training import _arguments
from tfgraphtools.training.steps import trust_ratio as _trust


def is_of_elements(multiplier):
    """Tells whether a multiplier has dimensions."""
    if tf.is_tensor(multiplier) or _tf.is_variable(multiplier):
        return bool(multiplier.shape.rank)  # of unknown rank it is taken for a scalar
    return isinstance(multiplier, (np.ndarray, list, tuple)) and np.ndim(multiplier) > 0


def checked(multiplier, place):
    """Returns the multipliers, as an array where they are known.

    Raises:
      ArgumentError: they are no finite numbers from 0 on, nor a float tensor.
    """
    if tf.is_tensor(multiplier) or _tf.is_variable(multiplier):
        good, got = multiplier.dtype.is_floating, f"a {multiplier.dtype.name} tensor"
    else:
        multiplier = np.asarray(multiplier)
        good = multiplier.dtype.kind in "fiu" and bool(np.isfinite(multiplier).all())
        good = good and bool((multiplier >= 0).all())
        got = (
            f"an array of {multiplier.dtype} from {multiplier.min()} on"
            if multiplier.size
            else "none"
        )
    if not good:
        raise ArgumentError(
            place,
            "numbers from 0 on, or a float tensor",
            got,
            "Pass one multiplier for each element; 0 freezes it.",
        )
    return multiplier


def may_freeze(multiplier):
    """Tells whether an element may have a multiplier of 0."""
    return not isinstance(multiplier, np.ndarray) or bool((multiplier == 0).any())


def zeros_of(multiplier):
    """Returns the mask of the elements whose multiplier is 0."""
    if isinstance(multiplier, np.ndarray):
        return multiplier == 0
    value = multiplier.read_value() if _tf.is_variable(multiplier) else multiplier
    return tf.equal(value, tf.zeros([], value.dtype), name="frozen")


def check_broadcasts(elements, variable, place):
    """Raises where an array does not broadcast to its variable; `FreezeOptimizer` checks others."""
    if not elements.is_known:
        return
    try:
        elements.array()
    except ValueError as error:
        raise MaskError(
            place,
            f"an array that broadcasts to {variable.shape}",
            f"one of shape {elements.unread.shape}",
            "Shapes align at their last dimension, as in NumPy; one of rows has shape (n, 1).",
        ) from error


def check_optimizer(update):
    """Raises where the step of the optimizer inside cannot be multiplied by element."""
    leaf = update.chain[-1]
    if not _trust.is_free_of_the_value(leaf) or not update.variable.shape.is_fully_defined():
        raise OptimizerKindError(
            f"LRMultiplierOptimizer of the elements of {_select.listing([update.variable])}",
            "an optimizer whose step does not depend on the variable's value, and a known shape",
            f"{type(leaf).__name__} and the shape {update.variable.shape}",
            "Use Adadelta, Adagrad, Adam, GradientDescent, Momentum or RMSProp, or one number.",
        )


def shown(multiplier):
    """Returns a multiplier in words."""
    return "by element" if is_of_elements(multiplier) else _arguments.shown(multiplier)
