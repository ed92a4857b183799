"""Smooth stand-ins for hard functions, each with a sharpness that leads back to the hard one.

The sharpness is the slope at the jump: at 1 the stand-in is gentle, and as it
grows the stand-in becomes the hard function. Unlike a straight-through
function, a relaxation changes the value, and its gradient is its true one.
"""

import math
from typing import Optional

from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError
from tfgraphtools.gradients._tensor_types import TensorLike
from tfgraphtools.gradients.shaping.passing import as_real_tensor, same_dtype


def soft_step(x: TensorLike, sharpness: TensorLike = 1.0, name: Optional[str] = None) -> tf.Tensor:
    """Returns a sigmoid in place of the step from 0 to 1 at 0; the slope at 0 is the sharpness.

    Args:
      x: a tensor or variable of a real float dtype, any shape.
      sharpness: the slope at 0, a positive number or scalar tensor; towards
        infinity this is ``tf.cast(x > 0, x.dtype)``, with 0.5 at 0.
      name: of the scope of the ops.

    Returns:
      ``1 / (1 + exp(-4 * sharpness * x))``, a tensor like ``x``.

    Example:
      >>> gate = gradients.soft_step(x - threshold, sharpness=10.0)

    Raises:
      ArgumentError: ``x`` is not of a float dtype or the sharpness not positive.
    """
    with tf.name_scope(name or "soft_step"):
        x, sharpness = _arguments(x, sharpness, 0.0, "soft_step(x, sharpness)")
        return tf.sigmoid(4 * sharpness * x)


def linear_ramp(
    x: TensorLike, sharpness: TensorLike = 1.0, name: Optional[str] = None
) -> tf.Tensor:
    """Returns a straight ramp in place of the step from 0 to 1 at 0; its slope is the sharpness.

    Args:
      x: a tensor or variable of a real float dtype, any shape.
      sharpness: the slope, a positive number or scalar tensor: the ramp goes
        from ``-0.5 / sharpness`` to ``0.5 / sharpness``, and its gradient is 0
        outside. Towards infinity this is the step, with 0.5 at 0.
      name: of the scope of the ops.

    Returns:
      ``clip(0.5 + sharpness * x, 0, 1)``, a tensor like ``x``.

    Example:
      >>> gate = gradients.linear_ramp(x, sharpness=2.0)

    Raises:
      ArgumentError: ``x`` is not of a float dtype or the sharpness not positive.
    """
    with tf.name_scope(name or "linear_ramp"):
        x, sharpness = _arguments(x, sharpness, 0.0, "linear_ramp(x, sharpness)")
        half, top = tf.constant(0.5, x.dtype), tf.constant(1, x.dtype)
        return tf.minimum(tf.maximum(sharpness * x + half, tf.zeros_like(top)), top)


def soft_floor(
    x: TensorLike, sharpness: TensorLike = 10.0, name: Optional[str] = None
) -> tf.Tensor:
    """Returns a smooth staircase in place of `tf.floor`; the slope at each step is the sharpness.

    It rises everywhere, is ``n - 0.5`` at each integer n, and has all
    derivatives. The Fourier series of the saw tooth ``x - floor(x)``, its nth
    term damped by ``r ** n``, summed in closed form.

    Args:
      x: a tensor or variable of a real float dtype, any shape.
      sharpness: the slope at the integers, a number or scalar tensor of
        at least 1. At 1 this is ``x - 0.5``; towards infinity `tf.floor`.
      name: of the scope of the ops.

    Returns:
      A tensor like ``x``.

    Example:
      >>> levels = gradients.soft_floor(8.0 * x, sharpness=20.0)

    Raises:
      ArgumentError: ``x`` is not of a float dtype or the sharpness below 1.

    Abel summation of ``sum(r**n * sin(n*t) / n) = atan2(r*sin(t), 1 - r*cos(t))``,
    with ``t = 2*pi*x``; the slope is the Poisson kernel, ``(1+r)/(1-r)`` at its peak.
    """
    with tf.name_scope(name or "soft_floor"):
        x, sharpness = _arguments(x, sharpness, 1.0, "soft_floor(x, sharpness)", inclusive=True)
        damping = (sharpness - 1) / (sharpness + 1)
        angle = 2 * math.pi * (x - tf.round(x))  # small, so that large x keeps its precision
        saw = tf.atan2(damping * tf.sin(angle), 1 - damping * tf.cos(angle))
        return x - tf.constant(0.5, x.dtype) + saw * (1 / math.pi)


def smooth(
    x: TensorLike, sharpness: TensorLike = 1.0, axis: int = -1, name: Optional[str] = None
) -> tf.Tensor:
    """Returns a low-pass filter along one axis: steps between neighbours become slopes.

    A Gaussian window of unit sum; beyond the ends the first and the last value
    go on, so that a constant stays a constant.

    Args:
      x: a tensor or variable of a real float dtype and known rank.
      sharpness: a positive Python number: one over the standard deviation of
        the window, in elements. Towards infinity the filter does nothing.
      axis: the axis to filter, an int.
      name: of the scope of the ops.

    Returns:
      A tensor like ``x``. The filter is linear: its gradient is the filter run
      backward, its second derivative 0.

    Example:
      >>> curve = gradients.smooth(tf.cast(samples > 0, tf.float32), sharpness=0.5)

    Raises:
      ArgumentError: ``x`` is not of a float dtype or the sharpness not positive.
    """
    place = "smooth(x, sharpness)"
    if not (isinstance(sharpness, (int, float)) and sharpness > 0):
        raise ArgumentError(
            place, "a positive number", repr(sharpness), "The window's size is fixed by it."
        )
    with tf.name_scope(name or "smooth"):
        x = as_real_tensor(x, place)
        radius = int(math.ceil(4.0 / sharpness))
        window = [math.exp(-0.5 * (i * sharpness) ** 2) for i in range(-radius, radius + 1)]
        window = [weight / sum(window) for weight in window]
        rank = x.shape.rank
        if rank is None or not -rank <= axis < rank:
            raise ArgumentError(
                place,
                "a known rank that has the axis",
                f"shape {x.shape} and axis {axis}",
                "Set the shape of x.",
            )
        order = [i for i in range(rank) if i != axis % rank] + [axis % rank]
        rows = tf.transpose(x, order)
        filtered = _filter_rows(tf.reshape(rows, [-1, tf.shape(x)[axis]]), window)
        back = sorted(range(rank), key=order.__getitem__)
        result = tf.transpose(tf.reshape(filtered, tf.shape(rows)), back)
        result.set_shape(x.shape)
        return result


def _filter_rows(rows, window):
    """Returns each row convolved with the window, its end values repeated beyond the ends."""
    radius = len(window) // 2
    first, last = rows[:, :1], rows[:, -1:]
    padded = tf.concat([first] * radius + [rows] + [last] * radius, axis=1)
    wide = tf.float64 if rows.dtype.base_dtype == tf.float64 else tf.float32
    padded = tf.cast(padded, wide)[:, :, tf.newaxis]
    kernel = tf.reshape(tf.constant(window, wide), [-1, 1, 1])
    return tf.cast(tf.nn.conv1d(padded, kernel, 1, "VALID")[:, :, 0], rows.dtype)


def _arguments(x, sharpness, least, place, inclusive=False):
    x = as_real_tensor(x, place)
    if isinstance(sharpness, (int, float)):
        if not (sharpness > least or (inclusive and sharpness == least)):
            raise ArgumentError(
                place,
                "a sharpness {} {}".format("of at least" if inclusive else "above", least),
                repr(sharpness),
                "It is the slope at the jump.",
            )
    sharpness = same_dtype(sharpness, x, place)
    if not sharpness.shape.is_compatible_with([]):
        raise ArgumentError(
            place, "a scalar sharpness", f"shape {sharpness.shape}", "It is one for all elements."
        )
    return x, sharpness
