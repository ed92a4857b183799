# %% tensorflow.image.per_image_standardization [fails-not: floats, scaled by others]
import tensorflow as tf
with tf.Session() as session:
    for dtype in (tf.uint8, tf.int32, tf.float32, tf.float16):
        image = tf.cast(tf.reshape(tf.range(12), [2, 2, 3]) * 20, dtype)
        for given in (image, tf.stack([image, image]), tf.ones_like(image)):
            result = tf.image.per_image_standardization(given)
            print(result.dtype.name, result.shape, session.run(tf.reshape(tf.cast(result, tf.float32), [-1])[:8]).round(2).tolist())

# %% tensorflow.image.flip_left_right tensorflow.image.flip_up_down tensorflow.image.rot90 [fails-not: unknown]
# %%+ tensorflow.image.random_flip_left_right tensorflow.image.random_flip_up_down
# %%+ tensorflow.image.transpose tensorflow.image.transpose_image
import numpy as np
import tensorflow as tf
any_rank = tf.placeholder(tf.float32)
known = tf.placeholder(tf.float32, [None, 4, 3])
image = np.arange(6.0).reshape(1, 2, 3)
with tf.Session() as session:
    for name in ("flip_left_right", "flip_up_down", "rot90", "transpose", "transpose_image", "random_flip_left_right", "random_flip_up_down"):
        function = getattr(tf.image, name)
        result = function(any_rank)
        print(name, result.shape, function(known).shape, session.run(tf.shape(result), {any_rank: image}))
        if "random" not in name:
            print(session.run(result, {any_rank: image}).ravel())

# %% shapes.conv2d_transpose [fails-not: the batch is unknown]
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 4, 4, 6])
w = tf.placeholder(tf.float32, [5, 5, 3, 6])
print(tf.nn.conv2d_transpose(x, w, [16, 8, 8, 3], [1, 2, 2, 1]).shape)
print(tf.nn.conv2d_transpose(x, w, tf.constant([16, 8, 8, 3]), [1, 2, 2, 1], name="up"))
print(tf.nn.conv2d_transpose(x, w, tf.stack([tf.shape(x)[0], 8, 8, 3]), [1, 2, 2, 1]).shape)
print(tf.nn.conv2d_backprop_input([16, 8, 8, 3], w, x, [1, 2, 2, 1], "SAME").shape)
print(tf.nn.atrous_conv2d_transpose(x, w, [16, 4, 4, 3], 2, "SAME").shape)
print(tf.layers.conv2d_transpose(x, 3, 5, 2).shape)

# %% shapes.random_gamma [fails-not: the dimension is unknown]
import tensorflow as tf
count = tf.placeholder(tf.int32, [])
alpha = tf.placeholder(tf.float32, [None, 1, 10])
beta = tf.placeholder(tf.float32, [4, None, 1])
for function in (tf.random_gamma, tf.random.gamma):
    print(function([count], alpha).shape, function([count, 2], alpha, beta, name="g"), function([3], 1.0, [[1.0]]).shape)
    print(function([2], alpha, tf.placeholder(tf.float32, None)).shape.ndims, function(tf.placeholder(tf.int32, [2]), alpha).shape)
    print(function([5], alpha=alpha, beta=1, dtype=tf.float32, seed=3).shape)
print(tf.distributions.Gamma(alpha, 2.0).sample(5).shape, tf.distributions.Beta(alpha, 2.0).sample(3).shape)

# %% variables.isinstance [fails-not: False for resource variables]
import tensorflow as tf
resource = tf.get_variable("r", [2], use_resource=True)
ref = tf.get_variable("v", [2])
dense = tf.keras.layers.Dense(2)
dense(tf.ones([2, 2]))
values = [resource, ref, dense.kernel, tf.Variable(1.0), tf.constant(1.0), 3, None]
print([isinstance(value, tf.Variable) for value in values])
print([isinstance(value, (tf.Tensor, tf.Variable)) for value in values])
print([issubclass(type(value), tf.Variable) for value in values])
class Mine(tf.Variable):
    pass
print(isinstance(ref, Mine), isinstance(resource, Mine), issubclass(Mine, tf.Variable))

# %% numpy.sum_of_scalars [fails-not: float32] [slow: sums 300,000 scalars]
import numpy as np
import tensorflow as tf
losses = [tf.Session().run(tf.constant(0.1)) for _ in range(3)] * 100000
print(sum(losses) / len(losses), type(sum(losses)).__name__, sum(loss * 2 for loss in losses))
for values in ([np.float16(0.1)] * 3, np.ones(3, "f"), [np.int32(3)], [np.uint8(200)] * 2, (np.float32(1), 1.5), [True, np.float32(2)]):
    total = sum(values)
    print(total, type(total).__name__)
print(type(sum([np.ones(2, "f"), np.ones(2, "f")])), sum([np.ones(2, "f")] * 2).dtype, sum([np.float32(1)], np.float32(1)).dtype, sum([[1], [2]], []), sum(range(4)), sum([]), sum([1, 2], 3))

# %% tensorflow.keras.optimizers.Adagrad.from_config [fails-not: another beginning]
import numpy as np
import tensorflow as tf
for optimizer in ("adagrad", tf.keras.optimizers.Adagrad(0.1), "adam"):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), kernel_initializer="ones")])
    model.compile(optimizer, "mse")
    model.fit(np.ones((4, 2)), np.ones((4, 1)), verbose=0)
    print([w.ravel().tolist() for w in model.get_weights()])

# %% dtypes.defaults_of_ops [fails-not: float64 and complex128]
import numpy as np
import tensorflow as tf
x = np.ones((1, 2, 2, 1))
print(tf.nn.max_pool(x, 2, 1, "VALID").dtype, tf.image.rgb_to_hsv(np.ones((1, 1, 3))).dtype, tf.fft([1j]).dtype, tf.fft(np.array([1j])).dtype)
print(tf.nn.leaky_relu(x).dtype, tf.conj([1j]).dtype, tf.nn.conv2d(x, np.ones((1, 1, 1, 1)), 1, "SAME").dtype, tf.nn.avg_pool(x, 2, 1, "VALID").dtype)
print(tf.nn.max_pool(tf.constant(x), 2, 1, "VALID").dtype, tf.concat([[1], [2]], 0).dtype, tf.reduce_sum(x).dtype, tf.reduce_sum(x, [1]).dtype, tf.argmax([1, 2]).dtype, tf.reshape(x, [-1]).dtype)

# %% loops.random [fails-not: the last iteration draws first]
import numpy as np
import tensorflow as tf
x = tf.constant(np.arange(60).reshape(2, 10, 3) / 10.0, tf.float32)
cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.GRUCell(2, kernel_initializer=tf.ones_initializer()), output_keep_prob=0.5, seed=5)
outputs = [tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0]]
outputs.append(tf.gradients(outputs[0], x)[0])
outputs.append(tf.map_fn(lambda a: a * tf.random_uniform([], seed=8), tf.ones([12])))
outputs.append(tf.while_loop(lambda i, a: i < 5, lambda i, a: (i + 1, tf.cond(a[0] > 0.0, lambda: a * 0.5 + tf.random_normal([2], seed=4), lambda: tf.abs(a))), [0, tf.ones([2])])[1])
outputs.append(tf.scan(lambda a, b: a + tf.random_shuffle(tf.range(3), seed=2), tf.range(6), tf.zeros([3], tf.int32)))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(2):
        for value in session.run(outputs):
            print(value.ravel().tolist())

# %% variables.initialized_value
import tensorflow as tf
one = tf.get_variable("one", initializer=tf.constant([1.0, 2.0]), use_resource=True)
two = tf.get_variable("two", initializer=one.initialized_value() * 2.0, use_resource=True)
ref = tf.Variable(two.initialized_value() + 1.0)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run([one, two, ref, one.initialized_value()]))
    session.run(one.assign([5.0, 5.0]))
    print(session.run(one.initialized_value()))

# %% tensorflow.cholesky [fails-not: NaN]
import tensorflow as tf
given = tf.placeholder(tf.float32, [None, 2, 2])
roots = [tf.cholesky(given), tf.linalg.cholesky(given, name="root")]
gradient = tf.gradients(tf.reduce_sum(roots[0]), given)[0]
good, bad = [[4.0, 2.0], [2.0, 3.0]], [[1.0, 2.0], [2.0, 1.0]]
with tf.Session() as session:
    print(roots[0].shape, session.run(roots + [gradient], {given: [good]}))
    for root in roots:
        try:
            print(session.run(root, {given: [good, bad]}))
        except tf.errors.InvalidArgumentError as error:
            print("Cholesky decomposition was not successful" in str(error))
    print(session.run(roots[0], {given: [[[float("nan"), 2.0], [2.0, 3.0]]]}).shape)
    for dtype in (tf.complex64, tf.complex128):
        print(session.run(tf.cholesky(tf.constant([[4.0, 2.0 + 1.0j], [2.0 - 1.0j, 3.0]], dtype))).round(4).tolist())

# %% tensorflow.matrix_triangular_solve [fails-not: inf]
import tensorflow as tf
given = tf.placeholder(tf.float32, [None, 2, 2])
ones = tf.ones([1, 2, 1])
solved = tf.matrix_triangular_solve(given, ones, name="named")
solutions = [solved, tf.linalg.triangular_solve(given, ones, lower=False, adjoint=True), tf.cholesky_solve(given, ones)]
good, bad = [[4.0, 2.0], [2.0, 3.0]], [[1.0, 2.0], [2.0, 0.0]]
with tf.Session() as session:
    print(session.run(solutions + tf.gradients(solved, given), {given: [good]}))
    for solution in solutions:
        try:
            print(session.run(solution, {given: [bad]}))
        except tf.errors.InvalidArgumentError as error:
            print("not invertible" in str(error))

# %% tensorflow.feature_column.categorical_column_with_identity [fails-not: zeros for an error]
import tensorflow as tf
for value in (5, -1, 2):
    with tf.Graph().as_default(), tf.Session() as session:
        column = tf.feature_column.categorical_column_with_identity("a", 3)
        dense = tf.feature_column.input_layer({"a": [[value]]}, [tf.feature_column.indicator_column(column)])
        try:
            print(session.run(dense))
        except tf.errors.InvalidArgumentError as error:
            print("refused", "exceeds number of buckets" in str(error))

# %% shapes.sparse_placeholder [fails-not: unknown shapes]
import tensorflow as tf
p = tf.sparse_placeholder(tf.float32, [2, 3], name="p")
print([t.name for t in (p.indices, p.values, p.dense_shape)], tf.sparse_placeholder(tf.float32).shape)
with tf.Session() as session:
    print(session.run(tf.sparse_tensor_dense_matmul(p, tf.ones([3, 1])), {p: tf.SparseTensorValue([[0, 0]], [1.0], [2, 3])}).tolist())
    dense = tf.sparse_tensor_to_dense(p)
    print(p.shape, dense.shape, tf.sparse_reduce_sum(p, 1).shape, p.dense_shape.op.type)
    print(session.run(dense, {p: ([[0, 1]], [1.0])}).tolist())

# %% tensorflow.TensorShape.__eq__ [fails-not: True for False]
import tensorflow as tf
x, y = (tf.placeholder(tf.float32, [None, 3]) for _ in range(2))
print(x.shape == y.shape, x.shape != y.shape, x.get_shape() == x.get_shape(), x.get_shape() != x.get_shape())
print(x.shape == [None, 3], x.shape != [None, 3], x.shape in [y.shape], tf.TensorShape(x.shape) == x.shape, tf.identity(x).shape != x.shape)
print(x.shape[:1] == x.shape[:1], x.shape[:1] != x.shape[:1], x.shape[:1] == y.shape[:1], x.shape[:1].concatenate(x.shape[1:]) == x.shape, x.shape.concatenate(x.shape)[2:] == x.shape, x.shape.concatenate([None]) == x.shape.concatenate([None]))
z = tf.placeholder(tf.float32, [None, None])
print(z.shape[:1] == z.shape[1:], z.shape[1:] == z.shape[-1:], z.shape[::-1] == z.shape, z.shape[::-1][::-1] == z.shape, z.shape[:1] == z.shape[:2])
print(x.shape[1:] == y.shape[1:], x.shape.as_list() == y.shape.as_list(), [x.shape[0], 3] == [y.shape[0], 3], x.shape == "a", x.shape != "a")
print(tf.TensorShape(None) == tf.TensorShape(None), tf.TensorShape([2]) == [2], tf.TensorShape([2]) != [3])
try:
    tf.TensorShape(None) != x.shape
except ValueError as error:
    print(error)
case = tf.test.TestCase("assertEqual")
case.assertNotEqual(x.shape, y.shape)

# %% tensorflow.compat.forward_compatible
# %%+ tensorflow.python.compat.compat.forward_compatible [fails-not: later dates]
import tensorflow as tf
from tensorflow.python.compat import compat
dates = [(2019, 8, 20), (2019, 8, 21), (2019, 9, 30), (2022, 1, 1)]
print([[module.forward_compatible(*date) for date in dates] for module in (tf.compat, compat)])

# %% tensorflow.divide tensorflow.math.divide [fails-not: an array becomes a tensor]
import numpy as np
import tensorflow as tf
for a, b in ((np.ones(3, "f"), 2), (np.float32(1), 3), (1, 2), (np.arange(3), 2), (7.5, np.ones([1, 2]))):
    for divide in (tf.divide, tf.math.divide):
        found = divide(a, b)
        print(type(found).__name__, getattr(found, "dtype", None), found)
print([type(tf.divide(a, b)).__name__ for a, b in ((tf.ones([2]), 2.0), (2.0, tf.ones([2])), (tf.Variable(1.0), 2.0))])
with tf.Session() as session:
    print(session.run(tf.divide(np.float32(1), 4.0, name="named")), tf.divide(tf.ones([2]), 2.0, name="other").name)

# %% tensorflow.image.encode_png tensorflow.image.random_jpeg_quality tensorflow.image.adjust_jpeg_quality
import numpy as np
import tensorflow as tf
any_rank = tf.placeholder(tf.uint8)
image = np.arange(192).reshape(8, 8, 3)
with tf.Session() as session:
    png = tf.image.encode_png(any_rank)
    print(png.shape, session.run(tf.image.decode_png(png), {any_rank: image}).sum())
    print(tf.image.encode_png(tf.zeros([4, 4, 3], tf.uint8)).shape)
    for changed in (tf.image.random_jpeg_quality(any_rank, 20, 30), tf.image.adjust_jpeg_quality(any_rank, 20)):
        print(changed.shape.ndims, changed.dtype, session.run(tf.shape(changed), {any_rank: image}))
    floats = tf.image.adjust_jpeg_quality(tf.placeholder(tf.float32), 20)
    print(floats.shape.ndims, floats.dtype)

# %% tensorflow.random_uniform tensorflow.random.uniform tensorflow.tensordot tensorflow.linalg.tensordot
# %%+ tensorflow.linspace tensorflow.lin_space
import tensorflow as tf
g = tf.get_default_graph()
for make in (
    lambda n: tf.random_uniform([2], name=n), lambda n: tf.random_uniform([2], 1., 3., name=n), lambda n: tf.random.uniform([2], 0, 5, tf.int32, name=n),
    lambda n: tf.tensordot(tf.ones([2, 3]), tf.ones([3, 2]), 1, name=n), lambda n: tf.linalg.tensordot(tf.ones([2, 3]), tf.ones([3, 2]), [[1], [0]], name=n),
    lambda n: tf.linspace(0., 1., 5, name=n), lambda n: tf.lin_space(tf.constant(1., tf.float64), 2., 3, name=n), lambda n: tf.linspace(0., 1., tf.placeholder_with_default(4, []), name=n),
    lambda n: tf.truncatediv([7, -7], 2, name=n), lambda n: tf.truncatediv(tf.constant([7]), tf.constant([2]), name=n),lambda n: tf.truncatediv([7., -7.], 2, name=n),
):
    for name in ("z", None):
        print(make(name), end=' ')
    with tf.name_scope("outer"):
        print(make("z").name)
print(tf.Session().run([tf.linspace(0.1, 0.7, 7), tf.linspace(tf.constant(0.1, tf.float64), 0.7, 7)]))
print(g.get_tensor_by_name("z:0").shape)
print(tf.Session().run(tf.get_default_graph().get_tensor_by_name("z:0"), {"z:0": [3., 4.]}))
#> Tensor("z:0", shape=(2,), dtype=float32) Tensor("random_uniform:0", shape=(2,), dtype=float32) outer/z:0
#> Tensor("z_1:0", shape=(2,), dtype=float32) Tensor("random_uniform_1:0", shape=(2,), dtype=float32) outer_1/z:0
#> Tensor("z_2:0", shape=(2,), dtype=int32) Tensor("random_uniform_2:0", shape=(2,), dtype=int32) outer_2/z:0
#> Tensor("z_3:0", shape=(2, 2), dtype=float32) Tensor("Tensordot:0", shape=(2, 2), dtype=float32) outer_3/z:0
#> Tensor("z_4:0", shape=(2, 2), dtype=float32) Tensor("Tensordot_1:0", shape=(2, 2), dtype=float32) outer_4/z:0
#> Tensor("z_5:0", shape=(5,), dtype=float32) Tensor("LinSpace:0", shape=(5,), dtype=float32) outer_5/z:0
#> Tensor("z_6:0", shape=(3,), dtype=float64) Tensor("LinSpace_1:0", shape=(3,), dtype=float64) outer_6/z:0
#> Tensor("z_7:0", shape=(?,), dtype=float32) Tensor("LinSpace_2:0", shape=(?,), dtype=float32) outer_7/z:0
#> Tensor("z_8:0", shape=(2,), dtype=int32) Tensor("TruncateDiv:0", shape=(2,), dtype=int32) outer_8/z:0
#> Tensor("z_9:0", shape=(1,), dtype=int32) Tensor("TruncateDiv_1:0", shape=(1,), dtype=int32) outer_9/z:0
#> Tensor("z_10:0", shape=(2,), dtype=float32) Tensor("TruncateDiv_2:0", shape=(2,), dtype=float32) outer_10/z:0
#> [array([0.1       , 0.19999999, 0.29999998, 0.39999998, 0.49999997,
#>        0.59999996, 0.7       ], dtype=float32), array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])]
#> (2,)
#> [3. 4.]

# %% tensorflow.nn.conv2d
import numpy as np
import tensorflow as tf
image, kernel = np.arange(12.0).reshape(1, 2, 2, 3), np.ones([1, 1, 3, 1], "f")
with tf.Session() as session:
    for given in (image.tolist(), tuple(image.tolist()), image.astype("f"), tf.constant(image, tf.float32)):
        result = tf.nn.conv2d(given, kernel, [1, 1, 1, 1], "SAME")
        print(result, session.run(result).ravel())
    print(tf.nn.conv2d(input=image.tolist(), filter=kernel, strides=[1, 1, 1, 1], padding="SAME", name="c"))

# %% tensorflow.matrix_triangular_solve
# %%+ tensorflow.reduce_logsumexp tensorflow.math.reduce_logsumexp
# %%+ tensorflow.nn.top_k tensorflow.math.top_k
# %%+ tensorflow.cholesky
import tensorflow as tf
x = tf.constant([[2.0, 1.0], [1.0, 3.0]])
calls = [
    lambda **n: tf.matrix_triangular_solve(x, x, **n), lambda **n: tf.linalg.triangular_solve(x, x, True, **n),
    lambda **n: tf.reduce_logsumexp(x, **n), lambda **n: tf.math.reduce_logsumexp(x, 1, **n), lambda **n: tf.reduce_logsumexp(x, 0, True, **n),
    lambda **n: tf.cholesky(x, **n), lambda **n: tf.linalg.cholesky(x, **n), lambda **n: tf.digamma(x, **n), lambda **n: tf.math.zeta(x, x, **n),
    lambda **n: tf.math.polygamma(x, x, **n),
    lambda **n: tf.nn.top_k(x, 1, True, *n.values())[0], lambda **n: tf.math.top_k(x, 1, True, *n.values())[1],
]
with tf.Session() as session:
    for place, call in enumerate(calls):
        with tf.name_scope("outer"):
            made = [call(), call(name="n%d" % place), call()]
        print([one.name for one in made], session.run(made[1]).round(3).ravel()[:4].tolist())
        found = tf.get_default_graph().get_tensor_by_name(made[1].name)
        slopes = tf.gradients(found, [x])
        print(None if slopes[0] is None else session.run(slopes)[0].round(3).tolist())

# %% embeddings.half [fails-not: float16]
import tensorflow as tf
ids, weights = (tf.SparseTensor([[0, 0], [0, 1], [1, 0]], values, [2, 2]) for values in (tf.constant([0, 1, 2], tf.int64), [1.0, 2.0, 3.0]))
for combiner in ("sum", "mean", "sqrtn"):
    for given in (None, weights):
        table = tf.constant([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], tf.float16) / 3
        result = tf.nn.embedding_lookup_sparse(table, ids, given, combiner=combiner)
        slope = tf.convert_to_tensor(tf.gradients(result, table)[0])
        with tf.Session() as session:
            print(result.dtype, session.run(result).tolist(), slope.dtype, session.run(slope).tolist())

# %% tensorflow.image.non_max_suppression_padded
import numpy as np
import tensorflow as tf
boxes = np.array([[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11]], np.float32)
scores = np.array([0.9, 0.75, 0.6, 0.95], np.float32)
with tf.Session() as session:
    for result in (
        tf.image.non_max_suppression_padded(boxes, scores, 3),
        tf.image.non_max_suppression_padded(boxes.tolist(), scores.tolist(), 3, 0.99, 0.7),
        tf.image.non_max_suppression_padded(boxes.astype(float), scores, 3, pad_to_max_output_size=True, name="padded"),
    ):
        print(result[0].dtype.name, result[0].get_shape().as_list(), [value.tolist() for value in session.run(result)])
#> int32 [None] [[3, 0], 2]
#> int32 [None] [[3, 0, 1], 3]
#> int32 [3] [[3, 0, 0], 2]
