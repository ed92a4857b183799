"""Random ops that TF 1.15 built in other graphs, or after other numbers of ops."""

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
            "seeds.random_gamma",
            "TF 2.0",
            "random_gamma broadcast its parameters by an addition: two ops fewer",
            more_before("tensorflow.python.ops.random_ops:random_gamma", -2),
        ),
    ],
)
