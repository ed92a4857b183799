"""Crosses of sparse features: contrib's op is the ancestor of a core op."""

from tfgraphtools._tf import tf
from tfgraphtools.compat.contrib import kernels


def sparse_feature_cross_v2(
    indices,
    values,
    shapes,
    dense,
    hashed_output,
    num_buckets,
    hash_key,
    out_type,
    internal_type,
    name=None,
):
    """All combinations of the features of each row; hashed with a key, if wanted."""
    found = tf.raw_ops.SparseCross(
        indices=indices,
        values=values,
        shapes=shapes,
        dense_inputs=dense,
        hashed_output=hashed_output,
        num_buckets=num_buckets,
        hash_key=hash_key,
        out_type=out_type,
        internal_type=internal_type,
        name=name,
    )
    return found.output_indices, found.output_values, found.output_shape


def sparse_feature_cross(
    indices, values, shapes, dense, hashed_output, num_buckets, out_type, internal_type, name=None
):
    """The same without a key: its hash is one that no later TF knows, so strings only."""
    if hashed_output:
        raise kernels.gone_error(
            "a hashed cross of features without hash_key", "tensorflow.contrib.layers"
        )
    return sparse_feature_cross_v2(
        indices, values, shapes, dense, False, num_buckets, 0, out_type, internal_type, name
    )
