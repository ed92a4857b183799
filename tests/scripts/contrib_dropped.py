# %% tensorflow.contrib.seq2seq.dynamic_rnn_decoder tensorflow.contrib.seq2seq.simple_decoder_fn_train  [needs: contrib] [not-on-1.15: dropped in 1.2]
import numpy as np
import tensorflow as tf
from tensorflow.contrib import seq2seq
inputs = tf.constant(np.random.RandomState(0).randn(2, 4, 3), tf.float32)
state = tf.ones([2, 5])
cell = tf.contrib.rnn.GRUCell(5)
with tf.variable_scope('decoder') as scope:
    outputs, last, context = seq2seq.dynamic_rnn_decoder(
        cell, seq2seq.simple_decoder_fn_train(state), inputs, sequence_length=[4, 2], scope=scope)
with tf.variable_scope('decoder', reuse=True) as scope:
    plain, plain_last = tf.nn.dynamic_rnn(cell, inputs, [4, 2], state, scope=scope)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    a, b, c, d = session.run([outputs, plain, last, plain_last])
    print(a.shape, np.abs(a - b).max() < 1e-6, np.abs(c - d).max() < 1e-6, context)
#> (2, 4, 5) True True None

# %% tensorflow.contrib.seq2seq.simple_decoder_fn_inference  [needs: contrib] [not-on-1.15: dropped in 1.2]
import tensorflow as tf
from tensorflow.contrib import seq2seq
class Counter(tf.nn.rnn_cell.RNNCell):
    output_size = state_size = 4
    def __call__(self, inputs, state, scope=None):
        return inputs + state, state
after = tf.constant([[0., 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]])
for end, longest in ((3, 9), (9, 3)):
    decoder = seq2seq.simple_decoder_fn_inference(
        lambda output: 2 * output, tf.zeros([2, 4]), after, 0, end, longest, 4)
    outputs, state, context = seq2seq.dynamic_rnn_decoder(Counter(), decoder)
    with tf.Session() as session:
        print(session.run(tf.argmax(outputs, 2)).tolist(), session.run(outputs).max())
#> [[1, 2, 3], [1, 2, 3]] 2.0
#> [[1, 2, 3, 0], [1, 2, 3, 0]] 2.0

# %% tensorflow.contrib.seq2seq.attention_decoder_fn_train tensorflow.contrib.seq2seq.attention_decoder_fn_inference tensorflow.contrib.seq2seq.prepare_attention  [needs: contrib] [not-on-1.15: dropped in 1.2]
import numpy as np
import tensorflow as tf
from tensorflow.contrib import seq2seq
memory = tf.constant(np.random.RandomState(0).randn(2, 4, 3), tf.float32)
table = tf.constant(np.eye(5), tf.float32)
state = tf.nn.rnn_cell.LSTMStateTuple(tf.zeros([2, 3]), tf.ones([2, 3]))
cell = tf.nn.rnn_cell.LSTMCell(3)
for option in ('bahdanau', 'luong'):
    tf.reset_default_graph()
    memory = tf.constant(np.random.RandomState(0).randn(2, 4, 3), tf.float32)
    table = tf.constant(np.eye(5), tf.float32)
    state = tf.nn.rnn_cell.LSTMStateTuple(tf.zeros([2, 3]), tf.ones([2, 3]))
    cell = tf.nn.rnn_cell.LSTMCell(3)
    logits = lambda output: tf.contrib.layers.linear(output, 5, scope=scope)
    with tf.variable_scope('decoder') as scope:
        attention = seq2seq.prepare_attention(memory, option, 3)
        train = seq2seq.attention_decoder_fn_train(state, *attention)
        ids = tf.constant([[0, 4, 2], [0, 1, 3]])
        taught, _, _ = seq2seq.dynamic_rnn_decoder(
            cell, train, tf.gather(table, ids), sequence_length=[3, 3], scope=scope)
        taught = logits(taught)
    with tf.variable_scope('decoder', reuse=True) as scope:
        attention = seq2seq.prepare_attention(memory, option, 3, reuse=True)
        infer = seq2seq.attention_decoder_fn_inference(
            logits, state, *attention, table, 0, 9, 1, 5)
        free, _, _ = seq2seq.dynamic_rnn_decoder(cell, infer, scope=scope)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        a, b = session.run([taught, free])
        print(a.shape, b.shape, np.abs(a[:, 0] - b[:, 0]).max() < 1e-6)
    print([v.op.name for v in tf.trainable_variables() if 'attention' in v.op.name])
#> (2, 3, 5) (2, 2, 5) True
#> ['decoder/attention_keys/weights', 'decoder/attention_score/attnW', 'decoder/attention_score/attnV', 'decoder/attention_construct/weights']
#> (2, 3, 5) (2, 2, 5) True
#> ['decoder/attention_keys/weights', 'decoder/attention_construct/weights']

# %% tensorflow.contrib.data.Dataset tensorflow.contrib.data.FixedLengthRecordDataset tensorflow.contrib.data.Iterator tensorflow.contrib.data.TFRecordDataset tensorflow.contrib.data.TextLineDataset tensorflow.contrib.layers.utils  [needs: contrib] [not-on-1.15: dropped inside 1.x]
import tensorflow as tf
from tensorflow.contrib.data import Dataset, Iterator
from tensorflow.contrib.layers import utils
data = Dataset.from_tensor_slices([1, 2, 3]).map(lambda x: 2 * x)
data = data.repeat(2).batch(2)
iterator = Iterator.from_structure(data.output_types, data.output_shapes)
begin = iterator.make_initializer(data)
with open('lines', 'w') as file:
    file.write('ab\ncd\n')
lines = tf.contrib.data.TextLineDataset('lines').make_one_shot_iterator().get_next()
fixed = tf.contrib.data.FixedLengthRecordDataset('lines', 3).make_one_shot_iterator().get_next()
with tf.python_io.TFRecordWriter('records') as writer:
    writer.write(b'one')
record = tf.contrib.data.TFRecordDataset('records').make_one_shot_iterator().get_next()
with tf.Session() as session:
    session.run(begin)
    print(session.run(iterator.get_next()), session.run([lines, fixed, record]))
    print(utils.smart_cond(True, lambda: 1, lambda: 2))
#> [2 4] [b'ab', b'ab\n', b'one']
#> 1

# %% tensorflow.models.rnn.translate tensorflow.models.rnn.translate.data_utils  [not-on-1.15: dropped in 1.0]
import tensorflow as tf
from tensorflow.models.rnn.translate import data_utils
with open('text', 'w') as file:
    file.write('the cat, the 12 dogs.\nthe cat\n')
data_utils.create_vocabulary('words', 'text', 6)
vocabulary, words = data_utils.initialize_vocabulary('words')
data_utils.data_to_token_ids('text', 'ids', 'words')
print(words, open('ids').read().split('\n'), data_utils.EOS_ID)
print(data_utils.sentence_to_token_ids('the cat!', vocabulary), data_utils.basic_tokenizer("it's 12."))
print(tf.Session().run(tf.constant(data_utils.PAD_ID)))
#> [b'_PAD', b'_GO', b'_EOS', b'_UNK', b'the', b'cat'] ['4 5 3 4 3 3 3', '4 5', ''] 2
#> [4, 5, 3] [b'it', b"'", b's', b'12', b'.']
#> 0

# %% tensorflow.models.rnn.ptb tensorflow.models.rnn.ptb.reader  [not-on-1.15: dropped in 1.0]
from tensorflow.models.rnn.ptb import reader
import tensorflow as tf
words = "the cat sat on the mat\nthe dog sat\n"
for part in ("train", "valid", "test"):
    with open("ptb." + part + ".txt", "w") as file:
        file.write(" " + " ".join(words.split(" ")[len(part) - 4:]))
train, valid, test, size = reader.ptb_raw_data(".")
print(train, valid, test, size)
print([[v.tolist() for v in pair] for pair in reader.ptb_iterator(train, 2, 2)])
x, y = reader.ptb_producer(train + train, 2, 3)
with tf.Session() as session:
    coordinator = tf.train.Coordinator()
    tf.train.start_queue_runners(session, coord=coordinator)
    print(x.shape, [[v.tolist() for v in session.run([x, y])] for _ in range(3)])
    coordinator.request_stop()
#> [0, 4, 3, 6, 2, 1, 5] [0, 4, 3, 6, 2, 1, 5] [6, 0, 4, 3, 6, 2, 1, 5] 7
#> [[[[0, 4], [6, 2]], [[4, 3], [2, 1]]]]
#> (2, 3) [[[[0, 4, 3], [0, 4, 3]], [[4, 3, 6], [4, 3, 6]]], [[[6, 2, 1], [6, 2, 1]], [[2, 1, 5], [2, 1, 5]]], [[[0, 4, 3], [0, 4, 3]], [[4, 3, 6], [4, 3, 6]]]]

# %% tensorflow.contrib.bayesflow.stochastic_tensor tensorflow.contrib.distributions.bijectors.event_ndims [needs: contrib] [not-on-1.15: dropped inside 1.x; of bijectors 1.7 printed it]
# %%+ [slow: imports contrib]
import tensorflow as tf
st = tf.contrib.bayesflow.stochastic_tensor
normal = tf.contrib.distributions.Normal(loc=[5.0, 1.0], scale=[1e-9, 1e-9])
twice = tf.Variable([2.0, 2.0])
with st.value_type(st.SampleValue()):
    x = st.StochasticTensor(normal)
with st.value_type(st.MeanValue()):
    m = st.StochasticTensor(normal)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run([twice * x, tf.add(x, 1.0), tf.exp(m) * 0.0, m.value()]))
bijectors = tf.contrib.distributions.bijectors
session = tf.Session()
x = tf.constant([[0.3, -1.0], [0.5, 2.0]])
each, whole = bijectors.Softplus(), bijectors.Softplus(event_ndims=1)
simplex = bijectors.SoftmaxCentered(event_ndims=1)
inverted = bijectors.Invert(bijectors.Exp(event_ndims=1))
print(session.run([each.forward_log_det_jacobian(x), whole.forward_log_det_jacobian(x)]))
print(session.run([bijectors.Exp().inverse_log_det_jacobian(x * x), whole.inverse_log_det_jacobian(x * x)]))
print(session.run([simplex.forward_log_det_jacobian(x), inverted.forward_log_det_jacobian(x * x)]))
#> [array([10., 2.], dtype=float32), array([6., 2.], dtype=float32), array([0., 0.], dtype=float32), array([5., 1.], dtype=float32)]
#> [array([[-0.55435526, -1.3132616 ],
#>        [-0.474077  , -0.12692805]], dtype=float32), array([-1.8676169, -0.601005 ], dtype=float32)]
#> [array([[ 2.4079456, -0.       ],
#>        [ 1.3862944, -1.3862944]], dtype=float32), array([2.9112833, 1.527177 ], dtype=float32)]
#> [array([-3.6994  , -4.419068], dtype=float32), array([ 2.4079456, -0.       ], dtype=float32)]

# %% tensorflow.contrib.rnn.python.ops.core_rnn_cell_impl [needs: contrib] [not-on-1.15: dropped in 1.2; printed by 1.1]
import tensorflow as tf
from tensorflow.contrib.rnn.python.ops import core_rnn_cell_impl
from tensorflow.contrib.rnn.python.ops.core_rnn_cell_impl import BasicLSTMCell, EmbeddingWrapper, _linear
a, b = tf.constant([[1., 2.]]), tf.constant([[3., 4., 5.]])
with tf.variable_scope('decoder', initializer=tf.constant_initializer(0.5)):
    joined = core_rnn_cell_impl._linear([a, b], 2, True, 0.25)
    with tf.variable_scope('attention'):
        single = _linear(a, 3, False)
    tf.get_variable_scope().reuse_variables()
    again = _linear([a, b], 2, True, 0.25)
print(sorted((str(v.op.name), v.get_shape().as_list()) for v in tf.trainable_variables()))
print(BasicLSTMCell(4).state_size, EmbeddingWrapper.__name__, core_rnn_cell_impl.LSTMStateTuple(1, 2))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(*[v.tolist() for v in session.run([joined, single, again])])
#> [('decoder/attention/weights', [2, 3]), ('decoder/biases', [2]), ('decoder/weights', [5, 2])]
#> LSTMStateTuple(c=4, h=4) EmbeddingWrapper LSTMStateTuple(c=1, h=2)
#> [[7.75, 7.75]] [[1.5, 1.5, 1.5]] [[7.75, 7.75]]

# %% tensorflow.python.ops.rnn_cell_impl._Linear [needs: contrib] [not-on-1.15: moved in 1.5; printed there from contrib]
import tensorflow as tf
from tensorflow.python.ops.rnn_cell_impl import _Linear
a, b = tf.constant([[1., 2.]]), tf.constant([[3., 4., 5.]])
with tf.variable_scope('gate', initializer=tf.constant_initializer(0.5)):
    linear = _Linear([a, b], 2, True, bias_initializer=tf.constant_initializer(0.25))
print(sorted((str(v.op.name), v.get_shape().as_list()) for v in tf.trainable_variables()))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(*[v.tolist() for v in session.run([linear([a, b]), linear([a, b + 1])])])
#> [('gate/bias', [2]), ('gate/kernel', [5, 2])]
#> [[7.75, 7.75]] [[9.25, 9.25]]

# %% tensorflow.contrib.rnn.python.ops.core_rnn
# %%+ tensorflow.contrib.rnn.core_rnn_cell tensorflow.python.ops.rnn_cell_impl._RNNCell
# %%+ tensorflow.contrib.rnn.python.ops.core_rnn_cell.BasicLSTMCell tensorflow.contrib.rnn.python.ops.core_rnn_cell.BasicRNNCell
# %%+ tensorflow.contrib.rnn.python.ops.core_rnn_cell.DropoutWrapper
# %%+ tensorflow.contrib.rnn.python.ops.core_rnn_cell.GRUCell tensorflow.contrib.rnn.python.ops.core_rnn_cell.LSTMCell
# %%+ tensorflow.contrib.rnn.python.ops.core_rnn_cell.LSTMStateTuple tensorflow.contrib.rnn.python.ops.core_rnn_cell.MultiRNNCell
# %%+ tensorflow.contrib.rnn.python.ops.core_rnn_cell.ResidualWrapper
# %%+ [needs: contrib] [not-on-1.15: dropped in 1.2; tanh(0.5), tanh(1 + 0.5 * tanh(0.5))]
import tensorflow as tf
from tensorflow.contrib.rnn import core_rnn_cell as public
from tensorflow.contrib.rnn.python.ops import core_rnn, core_rnn_cell
from tensorflow.contrib.rnn.python.ops.core_rnn import static_bidirectional_rnn, static_state_saving_rnn
from tensorflow.contrib.rnn.python.ops.core_rnn_cell import BasicLSTMCell, DropoutWrapper
from tensorflow.contrib.rnn.python.ops.core_rnn_cell import GRUCell, LSTMCell, LSTMStateTuple, MultiRNNCell
from tensorflow.contrib.rnn.python.ops.core_rnn_cell import EmbeddingWrapper, ResidualWrapper, RNNCell
from tensorflow.python.ops.rnn_cell_impl import _RNNCell
steps = [tf.constant([[1.0]]), tf.constant([[2.0]])]
with tf.variable_scope("a", initializer=tf.constant_initializer(0.5)):
    outputs, _ = core_rnn.static_rnn(core_rnn_cell.BasicRNNCell(1), steps, dtype=tf.float32)
with tf.variable_scope("b", initializer=tf.constant_initializer(0.5)):
    others, _ = tf.nn.static_rnn(tf.contrib.rnn.core_rnn_cell.BasicRNNCell(1), steps, dtype=tf.float32)
deep = MultiRNNCell([ResidualWrapper(DropoutWrapper(cell)) for cell in (BasicLSTMCell(3), GRUCell(3))])
print(deep.state_size, LSTMStateTuple(1, 2), issubclass(LSTMCell, _RNNCell), issubclass(GRUCell, RNNCell), public.LSTMCell is LSTMCell)
print(public.EmbeddingWrapper is EmbeddingWrapper, static_bidirectional_rnn.__name__, static_state_saving_rnn.__name__)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(*[round(float(value[0][0]), 5) for value in session.run(outputs + others)])
#> (LSTMStateTuple(c=3, h=3), 3) LSTMStateTuple(c=1, h=2) True True True
#> True static_bidirectional_rnn static_state_saving_rnn
#> 0.46212 0.84289 0.46212 0.84289

# %% tensorflow.contrib.distribute.AllReduceCrossDeviceOps tensorflow.python.distribute.cross_device_ops.AllReduceCrossDeviceOps [needs: contrib]
import tensorflow as tf
from tensorflow.python.distribute import cross_device_ops
reduction = tf.contrib.distribute.AllReduceCrossDeviceOps('nccl', 16, 0, 0)
other = cross_device_ops.AllReduceCrossDeviceOps(num_packs=0, agg_small_grads_max_bytes=64, agg_small_grads_max_group=4)
strategy = tf.contrib.distribute.MirroredStrategy(num_gpus=1, cross_tower_ops=reduction)
print(isinstance(reduction, tf.contrib.distribute.CrossDeviceOps), isinstance(other, cross_device_ops.CrossDeviceOps))
print(type(reduction).__name__, strategy.num_replicas_in_sync)

# %% tensorflow.contrib.distribute.python.cross_tower_ops tensorflow.python.distribute.cross_device_ops.CrossTowerOps tensorflow.python.distribute.cross_device_ops.AllReduceCrossTowerOps tensorflow.python.distribute.cross_device_ops.ReductionToOneDeviceCrossTowerOps [needs: contrib] [not-on-1.15: dropped in 1.13; printed by 1.12]
import tensorflow as tf
from tensorflow.contrib.distribute.python import cross_tower_ops as ops
from tensorflow.contrib.distribute.python.cross_tower_ops import CrossTowerOps
reduction = ops.AllReduceCrossTowerOps('hierarchical_copy', 2, 0, 0)
print(isinstance(reduction, CrossTowerOps), issubclass(ops.ReductionToOneDeviceCrossTowerOps, CrossTowerOps))
strategy = tf.contrib.distribute.MirroredStrategy(num_gpus=1, cross_tower_ops=reduction)
print(type(strategy).__name__)
#> True True
#> MirroredStrategy
