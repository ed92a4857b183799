"""Ops of ``tf.contrib.learn.ops``, and a model of ``learn.models``, that 1.15 has no more.

An estimator of skflow tells its model whether it trains by the collection IS_TRAINING.

Source: the API documentation of TF 0.8 to 0.10, ``tf.contrib.learn``.
"""

import contextlib
import importlib

from tfgraphtools._tf import v1
from tfgraphtools.errors import ArgumentError

#: The collection that holds True in a graph that trains, False in one that does not.
IS_TRAINING = "IS_TRAINING"

#: Collections of what `dnn` and `dropout` make.
WEIGHTS, BIASES, DROPOUTS = "dnn_weights", "dnn_biases", "dropouts"


def split_squeeze(dim, num_split, tensor_in):
    """Returns the `num_split` slices of a tensor along `dim`, without that dimension."""
    return [v1.squeeze(part, axis=[dim]) for part in v1.split(tensor_in, num_split, dim)]


def expand_concat(dim, inputs):
    """Joins tensors of one shape along a new dimension `dim`."""
    return v1.stack(inputs, axis=dim)


def one_hot_matrix(tensor_in, num_classes, on_value=1.0, off_value=0.0):
    """Class numbers as one-hot vectors, in a new last dimension."""
    return v1.one_hot(v1.cast(tensor_in, v1.int64), num_classes, on_value, off_value)


def dropout(tensor_in, prob, name=None):
    """Keeps each element with probability `prob`, as TF 0.8 did: while training.

    Does nothing in a graph that is known not to train. Outside an estimator of skflow
    nothing is known, and it drops.
    """
    if _is_training() is False:
        return v1.identity(tensor_in, name)
    with v1.name_scope(name, "dropout", [tensor_in]):
        v1.add_to_collection(DROPOUTS, prob)
        return v1.nn.dropout(tensor_in, keep_prob=prob)


def dnn(tensor_in, hidden_units, activation=v1.nn.relu, dropout=None):
    """Applies fully connected layers, one after another.

    Args:
      tensor_in: [batch, features].
      hidden_units: the width of each layer.
      activation: after each layer; None for none.
      dropout: the probability to drop an element of each layer while training; None
        for no dropout.

    Raises:
      ArgumentError: dropout outside an estimator of skflow: the training mode is unknown.
    """
    if dropout is not None:
        _known_to_train("learn.ops.dnn(dropout=...)")
    with v1.variable_scope("dnn"):
        for number, units in enumerate(hidden_units):
            with v1.variable_scope(f"layer{number}"):
                tensor_in = _layer(tensor_in, units, activation, dropout)
    return tensor_in


def _layer(tensor_in, units, activation, drop):
    layers = importlib.import_module("tensorflow.contrib.layers")
    outputs = layers.legacy_fully_connected(
        tensor_in,
        units,
        weight_init=default_initializer(),
        weight_collections=[WEIGHTS],
        bias_collections=[BIASES],
    )
    if activation is not None:
        outputs = activation(outputs)
    return outputs if drop is None else dropout(outputs, 1.0 - drop)


def conv2d(
    tensor_in,
    n_filters,
    filter_shape,
    strides=None,
    padding="SAME",
    bias=True,
    activation=None,
    batch_norm=False,
):
    """Applies a 2-D convolution.

    Args:
      tensor_in: [batch, height, width, channels].
      n_filters: how many filters.
      filter_shape: [height, width] of a filter.
      strides: four; None for ones.
      padding: "SAME" or "VALID".
      bias: whether to add one.
      activation: of the outputs; None for none.
      batch_norm: whether to normalise before the activation.
    """
    with v1.variable_scope("convolution"):
        shape = [*filter_shape, v1.dimension_value(tensor_in.shape[3]), n_filters]
        filters = v1.get_variable("filters", shape, v1.float32)
        outputs = v1.nn.conv2d(tensor_in, filters, strides or [1, 1, 1, 1], padding)
        if bias:
            outputs += v1.get_variable("bias", [1, 1, 1, n_filters], v1.float32)
        if batch_norm:
            outputs = batch_normalize(outputs, convnet=True)
        return outputs if activation is None else activation(outputs)


def batch_normalize(
    tensor_in, epsilon=1e-5, convnet=False, decay=0.9, scale_after_normalization=True
):
    """Normalises by the batch while training and by moving averages after.

    Args:
      tensor_in: [batch, ...].
      epsilon: added to the variance.
      convnet: whether moments are over batch, height and width, or over the batch alone.
      decay: of the moving averages.
      scale_after_normalization: whether to scale by the variable ``gamma``.

    Raises:
      ArgumentError: outside an estimator of skflow: the training mode is unknown.
    """
    trains = _known_to_train("learn.ops.batch_normalize")
    depth = v1.dimension_value(tensor_in.shape[-1])
    with v1.variable_scope("batch_norm"):
        gamma = v1.get_variable(
            "gamma", [depth], initializer=v1.random_normal_initializer(1.0, 0.02)
        )
        beta = v1.get_variable("beta", [depth], initializer=v1.zeros_initializer())
        axes = [0, 1, 2] if convnet else [0]
        mean, variance = _moments(tensor_in, axes, decay, trains)
        return v1.nn.batch_normalization(
            tensor_in,
            mean,
            variance,
            beta,
            gamma if scale_after_normalization else None,
            epsilon,
        )


def _moments(values, axes, decay, trains):
    """Returns (mean, variance) of the batch, or their moving averages."""
    kept = [d for axis, d in enumerate(values.shape.as_list()) if axis not in axes]
    averages = [
        v1.get_variable("moving_mean", kept, trainable=False, initializer=v1.zeros_initializer()),
        v1.get_variable(
            "moving_variance", kept, trainable=False, initializer=v1.zeros_initializer()
        ),
    ]
    if not trains:
        return averages
    moments = v1.nn.moments(values, axes)
    moving_averages = importlib.import_module("tensorflow.python.training.moving_averages")
    updates = [
        moving_averages.assign_moving_average(average, moment, decay, zero_debias=False)
        for average, moment in zip(averages, moments)
    ]
    with v1.control_dependencies(updates):
        return [v1.identity(moment) for moment in moments]


@contextlib.contextmanager
def training(trains):
    """Says, to what is built inside, whether the graph trains."""
    v1.add_to_collection(IS_TRAINING, trains)
    try:
        yield
    finally:  # a meta graph could not hold a bool
        v1.get_default_graph().clear_collection(IS_TRAINING)


def _is_training():
    """Tells whether the graph trains, or returns None when nobody said."""
    flags = v1.get_collection(IS_TRAINING)
    return bool(flags[-1]) if flags else None


def _known_to_train(place):
    """Tells whether the graph trains; raises an error when nobody said."""
    trains = _is_training()
    if trains is None:
        raise ArgumentError(
            place,
            f"a graph whose collection {IS_TRAINING} says whether it trains",
            "none: only contrib.learn's TensorFlow... estimators fill it",
            f"Add it first: tf.add_to_collection({IS_TRAINING!r}, mode == 'train').",
        )
    return trains


def default_initializer():
    """Returns the initializer of a variable that names none, up to TF 0.12."""
    return v1.uniform_unit_scaling_initializer()


def get_dnn_model(hidden_units, target_predictor_fn, dropout=None):
    """Returns a model function: `dnn` layers with `target_predictor_fn` on top."""

    def model(x, y):
        return target_predictor_fn(dnn(x, hidden_units, dropout=dropout), y)

    return model
