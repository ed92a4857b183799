"""Small graphs of TF 1.15 that train otherwise than they infer, to be written as source.

python tf1_modes.py FOLDER: for each case FOLDER/NAME/model, a checkpoint with the .meta of the
graph that trains, and FOLDER/NAME.npz: inputs ("in/NAME"), the output in both modes ("eval",
"train", where dropout keeps all, and divides by the share that it would keep), and the averages
after one step ("average/VARIABLE").
"""

import os
import sys

import numpy as np
import tensorflow as tf
from tensorflow.python.ops import random_ops

v1 = tf.compat.v1
slim = tf.contrib.slim
layers = tf.layers
CASES = {}
R = np.random.RandomState(3)


def case(function):
    CASES[function.__name__] = function
    return function


def flag(training):
    """Returns the placeholder that is fed, with the mode as its default."""
    return v1.placeholder_with_default(training, [], name="is_training")


def images(size):
    return v1.placeholder(tf.float32, [None, size, size, 3], name="x")


def rows(*shape):
    return v1.placeholder(tf.float32, shape, name="x")


@case
def convolutions(training):
    t = flag(training)
    h = layers.conv2d(images(8), 6, 3, padding="same", name="conv")
    h = tf.nn.relu(layers.batch_normalization(h, momentum=0.9, training=t, name="norm"))
    h = layers.dropout(tf.reduce_mean(h, [1, 2]), 0.4, training=t, name="drop")
    return layers.dense(h, 3, name="scores"), [9, 8, 8, 3]


@case
def keep_prob(training):
    keep = v1.placeholder_with_default(0.75 if training else 1.0, [], name="keep_prob")
    h = layers.dense(rows(None, 5), 6, tf.nn.relu, name="one")
    h = tf.nn.dropout(h, keep_prob=keep)
    return layers.dense(h, 3, name="two"), [6, 5]


@case
def slim_updates_in_place(training):
    bn = {"is_training": training, "updates_collections": None, "decay": 0.8, "scale": True}
    x = images(6)
    with slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm, normalizer_params=bn):
        x = slim.conv2d(slim.conv2d(x, 5, 3, scope="conv1"), 4, 3, 2, scope="conv2")
    x = slim.dropout(slim.flatten(x), 0.5, is_training=training)
    return slim.fully_connected(x, 3, activation_fn=None, scope="logits"), [7, 6, 6, 3]


@case
def keras(training):
    tf.keras.backend.set_learning_phase(int(training))
    x = tf.keras.Input([6, 6, 3], name="x")
    h = tf.keras.layers.Conv2D(4, 3)(x)
    h = tf.keras.layers.SpatialDropout2D(0.25)(h)
    h = tf.keras.layers.BatchNormalization(momentum=0.7)(h)
    h = tf.keras.layers.Dropout(0.5)(tf.keras.layers.Flatten()(h))
    return tf.keras.layers.Dense(3)(h), [7, 6, 6, 3]


@case
def sequences(training):
    h = layers.dense(rows(None, None, 4), 5, name="in")
    h = layers.batch_normalization(h, training=training, name="norm", momentum=0.6)
    with v1.variable_scope("out"):
        h = layers.dropout(h, 0.2, training=training)
        return layers.dense(h, 3, name="dense"), [4, 5, 4]


@case
def one_is_frozen(training):
    h = layers.dense(rows(None, 5), 6, name="one")
    h = layers.batch_normalization(h, training=False, name="frozen")
    h = layers.batch_normalization(layers.dense(h, 4, name="two"), training=training, name="moves")
    return layers.dense(tf.tanh(h), 3, name="three"), [6, 5]


@case
def tower_twice(training):
    """Its averages move twice in a step."""

    def tower(x):
        with v1.variable_scope("tower", reuse=v1.AUTO_REUSE):
            h = layers.dense(x, 4, name="dense")
            return tf.tanh(layers.batch_normalization(h, training=training, name="norm"))

    x = rows(None, 5)
    return tf.concat([tower(x), tower(2 * x)], 1), [6, 5]


def uniform(shape, *args, **kwargs):
    """Takes the place of `tf.random.uniform`: a dropout keeps everything."""
    return tf.fill(shape, tf.constant(0.999))


def moved(graph, session, feed, output):
    """Returns (the output, {variable: value} after a step)."""
    updates = [op for op in graph.get_operations() if op.type.startswith("AssignSub")]
    value, _ = session.run([output, updates], feed)
    averages = [v for v in v1.global_variables() if "moving_" in v.op.name]
    return value, dict(zip([v.op.name for v in averages], session.run(averages)))


def start(session):
    """Gives variables values that are not 0 or 1 alone."""
    session.run(v1.global_variables_initializer())
    for variable in v1.global_variables():
        array = session.run(variable)
        if array.dtype == np.float32 and (array == array.flat[0]).all():
            array = array + 0.1 * np.abs(R.randn(*array.shape))
            session.run(variable.initializer, {variable.initial_value: array})


def build(name, folder):
    prefix, arrays = os.path.join(folder, name, "model"), {}
    os.makedirs(os.path.dirname(prefix))
    drawn = random_ops.random_uniform
    for mode in ("saved", "train", "eval"):
        tf.keras.backend.clear_session()
        random_ops.random_uniform = uniform if mode == "train" else drawn
        with tf.Graph().as_default() as graph, v1.Session() as session:
            tf.keras.backend.set_session(session)
            tf.set_random_seed(7)
            output, shape = CASES[name](mode != "eval")
            output = tf.identity(output, "y")
            if mode == "saved":
                start(session)
                v1.train.Saver().save(session, prefix)
                arrays["in/x"] = R.randn(*shape).astype(np.float32)
                continue
            v1.train.Saver().restore(session, prefix)
            feed = {"x:0": arrays["in/x"]}
            if mode == "train":
                arrays["train"], averages = moved(graph, session, feed, output)
                arrays.update(("average/" + key, value) for key, value in averages.items())
            else:
                arrays["eval"] = session.run(output, feed)
    np.savez(os.path.join(folder, name + ".npz"), **arrays)


if __name__ == "__main__":
    for case_name in sorted(CASES):
        build(case_name, sys.argv[1])
