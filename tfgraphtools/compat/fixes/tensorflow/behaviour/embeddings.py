"""`embedding_lookup_sparse` sums embeddings of 16 bits in float32, and returns float32.

TF 2.x rounds the sum to the 16 bits of the table again, or adds in 16 bits. Source: TF 1.15's
``embedding_ops.embedding_lookup_sparse``.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_HALVES = ("float16", "bfloat16")


@replaces(
    "tensorflow.python.ops.embedding_ops:embedding_lookup_sparse_impl",
    name="embeddings.half",
    since="TF 2.2",
    why="embedding_lookup_sparse sums embeddings of 16 bits in float32, and returns float32",
)
def _combine(original, params, segments, weights, ids, combiner, ignore, max_norm, *others):
    """Combines the looked up embeddings as a table of float32, which no rounding follows."""
    from tensorflow.python.framework import dtypes
    from tensorflow.python.ops import array_ops, embedding_ops, math_ops

    partition_strategy = others[1]
    dtype = getattr(params[0], "dtype", None)
    if dtype is None or dtypes.as_dtype(dtype).base_dtype not in _HALVES:
        return original(params, segments, weights, ids, combiner, ignore, max_norm, *others)
    _combine.used()
    ids, places = array_ops.unique(ids)
    embeddings = embedding_ops.embedding_lookup(
        params, ids, partition_strategy=partition_strategy, max_norm=max_norm
    )
    embeddings = math_ops.cast(embeddings, "float32")
    return original([embeddings], segments, weights, places, combiner, ignore, None, *others)


TABLE = replacing.table("sums of embeddings of 16 bits", _combine, kind="patches")
