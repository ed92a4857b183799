# %% tensorflow.mul tensorflow.sub tensorflow.neg tensorflow.inv [not-on-1.15: before 1.0]
import tensorflow as tf
with tf.Session() as session:
    x = tf.constant([4.0, 2.0])
    print(session.run(tf.mul(x, x)).tolist(), session.run(tf.sub(x, 1.0)).tolist())
    print(session.run(tf.neg(x)).tolist(), session.run(tf.inv(x)).tolist())
#> [16.0, 4.0] [3.0, 1.0]
#> [-4.0, -2.0] [0.25, 0.5]

# %% tensorflow.pack tensorflow.unpack tensorflow.select tensorflow.concat tensorflow.split
# %%+ tensorflow.reverse [not-on-1.15: before 1.0]
import tensorflow as tf
with tf.Session() as session:
    x = tf.pack([[1, 2], [3, 4]])
    first, second = tf.unpack(x)
    print(session.run([first, tf.select([True, False], first, second)]))
    print(session.run(tf.concat(1, [x, x])).tolist(), session.run(tf.concat([x, x], 0)).tolist())
    print(session.run(tf.split(1, 2, x)[0]).tolist(), session.run(tf.split(x, 2)[1]).tolist())
    print(session.run(tf.reverse(x, [False, True])).tolist())
    print(session.run(tf.reverse(x, [0])).tolist())
#> [array([1, 2], dtype=int32), array([1, 4], dtype=int32)]
#> [[1, 2, 1, 2], [3, 4, 3, 4]] [[1, 2], [3, 4], [1, 2], [3, 4]]
#> [[1], [3]] [[3, 4]]
#> [[2, 1], [4, 3]]
#> [[3, 4], [1, 2]]

# %% tensorflow.batch_matmul tensorflow.batch_matrix_inverse tensorflow.batch_matrix_transpose
# %%+ tensorflow.batch_matrix_determinant tensorflow.batch_matrix_diag tensorflow.batch_cholesky
# %%+ tensorflow.batch_matrix_diag_part tensorflow.batch_matrix_band_part tensorflow.batch_svd
# %%+ tensorflow.batch_matrix_set_diag tensorflow.batch_matrix_solve
# %%+ tensorflow.batch_matrix_triangular_solve tensorflow.batch_matrix_solve_ls
# %%+ tensorflow.batch_cholesky_solve tensorflow.batch_self_adjoint_eig
# %%+ tensorflow.batch_self_adjoint_eigvals [not-on-1.15: before 1.0]
import tensorflow as tf
a = tf.constant([[[2.0, 0.0], [0.0, 4.0]]])
b = tf.constant([[[2.0], [4.0]]])
with tf.Session() as session:
    def show(*tensors):
        print([session.run(tensor).ravel().tolist() for tensor in tensors])
    show(tf.batch_matmul(a, b, adj_x=True), tf.batch_matrix_inverse(a))
    show(tf.batch_matrix_transpose(b), tf.batch_matrix_determinant(a), tf.batch_matrix_diag([[5.0]]))
    show(tf.batch_cholesky(a), tf.batch_matrix_diag_part(a), tf.batch_matrix_band_part(a, 0, 0))
    show(tf.batch_svd(a, compute_uv=False), tf.batch_matrix_set_diag(a, [[1.0, 1.0]]))
    show(tf.batch_matrix_solve(a, b), tf.batch_matrix_triangular_solve(a, b))
    show(tf.batch_matrix_solve_ls(a, b), tf.batch_cholesky_solve(a, b))
    show(tf.batch_self_adjoint_eig(a)[0], tf.batch_self_adjoint_eigvals(a))
#> [[4.0, 16.0], [0.5, 0.0, 0.0, 0.25]]
#> [[2.0, 4.0], [8.0], [5.0]]
#> [[1.4142135, 0.0, 0.0, 2.0], [2.0, 4.0], [2.0, 0.0, 0.0, 4.0]]
#> [[4.0, 2.0], [1.0, 0.0, 0.0, 1.0]]
#> [[1.0, 1.0], [1.0, 1.0]]
#> [[1.0, 1.0], [0.5, 0.25]]
#> [[2.0, 4.0], [2.0, 4.0]]

# %% tensorflow.batch_fft tensorflow.batch_ifft tensorflow.batch_fft2d tensorflow.batch_ifft2d
# %%+ tensorflow.batch_fft3d tensorflow.batch_ifft3d tensorflow.complex_abs
# %%+ [not-on-1.15: before 1.0]
import numpy as np
import tensorflow as tf
x = tf.constant(np.arange(8).reshape(2, 2, 2).astype(np.complex64))
with tf.Session() as session:
    for there, back in (
        (tf.batch_fft, tf.batch_ifft),
        (tf.batch_fft2d, tf.batch_ifft2d),
        (tf.batch_fft3d, tf.batch_ifft3d),
    ):
        error = session.run(tf.complex_abs(back(there(x)) - x)).max()
        print(session.run(there(x))[0, 0, 0], error < 1e-5)
#> (1+0j) True
#> (6+0j) True
#> (28+0j) True

# %% tensorflow.listdiff tensorflow.list_diff tensorflow.image.per_image_whitening
# %%+ tensorflow.image.resize_images [not-on-1.15: before 1.0]
import tensorflow as tf
with tf.Session() as session:
    print(session.run(tf.listdiff([1, 2, 3], [2]))[0], session.run(tf.list_diff([1, 2], [1]))[0])
    image = tf.reshape(tf.range(4.0), [2, 2, 1])
    print(session.run(tf.image.per_image_whitening(image)).ravel())
    print(session.run(tf.image.resize_images(image, 1, 2)).ravel().tolist())
    print(tf.image.resize_images(image, [4, 4]).get_shape())
#> [1 3] [2]
#> [-1.3416407  -0.44721353  0.44721353  1.3416407 ]
#> [0.0, 1.0]
#> (4, 4, 1)

# %% tensorflow.scalar_summary tensorflow.histogram_summary tensorflow.image_summary
# %%+ tensorflow.audio_summary tensorflow.merge_summary tensorflow.merge_all_summaries
# %%+ tensorflow.train.SummaryWriter [not-on-1.15: before 1.0]
import glob
import tensorflow as tf
with tf.name_scope("tower"):
    loss = tf.scalar_summary("the loss", 0.5)
    tf.histogram_summary("weights", [1.0, 2.0])
    tf.image_summary("images", tf.zeros([1, 2, 2, 1]), max_images=1)
    tf.audio_summary("sound", tf.zeros([1, 8]), 8000)
merged, one = tf.merge_all_summaries(), tf.merge_summary([loss])
with tf.Session() as session:
    writer = tf.train.SummaryWriter("logs", session.graph)
    text = session.run(merged)
    writer.add_summary(text, 1)
    writer.close()
    summary = tf.Summary.FromString(text)
    print([value.tag for value in summary.value], summary.value[0].simple_value)
    print(len(glob.glob("logs/*")), len(tf.Summary.FromString(session.run(one)).value))
#> ['the loss', 'weights', 'images/image', 'sound/audio/0'] 0.5
#> 1 1

# %% tensorflow.nn.rnn tensorflow.nn.bidirectional_rnn tensorflow.nn.state_saving_rnn
# %%+ tensorflow.nn.deconv2d [not-on-1.15: before 1.0]
import tensorflow as tf
inputs = [tf.zeros([2, 3]) for _ in range(4)]
cell = tf.nn.rnn_cell.BasicLSTMCell(5)
outputs, state = tf.nn.rnn(cell, inputs, dtype=tf.float32)
print(len(outputs), outputs[0].get_shape(), state.c.get_shape())
cells = [tf.nn.rnn_cell.GRUCell(2) for _ in range(2)]
print(len(tf.nn.bidirectional_rnn(cells[0], cells[1], inputs, dtype=tf.float32)))
print(callable(tf.nn.state_saving_rnn))
print(tf.nn.deconv2d(tf.zeros([1, 2, 2, 1]), tf.zeros([2, 2, 1, 1]), [1, 4, 4, 1], [1, 2, 2, 1]))
#> 4 (2, 5) (2, 5)
#> 3
#> True
#> Tensor("conv2d_transpose:0", shape=(1, 4, 4, 1), dtype=float32)

# %% tensorflow.models tensorflow.models.rnn tensorflow.models.rnn.rnn tensorflow.models.rnn.rnn_cell
# %%+ [not-on-1.15: before 1.0]
import tensorflow as tf
import tensorflow.models.rnn.rnn as rnn_module
from tensorflow.models.rnn import rnn, rnn_cell
print(rnn is rnn_module, tf.models.rnn.rnn is rnn)
print(rnn_cell.BasicLSTMCell is tf.nn.rnn_cell.BasicLSTMCell, callable(rnn.static_rnn))
#> True True
#> True True

# %% tensorflow.nn.seq2seq tensorflow.python.ops.seq2seq tensorflow.models.rnn.seq2seq
# %%+ [not-on-1.15: before 1.0] [needs: contrib]
import tensorflow as tf
from tensorflow.models.rnn import seq2seq as oldest
from tensorflow.python.ops import seq2seq
print(seq2seq.sequence_loss_by_example is tf.nn.seq2seq.sequence_loss_by_example)
print(oldest.sequence_loss is seq2seq.sequence_loss)
#> True
#> True

# %% tensorflow.nn.rnn_cell.EmbeddingWrapper tensorflow.nn.rnn_cell.InputProjectionWrapper
# %%+ tensorflow.nn.rnn_cell.OutputProjectionWrapper [not-on-1.15: before 1.0] [needs: contrib]
import tensorflow as tf
GRUCell = tf.nn.rnn_cell.GRUCell
for cell in (
    tf.nn.rnn_cell.EmbeddingWrapper(GRUCell(4), 10, 3),
    tf.nn.rnn_cell.InputProjectionWrapper(GRUCell(4), 2),
    tf.nn.rnn_cell.OutputProjectionWrapper(GRUCell(4), 5),
):
    tf.reset_default_graph()
    inputs = tf.zeros([3, 1], tf.int32 if 'Embedding' in type(cell).__name__ else tf.float32)
    output, state = cell(inputs, tf.zeros([3, 4]))
    print(output.get_shape(), state.get_shape(), len(tf.trainable_variables()))
#> (3, 4) (3, 4) 5
#> (3, 4) (3, 4) 6
#> (3, 5) (3, 4) 6

# %% tensorflow.array_ops tensorflow.control_flow_ops tensorflow.math_ops tensorflow.nn_ops
# %%+ tensorflow.concat_v2 tensorflow.summary.SummaryWriter
# %%+ tensorflow.python.ops.constant_op [not-on-1.15: before 1.0]
import tensorflow as tf
from tensorflow.python.ops import constant_op
print(tf.array_ops.transpose([[1, 2]]).get_shape(), tf.math_ops.add(1, 2).dtype.name)
print(callable(tf.control_flow_ops.while_loop), callable(tf.nn_ops.softmax))
print(tf.concat_v2([[1], [2]], 0).get_shape(), tf.summary.SummaryWriter is tf.summary.FileWriter)
print(constant_op.constant(3).dtype.name)
#> (2, 1) int32
#> True True
#> (2,) True
#> int32

# %% tensorflow.nn.rnn_cell.linear tensorflow.nn.rnn_cell._linear
# %%+ tensorflow.python.ops.rnn_cell.linear [not-on-1.15: before 1.0]
import tensorflow as tf
from tensorflow.python.ops.rnn_cell import linear
tf.get_variable_scope().set_initializer(tf.constant_initializer(2.0))
outputs = [
    tf.nn.rnn_cell.linear(tf.ones([1, 3]), 1, bias=True, scope="l1"),
    linear([tf.ones([1, 3]), tf.ones([1, 1])], 1, True, 0.5, scope="l2"),
    tf.nn.rnn_cell._linear([tf.ones([1, 2])], 1, False),
]
with tf.Session() as session:
    session.run(tf.initialize_all_variables())
    print([output.tolist() for output in session.run(outputs)])
print([variable.op.name for variable in tf.all_variables()])
#> [[[6.0]], [[8.5]], [[4.0]]]
#> ['l1/Matrix', 'l1/Bias', 'l2/Matrix', 'l2/Bias', 'kernel']

# %% slots.reused_scope [not-on-1.15: before 1.0]
import tensorflow as tf
with tf.variable_scope('net'):
    w = tf.get_variable('w', [2], initializer=tf.constant_initializer(1.0))
tf.get_variable_scope().reuse_variables()
steps = [tf.train.MomentumOptimizer(0.5, 0.5).minimize(tf.reduce_sum(w * w)) for _ in range(2)]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in steps + steps:
        session.run(step)
        print(session.run(w).tolist())
print(tf.get_variable_scope().reuse, len(tf.global_variables()))
#> [0.0, 0.0]
#> [0.0, 0.0]
#> [-0.5, -0.5]
#> [0.0, 0.0]
#> True 3

# %% tensorflow.nn.nce_loss tensorflow.nn.sampled_softmax_loss [not-on-1.15: before 1.0]
import tensorflow as tf
weights, biases = tf.ones([5, 3]), tf.zeros([5])
inputs, labels = tf.ones([2, 3]), tf.constant([[1], [2]], tf.int64)
with tf.Session() as session:
    for loss in (tf.nn.nce_loss, tf.nn.sampled_softmax_loss):
        sampled = tf.constant([0, 3], tf.int64), tf.ones([2, 1]), tf.ones([2])
        old = loss(weights, biases, inputs, labels, 2, 5, sampled_values=sampled)
        new = loss(weights, biases, labels, inputs, 2, 5, sampled_values=sampled)
        named = loss(weights, biases, labels=labels, inputs=inputs, num_sampled=2, num_classes=5, sampled_values=sampled)
        print([round(float(values[0]), 4) for values in session.run([old, new, named])])
#> [6.1458, 6.1458, 6.1458]
#> [1.0986, 1.0986, 1.0986]

# %% tensorflow.SparseTensor.shape [not-on-1.15: before 1.0]
import tensorflow as tf
x = tf.SparseTensor(indices=[[0, 0], [1, 2]], values=[1, 2], shape=[2, 3])
value = tf.SparseTensorValue(indices=[[0, 1]], values=[2.0], shape=[1, 3])
fed = tf.sparse_placeholder(tf.float32)
with tf.Session() as session:
    print(session.run(tf.sparse_tensor_to_dense(x)).tolist())
    print(session.run(tf.sparse_tensor_to_dense(fed), {fed: value}).tolist())
#> [[1, 0, 0], [0, 0, 2]]
#> [[0.0, 2.0, 0.0]]

# %% tensorflow.nn.rnn_cell.LSTMCell.call
# %%+ [not-on-1.15: before 0.12; the numbers are those of 1.15 with state_is_tuple=False]
import numpy as np
import tensorflow as tf
from tensorflow.python.util import nest
rng = np.random.RandomState(0)
x = tf.constant(rng.rand(2, 3, 4).astype("f"))
s = tf.constant(rng.rand(2, 10).astype("f"))
steps = tf.unstack(x, axis=1)
ends = {}
with tf.variable_scope("step", initializer=tf.constant_initializer(0.3)):
    cell = tf.nn.rnn_cell.BasicLSTMCell(5)
    state = tf.placeholder_with_default(s, [None, 2 * 5])
    for i in range(3):
        output, state = cell(x[:, i], state)
    ends["step"] = output, state
with tf.variable_scope("dynamic", initializer=tf.constant_initializer(0.3)):
    cell = tf.nn.rnn_cell.LSTMCell(5)
    ends["dynamic"] = tf.nn.dynamic_rnn(cell, x, [2, 3], initial_state=s)
with tf.variable_scope("static", initializer=tf.constant_initializer(0.3)):
    make = lambda: tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.BasicLSTMCell(5), 1.0)
    cell = tf.nn.rnn_cell.MultiRNNCell([make(), make()])
    ends["static"] = tf.nn.rnn(cell, steps, initial_state=tf.concat([s, s], 1))
with tf.variable_scope("both", initializer=tf.constant_initializer(0.3)):
    two = [tf.nn.rnn_cell.LSTMCell(5, num_proj=3) for _ in range(2)]
    ends["both"] = tf.nn.bidirectional_dynamic_rnn(*two, x, [1, 2], s[:, :8], s[:, 2:])
with tf.variable_scope("pair", initializer=tf.constant_initializer(0.3)):
    two = [tf.nn.rnn_cell.BasicLSTMCell(5) for _ in range(2)]
    ends["pair"] = tf.nn.static_bidirectional_rnn(*two, steps, s, s)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for name, end in sorted(session.run(ends).items()):
        flat = np.concatenate([np.ravel(part) for part in nest.flatten(end)])
        print(name, flat.size, "%.3f %.2f" % (flat.sum(), (flat * np.arange(flat.size)).sum()))
#> both 68 57.087 2381.64
#> dynamic 50 49.573 1502.31
#> pair 100 116.822 6898.78
#> static 70 98.962 3979.39
#> step 30 43.837 681.84

# %% tensorflow.nn.rnn_cell.LSTMCell.call
# %%+ [not-on-1.15: before 0.12; the numbers are those of 1.15 with state_is_tuple=False]
import numpy as np
import tensorflow as tf
n_input, n_steps, n_hidden = 4, 3, 5
rng = np.random.RandomState(0)
x = tf.placeholder("float", [None, n_steps, n_input])
weights = {"hidden": tf.Variable(tf.ones([n_input, n_hidden]) / 5), "out": tf.Variable(tf.ones([n_hidden, 2]))}
def RNN(x, istate, scope):
    x = tf.reshape(tf.transpose(x, [1, 0, 2]), [-1, n_input])
    x = tf.split(0, n_steps, tf.matmul(x, weights["hidden"]))
    with tf.variable_scope(scope, initializer=tf.constant_initializer(0.3)):
        cell = tf.nn.rnn_cell.BasicLSTMCell(n_hidden, forget_bias=1.0)
        outputs, states = tf.nn.rnn(cell, x, initial_state=istate)
    return tf.matmul(outputs[-1], weights["out"]), states
given = tf.placeholder("float", [None, 2 * n_hidden])
unknown = tf.placeholder("float")
ends = [RNN(x, given, "a"), RNN(x, unknown, "b")]
with tf.Session() as session:
    session.run(tf.initialize_all_variables())
    feeds = {x: rng.rand(2, 3, 4), given: np.zeros((2, 10)), unknown: np.ones((2, 10))}
    for prediction, state in session.run(ends, feeds):
        print(prediction.round(4).tolist(), state.shape, "%.4f" % state.sum())
#> [[3.921999931335449, 3.921999931335449], [3.818700075149536, 3.818700075149536]] (2, 10) 23.8956
#> [[4.447800159454346, 4.447800159454346], [4.495299816131592, 4.495299816131592]] (2, 10) 42.4737

# %% tensorflow.methods_before_one [not-on-1.15: before 1.0]
import tensorflow as tf
rows = tf.TensorArray(tf.float32, 3).unpack(tf.constant([[1.0], [2.0], [3.0]]))
written = tf.TensorArray(tf.float32, 2).write(0, 5.0).write(1, 6.0)
with tf.Session() as session:
    print([value.tolist() for value in session.run([rows.read(1), written.pack()])])
#> [[2.0], [5.0, 6.0]]

# %% tensorflow.python.ops.variable_scope._VARSCOPE_KEY tensorflow.get_collection_ref
# %%+ [not-on-1.15: before 1.5]
import tensorflow as tf
from tensorflow.python.ops import variable_scope
before = tf.get_variable_scope()
scopes = tf.get_collection_ref(variable_scope._VARSCOPE_KEY)
print(len(scopes), scopes[0] is before)
scopes[0] = tf.VariableScope(before.reuse, name='other')
print(tf.get_variable('x', [2]).op.name, tf.get_variable_scope().name)
scopes[0] = before
print(tf.get_variable('x', [2]).op.name, len(tf.get_collection_ref('mine')))
#> 1 True
#> other/x other
#> x 0

# %% tensorflow.logging._logger tensorflow.logging._handler [not-on-1.15: TF 1.12 dropped them]
import logging
import tensorflow as tf
tf.logging._logger.setLevel(logging.ERROR)
print(tf.logging.get_verbosity() == tf.logging.ERROR, tf.logging._logger is logging.getLogger("tensorflow"))
tf.logging._handler.setFormatter(logging.Formatter("%(message)s"))
print(tf.logging._handler in tf.logging._logger.handlers)
#> True True
#> True
