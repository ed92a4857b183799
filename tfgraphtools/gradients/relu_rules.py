"""Two gradients for ReLU, ready for `override_gradient` and `set_gradient`.

>>> with gradients.override_gradient({"Relu": gradients.guided_relu}):
...     logits = network(images)
"""

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError
from tfgraphtools.gradients.overriding.gradient_functions import register_gradient


@register_gradient
def guided_relu(op: tf.Operation, grad: tf.Tensor) -> tf.Tensor:
    """Returns the op's own gradient, of the part of the incoming gradient that is positive.

    Shows what raises a unit, for pictures of what a network looks at; it is no
    gradient to train with. For Relu6, Elu, Selu and LeakyRelu, too.

    Raises:
      ArgumentError: the op is no activation of this kind.

    Springenberg et al., 2015, "Striving for Simplicity", arXiv:1412.6806, figure 1.
    """
    return _own_gradient(op, tf.maximum(grad, tf.zeros_like(grad)), "guided_relu")


@register_gradient
def redirected_relu(op: tf.Operation, grad: tf.Tensor) -> tf.Tensor:
    """Returns the op's own gradient; for an example where that is 0 everywhere, one that wakes it.

    There, descent gets the part of the gradient that raises the inputs of units
    that are off, and of Relu6 lowers those of units that are full. The first axis is
    that of the examples. Elu, Selu and LeakyRelu are never off, so theirs is their own.

    Raises:
      ArgumentError: the op is no activation of this kind.

    The rule of the feature visualisations of Olah, Mordvintsev and Schubert,
    2017, "Feature Visualization", doi:10.23915/distill.00007.
    """
    zeros = tf.zeros_like(grad)
    own = _own_gradient(op, grad, "redirected_relu")
    waking = _tf.where(grad < 0, grad, zeros)
    if op.type == "Relu6":
        waking = _tf.where(op.outputs[0] >= 6, grad - waking, waking)
    axes = list(range(1, grad.shape.rank)) if grad.shape.rank else None
    silent = tf.reduce_all(tf.equal(own, 0), axis=axes, keepdims=True)
    return _tf.where(silent, waking, own)


def _own_gradient(op, grad, name):
    """Returns TensorFlow's gradient of an activation that is kept where the input is positive."""
    if op.type == "Relu":  # by what comes out, so that another op may have computed it
        return _tf.where(op.outputs[0] > 0, grad, tf.zeros_like(grad))
    if op.type in ("Elu", "LeakyRelu", "Relu6", "Selu"):
        return _tf.gradient_function(op.type)(op, grad)
    raise ArgumentError(
        f"gradients.{name}",
        "an op of type Relu, Relu6, Elu, Selu or LeakyRelu",
        f"the op {op.name!r} of type {op.type}",
        "Write a gradient function for it: fn(op, grad).",
    )
