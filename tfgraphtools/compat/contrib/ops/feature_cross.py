"""Crosses of sparse features: contrib's op is the ancestor of a core op."""

from tfgraphtools._tf import tf

#: Between the features of a cross in the core op's text.
_BETWEEN = "_X_"

#: Of the hash without a key: where it begins, and what is added at each step.
_SEED = 0xDECAFCAFFE
_STEP = 0x9E3779B97F4A7800 - 2**64


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
    """Returns all combinations of the features of each row; hashed with a key, if given."""
    crossed = tf.raw_ops.SparseCross(
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
    return crossed.output_indices, crossed.output_values, crossed.output_shape


def sparse_feature_cross(
    indices, values, shapes, dense, hashed_output, num_buckets, out_type, internal_type, name=None
):
    """Returns the same with the hash that TF had before there were keys."""
    if hashed_output:
        return _hashed(indices, values, shapes, dense, num_buckets, name)
    return sparse_feature_cross_v2(
        indices, values, shapes, dense, False, num_buckets, 0, out_type, internal_type, name
    )


def _hashed(indices, values, shapes, dense, num_buckets, name):
    """Crosses the features' places by the core op, and hashes the features here."""
    with tf.name_scope(name or "SparseFeatureCross"):
        features = [tf.reshape(value, [-1]) for value in [*values, *dense]]
        places = [tf.strings.as_string(tf.range(tf.size(feature))) for feature in features]
        of_dense = zip(dense, places[len(values) :])
        crossed = tf.raw_ops.SparseCross(
            indices=indices,
            values=places[: len(values)],
            shapes=shapes,
            dense_inputs=[tf.reshape(place, tf.shape(value)) for value, place in of_dense],
            hashed_output=False,
            num_buckets=0,
            hash_key=0,
            out_type=tf.string,
            internal_type=tf.string,
        )
        parts = tf.strings.split(crossed.output_values, _BETWEEN).to_tensor(
            "0", shape=[None, len(features)]
        )
        parts = tf.strings.to_number(parts, tf.int64)
        hashes = tf.fill(tf.shape(crossed.output_values), tf.constant(_SEED, tf.int64))
        for column, feature in enumerate(features):
            hashes = _combined(hashes, tf.gather(_as_numbers(feature), parts[:, column]))
        hashes = tf.bitcast(hashes, tf.uint64) % tf.constant(num_buckets or 2**63 - 1, tf.uint64)
        return crossed.output_indices, tf.cast(hashes, tf.int64), crossed.output_shape


def _as_numbers(features):
    """Integers as they are, text by its fingerprint."""
    if features.dtype != tf.string:
        return tf.cast(features, tf.int64)
    return tf.bitcast(tf.raw_ops.Fingerprint(data=features, method="farmhash64"), tf.int64)


def _combined(hashes, numbers):
    """Hashes a number into a hash as TF 1.15 does, in integers that wrap around."""
    shifted = tf.bitwise.left_shift(hashes, tf.constant(10, tf.int64))
    shifted += tf.bitwise.right_shift(hashes, tf.constant(4, tf.int64))
    return tf.bitwise.bitwise_xor(hashes, numbers + _STEP + shifted)
