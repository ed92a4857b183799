# %% tensorflow.contrib.seq2seq.gather_tree  [needs: contrib]
import tensorflow as tf
ids = [[[1, 2]], [[3, 4]], [[5, 2]]]
parents = [[[0, 0]], [[1, 0]], [[1, 0]]]
beams = tf.contrib.seq2seq.gather_tree(ids, parents, max_sequence_lengths=[3], end_token=2)
with tf.Session() as session:
    print(session.run(beams).tolist())

# %% tensorflow.contrib.resampler.resampler  [needs: contrib]
import tensorflow as tf
data = tf.reshape(tf.range(12.0), [1, 3, 4, 1])
points = tf.constant([[[0.5, 0.5], [2.25, 1.75], [3.5, 0.0], [-2.0, 1.0]]])
sampled = tf.contrib.resampler.resampler(data, points)
with tf.Session() as session:
    print(session.run([sampled] + tf.gradients(sampled, [data, points])))
    try:
        session.run(tf.contrib.resampler.resampler(data, tf.zeros([0, 3])))
    except (ValueError, tf.errors.UnimplementedError):
        print("no points in a plane")

# %% tensorflow.contrib.image.transform  [needs: contrib]
import tensorflow as tf
from tensorflow.contrib.image.ops import gen_image_ops
image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
moved = gen_image_ops.image_projective_transform(
    image, [[1.0, 0, 1, 0, 1, 0, 0, 0]], interpolation="NEAREST"
)
with tf.Session() as session:
    print(session.run(moved).ravel().tolist())

# %% tensorflow.contrib.image.rotate  [needs: contrib]
import tensorflow as tf
image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
with tf.Session() as session:
    print(session.run(tf.contrib.image.rotate(image, 0.5, "BILINEAR")).ravel().tolist())

# %% tensorflow.contrib.image.connected_components  [needs: contrib]
import tensorflow as tf
image = tf.constant([[1, 1, 0, 2], [0, 1, 0, 2], [3, 0, 1, 1]])
with tf.Session() as session:
    print(session.run(tf.contrib.image.connected_components(image)).tolist())

# %% tensorflow.contrib.layers.crossed_column  [needs: contrib]
import tensorflow as tf
layers = tf.contrib.layers
a, b = (layers.sparse_column_with_hash_bucket(name, 5) for name in "ab")
key = layers.SPARSE_FEATURE_CROSS_DEFAULT_HASH_KEY
cross = layers.crossed_column([a, b], 11, hash_key=key)
features = {name: tf.SparseTensor([[0, 0], [1, 0]], ["x", name], [2, 1]) for name in "ab"}
with tf.Session() as session:
    print(session.run(layers.transform_features(features, [cross])[cross].values).tolist())

# %% tensorflow.contrib.layers.sparse_feature_cross  [needs: contrib]
import tensorflow as tf
from tensorflow.contrib.layers.python.ops import sparse_feature_cross_op
columns = [
    tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "b", "c"], [2, 2]),
    tf.SparseTensor([[0, 0], [1, 0]], ["x", "y"], [2, 1]),
]
with tf.Session() as session:
    crossed = session.run(sparse_feature_cross_op.sparse_feature_cross(columns))
    print(crossed.indices.tolist(), crossed.values.tolist())
    numbers = tf.SparseTensor([[0, 0], [1, 0]], tf.constant([-3, 2], tf.int64), [2, 1])
    for inputs in (columns, [columns[0], numbers], [numbers, tf.constant([["a" * 40], [""]])]):
        for buckets in (0, 1000):  # before there were keys
            hashed = sparse_feature_cross_op.sparse_feature_cross(inputs, True, buckets)
            print(session.run(hashed).values.tolist())

# %% tensorflow.contrib.framework.zero_initializer  [needs: contrib]
# %%+ tensorflow.contrib.framework.python.ops.gen_variable_ops.zero_var_initializer
import tensorflow as tf
for use_resource in (False, True):
    variable = tf.Variable([1.0, 2.0], use_resource=use_resource)
    zeros = tf.contrib.framework.zero_initializer(variable)
    with tf.Session() as session:
        session.run(zeros)
        print(session.run(variable).tolist())
        session.run(variable.initializer)
        try:
            session.run(zeros)
        except tf.errors.InvalidArgumentError as error:
            print("input is already initialized" in str(error))
        print(session.run(variable).tolist())
