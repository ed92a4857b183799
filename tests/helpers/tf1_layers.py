"""Run by TF 1.15: a small model for each layer and each argument that changes what it computes.

    python tf1_layers.py FOLDER

Each writes NAME/model.ckpt, its .meta and arrays.npz: the input x and the output y.
"""

import os
import sys

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
L = v1.layers


def picture():
    return v1.placeholder(tf.float32, [None, 8, 8, 2], "x")


def conv(**options):
    return lambda x: L.conv2d(x, 4, 3, name="conv", **options)


def conv_of_nn(x):
    kernel = v1.get_variable("conv/kernel", [3, 3, 2, 4])
    bias = v1.get_variable("conv/bias", [4])
    return tf.nn.bias_add(v1.nn.conv2d(x, kernel, padding="VALID", dilations=[1, 2, 2, 1]), bias)


def up(size, stride, padding):
    return lambda x: L.conv2d_transpose(x, 4, size, stride, padding, name="up")


def depthwise(x):
    kernel = v1.get_variable("conv/depthwise_weights", [3, 3, 2, 2])
    return v1.nn.depthwise_conv2d(x, kernel, [1, 1, 1, 1], "VALID")


def separable(x):
    return L.separable_conv2d(x, 4, 3, depth_multiplier=2, name="conv")


def gru(x):
    h = L.conv2d(x, 3, 3, (2, 1), name="conv")
    h = tf.reshape(tf.transpose(h, [0, 2, 1, 3]), [-1, 6, 9])
    return v1.nn.dynamic_rnn(v1.nn.rnn_cell.GRUCell(5, name="cell"), h, dtype=tf.float32)[0]


def tied(size):
    def function(x):
        table = v1.get_variable("table", [size, 6])
        h = L.dense(tf.reduce_mean(x, [1, 2]), 6, name="fc")
        return tf.matmul(h, table, transpose_b=True)

    return function


def branches(x):
    left = L.conv2d(x, 4, 3, name="first/conv")
    right = L.conv2d(x, 4, 3, name="second/conv")
    return left - right * right


def attention(x):
    """Self-attention of two heads of three."""
    tokens = tf.reshape(x, [-1, 64, 2])

    def heads(name):
        return tf.transpose(tf.reshape(L.dense(tokens, 6, name=name), [-1, 64, 2, 3]), [0, 2, 1, 3])

    with v1.variable_scope("attention"):
        scores = tf.matmul(heads("query"), heads("key"), transpose_b=True) / 3**0.5
        mixed = tf.transpose(tf.matmul(tf.nn.softmax(scores), heads("value")), [0, 2, 1, 3])
        return L.dense(tf.reshape(mixed, [-1, 64, 6]), 2, name="output")


def temperature(x):
    scale = v1.get_variable("scale", [])
    return L.dense(tf.reduce_mean(x, [1, 2]), 3, name="fc") * scale


def normalised(shape, axes, product, vector="V"):
    """A layer of Salimans and Kingma, "Weight Normalization": W = g V / |V|."""

    def function(x):
        with v1.variable_scope("layer"):
            v = v1.get_variable(vector, shape)
            outputs = 2 if axes == [0, 1, 3] else 4
            g, b = v1.get_variable("g", [outputs]), v1.get_variable("b", [outputs])
        one_each = [1 if axis in axes else -1 for axis in range(len(shape))]
        return product(x, tf.reshape(g, one_each) * tf.nn.l2_normalize(v, axes)) + b

    return function


def up_with(x, kernel):
    return v1.nn.conv2d_transpose(x, kernel, [2, 16, 16, 2], [1, 2, 2, 1], "VALID")


def norm(momentum):
    def function(x):
        x = L.conv2d(x, 4, 3, name="conv")
        return L.batch_normalization(x, momentum=momentum, name="bn", training=True)

    return function


CASES = {
    "valid": conv(),
    "same": conv(padding="same"),
    "stride": conv(strides=2),
    "same_stride": conv(strides=2, padding="same"),
    "dilated": conv(dilation_rate=2),
    "same_dilated": conv(dilation_rate=2, padding="same"),
    "dilated_nn": conv_of_nn,
    "up_valid": up(3, 2, "valid"),
    "up_same": up(4, 2, "same"),
    "up_same_odd": up(3, 2, "same"),
    "depthwise": depthwise,
    "separable": separable,
    "gru": gru,
    "tied": tied(9),
    "tied_square": tied(6),
    "branches": branches,
    "attention": attention,
    "temperature": temperature,
    "norm": norm(0.9),
    "weight_norm": normalised([2, 4], [0], lambda x, w: tf.matmul(tf.reduce_mean(x, [1, 2]), w)),
    "weight_norm_conv": normalised(
        [3, 3, 2, 4], [0, 1, 2], lambda x, w: v1.nn.conv2d(x, w, padding="VALID"), "v"
    ),
    "weight_norm_up": normalised([2, 2, 2, 2], [0, 1, 3], up_with),
}


def save(folder, function):
    os.makedirs(folder)
    random = np.random.RandomState(5)
    with tf.Graph().as_default(), v1.Session() as session:
        x = picture()
        y = function(x)
        session.run(v1.global_variables_initializer())
        for variable in v1.trainable_variables():
            variable.load(random.uniform(-0.9, 0.9, variable.shape.as_list()), session)
        v1.train.Saver().save(session, os.path.join(folder, "model.ckpt"))
        pictures = random.randn(2, 8, 8, 2).astype("f4")
        np.savez(os.path.join(folder, "arrays.npz"), x=pictures, y=session.run(y, {x: pictures}))


if __name__ == "__main__":
    for name, case in CASES.items():
        save(os.path.join(sys.argv[1], name), case)
