"""An encoder and a decoder with attention of tf.contrib.seq2seq."""

import numpy as np
import tensorflow as tf
from tensorflow.contrib import rnn, seq2seq

tf.set_random_seed(14)
rng = np.random.RandomState(0)
source, target = rng.randint(0, 20, (8, 6)), rng.randint(0, 20, (8, 5))
x = tf.placeholder(tf.int32, [None, None])
y = tf.placeholder(tf.int32, [None, 5])
batch = tf.shape(x)[0]
table = tf.Variable(tf.random_uniform([20, 7], -1, 1))
embedded = tf.nn.embedding_lookup(table, x)
outputs, state = tf.nn.dynamic_rnn(rnn.GRUCell(8), embedded, dtype=tf.float32)
attention = seq2seq.LuongAttention(8, outputs)
cell = seq2seq.AttentionWrapper(rnn.GRUCell(8), attention, attention_layer_size=8)
initial = cell.zero_state(batch, tf.float32).clone(cell_state=state)
go = tf.concat([tf.fill([batch, 1], 0), y[:, :-1]], 1)
helper = seq2seq.TrainingHelper(tf.nn.embedding_lookup(table, go), tf.fill([batch], 5))
decoder = seq2seq.BasicDecoder(cell, helper, initial, tf.layers.Dense(20))
decoded, _, _ = seq2seq.dynamic_decode(decoder)
loss = seq2seq.sequence_loss(decoded.rnn_output, y, tf.ones([batch, 5]))
train = tf.train.AdamOptimizer(0.01).minimize(loss)
numbers = tf.random_normal([3])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(20):
        print(step, f"{sess.run([loss, train], {x: source, y: target})[0]:.6f}")
    print(sess.run(numbers))
