"""``tf.nn.dropout`` rounds as in TF 1.15, and keeps a NaN that is dropped.

Source: ``dropout_v2`` of TF 1.15's ``nn_ops``.
"""

import numbers

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces


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


TABLE = replacing.table("dropout", _dropout, kind="patches")
