"""Hard functions that train: their own value forward, the identity's gradient backward.

The straight-through estimator: floor, round, sign and similar functions have a gradient
of zero or none, so a layer before them never learns. Here the value is that of
the hard function, bit for bit, and the gradient goes through as if it were not
there. It is a surrogate, not the derivative: `check_gradients` says so and
accepts it with ``expect_surrogate=``.

Integers stay in the tensor's float dtype: TensorFlow walks no integer
tensor backward, whatever its override.
"""

from typing import Callable, Optional

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError
from tfgraphtools.gradients._tensor_types import TensorLike
from tfgraphtools.gradients.shaping.passing import (
    as_float_tensor,
    as_real_tensor,
    as_tensor,
    pass_through,
    rule,
)


@rule("straight_through")
def _straight_through_gradient(op, grads):
    return grads[1]


@rule("clip_sign")
def _clip_sign_gradient(op, grads):
    x = op.inputs[0]
    inside = tf.cast(tf.abs(x) <= 1, x.dtype)
    return _tf.times_or_zero(tf.convert_to_tensor(grads[1]), inside)


def straight_through(
    fn: Callable[[tf.Tensor], tf.Tensor], x: TensorLike, name: Optional[str] = None
) -> tf.Tensor:
    """Returns ``fn(x)`` forward, the gradient of the identity backward.

    Does nothing to the value; does nothing to gradients with respect to other
    tensors that ``fn`` uses: they get none through this op.

    Args:
      fn: a function of one tensor, such as `tf.floor`. Its result must have the
        shape of ``x``; an integer or boolean result is cast to the dtype of ``x``.
      x: a tensor or variable of a float dtype.
      name: of the scope of the ops.

    Returns:
      A tensor of the shape and dtype of ``x``. Its first derivative is 1, its
      second 0, as the identity's.

    Example:
      >>> y = gradients.straight_through(tf.floor, x)   # at 1.6: value 1, gradient 1

    Raises:
      ArgumentError: ``x`` is not of a float dtype, or ``fn`` changes its shape
        or its float dtype.

    Bengio, Léonard and Courville, 2013, arXiv:1308.3432, section 4.
    """
    with tf.name_scope(name or "straight_through"):
        x, hard = _hard_value(fn, x, "straight_through(fn, x)")
        return pass_through([x, hard], _straight_through_gradient, "value")[1]


def floor(x: TensorLike, name: Optional[str] = None) -> tf.Tensor:
    """Returns `tf.floor` with the gradient of the identity; see `straight_through`."""
    return _straight_through_real(tf.floor, x, "floor", name)


def ceil(x: TensorLike, name: Optional[str] = None) -> tf.Tensor:
    """Returns `tf.math.ceil` with the gradient of the identity; see `straight_through`."""
    return _straight_through_real(tf.math.ceil, x, "ceil", name)


def round(x: TensorLike, name: Optional[str] = None) -> tf.Tensor:
    """Returns `tf.round` (halves to even) with the identity's gradient: `straight_through`."""
    return _straight_through_real(tf.round, x, "round", name)


def sign(x: TensorLike, name: Optional[str] = None) -> tf.Tensor:
    """Returns `tf.sign` (-1, 0 or 1) with the gradient of the identity; see `straight_through`."""
    return _straight_through_real(tf.sign, x, "sign", name)


def clip_sign(x: TensorLike, name: Optional[str] = None) -> tf.Tensor:
    """Returns `tf.sign` whose gradient passes where ``|x| <= 1`` and is zero elsewhere.

    The gradient of the hard tanh, which keeps a weight from drifting away
    where its sign no longer changes: exactly 0 there, even where the gradient from
    above is infinite or NaN. Does nothing to the value.

    Args:
      x: a tensor or variable of a real float dtype, any shape.
      name: of the scope of the ops.

    Returns:
      A tensor of the shape and dtype of ``x``. The second derivative is 0.

    Example:
      >>> y = gradients.clip_sign(x)   # at [0.5, 2.]: values [1, 1], gradients [1, 0]

    Raises:
      ArgumentError: ``x`` is not of a float dtype.

    Hubara et al., 2016, "Binarized Neural Networks", arXiv:1602.02830, equation 4.
    """
    with tf.name_scope(name or "clip_sign"):
        x, hard = _hard_value(tf.sign, as_real_tensor(x, "clip_sign(x)"), "clip_sign(x)")
        return pass_through([x, hard], _clip_sign_gradient, "value")[1]


def to_integer(x: TensorLike, dtype: tf.DType = tf.int32, name: Optional[str] = None) -> tf.Tensor:
    """Returns the values of ``tf.cast(x, dtype)``, carried as floats, with the identity's gradient.

    A cast truncates towards zero. The result stays in the dtype of ``x``, so
    that the gradient goes on: through a tensor of an integer dtype none would.

    Args:
      x: a tensor or variable of a real float dtype, any shape.
      dtype: the integer dtype whose cast is meant; values outside its range
        are as undefined as those of `tf.cast`.
      name: of the scope of the ops.

    Example:
      >>> y = gradients.to_integer(x)   # at -1.6: value -1.0, gradient 1

    Raises:
      ArgumentError: ``x`` is not of a float dtype, or ``dtype`` not an integer one.

    See `straight_through` for the maths.
    """
    try:
        dtype = tf.as_dtype(dtype)
    except TypeError:
        raise ArgumentError(
            "to_integer(dtype=)", "an integer dtype", f"{dtype!r:.80}", "Pass tf.int32 or tf.int64."
        ) from None
    if not dtype.is_integer:
        raise ArgumentError(
            "to_integer(dtype=)", "an integer dtype", dtype.name, "Pass tf.int32 or tf.int64."
        )
    return _straight_through_real(lambda value: tf.cast(value, dtype), x, "to_integer", name)


def _straight_through_real(fn, x, kind, name):
    """Returns the straight-through form of a function that real numbers have."""
    with tf.name_scope(name or kind):
        x, hard = _hard_value(fn, as_real_tensor(x, f"{kind}(x)"), f"{kind}(x)")
        return pass_through([x, hard], _straight_through_gradient, "value")[1]


def _hard_value(fn, x, place):
    """Returns (x, fn(x) in the dtype of x), after making sure that one fits the other."""
    x = as_float_tensor(x, place)
    hard = as_tensor(fn(x), place)
    dtype = hard.dtype.base_dtype
    if dtype != x.dtype.base_dtype and not (dtype.is_integer or dtype.is_bool):
        raise ArgumentError(
            place,
            f"fn(x) of dtype {x.dtype.base_dtype.name} or of an integer or boolean dtype",
            dtype.name,
            "Cast x before, or the result after, the call.",
        )
    if not hard.shape.is_compatible_with(x.shape):
        raise ArgumentError(
            place,
            f"fn(x) of the shape of x, {x.shape}",
            f"shape {hard.shape}",
            "Apply a function of each element; change the shape outside of it.",
        )
    return x, hard if dtype == x.dtype.base_dtype else tf.cast(hard, x.dtype.base_dtype)
