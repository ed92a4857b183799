"""Inputs and variables of the graphs of TF 1.15 that are written as source."""

import numpy as np
import tensorflow as tf

v1 = tf.compat.v1
R = np.random.RandomState(5)


def floats(name, *shape):
    return v1.placeholder(tf.float32, shape, name=name)


def ids(name, *shape):
    return v1.placeholder(tf.int32, shape, name=name)


def mode():
    return v1.placeholder_with_default(False, [], name="is_training")


def weights(name, *shape):
    return v1.get_variable(name, shape)


def images(size, channels=3):
    x = floats("image", None, size, size, channels)
    return x, lambda b, t: {"image": R.randn(b, size, size, channels)}


def rows(width):
    return floats("x", None, width), lambda b, t: {"x": R.randn(b, width)}
