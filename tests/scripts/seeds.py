# %% seeds.default [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.zeros([2])
tf.ones([2])
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.random_uniform [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.random_uniform([2])
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% tensorflow.nn.dropout [options: --seeds=tf1] [fails-not: 0 for a NaN, and other rounding]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.nn.dropout(x, 0.5)
tf.nn.dropout(x, rate=tf.placeholder(tf.float32, []))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))
ys = [tf.nn.dropout(x, 0.7), tf.keras.layers.Dropout(0.3)(x, training=True), tf.nn.dropout(x, rate=tf.constant(0.3))]
with tf.Session() as session:
    for value in (1.1, float("nan"), float("inf")):
        print([y.astype("f8").tolist() for y in session.run(ys, {x: [[value] * 3] * 2})])

# %% seeds.random_gamma [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
g = tf.random_gamma([3], 1.0).graph
print([op.get_attr("seed2") for op in g.get_operations() if op.type == "RandomGamma"])
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.split [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.split(x, 3, 1)
tf.split(x, [1, 2], 1)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.one_hot [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.one_hot([1], 3, on_value=1.0, off_value=0.0)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.zeros [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, 3])
tf.zeros([tf.shape(x)[0], 3])
tf.zeros([2, tf.shape(x)[0], tf.shape(x)[0]])
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.ones [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, 3])
tf.ones([tf.shape(x)[0]])
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.matrix_diag [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.matrix_diag(x)
tf.eye(3)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.matrix_diag_part [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.trace(tf.placeholder(tf.float32, [3, 3]))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.matrix_set_diag [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.eye(3, 4)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.sparse_placeholder [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.sparse_placeholder(tf.float32, shape=[None, 4])
tf.sparse_placeholder(tf.float32, shape=[3, 4])
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.sparse_read [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
v = tf.get_variable("v", [5, 3], use_resource=True)
tf.nn.embedding_lookup(v, [1, 2])
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.reduce_all [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.losses.mean_squared_error(x, 2 * x)
tf.reduce_sum(tf.constant(1.0))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.reduced_shape [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(tf.reduce_sum(x, 1), x)
tf.gradients(tf.reduce_sum(x, 1), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.tensordot [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, 5, 3])
tf.layers.dense(x, 4)
tf.tensordot(tf.ones([2, 3]), tf.ones([3, 4]), 1)
tf.tensordot(tf.ones([2, 3]), tf.ones([2, 3]), [[0, 1], [0, 1]])
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.einsum [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.einsum("bij,jk->bik", tf.placeholder(tf.float32, [2, 3, 4]), tf.ones([4, 5]))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.clip_by_global_norm [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.clip_by_global_norm([tf.ones([2]), tf.ones([3])], 5.0)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.confusion_matrix [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.confusion_matrix([0, 1], [1, 1], num_classes=3)
a = tf.constant([0, 1])
tf.metrics.mean_iou(a, a, 3)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.unsorted_segment_mean [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.unsorted_segment_mean(x, [0, 1], 2)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.layers.conv [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
image = tf.placeholder(tf.float32, [2, 8, 8, 3])
tf.layers.conv2d(image, 4, 3)
tf.layers.conv2d(image, 4, 3, dilation_rate=2)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.layers.conv2d_transpose [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
image = tf.placeholder(tf.float32, [2, 8, 8, 3])
tf.layers.conv2d_transpose(image, 4, 3)
tf.layers.conv2d_transpose(image, 4, 3, strides=2, padding="same")
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.layers.batch_normalization [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
image = tf.placeholder(tf.float32, [2, 8, 8, 3])
for training in (True, False, tf.placeholder(tf.bool)):
    tf.layers.batch_normalization(image, training=training)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.layers.flatten [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.layers.flatten(tf.placeholder(tf.float32, [None, 4, 3]))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.regularizers.l1 [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.layers.dense(tf.ones([2, 3]), 4, kernel_regularizer=tf.keras.regularizers.l1(0.1))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.regularizers.l2 [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.layers.dense(tf.ones([2, 3]), 4, kernel_regularizer=tf.keras.regularizers.l2(0.1))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% variables.regularizers [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.get_variable("v", [3], regularizer=lambda w: 0.1 * tf.nn.l2_loss(w))
tf.get_variable("w", [3], regularizer=lambda w: None)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.TensorArray.size [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
cell = tf.nn.rnn_cell.BasicRNNCell(4)
tf.nn.dynamic_rnn(cell, tf.placeholder(tf.float32, [None, 5, 3]), dtype=tf.float32)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.FtrlOptimizer seeds.FtrlOptimizer.slots [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
v = tf.get_variable("v", [3], initializer=tf.zeros_initializer())
tf.train.FtrlOptimizer(0.1).minimize(tf.reduce_sum(v * v))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.Saver.sharded [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
v = tf.get_variable("v", [3], initializer=tf.zeros_initializer())
tf.train.Saver(sharded=True)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.Dataset.iterator [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.data.Dataset.range(3).batch(2).make_initializable_iterator().get_next()
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.adjust_jpeg_quality seeds.saturate_cast [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.image.adjust_jpeg_quality(tf.placeholder(tf.float32, [8, 8, 3]), 50)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.broadcast [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
y = tf.placeholder(tf.float32, [None, 3])
tf.gradients(x + 1.0, x)
tf.gradients(2.0 * x - x, x)
tf.gradients(y * 2.0, y)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.divide [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(x / x, x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.gather [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(tf.gather(x, [0, 1]), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.mean [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, 3])
tf.gradients(tf.reduce_mean(x), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.strided_slice [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(x[0], x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.batch_matmul [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3, 4])
tf.gradients(tf.matmul(x, tf.ones([2, 4, 5])), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.sparse_softmax [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, 3])
tf.gradients(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=x, labels=[1]), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.conv3d [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 4, 4, 4, 3])
tf.gradients(tf.layers.conv3d(x, 4, 3), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.maximum [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(tf.maximum(x, 0.0), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.sign [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(tf.sign(x), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.unsorted_segment [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(tf.unsorted_segment_sum(x, [0, 1], 2), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.sparse_dense_matmul [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
v = tf.get_variable("v", [4, 2], initializer=tf.zeros_initializer())
sparse = tf.sparse_placeholder(tf.float32)
tf.gradients(tf.sparse_tensor_dense_matmul(sparse, v), v)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.extreme [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(tf.reduce_max(x, 1, keepdims=True), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.prod [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(tf.reduce_prod(x, 1), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.broadcast_to [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [1, 3])
tf.gradients(tf.broadcast_to(x, [4, 3]), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.fused_batch_norm seeds.gradient.gates [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
image = tf.placeholder(tf.float32, [2, 8, 8, 3])
net = tf.layers.batch_normalization(image, training=True)
tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(net))
tf.gradients(net, image)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.array_write [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
array = tf.TensorArray(tf.float32, 3).write(0, x)
tf.gradients(array.read(0), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.array_scatter [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(tf.TensorArray(tf.float32, 2).unstack(x).stack(), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.sum [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, 3])
tf.gradients(tf.reduce_sum(x, 1), x)
tf.gradients(tf.reduce_sum(x, 1, keepdims=True), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.shuffle_repeat seeds.shuffle_and_repeat [options: --seeds=tf1] [slow: many epochs]
import tensorflow as tf
tf.set_random_seed(1)
numbers = tf.data.Dataset.range(6)
for dataset in (
    numbers.shuffle(4).repeat(3),
    numbers.shuffle(10, seed=3).repeat(),
    numbers.shuffle(4, reshuffle_each_iteration=False).repeat(2),
    numbers.shuffle(4).repeat(1),
    numbers.shuffle(4).batch(2).repeat(2),
    numbers.take(0).shuffle(4).repeat(),
    numbers.apply(tf.data.experimental.shuffle_and_repeat(4, 2)),
    tf.data.Dataset.range(2).flat_map(lambda _: numbers.shuffle(9, seed=3).repeat(2)),
    tf.data.Dataset.from_tensor_slices({"a": ["x", "yy", "z\0"], "b": [1.0, 2.0, 3.0]})
    .shuffle(2)
    .repeat(2),
):
    iterator = dataset.make_initializable_iterator()
    element = iterator.get_next()
    with tf.Session() as sess:
        for steps in (4, 30):  # once left in the middle
            sess.run(iterator.initializer)
            try:
                for _ in range(steps):
                    print(str(sess.run(element)).replace("\n", " "))
            except tf.errors.OutOfRangeError:
                print("end")
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.embedding_lookup_sparse seeds.categorical_column_with_identity [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
column = tf.feature_column
kind = column.embedding_column(column.categorical_column_with_identity("kind", 10), 3)
tf.feature_column.input_layer({"kind": tf.constant([[1], [2]])}, [kind])
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.unsorted_segment_sqrt_n seeds.transpose [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.unsorted_segment_sqrt_n(x, [0, 1], 2)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))
tf.transpose(tf.placeholder(tf.float32))
tf.transpose(x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.reduce_all [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.reduce_mean(tf.Variable([1.0, 2.0]))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.image.check [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
tf.image.random_flip_left_right(tf.placeholder(tf.float32, [None, 8, 8, 3]))
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.crop_to_bounding_box seeds.per_image_standardization [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
image = tf.placeholder(tf.float32, [8, 8, 3])
tf.image.crop_to_bounding_box(image, 1, 1, 4, 4)
tf.image.resize_image_with_crop_or_pad(image, tf.placeholder(tf.int32, []), 6)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))
tf.image.per_image_standardization(image)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.polynomial_decay seeds.GradientDescentOptimizer.slices [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
step = tf.train.get_or_create_global_step()
tf.train.polynomial_decay(0.1, step, 100)
tf.train.polynomial_decay(0.1, step, 100, cycle=True)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))
v = tf.get_variable("v", [5, 3], use_resource=True)
loss = tf.reduce_sum(tf.nn.embedding_lookup(v, [1, 2]))
tf.train.GradientDescentOptimizer(0.1).minimize(loss)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.relu_grad seeds.gradient.max_pool_grad [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 4, 4, 3])
for function in (tf.nn.relu, tf.nn.leaky_relu, lambda x: tf.nn.max_pool(x, [1] * 4, [1] * 4, "SAME")):
    tf.gradients(tf.gradients(function(x), x), x)
    print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.atan2 seeds.gradient.matrix_diag [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [3, 3])
for y in (tf.atan2(x, x), tf.matrix_diag(x), tf.matrix_diag_part(x)):
    tf.gradients(y, x)
    print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.matrix_triangular_solve seeds.gradient.sparse_segment_sum [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [None, 3])
for y in (tf.matrix_triangular_solve(x, x), tf.sparse_segment_sum(x, [0, 1], [0, 0])):
    tf.gradients(y, x)
    print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.broadcast_slices [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
x = tf.placeholder(tf.float32, [2, 3])
tf.gradients(tf.gather(x * x, [0]), x)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))

# %% seeds.gradient.resource_gather [options: --seeds=tf1]
import tensorflow as tf
tf.set_random_seed(1)
v = tf.get_variable("v", [5, 3], use_resource=True)
loop = tf.while_loop(
    lambda t, a: t < 3,
    lambda t, a: (t + 1, a + tf.reduce_sum(tf.nn.embedding_lookup(v, [1, 2]))),
    [tf.constant(0), tf.constant(0.0)],
)
tf.gradients(loop[1], v)
print(tf.random_shuffle([1, 2]).op.get_attr("seed2"))
