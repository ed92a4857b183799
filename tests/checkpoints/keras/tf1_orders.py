"""Run by TF 1.15: models in which a map becomes a vector or a vector a map, in three formats.

    python tf1_orders.py FOLDER

``last`` is NHWC. ``permuted`` computes in NHWC, and transposes a map to NCHW where it becomes a
vector or was one. ``first`` is NCHW, which TF 1.15 does not run without a GPU: its graph is
written, with the outputs of ``permuted``, whose weights it has. Each writes FORMAT/NAME/model.ckpt,
its .meta, frozen.pb and arrays.npz: the inputs x, in NHWC, and the output y.
"""

import os
import sys

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
L = v1.layers


class Net:
    """The layers of a format."""

    def __init__(self, name):
        self.name = name
        self.is_first = name == "first"
        self.format = {"data_format": "channels_first"} if self.is_first else {}

    def picture(self, *sizes):
        sizes = (sizes[-1], *sizes[:-1]) if self.is_first else sizes
        return v1.placeholder(tf.float32, [None, *sizes], "x")

    def flat(self, x):
        rank = x.shape.ndims
        if self.name == "permuted":
            x = tf.transpose(x, [0, rank - 1, *range(1, rank - 1)])
        return L.flatten(x)

    def map(self, x, *sizes):
        if self.name == "last":
            return tf.reshape(x, [-1, *sizes])
        x = tf.reshape(x, [-1, sizes[-1], *sizes[:-1]])
        return x if self.is_first else tf.transpose(x, [0, 2, 3, 1])


def dense(n):
    x = n.picture(8, 8, 1)
    h = L.conv2d(x, 4, 3, 2, "valid", activation=tf.nn.relu, name="conv", **n.format)
    return [x], L.dense(L.dense(n.flat(h), 36, tf.nn.relu, name="fc1"), 3, name="fc2")


def norm(n):
    x = n.picture(8, 8, 1)
    h = n.flat(L.conv2d(x, 4, 3, 2, "valid", name="conv", **n.format))
    return [x], L.dense(L.batch_normalization(h, name="bn", training=False), 5, name="fc")


def generator(n):
    x = v1.placeholder(tf.float32, [None, 5], "x")
    h = L.batch_normalization(L.dense(x, 36, name="fc"), name="bn", training=False)
    h = n.map(tf.nn.relu(h), 3, 3, 4)
    return [x], L.conv2d_transpose(h, 2, 3, 2, "valid", name="up", **n.format)


def autoencoder(n):
    x = n.picture(8, 8, 1)
    h = L.conv2d(x, 4, 3, 2, "valid", activation=tf.nn.relu, name="down", **n.format)
    mean = L.dense(n.flat(h), 6, name="mean")
    h = n.map(L.dense(mean, 36, tf.nn.relu, name="code"), 3, 3, 4)
    return [x], L.conv2d_transpose(h, 1, 3, 2, "valid", name="up", **n.format)


def line(n):
    x = n.picture(9, 2)
    return [x], L.dense(n.flat(L.conv1d(x, 4, 3, name="conv", **n.format)), 3, name="fc")


def beside(n):
    x, more = n.picture(8, 8, 1), v1.placeholder(tf.float32, [None, 3], "more")
    h = n.flat(L.conv2d(x, 4, 3, 2, "valid", name="conv", **n.format))
    return [x, more], L.dense(tf.concat([h, more], 1), 5, name="fc")


def recurrent(n):
    x = n.picture(8, 6, 1)
    h = L.conv2d(x, 3, 3, (2, 1), "valid", activation=tf.nn.relu, name="conv", **n.format)
    if n.is_first:  # [n, columns, channels and rows]
        h = tf.transpose(h, [0, 3, 1, 2])
    else:
        h = tf.transpose(h, [0, 2, 1, 3] if n.name == "last" else [0, 2, 3, 1])
    cell = v1.nn.rnn_cell.BasicLSTMCell(5, name="cell")
    return [x], v1.nn.dynamic_rnn(cell, tf.reshape(h, [-1, 4, 9]), dtype=tf.float32)[0]


def picture(n):
    x = n.picture(4, 4, 3)
    return [x], L.dense(n.flat(x), 5, name="fc")


CASES = [dense, norm, generator, autoencoder, line, beside, recurrent, picture]


def freeze(session, y, path):
    """Writes a graph of constants, which says no shapes."""
    graph_def = session.graph.as_graph_def()
    frozen = v1.graph_util.convert_variables_to_constants(session, graph_def, [y.op.name])
    with open(path, "wb") as file:
        file.write(frozen.SerializeToString())


def save(folder, case, name):
    os.makedirs(folder)
    random = np.random.RandomState(5)
    values = {}
    for of in ["permuted", "first"] if name == "first" else [name]:
        with tf.Graph().as_default(), v1.Session() as session:
            inputs, y = case(Net(of))
            v1.train.AdamOptimizer().minimize(v1.reduce_mean(y**2))  # gradients reshape, too
            session.run(v1.global_variables_initializer())
            for variable in v1.global_variables():
                shape = variable.shape.as_list()
                if variable.name in values:
                    variable.load(values[variable.name], session)
                elif "moving_" in variable.name:
                    variable.load(random.uniform(0.2, 0.9, shape), session)
                elif variable in v1.trainable_variables():
                    variable.load(random.uniform(-0.9, 0.9, shape), session)
                values[variable.name] = session.run(variable)
            v1.train.Saver().save(session, os.path.join(folder, "model.ckpt"))
            freeze(session, y, os.path.join(folder, "frozen.pb"))
            if of == "first":
                continue
            arrays = [random.randn(2, *x.shape.as_list()[1:]).astype("f4") for x in inputs]
            arrays_of = {f"x{i}": array for i, array in enumerate(arrays)}
            output = session.run(y, dict(zip(inputs, arrays)))
            np.savez(os.path.join(folder, "arrays.npz"), y=output, **arrays_of)


if __name__ == "__main__":
    for format_name in ("last", "permuted", "first"):
        for function in CASES:
            save(os.path.join(sys.argv[1], format_name, function.__name__), function, format_name)
