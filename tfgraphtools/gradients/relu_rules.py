"""Two gradients for ReLU, ready for `override_gradient` and `set_gradient`.

>>> with gradients.override_gradient({"Relu": gradients.guided_relu}):
...     logits = network(images)
"""

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.gradients.overriding.registry import register_gradient


@register_gradient
def guided_relu(op: tf.Operation, grad: tf.Tensor) -> tf.Tensor:
    """The gradient passes only where the input and the gradient itself are positive.

    Shows what raises a unit, for pictures of what a network looks at; it is no
    gradient to train with.

    Springenberg et al., 2015, "Striving for Simplicity", arXiv:1412.6806, figure 1.
    """
    passes = tf.logical_and(op.outputs[0] > 0, grad > 0)
    return _tf.where(passes, grad, tf.zeros_like(grad))


@register_gradient
def redirected_relu(op: tf.Operation, grad: tf.Tensor) -> tf.Tensor:
    """The gradient of ReLU; for an example where that is 0 everywhere, one that wakes it.

    There, descent gets the part of the gradient that raises the inputs of units
    that are off: the gradient where it is negative. The first axis is that of
    the examples.

    The rule of the feature visualisations of Olah, Mordvintsev and Schubert,
    2017, "Feature Visualization", doi:10.23915/distill.00007.
    """
    zeros = tf.zeros_like(grad)
    plain = _tf.where(op.outputs[0] > 0, grad, zeros)
    waking = _tf.where(grad < 0, grad, zeros)
    rest = list(range(1, grad.shape.rank)) if grad.shape.rank else None
    silent = tf.reduce_all(tf.equal(plain, 0), axis=rest, keepdims=True)
    return _tf.where(silent, waking, plain)
