"""Graphs that TF 1.15 builds, trains for a few steps and saves, with what they compute.

python tf1_graphs.py FOLDER

For each case: FOLDER/NAME/model, a checkpoint with its .meta, and FOLDER/NAME.npz with the inputs,
the outputs of both modes, the gradients of the loss and the variables after 100 more steps.
"""

import os
import sys

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
STEPS = 100
BATCH = 8
CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def images():
    return v1.placeholder(tf.float32, [None, 6, 6, 3], name="x")


def head(features):
    """Names the outputs of each graph: "y", and "loss" of the placeholder "labels"."""
    labels = v1.placeholder(tf.int32, [None], name="labels")
    logits = tf.identity(v1.layers.dense(features, 4, name="logits"), name="y")
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    tf.reduce_mean(losses, name="loss")


def mode():
    return v1.placeholder(tf.bool, [], name="is_training")


@case
def perceptron():
    x = v1.placeholder(tf.float32, [None, 5], name="x")
    regularizer = tf.keras.regularizers.l2(0.1)
    head(v1.layers.dense(x, 7, tf.nn.tanh, kernel_regularizer=regularizer, name="hidden"))


@case
def perceptron_of_resources():
    v1.enable_resource_variables()
    perceptron()


@case
def fused_normalisation():
    h = v1.layers.conv2d(images(), 4, 3, use_bias=False, name="conv")
    h = v1.layers.batch_normalization(h, training=mode(), name="bn")
    head(v1.layers.flatten(tf.nn.relu(h)))


@case
def fused_normalisation_of_resources():
    v1.enable_resource_variables()
    fused_normalisation()


@case
def normalisation_by_hand():
    x = v1.placeholder(tf.float32, [None, 5], name="x")
    h = v1.layers.dense(x, 6, use_bias=False, name="hidden")
    head(tf.nn.relu(v1.layers.batch_normalization(h, training=mode(), name="bn")))


@case
def slim_normalisation():
    slim = tf.contrib.slim
    parameters = {"is_training": mode(), "decay": 0.9}
    h = slim.conv2d(
        images(), 4, 3, normalizer_fn=slim.batch_norm, normalizer_params=parameters, scope="conv"
    )
    head(slim.flatten(h))


@case
def normalisation_in_training():
    h = v1.layers.conv2d(images(), 4, 3, use_bias=False, name="conv")
    head(v1.layers.flatten(v1.layers.batch_normalization(h, training=True, name="bn")))


@case
def parts():
    x = v1.placeholder(tf.float32, [None, 5], name="x")
    w = v1.get_variable("w", [5, 6], partitioner=v1.fixed_size_partitioner(2))
    head(tf.matmul(x, tf.convert_to_tensor(w)))


@case
def branches():
    x = v1.placeholder(tf.float32, [None, 5], name="x")
    w = v1.get_variable("w", [5])
    positive = tf.reduce_sum(x) > 0
    head(tf.cond(positive, lambda: x * w, lambda: tf.sin(x) + w))


@case
def branches_of_v2():
    v1.enable_resource_variables()
    v1.enable_control_flow_v2()
    branches()


@case
def loop():
    x = v1.placeholder(tf.float32, [None, 5], name="x")
    w = v1.get_variable("w", [5])
    head(tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, tf.tanh(h * w)), [0, x])[1])


@case
def loop_of_v2():
    v1.enable_resource_variables()
    v1.enable_control_flow_v2()
    loop()


@case
def recurrent():
    x = v1.placeholder(tf.float32, [None, 4, 3], name="x")
    cell = v1.nn.rnn_cell.LSTMCell(5, name="cell")
    head(v1.nn.dynamic_rnn(cell, x, dtype=tf.float32)[1].h)


@case
def embedding():
    ids = v1.placeholder(tf.int32, [None, 3], name="x")
    table = v1.get_variable("table", [10, 4])
    head(tf.reduce_mean(tf.nn.embedding_lookup(table, ids), 1))


@case
def function():
    @tf.function
    def double(value):
        return tf.sin(value) * 2

    x = v1.placeholder(tf.float32, [None, 5], name="x")
    head(double(v1.layers.dense(x, 6, name="hidden")))


def arrays(x, seed=0):
    """Returns values for the placeholders of a graph."""
    random = np.random.RandomState(seed)
    shape = [BATCH if size is None else size for size in x.shape.as_list()]
    if x.dtype == tf.int32:
        value = random.randint(0, 10, shape).astype("int32")
    else:
        value = random.standard_normal(shape).astype("float32")
    return value, random.randint(0, 4, BATCH).astype("int32")


def steps(session, gradients, feed, optimizer):
    """Trains from the values that are there, and returns the variables after it."""
    with tf.control_dependencies(v1.get_collection(v1.GraphKeys.UPDATE_OPS)):
        step = optimizer.apply_gradients(gradients)
    session.run(v1.variables_initializer(optimizer.variables()))
    for _ in range(STEPS):
        session.run(step, feed)
    return {v.op.name: session.run(v) for v in v1.global_variables()}


def build(name, folder):
    """Builds a case, trains and saves it, and writes what it computes."""
    graph = tf.Graph()
    with graph.as_default():
        v1.disable_resource_variables()
        v1.disable_control_flow_v2()
        v1.set_random_seed(1)
        CASES[name]()
        x, y, loss, labels = (
            graph.get_tensor_by_name(n + ":0") for n in ("x", "y", "loss", "labels")
        )
        value, classes = arrays(x)
        feed = {x: value, labels: classes}
        has_mode = "is_training" in [op.name for op in graph.get_operations()]
        train = dict(feed)
        if has_mode:
            is_training = graph.get_tensor_by_name("is_training:0")
            feed[is_training], train[is_training] = False, True
        model = list(v1.global_variables())
        variables = v1.trainable_variables()
        total = tf.add_n([loss] + v1.losses.get_regularization_losses())
        # All before a step, as in TF 2: a ref variable may change while others' gradients read it.
        gradients = list(zip(v1.tuple(v1.gradients(total, variables)), variables))
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            for variable in model:  # no zeros and ones: every variable matters
                session.run(variable.assign(variable + 0.1))
            prefix = os.path.join(folder, name, "model")
            v1.train.Saver(model).save(session, prefix)
            results = {"x": value, "labels": classes, "y": session.run(y, feed)}
            results["y_training"], results["loss"] = session.run([y, total], train)
            for gradient, variable in gradients:
                dense = tf.convert_to_tensor(gradient)
                results["gradient/" + variable.op.name] = session.run(dense, train)
            for kind, optimizer in (
                ("sgd", v1.train.GradientDescentOptimizer(0.1)),
                ("adam", v1.train.AdamOptimizer(0.01)),
            ):
                v1.train.Saver(model).restore(session, prefix)
                after = steps(session, gradients, train, optimizer)
                for variable in model:
                    results[kind + "/" + variable.op.name] = after[variable.op.name]
        np.savez(os.path.join(folder, name + ".npz"), **results)


if __name__ == "__main__":
    for name in sorted(CASES):
        build(name, sys.argv[1])
