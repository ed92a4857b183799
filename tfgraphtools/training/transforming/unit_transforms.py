"""Transforms of the gradient of each unit: adaptive clipping and centralization."""

from typing import Optional

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _types
from tfgraphtools.training.steps import indexed_slices as _slices
from tfgraphtools.training.transforming import transform_parts as _parts


def centralize(selector: Optional[_types.Selector] = None) -> _types.Transform:
    """Subtracts from the gradient of each unit's weights their mean (gradient centralization).

    The weights of a unit are all but the last dimension: ``[inputs, units]`` of a dense layer,
    ``[height, width, inputs, units]`` of a convolution. It does nothing to gradients of one
    dimension or none, nor to units of a single weight, nor to variables that the selector does
    not take. The mean of half floats
    is taken in float32. A sparse gradient becomes dense: leave large tables out.

    Args:
      selector: which variables; None takes all of two dimensions or more.

    Raises:
      NothingMatchedError, ArgumentError: when the step is built: no variable matches, or one is
        the slice of a partitioned variable that has parts of units.

    Source: Yong et al., "Gradient centralization", arXiv:2004.01461, equation 1.

    Example:
      >>> centralize(".*/kernel")
    """

    def centralized_gradient(grad, variable):
        _check_whole("centralize", variable)
        if variable.shape.rank < 2 or _is_one_unit(variable) and variable.shape.as_list()[-1] != 1:
            return grad
        grad = _slices.dense(grad, variable)
        wide = grad if grad.dtype.size >= 4 else tf.cast(grad, tf.float32)
        mean = tf.reduce_mean(wide, axis=list(range(variable.shape.rank - 1)), keepdims=True)
        return tf.cast(wide - mean, grad.dtype)

    @_parts.named("centralize")
    def centralized(pairs):
        return _parts.mapped(
            pairs, centralized_gradient, _parts.chosen(selector, pairs, "centralize")
        )

    return centralized


def clip_adaptively(
    ratio: _types.Scalar = 0.01,
    epsilon: float = 1e-3,
    exclude: Optional[_types.Selector] = None,
) -> _types.Transform:
    """Shortens the gradient of each unit to a share of the norm of its weights (AGC).

    A unit whose gradient is longer than ``ratio * max(norm of its weights, epsilon)`` is
    shortened to that. The weights of a unit are all but the last dimension; a variable of one
    dimension, apart from those of size 1, is one unit. Units within the limit stay as they
    are, to the bit. It does nothing to the variables that ``exclude`` takes: the paper excludes
    the last layer. A sparse gradient becomes dense: exclude large tables.

    Args:
      ratio: positive number or scalar tensor, 0.01 to 0.16 in the paper.
      epsilon: positive number: the least norm of weights, so that zeros can begin to move.
      exclude: selector of variables; None is none.

    Raises:
      ArgumentError: a ratio or epsilon that is not positive; when the step is built: the slice
        of a partitioned variable that has parts of units.
      NothingMatchedError: when the step is built.

    Source: Brock et al., "High-performance large-scale image recognition without
    normalization", arXiv:2102.06171, section 4.1.

    Example:
      >>> clip_adaptively(0.02, exclude="logits/.*")
    """
    place = "clip_adaptively"
    _parts.check_norm(f"{place} ratio", ratio)
    _parts.check_norm(f"{place} epsilon", epsilon)

    def clip_units(grad, variable):
        _check_whole(place, variable)
        grad = _slices.dense(grad, variable)
        units = _by_unit(grad, variable)
        of_weights = _tf.Norm([_by_unit(variable.read_value(), variable)], rows=True).value()
        least = _tf.in_dtype(epsilon, of_weights.dtype)
        limit = _tf.in_dtype(ratio, of_weights.dtype) * tf.maximum(of_weights, least)
        clipped = _tf.Norm([units], rows=True).shorten(units, limit)
        return tf.reshape(tf.transpose(clipped), tf.shape(grad))

    @_parts.named(place, ratio)
    def clipped(pairs):
        pairs = _parts.of_graph(pairs, place)
        excluded = _parts.chosen(exclude, pairs, f"{place} exclude")
        kept = _select.Assignment()
        for _, variable in pairs:
            if excluded is None or variable not in excluded:
                kept.put(variable, True)
        return _parts.mapped(pairs, clip_units, kept)

    return clipped


def _is_one_unit(variable):
    return sum(size != 1 for size in variable.shape.as_list()) < 2


def _by_unit(tensor, variable):
    """Returns a matrix with one row for each unit."""
    units = 1 if _is_one_unit(variable) else variable.shape.as_list()[-1]
    return tf.transpose(tf.reshape(tensor, [-1, units]))


def _check_whole(place, variable):
    """Raises for a slice of a partitioned variable with parts of units, and for unknown shapes."""
    if not variable.shape.is_fully_defined():
        raise ArgumentError(
            place,
            "variables of known shape",
            f"{_select.listing([variable])} of shape {variable.shape}",
            "Make it with its shape, or leave it out by a selector.",
        )
    slice_info = getattr(variable, "_save_slice_info", None)
    if slice_info is None or list(slice_info.var_shape) == list(slice_info.full_shape):
        return
    if len(slice_info.full_shape) < 2 and place == "centralize":
        return
    same_inputs = list(slice_info.var_shape[:-1]) == list(slice_info.full_shape[:-1])
    if not same_inputs or sum(size != 1 for size in slice_info.full_shape) < 2:
        raise ArgumentError(
            place,
            "variables, or slices along the last dimension, that have whole units",
            _select.listing([variable]),
            "Partition the variable along its last axis, or leave it out by a selector.",
        )
