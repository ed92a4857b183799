"""Sequence classifiers: static_rnn, dynamic_rnn with dropout and two layers, a GRU both ways.

With dropout in a loop 1.15 itself draws in the order in which its iterations happen to run
(with lengths always, on a busy machine also without), but for parallel_iterations=1.
"""

import numpy as np
import tensorflow as tf

np.random.seed(3)
sequences = np.random.randn(32, 6, 4).astype(np.float32)
lengths = np.random.randint(2, 7, 32)
labels = np.eye(3)[np.random.randint(3, size=32)]


def lstm(units, keep):
    cell = tf.nn.rnn_cell.LSTMCell(units)
    return tf.nn.rnn_cell.DropoutWrapper(cell, input_keep_prob=keep, output_keep_prob=keep)


def static(x, length, keep):
    cell = tf.nn.rnn_cell.BasicLSTMCell(8, forget_bias=1.0)
    outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, 6, 1), dtype=tf.float32)
    return outputs[-1]


def dynamic(x, length, keep):
    cell = tf.nn.rnn_cell.MultiRNNCell([lstm(8, keep) for _ in range(2)])
    outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32, parallel_iterations=1)
    return state[-1].h


def both_ways(x, length, keep):
    cells = tf.nn.rnn_cell.GRUCell(5), tf.nn.rnn_cell.GRUCell(5)
    outputs, states = tf.nn.bidirectional_dynamic_rnn(
        *cells, inputs=x, sequence_length=length, dtype=tf.float32
    )
    return tf.nn.dropout(tf.concat(states, 1), keep)


for model in (static, dynamic, both_ways):
    tf.reset_default_graph()
    tf.set_random_seed(5)
    x = tf.placeholder(tf.float32, [None, 6, 4])
    y = tf.placeholder(tf.float32, [None, 3])
    length = tf.placeholder(tf.int32, [None])
    keep = tf.placeholder(tf.float32)
    features = model(x, length, keep)
    weights = tf.Variable(tf.random_normal([int(features.shape[1]), 3]))
    bias = tf.Variable(tf.random_normal([3]))
    logits = tf.matmul(features, weights) + bias
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=y))
    train = tf.train.AdamOptimizer(0.02).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(8):
            feed = {x: sequences, y: labels, length: lengths, keep: 0.8}
            print(model.__name__, i, sess.run([loss, train], feed)[0])
