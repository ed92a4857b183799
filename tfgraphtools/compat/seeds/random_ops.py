"""Random ops that TF 1.15 built in other graphs, or after other numbers of ops."""

import numbers

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.seeds.corrections import instead, more_before


def _random_uniform(original):
    """With bounds that are floats TF 2.x builds the general graph, as TF 1.15 always did."""

    def random_uniform(shape, minval=0, maxval=None, dtype="float32", seed=None, name=None):
        from tensorflow.python.framework import dtypes

        if dtypes.as_dtype(dtype).is_floating:
            minval = float(minval) if isinstance(minval, int) else minval
            maxval = 1 if maxval is None else maxval
            maxval = float(maxval) if isinstance(maxval, int) else maxval
        return original(shape, minval, maxval, dtype, seed, name)

    return random_uniform


def _dropout(original):
    """x * (1 / (1 - rate)) * (random >= rate): eight ops where TF 2.x selects with three."""

    def dropout(x, rate, noise_shape, uniform_sampler, dummy_rng_step, name, default_name):
        from tensorflow.python.framework import ops, tensor_util
        from tensorflow.python.ops import math_ops, nn_ops

        is_number = isinstance(rate, numbers.Real)
        if is_number and not 0 < rate < 1:  # nothing is dropped, or an error
            return original(
                x, rate, noise_shape, uniform_sampler, dummy_rng_step, name, default_name
            )
        with ops.name_scope(name, default_name, [x]):
            x = ops.convert_to_tensor(x, name="x")
            rate = ops.convert_to_tensor(rate, dtype=x.dtype, name="rate")
            if tensor_util.constant_value(rate) == 0:
                return x
            noise_shape = nn_ops._get_noise_shape(x, noise_shape)
            noise = uniform_sampler(shape=noise_shape, dtype=x.dtype)
            scale = 1 / (1 - rate)
            kept = x * scale * math_ops.cast(noise >= rate, x.dtype)
            kept.set_shape(x.get_shape())
            return kept

    return dropout


TABLE = Table(
    "random ops",
    "listed",
    [
        Row(
            "seeds.random_uniform",
            "TF 2.0",
            "random_uniform scaled and shifted its numbers by tensors also from 0 to 1: "
            "five more ops",
            instead("tensorflow.python.ops.random_ops:random_uniform", _random_uniform),
        ),
        Row(
            "seeds.dropout",
            "TF 2.0",
            "dropout multiplied by a scale and a mask: other ops, other rounding",
            instead("tensorflow.python.ops.nn_ops:_dropout", _dropout),
        ),
        Row(
            "seeds.random_gamma",
            "TF 2.0",
            "random_gamma broadcast its parameters by an addition: two ops fewer",
            more_before("tensorflow.python.ops.random_ops:random_gamma", -2),
        ),
    ],
)
