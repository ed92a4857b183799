"""An optimizer's update of one variable at a multiple of its learning rate."""

import numbers

from tfgraphtools._tf import IS_TF1, tf, v1
from tfgraphtools.errors import OptimizerKindError

#: Where the v1 optimizers keep the prepared learning-rate tensor, and the number
#: that it was made of.
_RATE_TENSORS = {"_lr_t": "_lr", "_learning_rate_tensor": "_learning_rate"}
GIVEN_RATES = tuple(_RATE_TENSORS.values())


def at_rate(optimizer, multipliers, hook):
    """Returns the hook that updates a variable with the optimizer's rate times multipliers.

    Args:
      optimizer: whose hook it is.
      multipliers: numbers and scalar tensors.
      hook: ``hook(grad, variable)``.

    Raises:
      OptimizerKindError: when it is called: the update does not read a learning-rate tensor.
    """
    number = 1.0
    for multiplier in multipliers:
        number = number * multiplier if isinstance(multiplier, numbers.Real) else number
    tensors = [multiplier for multiplier in multipliers if not isinstance(multiplier, numbers.Real)]
    if number == 1 and not tensors:
        return hook

    def scaled_hook(grad, variable):
        attribute = _rate_attribute(optimizer)
        unscaled = getattr(optimizer, attribute)
        scaled = _scaled(unscaled, getattr(optimizer, _RATE_TENSORS[attribute], None), number)
        for multiplier in tensors:
            scaled = tf.multiply(scaled, tf.cast(multiplier, scaled.dtype), name="scaled_rate")
        rates = {attribute: scaled}
        if IS_TF1 and type(optimizer) is v1.train.GradientDescentOptimizer:
            rates["_learning_rate"] = _for_sparse_updates(optimizer, scaled, number, variable)
        before = {name: getattr(optimizer, name) for name in rates}
        vars(optimizer).update(rates)
        try:
            result = hook(grad, variable)
        finally:
            vars(optimizer).update(before)
        if not any(rate.consumers() for rate in rates.values()):
            raise no_rate(optimizer, "one that is not read in the update")
        return result

    return scaled_hook


def value(optimizer, multipliers):
    """Returns the optimizer's learning rate times the multipliers, as a scalar tensor."""
    rate = getattr(optimizer, _rate_attribute(optimizer))
    for multiplier in multipliers:
        rate = rate * tf.cast(multiplier, rate.dtype)
    return rate


def _scaled(tensor, number, multiplier):
    """Returns the rate tensor times a number, rounded once where it was made of a number."""
    if multiplier == 1:
        return tf.identity(tensor, name="rate")
    if isinstance(number, numbers.Real):
        value = tf.get_static_value(tensor)
        if value is not None and value == value.dtype.type(number):
            return tf.constant(number * multiplier, dtype=tensor.dtype, name="scaled_rate")
    return tf.multiply(tensor, tf.cast(multiplier, tensor.dtype), name="scaled_rate")


def _for_sparse_updates(optimizer, scaled, number, variable):
    """Returns the rate as the user gave it, which TF 1.15's sparse updates multiply by."""
    dtype, rate = variable.dtype.base_dtype, optimizer._learning_rate
    if isinstance(rate, numbers.Real) and scaled.op.type == "Const":
        return tf.constant(rate * number, dtype)
    return tf.cast(scaled, dtype)


def _rate_attribute(optimizer):
    attributes = [name for name in _RATE_TENSORS if tf.is_tensor(getattr(optimizer, name, None))]
    if len(attributes) != 1:
        raise no_rate(optimizer, "none")
    return attributes[0]


def no_rate(optimizer, got):
    """Returns the error of an optimizer whose step is not taken from a learning-rate tensor."""
    return OptimizerKindError(
        f"LRMultiplierOptimizer around {type(optimizer).__name__}",
        "an optimizer that takes its step from a learning-rate tensor",
        got,
        "Give each rate an optimizer of its own: PartitionOptimizer([Group(...), ...]).",
    )
