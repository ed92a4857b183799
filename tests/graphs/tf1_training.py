"""Small models that TF 1.15 trains, to be written with their training.

python tf1_training.py FOLDER [CASE ...]: for each case FOLDER/NAME/model, a checkpoint of step 5
with its .meta, and FOLDER/NAME.npz: the inputs of 4 batches ("0/x", ...), which take turns, the
losses of 100 further steps ("losses"), and the variables behind them ("variable/NAME").
"""

import os
import sys

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
slim = tf.contrib.slim
layers = tf.layers
train = v1.train
CASES = {}
R = np.random.RandomState(4)


def case(function):
    CASES[function.__name__] = function
    return function


def rows(width):
    return v1.placeholder(tf.float32, [None, width], name="x")


def labels():
    return v1.placeholder(tf.int32, [None], name="labels")


def numbers(width):
    return lambda: R.randn(6, width)


def classes(count):
    return lambda: R.randint(0, count, 6)


def cross_entropy(logits):
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels(), logits=logits)
    return tf.reduce_mean(losses)


def minimize(optimizer, loss, clip=None, variables=None):
    step = v1.train.get_or_create_global_step()
    loss = tf.identity(loss, "loss")
    pairs = optimizer.compute_gradients(loss, variables)
    gradients, variables = zip(*pairs)
    gradients = clip(gradients) if clip else gradients
    with v1.control_dependencies(v1.get_collection(v1.GraphKeys.UPDATE_OPS)):
        return optimizer.apply_gradients(list(zip(gradients, variables)), step)


@case
def perceptron_sgd():
    logits = tf.identity(layers.dense(layers.dense(rows(5), 6, tf.tanh), 3), "y")
    op = minimize(train.GradientDescentOptimizer(0.2), cross_entropy(logits))
    return op, {"x": numbers(5), "labels": classes(3)}


@case
def regression_momentum():
    y = tf.identity(layers.dense(layers.dense(rows(4), 6, tf.nn.relu), 2), "y")
    target = v1.placeholder(tf.float32, [None, 2], name="target")
    loss = tf.reduce_mean(tf.square(y - target))
    op = minimize(train.MomentumOptimizer(0.05, 0.9), loss)
    return op, {"x": numbers(4), "target": numbers(2)}


@case
def convolutions_nesterov():
    x = v1.placeholder(tf.float32, [None, 6, 6, 2], name="x")
    h = layers.conv2d(x, 4, 3, padding="same", name="conv")
    h = tf.nn.relu(layers.batch_normalization(h, training=True, momentum=0.9, name="norm"))
    logits = tf.identity(layers.dense(tf.reduce_mean(h, [1, 2]), 3, name="scores"), "y")
    optimizer = train.MomentumOptimizer(0.02, 0.8, use_nesterov=True)
    op = minimize(optimizer, cross_entropy(logits))
    return op, {"x": lambda: R.randn(6, 6, 6, 2), "labels": classes(3)}


@case
def autoencoder_adam():
    x = rows(6)
    y = tf.identity(layers.dense(layers.dense(x, 3, tf.nn.elu), 6), "y")
    op = minimize(train.AdamOptimizer(0.01, epsilon=1e-3), tf.reduce_mean(tf.square(x - y)))
    return op, {"x": numbers(6)}


@case
def regularized_decay():
    """L2 of the kernels, and a rate that decays."""
    rate = train.exponential_decay(0.1, v1.train.get_or_create_global_step(), 10, 0.9)
    with slim.arg_scope([slim.fully_connected], weights_regularizer=slim.l2_regularizer(0.01)):
        h = slim.fully_connected(rows(5), 6, tf.nn.relu, scope="one")
        logits = tf.identity(slim.fully_connected(h, 3, None, scope="two"), "y")
    regularization = tf.add_n(v1.get_collection(v1.GraphKeys.REGULARIZATION_LOSSES))
    op = minimize(train.MomentumOptimizer(rate, 0.9), cross_entropy(logits) + regularization)
    return op, {"x": numbers(5), "labels": classes(3)}


@case
def rmsprop():
    optimizer = train.RMSPropOptimizer(0.005, decay=0.8, momentum=0.5, epsilon=1e-4)
    logits = tf.identity(layers.dense(layers.dense(rows(5), 6, tf.sigmoid), 3), "y")
    return minimize(optimizer, cross_entropy(logits)), {"x": numbers(5), "labels": classes(3)}


@case
def rmsprop_centered():
    optimizer = train.RMSPropOptimizer(0.005, epsilon=1e-4, centered=True)
    logits = tf.identity(layers.dense(layers.dense(rows(5), 6, tf.tanh), 3), "y")
    return minimize(optimizer, cross_entropy(logits)), {"x": numbers(5), "labels": classes(3)}


@case
def adagrad_by_value():
    logits = tf.identity(layers.dense(layers.dense(rows(5), 6, tf.tanh), 3), "y")
    op = minimize(
        train.AdagradOptimizer(0.1),
        cross_entropy(logits),
        lambda gradients: [tf.clip_by_value(g, -0.02, 0.03) for g in gradients],
    )
    return op, {"x": numbers(5), "labels": classes(3)}


@case
def adam_by_global_norm():
    x = v1.placeholder(tf.float32, [None, 7, 4], name="x")
    h = layers.conv1d(x, 5, 3, name="conv", activation=tf.nn.relu)
    logits = tf.identity(layers.dense(layers.flatten(h), 3, name="dense"), "y")
    op = minimize(
        train.AdamOptimizer(0.01),
        cross_entropy(logits),
        lambda gradients: tf.clip_by_global_norm(gradients, 0.3)[0],
    )
    return op, {"x": lambda: R.randn(6, 7, 4), "labels": classes(3)}


@case
def sgd_by_norm():
    """A rate that falls by a polynomial, and a variable that does not train."""
    step = v1.train.get_or_create_global_step()
    rate = train.polynomial_decay(0.3, step, 80, 0.01, power=2.0)
    h = layers.dense(rows(5), 6, tf.tanh, name="one", trainable=False)
    logits = tf.identity(layers.dense(h, 3, name="two"), "y")
    op = minimize(
        train.GradientDescentOptimizer(rate),
        cross_entropy(logits),
        lambda gradients: [tf.clip_by_norm(g, 0.1) for g in gradients],
    )
    return op, {"x": numbers(5), "labels": classes(3)}


@case
def binary_fed_rate():
    rate = v1.placeholder(tf.float32, [], name="learning_rate")
    y = tf.identity(layers.dense(layers.dense(rows(5), 6, tf.nn.relu), 1), "y")
    target = v1.placeholder(tf.float32, [None, 1], name="target")
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=target, logits=y))
    op = minimize(train.AdamOptimizer(rate), loss)
    batch = {"x": numbers(5), "target": lambda: R.randint(0, 2, [6, 1])}
    return op, {**batch, "learning_rate": lambda: np.float32(0.02)}


@case
def losses_of_tf():
    """`tf.losses`, with the regularization that it collects, and dropout."""
    x = rows(5)
    l2 = tf.keras.regularizers.l2(0.02)
    h = layers.dense(x, 6, tf.nn.relu, kernel_regularizer=l2, name="one")
    h = tf.nn.dropout(h, keep_prob=v1.placeholder_with_default(1.0, [], name="keep_prob"))
    logits = tf.identity(layers.dense(h, 3, name="two"), "y")
    v1.losses.softmax_cross_entropy(tf.one_hot(labels(), 3), logits)
    op = minimize(train.AdagradOptimizer(0.05), v1.losses.get_total_loss())
    return op, {"x": numbers(5), "labels": classes(3)}


@case
def embedding_sparse():
    """Its gradient is that of rows: an update that is not written."""
    tokens = v1.placeholder(tf.int32, [None, 4], name="x")
    table = v1.get_variable("table", [9, 5])
    h = tf.reduce_mean(tf.nn.embedding_lookup(table, tokens), 1)
    logits = tf.identity(layers.dense(h, 3), "y")
    op = minimize(train.AdamOptimizer(0.01), cross_entropy(logits))
    return op, {"x": lambda: R.randint(0, 9, [6, 4]), "labels": classes(3)}


def build(name, folder):
    prefix, arrays = os.path.join(folder, name, "model"), {}
    os.makedirs(os.path.dirname(prefix))
    with tf.Graph().as_default() as graph, v1.Session() as session:
        v1.set_random_seed(7)
        op, batch = CASES[name]()
        feeds = []
        for number in range(4):
            fed = {key: draw() for key, draw in batch.items()}
            dtypes = {key: graph.get_tensor_by_name(key + ":0").dtype for key in fed}
            fed = {key: np.asarray(v, dtypes[key].as_numpy_dtype) for key, v in fed.items()}
            arrays.update((f"{number}/{key}", value) for key, value in fed.items())
            feeds.append({key + ":0": value for key, value in fed.items()})
        session.run(v1.global_variables_initializer())
        for number in range(5):
            session.run(op, feeds[number % 4])
        v1.train.Saver().save(session, prefix)
        losses = [session.run(["loss:0", op], feeds[number % 4])[0] for number in range(100)]
        names = [v.op.name for v in v1.global_variables()]
        values = session.run(v1.global_variables())
        arrays.update(("variable/" + key, value) for key, value in zip(names, values))
        np.savez(os.path.join(folder, name + ".npz"), losses=np.array(losses), **arrays)


if __name__ == "__main__":
    for case_name in sys.argv[2:] or sorted(CASES):
        build(case_name, sys.argv[1])
