"""LSTMs of tf.contrib.rnn: stacked with dropout, layer-normalized, and a GRU."""

import numpy as np
import tensorflow as tf
from tensorflow.contrib import rnn

tf.set_random_seed(12)
rng = np.random.RandomState(0)
data, labels = rng.rand(16, 4, 5).astype(np.float32), rng.randint(0, 3, 16)
x = tf.placeholder(tf.float32, [None, 4, 5])
y = tf.placeholder(tf.int32, [None])
keep = tf.placeholder(tf.float32)


def cell(size):
    return rnn.DropoutWrapper(rnn.BasicLSTMCell(size, forget_bias=1.0), output_keep_prob=keep)


outputs, state = rnn.static_rnn(
    rnn.MultiRNNCell([cell(8), cell(8)]), tf.unstack(x, 4, 1), dtype=tf.float32
)
with tf.variable_scope("second"):
    normalized = rnn.LayerNormBasicLSTMCell(6, dropout_keep_prob=keep)
    second, _ = tf.nn.dynamic_rnn(normalized, x, dtype=tf.float32, parallel_iterations=1)
with tf.variable_scope("third"):
    third, _ = tf.nn.dynamic_rnn(rnn.GRUCell(6), x, dtype=tf.float32)
features = tf.concat([outputs[-1], second[:, -1], third[:, -1]], 1)
logits = tf.matmul(features, tf.Variable(tf.random_normal([20, 3])))
logits += tf.Variable(tf.random_normal([3]))
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=y))
optimizer = tf.train.AdamOptimizer(0.01)
grads, variables = zip(*optimizer.compute_gradients(loss))
grads, norm = tf.clip_by_global_norm(grads, 5.0)
train = optimizer.apply_gradients(zip(grads, variables))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(20):
        values = sess.run([loss, norm, train], {x: data, y: labels, keep: 0.8})
        print(step, f"{values[0]:.6f} {values[1]:.6f}")
