"""Weights from tf.Variable with dropout fed by a placeholder; an MLP of tf.layers.flatten."""

import numpy as np
import tensorflow as tf

np.random.seed(4)
data = np.random.rand(40, 5, 4).astype(np.float32)
labels = np.eye(2)[(data.sum((1, 2)) > 10).astype(int)]


def of_variables(x, keep):
    x = tf.reshape(x, [-1, 20])
    w1 = tf.Variable(tf.truncated_normal([20, 16], stddev=0.1), name="w1")
    w2 = tf.Variable(tf.random_uniform([16, 2], -0.5, 0.5), name="w2")
    hidden = tf.nn.dropout(tf.nn.relu(tf.matmul(x, w1) + tf.Variable(tf.zeros([16]))), keep)
    return tf.nn.xw_plus_b(hidden, w2, tf.Variable(tf.constant(0.1, shape=[2])))


def of_layers(x, keep):
    hidden = tf.layers.dense(tf.layers.flatten(x), 16, activation=tf.nn.tanh)
    hidden = tf.layers.dropout(hidden, rate=0.3, training=True)
    return tf.layers.dense(hidden, 2)


for model in (of_variables, of_layers):
    tf.reset_default_graph()
    tf.set_random_seed(1234)
    x = tf.placeholder(tf.float32, [None, 5, 4])
    y = tf.placeholder(tf.float32, [None, 2])
    keep = tf.placeholder(tf.float32)
    logits = model(x, keep)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(logits=logits, labels=y))
    train = tf.train.GradientDescentOptimizer(0.3).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for i in range(20):
            _, value = sess.run([train, loss], {x: data, y: labels, keep: 0.7})
            print(model.__name__, i, f"{value:.7f}")
