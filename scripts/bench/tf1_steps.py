"""Twelve kinds of TF1 training, each a function that returns what one step is.

    tf1_steps.py KIND     for each line of stdin, a number of steps: the seconds of one

Plain TF 1.15 code, run by `against_tf1.py` in both TensorFlows.
"""

import os
import sys
import tempfile
import time

import numpy as np
import tensorflow as tf

draw = np.random.RandomState(0)


def started(train, feed=None):
    """A step that runs `train` in a session of its own, with its queues."""
    session = tf.Session()
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    tf.train.start_queue_runners(session)
    return lambda: session.run(train, feed)


def classified(logits, classes, count, optimizer=None):
    labels = tf.constant(draw.randint(0, classes, count))
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    return (optimizer or tf.train.AdamOptimizer(1e-3)).minimize(loss)


def cnn():
    x = tf.placeholder(tf.float32, [None, 28, 28, 1])
    y = x
    for filters in (32, 64):
        y = tf.layers.conv2d(y, filters, 5, padding="same", activation=tf.nn.relu)
        y = tf.layers.max_pooling2d(y, 2, 2)
    y = tf.layers.dense(tf.layers.flatten(y), 256, tf.nn.relu)
    train = classified(tf.layers.dense(tf.layers.dropout(y, training=True), 10), 10, 64)
    return started(train, {x: draw.rand(64, 28, 28, 1)})


def lstm():
    cell = tf.nn.rnn_cell.BasicLSTMCell(128)
    x = tf.constant(draw.rand(32, 40, 32).astype("float32"))
    outputs, _ = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
    return started(classified(tf.layers.dense(outputs[:, -1], 10), 10, 32))


def gcn():
    where = np.unique(draw.randint(0, 2000, [8000, 2]), axis=0)
    graph = tf.SparseTensor(where, np.full(len(where), 0.2, "float32"), [2000, 2000])
    y = tf.constant(draw.rand(2000, 300).astype("float32"))
    for size in (16, 7):
        y = tf.sparse_tensor_dense_matmul(graph, tf.layers.dense(y, size, use_bias=False))
    return started(classified(y, 7, 2000))


def gan():
    def generator(noise):
        with tf.variable_scope("g"):
            return tf.layers.dense(tf.layers.dense(noise, 128, tf.nn.relu), 784, tf.sigmoid)

    def discriminator(x):
        with tf.variable_scope("d", reuse=tf.AUTO_REUSE):
            return tf.layers.dense(tf.layers.dense(x, 128, tf.nn.relu, name="a"), 1, name="b")

    made = discriminator(generator(tf.random_normal([128, 100])))
    real = discriminator(tf.constant(draw.rand(128, 784).astype("float32")))
    cost = tf.nn.sigmoid_cross_entropy_with_logits
    losses = {
        "d": tf.reduce_mean(cost(labels=tf.ones_like(real), logits=real))
        + tf.reduce_mean(cost(labels=tf.zeros_like(made), logits=made)),
        "g": tf.reduce_mean(cost(labels=tf.ones_like(made), logits=made)),
    }
    trains = [
        tf.train.AdamOptimizer(1e-3).minimize(loss, var_list=tf.trainable_variables(scope))
        for scope, loss in losses.items()
    ]
    return started(trains)


def word2vec():
    table = tf.Variable(tf.random_uniform([20000, 128], -1.0, 1.0))
    weights = tf.Variable(tf.truncated_normal([20000, 128], stddev=0.1))
    ids, labels = tf.placeholder(tf.int32, [128]), tf.placeholder(tf.int32, [128, 1])
    inputs = tf.nn.embedding_lookup(table, ids)
    loss = tf.nn.nce_loss(weights, tf.Variable(tf.zeros([20000])), labels, inputs, 64, 20000)
    train = tf.train.GradientDescentOptimizer(1.0).minimize(tf.reduce_mean(loss))
    feed = {ids: draw.randint(0, 20000, 128), labels: draw.randint(0, 20000, [128, 1])}
    return started(train, feed)


def dqn():
    x, chosen = tf.placeholder(tf.float32, [None, 4]), tf.placeholder(tf.int32, [None])
    target = tf.placeholder(tf.float32, [None])
    q = tf.layers.dense(tf.layers.dense(x, 20, tf.nn.relu), 2)
    taken = tf.reduce_sum(q * tf.one_hot(chosen, 2), 1)
    train = tf.train.RMSPropOptimizer(1e-3).minimize(tf.reduce_mean((target - taken) ** 2))
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    states = draw.rand(32, 4)

    def step():
        for _ in range(10):
            session.run(q, {x: states[:1]})
            feed = {x: states, chosen: np.zeros(32), target: np.ones(32)}
            session.run(train, feed)

    return step


def attention(x, size, heads):
    batch, length = x.shape.as_list()[:2]
    query, key, value = [
        tf.transpose(tf.reshape(tf.layers.dense(x, size), [batch, length, heads, -1]), [0, 2, 1, 3])
        for _ in range(3)
    ]
    weights = tf.nn.softmax(tf.matmul(query, key, transpose_b=True) / 8.0)
    mixed = tf.transpose(tf.matmul(tf.nn.dropout(weights, 0.9), value), [0, 2, 1, 3])
    return tf.layers.dense(tf.reshape(mixed, [batch, length, size]), size)


def bert():
    words = tf.get_variable("words", [5000, 256])
    y = tf.nn.embedding_lookup(words, draw.randint(0, 5000, [8, 64]))
    for _ in range(2):
        y = tf.contrib.layers.layer_norm(y + attention(y, 256, 4), begin_norm_axis=-1)
        wide = tf.layers.dense(y, 1024, lambda x: x * tf.sigmoid(1.702 * x))
        y = tf.contrib.layers.layer_norm(y + tf.layers.dense(wide, 256), begin_norm_axis=-1)
    return started(classified(tf.layers.dense(y[:, 0], 2), 2, 8))


def estimator():
    column = tf.feature_column.numeric_column("x", [20])
    model = tf.estimator.DNNClassifier([64, 64], [column], tempfile.mkdtemp(), n_classes=3)
    x, labels = draw.rand(256, 20).astype("float32"), draw.randint(0, 3, 256)

    def inputs():
        return tf.data.Dataset.from_tensor_slices(({"x": x}, labels)).repeat().batch(64)

    return lambda: model.train(inputs, steps=20)


def queue():
    one = tf.train.slice_input_producer([draw.rand(1000, 100).astype("float32")], shuffle=True)[0]
    x = tf.train.shuffle_batch([one], 64, 500, 100, num_threads=2)
    return started(classified(tf.layers.dense(tf.layers.dense(x, 64, tf.nn.relu), 5), 5, 64))


def data():
    x = tf.data.Dataset.from_tensor_slices(draw.rand(1000, 100).astype("float32"))
    x = x.shuffle(1000).repeat().map(lambda row: row * 2.0, 2).batch(64).prefetch(1)
    x = x.make_one_shot_iterator().get_next()
    x.set_shape([64, 100])
    return started(classified(tf.layers.dense(tf.layers.dense(x, 64, tf.nn.relu), 5), 5, 64))


def slim():
    import tensorflow.contrib.slim as slim

    y = tf.constant(draw.rand(16, 32, 32, 3).astype("float32"))
    norm = {"normalizer_fn": slim.batch_norm, "normalizer_params": {"is_training": True}}
    with slim.arg_scope([slim.conv2d, slim.separable_conv2d], **norm):
        y = slim.conv2d(y, 32, 3)
        for size in (64, 128):
            y = slim.max_pool2d(slim.separable_conv2d(y, size, 3, 1), 2)
    logits = slim.fully_connected(slim.flatten(y), 10, activation_fn=None)
    labels = tf.constant(draw.randint(0, 10, 16))
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    return started(slim.learning.create_train_op(loss, tf.train.MomentumOptimizer(0.01, 0.9)))


def seq2seq():
    from tensorflow.contrib import seq2seq as s2s

    words = tf.get_variable("words", [1000, 64])
    source = tf.nn.embedding_lookup(words, draw.randint(0, 1000, [32, 20]))
    memory, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(64), source, dtype=tf.float32)
    cell = tf.nn.rnn_cell.GRUCell(64)
    cell = s2s.AttentionWrapper(cell, s2s.BahdanauAttention(64, memory))
    begin = cell.zero_state(32, tf.float32).clone(cell_state=state)
    helper = s2s.TrainingHelper(source, tf.fill([32], 20))
    decoder = s2s.BasicDecoder(cell, helper, begin, tf.layers.Dense(1000))
    logits = s2s.dynamic_decode(decoder)[0].rnn_output
    targets = tf.constant(draw.randint(0, 1000, [32, 20]))
    loss = s2s.sequence_loss(logits, targets, tf.ones([32, 20]))
    return started(tf.train.AdamOptimizer(1e-3).minimize(loss))


KINDS = [cnn, lstm, gcn, gan, word2vec, dqn, bert, estimator, queue, data, slim, seq2seq]

if __name__ == "__main__":
    tf.logging.set_verbosity(tf.logging.ERROR)
    run = {kind.__name__: kind for kind in KINDS}[sys.argv[1]]()
    for _ in range(5):
        run()
    print("ready", flush=True)
    for line in sys.stdin:  # a line asks for so many steps
        start = time.time()
        for _ in range(int(line)):
            run()
        print((time.time() - start) / int(line), flush=True)
    os._exit(0)
