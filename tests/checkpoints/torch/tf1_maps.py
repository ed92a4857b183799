"""Run by TF 1.15: models in which a map becomes a vector or a vector a map.

    python tf1_maps.py FOLDER

Each writes NAME/model.ckpt with its .meta, and NAME/arrays.npz: the input x and the output y.
"""

import os
import sys

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
L = v1.layers


def widths_that_coincide():
    x = v1.placeholder(tf.float32, [None, 8, 8, 1], "x")
    h = L.flatten(L.conv2d(x, 4, 3, 2, "valid", activation=tf.nn.relu, name="conv"))
    h = L.dense(h, 36, tf.nn.relu, name="fc1")
    return x, L.dense(h, 3, name="fc2")


def norm_behind_flatten():
    x = v1.placeholder(tf.float32, [None, 8, 8, 1], "x")
    h = L.flatten(L.conv2d(x, 4, 3, 2, "valid", name="conv"))
    return x, L.dense(L.batch_normalization(h, name="bn", training=False), 5, name="fc")


def generator():
    x = v1.placeholder(tf.float32, [None, 5], "x")
    h = L.batch_normalization(L.dense(x, 36, name="fc"), name="bn", training=False)
    h = tf.reshape(tf.nn.relu(h), [-1, 3, 3, 4])
    return x, L.conv2d_transpose(h, 2, 3, 2, "valid", name="up")


def autoencoder():
    x = v1.placeholder(tf.float32, [None, 8, 8, 1], "x")
    h = L.flatten(L.conv2d(x, 4, 3, 2, "valid", activation=tf.nn.relu, name="down"))
    mean = L.dense(h, 6, name="mean")
    h = tf.reshape(L.dense(mean, 36, tf.nn.relu, name="code"), [-1, 3, 3, 4])
    return x, L.conv2d_transpose(h, 1, 3, 2, "valid", name="up")


def pooled():
    x = v1.placeholder(tf.float32, [None, 8, 8, 1], "x")
    h = L.conv2d(x, 12, 3, 2, "valid", activation=tf.nn.relu, name="conv")
    h = L.conv2d(h, 36, 3, name="conv2")
    return x, L.dense(L.flatten(h), 3, name="fc")


def line():
    x = v1.placeholder(tf.float32, [None, 9, 2], "x")
    return x, L.dense(L.flatten(L.conv1d(x, 4, 3, name="conv")), 3, name="fc")


def recurrent():
    x = v1.placeholder(tf.float32, [2, 8, 6, 1], "x")
    h = L.conv2d(x, 3, 3, (2, 1), "valid", activation=tf.nn.relu, name="conv")  # [2, 3, 4, 3]
    h = tf.reshape(tf.transpose(h, [0, 2, 1, 3]), [2, 4, 9])
    cell = v1.nn.rnn_cell.BasicLSTMCell(5, name="cell")
    return x, v1.nn.dynamic_rnn(cell, h, dtype=tf.float32)[0]


CASES = [widths_that_coincide, norm_behind_flatten, generator, autoencoder, pooled, line, recurrent]


def save(folder, build):
    os.makedirs(folder)
    random = np.random.RandomState(5)
    with tf.Graph().as_default(), v1.Session() as session:
        x, y = build()
        v1.train.AdamOptimizer().minimize(v1.reduce_mean(y**2))  # gradients reshape, too
        session.run(v1.global_variables_initializer())
        for variable in v1.trainable_variables():
            variable.load(random.uniform(-0.9, 0.9, variable.shape.as_list()), session)
        for variable in v1.global_variables():
            if "moving_" in variable.name:
                variable.load(random.uniform(0.2, 0.9, variable.shape.as_list()), session)
        v1.train.Saver().save(session, os.path.join(folder, "model.ckpt"))
        values = random.randn(2, *x.shape.as_list()[1:]).astype(np.float32)
        np.savez(os.path.join(folder, "arrays.npz"), x=values, y=session.run(y, {x: values}))


if __name__ == "__main__":
    for case in CASES:
        save(os.path.join(sys.argv[1], case.__name__), case)
