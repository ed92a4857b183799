"""Gradients that keep single examples private: clipped one by one, with noise (DP-SGD)."""

import numbers
from typing import Any, List, Optional, Sequence, Union

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.gradients import _tensor_arguments
from tfgraphtools.gradients.examples.per_example import per_example_gradients

_PLACE = "private_gradients(losses, xs, clip_norm, noise_multiplier)"


def private_gradients(
    losses: tf.Tensor,
    xs: Any,
    clip_norm: Union[float, tf.Tensor],
    noise_multiplier: float,
    seed: Optional[int] = None,
    inputs: Optional[Sequence[tf.Tensor]] = None,
    microbatches: Optional[int] = None,
) -> List[Optional[tf.Tensor]]:
    """Returns the mean over examples of clipped gradients, with Gaussian noise: the step of DP-SGD.

    It does no accounting: what (epsilon, delta) a training run spends must be computed
    from the noise multiplier, the sampling rate and the number of steps.

    Args:
      losses: a vector with one loss for each example.
      xs: a variable, or a list of them.
      clip_norm: the L2 norm, over all xs together, that the gradient of no example
        exceeds; a positive number or scalar tensor.
      noise_multiplier: the standard deviation of the noise on each element of the
        *sum* of clipped gradients, in units of ``clip_norm``; 0 is no noise.
      seed: of the noise; None draws other noise in every process.
      inputs: see `per_example_gradients`.
      microbatches: clip the mean gradient of each of so many groups of neighbouring
        examples; their number divides the batch. None: each example by itself.

    Returns:
      A list of gradients, one for each x: ``(sum of clipped + noise) / groups``.

    Example:
      >>> losses = tf.reduce_sum(tf.square(tf.matmul(x, w)), axis=1)
      >>> grads = private_gradients(losses, [w], clip_norm=1.0, noise_multiplier=1.1)
      >>> step = tf.compat.v1.train.GradientDescentOptimizer(0.1).apply_gradients(zip(grads, [w]))

    Raises:
      ArgumentError: a norm or multiplier out of range, or see `per_example_gradients`.

    Source: Abadi et al., "Deep learning with differential privacy", arXiv:1607.00133,
    algorithm 1.
    """
    _check_clip_norm(clip_norm)
    if not _is_number(noise_multiplier) or not noise_multiplier >= 0:
        raise ArgumentError(
            _PLACE,
            "a noise_multiplier of at least 0",
            repr(noise_multiplier),
            "Write noise_multiplier=1.1; 0 adds no noise.",
        )
    if microbatches is not None and not (_is_number(microbatches) and microbatches >= 1):
        raise ArgumentError(
            _PLACE, "microbatches of at least 1", repr(microbatches), "Write microbatches=16."
        )
    xs = _tensor_arguments.nodes(_PLACE, xs)
    if any(x.dtype.is_complex for x in xs):
        raise ArgumentError(
            _PLACE,
            "real xs, for which the noise is defined",
            f"complex ones among {[x.name for x in xs]}",
            "Keep their real and imaginary parts in variables of their own.",
        )
    each = per_example_gradients(losses, xs, inputs)
    with losses.graph.as_default(), tf.name_scope("private"):
        each = [_means(grads, microbatches) for grads in each]
        norm = _tf.Norm([grads for grads in each if grads is not None], rows=True)
        result = []
        for number, grads in enumerate(each):
            if grads is None:
                result.append(None)
                continue
            total = _clipped_sum(norm, grads, clip_norm)
            if noise_multiplier:
                own = None if seed is None else seed + number
                noise = tf.random.normal(tf.shape(total), dtype=total.dtype, seed=own)
                deviation = tf.cast(noise_multiplier, norm.dtype) * tf.cast(clip_norm, norm.dtype)
                total = total + tf.cast(deviation, total.dtype) * noise
            count = tf.cast(tf.shape(norm.root)[0], total.dtype)
            result.append(tf.cast(total / count, xs[number].dtype.base_dtype))
        return result


def _is_number(value):
    return isinstance(value, numbers.Real) or (isinstance(value, np.ndarray) and not value.shape)


def _check_clip_norm(clip_norm):
    """Raises unless it is a positive number, or a scalar tensor or variable of a real dtype."""
    if isinstance(clip_norm, tf.Tensor) or _tf.is_variable(clip_norm):
        dtype = clip_norm.dtype.base_dtype
        is_norm = clip_norm.shape.is_compatible_with([]) and (dtype.is_floating or dtype.is_integer)
    else:
        is_norm = _is_number(clip_norm) and clip_norm > 0
    if not is_norm:
        raise ArgumentError(
            _PLACE, "a positive scalar clip_norm", f"{clip_norm!r:.80}", "Write clip_norm=1.0."
        )


def _clipped_sum(norm, grads, clip_norm):
    """Returns the sum over examples of clipped gradients, half floats in float32."""
    return tf.reduce_sum(norm.shorten(_widened(grads), clip_norm), axis=0)


def _widened(grads):
    """Returns half floats as float32, for sums; others as they are."""
    return tf.cast(grads, tf.float32) if grads.dtype.base_dtype.size < 4 else grads


def _means(grads, microbatches):
    """Returns the mean gradient of each group of examples."""
    if grads is None or microbatches is None:
        return grads
    grads = _widened(grads)
    shape = tf.shape(grads)
    with v1.control_dependencies(
        [v1.assert_equal(shape[0] % microbatches, 0, message="microbatches must divide the batch")]
    ):
        grouped = tf.concat([[microbatches, shape[0] // microbatches], shape[1:]], 0)
    means = tf.reduce_mean(tf.reshape(grads, grouped), axis=1)
    means.set_shape([microbatches] + grads.shape.as_list()[1:])
    return means
