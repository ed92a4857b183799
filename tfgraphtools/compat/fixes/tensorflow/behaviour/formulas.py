"""Functions that TF 1.15 computed by another formula, which gives something else at the edges.

Sources: ``saturate_cast`` and ``reduce_variance`` of TF 1.15's ``math_ops``, ``dropout_v2`` of its
``nn_ops``, and ``_ragged_stack_concat_helper`` of its ``ragged_concat_ops``.
"""

import functools
import numbers

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.fixes.tensorflow.behaviour import extremes
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_V1 = "tfgraphtools._tf:v1."


@replaces(
    "tensorflow.python.ops.math_ops:saturate_cast",
    also=(_V1 + "saturate_cast", _V1 + "dtypes.saturate_cast"),
    name="tensorflow.saturate_cast",
    since="TF 2.8",
    why="1e10 as int32 is -2147483648, because the bound as a float is larger than any int32; "
    "2147483520 in 2.x",
)
def _saturate_cast(original, value, dtype, name=None):
    """Clips to bounds of the value's dtype: casting them may overflow."""
    from tensorflow.python.ops import gen_math_ops
    from tensorflow.python.ops.ragged import ragged_tensor

    from tfgraphtools._tf import v1

    dtype = v1.as_dtype(dtype).base_dtype
    if ragged_tensor.is_ragged(value):
        return original(value, dtype, name)
    with v1.name_scope(name, "saturate_cast", [value]) as scope:
        value = v1.convert_to_tensor(value, name="value")
        if value.dtype.is_complex or dtype.is_complex:
            return original(value, dtype, name)
        _saturate_cast.used()
        if value.dtype.min < dtype.min:
            least = v1.convert_to_tensor(dtype.min, dtype=value.dtype, name="min")
            value = gen_math_ops.maximum(value, least)
        if value.dtype.max > dtype.max:
            most = v1.convert_to_tensor(dtype.max, dtype=value.dtype, name="max")
            value = gen_math_ops.minimum(value, most)
        return v1.cast(value, dtype, name=scope)


@replaces(
    "tensorflow.python.ops.math_ops:reduce_variance",
    name="tensorflow.math.reduce_variance",
    since="TF 2.2",
    why="the variance and the standard deviation have the dtype of the input, complex or "
    "integer; 2.x returns real numbers and refuses integers",
)
def _reduce_variance(original, input_tensor, axis=None, keepdims=False, name=None):
    from tensorflow.python.ops import gen_math_ops

    from tfgraphtools._tf import v1

    dtype = getattr(input_tensor, "dtype", None)
    if dtype is not None and v1.as_dtype(dtype).is_floating:
        return original(input_tensor, axis, keepdims, name)
    _reduce_variance.used()
    with v1.name_scope(name or "reduce_variance"):
        mean = v1.reduce_mean(input_tensor, axis=axis, keepdims=True)
        squares = gen_math_ops.square(input_tensor - mean)
        return v1.reduce_mean(squares, axis=axis, keepdims=keepdims)


_reduce_variance_of_api = replaces(_V1 + "math.reduce_variance", row=_reduce_variance.row)(
    _reduce_variance
)


@replaces(
    "tensorflow.python.ops.ragged.ragged_concat_ops:_ragged_stack_concat_helper",
    name="tensorflow.ragged.stack",
    since="TF 2.3",
    why="stacking dense vectors of one length returns a dense matrix, and one value gains a "
    "dimension; ragged in 2.x",
)
def _stack(original, rt_inputs, axis, stack_values):
    from tensorflow.python.ops.ragged import ragged_array_ops, ragged_tensor

    from tfgraphtools._tf import v1

    if not stack_values or not rt_inputs:
        return original(rt_inputs, axis, stack_values)
    convert = ragged_tensor.convert_to_tensor_or_ragged_tensor
    values = [convert(value, name="rt_input") for value in rt_inputs]
    if len(values) == 1:
        _stack.used()
        return ragged_array_ops.expand_dims(values[0], axis=axis)
    are_vectors = all(value.shape.rank == 1 for value in values)
    if are_vectors and axis in (0, -2) and not any(map(ragged_tensor.is_ragged, values)):
        _stack.used()
        return v1.stack(values)
    return original(values, axis, stack_values)


@replaces(
    "tensorflow.python.ops.nn_ops:_dropout",
    name="tensorflow.nn.dropout",
    since="TF 2.0",
    why="computes x * scale * mask: a dropped NaN stays NaN, and rounding is as in 1.15; a "
    "dropped NaN is 0 in 2.x",
)
def _dropout(original, x, rate, noise_shape, uniform_sampler, dummy_rng_step, name, default_name):
    from tensorflow.python.framework import tensor_util
    from tensorflow.python.ops import math_ops, nn_ops

    from tfgraphtools._tf import v1

    if isinstance(rate, numbers.Real) and not 0 < rate < 1:  # nothing is dropped, or an error
        return original(x, rate, noise_shape, uniform_sampler, dummy_rng_step, name, default_name)
    _dropout.used()
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

TABLE = replacing.table(
    "functions with the formulas of 1.15",
    _saturate_cast,
    _reduce_variance,
    _reduce_variance_of_api,
    _stack,
    _dropout,
    kind="patches",
)
