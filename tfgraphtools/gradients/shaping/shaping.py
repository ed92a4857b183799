"""Gradients scaled, reversed, clipped or masked on their way back; values untouched.

Each function returns its tensor as it is, bit for bit, and changes only what
`tf.gradients` sends back through it. Differentiated twice, the factor, clip or
mask acts at each pass: with ``y = scale_gradient(x, k)`` and ``z = y ** 2``,
dz/dx is ``k * 2 * x`` and its derivative ``k * k * 2``.
"""

from typing import Optional

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError
from tfgraphtools.gradients._tensor_types import TensorLike
from tfgraphtools.gradients.shaping.passing import (
    as_float_tensor,
    as_real_tensor,
    as_tensor,
    dense,
    map_values,
    pass_through,
    rule,
    same_dtype,
)


@rule("scale_gradient")
def _scale(op, grads):
    factor = op.inputs[1]
    return map_values(lambda values: values * factor, grads[0])


@rule("scale_gradient_or_stop")
def _scale_or_stop(op, grads):
    factor = op.inputs[1]
    return map_values(lambda values: _tf.times_or_zero(values, factor), grads[0])


@rule("clip_gradient")
def _clip_values(op, grads):
    return tf.minimum(tf.maximum(dense(grads[0]), op.inputs[1]), op.inputs[2])


@rule("clip_gradient_norm")
def _clip_norm(op, grads):
    gradient = dense(grads[0])
    return _tf.Norm([gradient]).shorten(gradient, op.inputs[1])


@rule("mask_gradient")
def _mask(op, grads):
    gradient = dense(grads[0])
    trained = tf.cast(tf.logical_not(op.inputs[1]), gradient.dtype)
    return _tf.times_or_zero(gradient, trained)


def scale_gradient(x: TensorLike, k: TensorLike, name: Optional[str] = None) -> tf.Tensor:
    """Returns ``x`` itself; the gradient that goes back through it is multiplied by ``k``.

    Does nothing to the value. A factor of 0 stops the gradient: it is 0 even
    where the gradient from above is infinite or NaN, as behind `tf.stop_gradient`,
    and not ``0 * inf``.

    Args:
      x: a tensor or variable of a float dtype.
      k: a number, or a scalar tensor or placeholder; a factor for each rate.
      name: of the scope of the ops.

    Returns:
      A tensor equal to ``x`` bit for bit.

    Example:
      >>> h = gradients.scale_gradient(lower_layers(x), 0.01)   # lower layers at 1/100

    Raises:
      ArgumentError: ``x`` is not of a float dtype, or ``k`` not a scalar.

    The gradient's derivative is ``k`` too: see the module's docstring.
    """
    return _scaled(x, k, 1, name or "scale_gradient", "scale_gradient(x, k)")


def reverse_gradient(x: TensorLike, k: TensorLike = 1.0, name: Optional[str] = None) -> tf.Tensor:
    """Returns ``x`` itself; the gradient that goes back through it is multiplied by ``-k``.

    The gradient reversal layer of domain-adversarial training. Does nothing to
    the value. See `scale_gradient` for the arguments.

    Example:
      >>> domain = classify(gradients.reverse_gradient(features, 0.1))

    Raises:
      ArgumentError: as `scale_gradient`.

    Ganin and Lempitsky, 2015, arXiv:1409.7495, equation 5.
    """
    return _scaled(x, k, -1, name or "reverse_gradient", "reverse_gradient(x, k)")


def clip_gradient(
    x: TensorLike,
    lo: Optional[float] = None,
    hi: Optional[float] = None,
    norm: Optional[float] = None,
    name: Optional[str] = None,
) -> tf.Tensor:
    """Returns ``x`` itself; the gradient that goes back through it is clipped by value or by norm.

    Does nothing to the value, nor to a gradient that is within the limits. A
    gradient of single rows (IndexedSlices) is summed up to one dense tensor
    first: rows that come twice count together.

    Args:
      x: a tensor or variable of a real float dtype.
      lo, hi: the limits of each element: numbers, or tensors that broadcast to
        the shape of ``x``. Both, or neither.
      norm: the limit of the 2-norm of the whole gradient of ``x``: a number or
        a scalar tensor; instead of lo and hi. It is taken in float32 for half floats. A
        gradient that holds an infinity or NaN has no direction and becomes NaN.
      name: of the scope of the ops.

    Returns:
      A tensor equal to ``x`` bit for bit. The second derivative is that of the
      clipped gradient: zero where a limit holds by value.

    Example:
      >>> h = gradients.clip_gradient(h, -1.0, 1.0)
      >>> h = gradients.clip_gradient(h, norm=5.0)

    Raises:
      ArgumentError: neither or both kinds of limit, lo above hi, a negative norm, or ``x`` not
        of a float dtype.

    Pascanu, Mikolov and Bengio, 2013, arXiv:1211.5063, algorithm 1 (norm).
    """
    place = "clip_gradient(x, lo, hi)" if norm is None else "clip_gradient(x, norm=)"
    if (norm is None) == (lo is None and hi is None) or (lo is None) != (hi is None):
        raise ArgumentError(
            place,
            "lo and hi, or norm",
            f"lo={lo!r}, hi={hi!r}, norm={norm!r}",
            "Write clip_gradient(x, -1.0, 1.0) or clip_gradient(x, norm=5.0).",
        )
    _check_limits(place, *([0, norm] if norm is not None else [lo, hi]))
    with tf.name_scope(name or "clip_gradient"):
        x = as_float_tensor(x, place) if norm is not None else as_real_tensor(x, place)
        if norm is not None:
            limit = _scalar(norm, x, place)
            return pass_through([x, limit], _clip_norm, "value")[0]
        limits = [_broadcastable(same_dtype(limit, x, place), x, place) for limit in (lo, hi)]
        return pass_through([x] + limits, _clip_values, "value")[0]


def mask_gradient(x: TensorLike, frozen: TensorLike, name: Optional[str] = None) -> tf.Tensor:
    """Returns ``x`` itself; no gradient goes back to the elements that are frozen.

    Does nothing to the value, nor to the gradients of the other elements: they
    are the same bit for bit. A frozen element gets exactly 0, even where the
    gradient from above is NaN. It stops the gradient, not the training: an
    optimizer with momentum goes on moving an element whose gradient is 0. For
    that see `training.FreezeOptimizer`.

    Args:
      x: a tensor or variable of a float dtype.
      frozen: True where no gradient goes back: a boolean array, tensor,
        placeholder or variable that broadcasts to the shape of ``x``.
      name: of the scope of the ops.

    Returns:
      A tensor equal to ``x`` bit for bit. Second derivatives are 0 where frozen.

    Example:
      >>> w_first_row = gradients.mask_gradient(w, [[False], [True]])

    Raises:
      ArgumentError: ``frozen`` is not boolean or does not broadcast to ``x``.
    """
    place = "mask_gradient(x, frozen)"
    with tf.name_scope(name or "mask_gradient"):
        x = as_float_tensor(x, place)
        frozen = as_tensor(frozen, place)
        if frozen.dtype.base_dtype != tf.bool:
            raise ArgumentError(
                place,
                "a boolean mask, True where frozen",
                "dtype " + frozen.dtype.name,
                "Write frozen > 0, or tf.cast(frozen, tf.bool).",
            )
        return pass_through([x, _broadcastable(frozen, x, place)], _mask, "value")[0]


def _scaled(x, k, direction, name, place):
    with tf.name_scope(name):
        x = as_float_tensor(x, place)
        factor = _scalar(k, x, place)
        if direction < 0:
            factor = -factor
        # A number that is not 0 needs no choice at every backward pass.
        never_zero = isinstance(k, (int, float)) and k != 0
        return pass_through([x, factor], _scale if never_zero else _scale_or_stop, "value")[0]


def _check_limits(place, lo, hi):
    """Raises for limits between which there is nothing, as far as they are no tensors."""
    numbers = [lo, hi] if not any(map(_tf.is_variable, (lo, hi))) else [None]
    if any(tf.is_tensor(number) or number is None for number in numbers):
        return
    try:
        is_range = bool(np.all(np.less_equal(lo, hi)))
    except (
        TypeError,
        ValueError,
        NotImplementedError,
    ):  # no numbers: the conversion to tensors says so
        return
    if not is_range:
        raise ArgumentError(
            place,
            "a norm of at least 0" if "norm" in place else "lo <= hi",
            repr(hi) if "norm" in place else f"lo={lo!r}, hi={hi!r}",
            "Write clip_gradient(x, -1.0, 1.0) or clip_gradient(x, norm=5.0).",
        )


def _scalar(value, x, place):
    scalar = same_dtype(value, x, place)
    if not scalar.shape.is_compatible_with([]):
        raise ArgumentError(
            place,
            "a scalar",
            f"shape {scalar.shape}",
            "For a factor for each element multiply in an override, or use mask_gradient.",
        )
    return scalar


def _broadcastable(value, x, place):
    """Returns the value, after making sure that it broadcasts to the shape of x and not beyond."""
    try:
        shape = tf.broadcast_static_shape(value.shape, x.shape)
        fits = shape.is_compatible_with(x.shape)
    except ValueError:
        fits = False
    if value.shape.rank is not None and x.shape.rank is not None:
        fits = fits and value.shape.rank <= x.shape.rank
    if not fits:
        raise ArgumentError(
            place,
            f"a value that broadcasts to the shape of x, {x.shape}",
            f"shape {value.shape}",
            "Give it one dimension of x, or 1, from the right.",
        )
    return value
