"""Functions that TF 1.15 computed by another formula, which gives something else at the edges.

Sources: ``saturate_cast`` and ``reduce_variance`` of TF 1.15's ``math_ops``, ``dropout_v2`` of its
``nn_ops``, and ``_ragged_stack_concat_helper`` of its ``ragged_concat_ops``.
"""

import functools
import numbers

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.behaviour import extremes
from tfgraphtools.compat.fixes.tensorflow.behaviour.shapes import ragged


def _cast_by_bounds():
    """Makes `saturate_cast` clip to bounds of the value's dtype: casting them may overflow."""
    from tensorflow.python.ops import gen_math_ops, math_ops

    from tfgraphtools._tf import v1

    plain = math_ops.saturate_cast

    @ragged.of_one
    @functools.wraps(plain)
    def saturate_cast(value, dtype, name=None):
        dtype = v1.as_dtype(dtype).base_dtype
        with v1.name_scope(name, "saturate_cast", [value]) as scope:
            value = v1.convert_to_tensor(value, name="value")
            if value.dtype.is_complex or dtype.is_complex:
                return plain(value, dtype, name)
            rows.used(_SATURATE)
            if value.dtype.min < dtype.min:
                least = v1.convert_to_tensor(dtype.min, dtype=value.dtype, name="min")
                value = gen_math_ops.maximum(value, least)
            if value.dtype.max > dtype.max:
                most = v1.convert_to_tensor(dtype.max, dtype=value.dtype, name="max")
                value = gen_math_ops.minimum(value, most)
            return v1.cast(value, dtype, name=scope)

    for owner in (math_ops, v1):
        state.set_attribute(owner, "saturate_cast", saturate_cast)
    state.set_attribute(v1.dtypes, "saturate_cast", saturate_cast)


_SATURATE = Row(
    "tensorflow.saturate_cast",
    "TF 2.8",
    "1e10 as int32 is -2147483648, because the bound as a float is larger than any int32; "
    "2147483520 in 2.x",
    _cast_by_bounds,
)


def _square_deviations():
    """Makes `reduce_variance` square complex deviations, and take integers."""
    from tensorflow.python.ops import gen_math_ops, math_ops

    from tfgraphtools._tf import v1

    plain = math_ops.reduce_variance

    @functools.wraps(plain)
    def reduce_variance(input_tensor, axis=None, keepdims=False, name=None):
        given = getattr(input_tensor, "dtype", None)
        if given is not None and v1.as_dtype(given).is_floating:
            return plain(input_tensor, axis, keepdims, name)
        rows.used(_VARIANCE)
        with v1.name_scope(name or "reduce_variance"):
            mean = v1.reduce_mean(input_tensor, axis=axis, keepdims=True)
            squares = gen_math_ops.square(input_tensor - mean)
            return v1.reduce_mean(squares, axis=axis, keepdims=keepdims)

    for owner in (math_ops, v1.math):
        state.set_attribute(owner, "reduce_variance", reduce_variance)


_VARIANCE = Row(
    "tensorflow.math.reduce_variance",
    "TF 2.2",
    "the variance and the standard deviation have the dtype of the input, complex or integer; 2.x "
    "returns real numbers and refuses integers",
    _square_deviations,
)


def _stack_dense():
    """Makes `tf.ragged.stack` of dense vectors, or of one value, return a dense tensor."""
    from tensorflow.python.ops.ragged import ragged_array_ops, ragged_concat_ops, ragged_tensor

    from tfgraphtools._tf import v1

    plain = ragged_concat_ops._ragged_stack_concat_helper

    @functools.wraps(plain)
    def helper(rt_inputs, axis, stack_values):
        if not stack_values or not rt_inputs:
            return plain(rt_inputs, axis, stack_values)
        convert = ragged_tensor.convert_to_tensor_or_ragged_tensor
        values = [convert(value, name="rt_input") for value in rt_inputs]
        if len(values) == 1:
            rows.used(_STACK)
            return ragged_array_ops.expand_dims(values[0], axis=axis)
        are_vectors = all(value.shape.rank == 1 for value in values)
        if are_vectors and axis in (0, -2) and not any(map(ragged_tensor.is_ragged, values)):
            rows.used(_STACK)
            return v1.stack(values)
        return plain(values, axis, stack_values)

    state.set_attribute(ragged_concat_ops, "_ragged_stack_concat_helper", helper)


_STACK = Row(
    "tensorflow.ragged.stack",
    "TF 2.3",
    "stacking dense vectors of one length returns a dense matrix, and one value gains a dimension; "
    "ragged in 2.x",
    _stack_dense,
)


def _multiply_by_a_mask():
    """Makes `dropout` multiply by the scale and by the mask: a dropped NaN stays NaN."""
    from tensorflow.python.framework import tensor_util
    from tensorflow.python.ops import math_ops, nn_ops

    from tfgraphtools._tf import v1

    plain = nn_ops._dropout

    @functools.wraps(plain)
    def dropout(x, rate, noise_shape, uniform_sampler, dummy_rng_step, name, default_name):
        if isinstance(rate, numbers.Real) and not 0 < rate < 1:  # nothing is dropped, or an error
            return plain(x, rate, noise_shape, uniform_sampler, dummy_rng_step, name, default_name)
        rows.used(_DROPOUT)
        with v1.name_scope(name, default_name, [x]):
            x = v1.convert_to_tensor(x, name="x")
            if not v1.executing_eagerly():
                rate = v1.convert_to_tensor(rate, dtype=x.dtype, name="rate")
            if tensor_util.constant_value(rate) == 0:
                return x
            noise = uniform_sampler(shape=nn_ops._get_noise_shape(x, noise_shape), dtype=x.dtype)
            kept = x * (1 / (1 - rate)) * math_ops.cast(noise >= rate, x.dtype)
            if not v1.executing_eagerly():
                kept.set_shape(x.shape)
            return kept

    state.set_attribute(nn_ops, "_dropout", dropout)


_DROPOUT = Row(
    "tensorflow.nn.dropout",
    "TF 2.0",
    "computes x * scale * mask: a dropped NaN stays NaN, and rounding is as in 1.15; a dropped "
    "NaN is 0 in 2.x",
    _multiply_by_a_mask,
)


def _euclidean_norm(real, used):
    plain = real.reduce_euclidean_norm

    @functools.wraps(plain)
    def reduce_euclidean_norm(input_tensor, axis=None, keepdims=False, name=None):
        from tfgraphtools._tf import v1

        x = v1.convert_to_tensor(input_tensor)
        if not extremes.has_more_than_one(x.shape, axis):
            used()
            return v1.reduce_sum(x, axis=axis, keepdims=keepdims, name=name)
        if not _may_be_one(x.shape, axis):
            return plain(x, axis, keepdims, name)
        used()
        with v1.name_scope(name, "EuclideanNorm", [x]) as scope:
            norm = v1.cond(
                _is_one(x, axis),
                lambda: v1.reduce_sum(x, axis=axis, keepdims=keepdims),
                lambda: plain(x, axis, keepdims),
            )
            return v1.identity(norm, scope)

    return reduce_euclidean_norm


def _may_be_one(shape, axis):
    """Whether each result may be of one element, by what is known statically."""
    if shape.rank is None:
        return True
    try:
        axes = range(shape.rank) if axis is None else [axis] if isinstance(axis, int) else axis
        return all(shape.as_list()[one] in (1, None) for one in axes)
    except IndexError:  # no axis of it, which TensorFlow will say
        return False
    except TypeError:  # a tensor
        return True


def _is_one(x, axis):
    """Whether each result is of one element, as a tensor."""
    from tfgraphtools._tf import v1

    sizes = v1.shape(x)
    if axis is not None:
        sizes = v1.gather(sizes, v1.floormod(axis, v1.rank(x)))
    return v1.reduce_all(v1.equal(sizes, 1))


def _cumulative_logsumexp(real, used):
    plain = real.cumulative_logsumexp

    @functools.wraps(plain)
    def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None):
        from tfgraphtools._tf import v1

        result = plain(x, axis=axis, exclusive=exclusive, reverse=reverse)
        if exclusive:  # else it is so for an input of -inf alone
            used()
        return v1.maximum(result, result.dtype.min, name=name)

    return cumulative_logsumexp


def _extract_glimpse(real, used):
    plain = real.extract_glimpse_v2

    @functools.wraps(plain)
    def extract_glimpse_v2(
        input, size, offsets, centered=True, normalized=True, noise="uniform", name=None
    ):
        from tensorflow.python.ops import gen_image_ops

        used()
        return gen_image_ops.extract_glimpse(
            input, size, offsets, centered, normalized, uniform_noise=False, noise=noise, name=name
        )

    return extract_glimpse_v2


CALLS = Table(
    "functions with another initial value",
    "calls",
    [
        Row(
            "tensorflow.python.ops.image_ops.extract_glimpse_v2",
            "TF 2.2",
            "uses the offsets of tf.image.extract_glimpse",
            _extract_glimpse,
        ),
        Row(
            "tensorflow.math.reduce_euclidean_norm",
            "TF 2.0",
            "the norm of one element is the element with its sign",
            _euclidean_norm,
        ),
        Row(
            "tensorflow.math.cumulative_logsumexp",
            "TF 2.5",
            "starts with the lowest float; 2.x starts with -inf",
            _cumulative_logsumexp,
        ),
    ],
)

TABLE = Table(
    "functions with the formulas of 1.15",
    "patches",
    [_SATURATE, _VARIANCE, _STACK, _DROPOUT],
)
