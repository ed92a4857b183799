"""Loops without order, computed as one: TensorFlow's `pfor`."""

import contextlib

from absl import flags as _flags
from tensorflow.python.ops.parallel_for import control_flow_ops as _parallel
from tensorflow.python.ops.parallel_for.pfor import RegisterPFor as _RegisterPFor
from tensorflow.python.ops.parallel_for.pfor import _pfor_converter_registry as _CONVERTERS
from tensorflow.python.ops.parallel_for.pfor import wrap as _wrap

from tfgraphtools._tf.api import IS_TF1, tf


def for_each(body, count):
    """``body(i)`` for i below the count, each output stacked, computed by vectorised ops.

    Raises what TensorFlow does where it cannot vectorise an op (ValueError, mostly).

    Args:
      body: a function of an int32 scalar that returns a list of tensors.
      count: a number or an int32 scalar.
    """
    with _flags_left_alone(), _fast_convolutions():
        return _parallel.pfor(body, count)


@contextlib.contextmanager
def _flags_left_alone():
    """TF 1.15's `pfor` reads a flag, and so would parse the command line of the program."""
    parsed = _flags.FLAGS.is_parsed()
    if not parsed:
        _flags.FLAGS.mark_as_parsed()
    try:
        yield
    finally:
        if not parsed:
            _flags.FLAGS.unparse_flags()


#: TensorFlow's converter, which computes one iteration after the other.
_FILTER_LOOP = _CONVERTERS["Conv2DBackpropFilter"]


@contextlib.contextmanager
def _fast_convolutions():
    """Other users of `pfor` keep TensorFlow's converter."""
    _CONVERTERS["Conv2DBackpropFilter"] = _filter_gradients
    try:
        yield
    finally:
        _CONVERTERS["Conv2DBackpropFilter"] = _FILTER_LOOP


def _filter_gradients(given):
    """The gradients of a filter in all iterations, as one product of patches and gradients."""
    images, stacked, _ = given.input(0)
    shape, padding = given.op.outputs[0].shape.with_rank(4), given.get_attr("padding")
    plain = stacked and given.get_attr("data_format") == b"NHWC" and padding in (b"SAME", b"VALID")
    groups = images.shape.rank is None or images.shape.as_list()[-1] != shape.as_list()[2]
    if not plain or not shape.is_fully_defined() or groups:
        return _FILTER_LOOP(given)
    given.stack_inputs(stack_indices=[2])
    grads, (rows, columns, channels, filters) = given.stacked_input(2), shape.as_list()
    count, size = tf.shape(grads)[0], tf.shape(images)
    size = tf.concat([tf.reduce_prod(size[:2], keepdims=True), size[2:]], 0)
    patches = tf.raw_ops.ExtractImagePatches(
        images=tf.reshape(images, size),
        ksizes=[1, rows, columns, 1],
        strides=given.get_attr("strides"),
        rates=given.get_attr("dilations"),
        padding=padding.decode(),
    )
    places = tf.reduce_prod(tf.shape(grads)[1:4])
    patches = tf.reshape(patches, [count, places, rows * columns * channels])
    found = tf.matmul(patches, tf.reshape(grads, [count, places, filters]), transpose_a=True)
    return [_wrap(tf.reshape(found, [count, rows, columns, channels, filters]), True)]


def _gather(given):
    """An embedding lookup in a resource variable that all iterations share."""
    rows = tf.raw_ops.ResourceGather(
        resource=given.unstacked_input(0),
        indices=given.stacked_input(1),
        dtype=given.get_attr("dtype"),
    )
    return [_wrap(rows, True)]


def _sparse_cross_entropy(given):
    """The losses of all iterations as those of one batch."""
    given.stack_inputs()
    logits, labels = given.stacked_input(0), given.stacked_input(1)
    shape = tf.shape(logits)
    loss, backprop = tf.raw_ops.SparseSoftmaxCrossEntropyWithLogits(
        features=tf.reshape(logits, [-1, shape[2]]), labels=tf.reshape(labels, [-1])
    )
    return [
        _wrap(tf.reshape(loss, shape[:2]), True),
        _wrap(tf.reshape(backprop, shape), True),
    ]


def _prevented(given):
    """The sparse cross entropy's gradient, which has no second derivative."""
    return [_wrap(given.stacked_input(0), True)]


if IS_TF1:  # TF 2 has them
    _RegisterPFor("PreventGradient")(_prevented)
    _RegisterPFor("ResourceGather")(_gather)
    _RegisterPFor("SparseSoftmaxCrossEntropyWithLogits")(_sparse_cross_entropy)
