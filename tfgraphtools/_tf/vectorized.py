"""Loops without order, computed as one: TensorFlow's `pfor`."""

import contextlib

from absl import flags as _flags
from tensorflow.python.ops.parallel_for import control_flow_ops as _parallel
from tensorflow.python.ops.parallel_for.pfor import RegisterPFor as _RegisterPFor
from tensorflow.python.ops.parallel_for.pfor import wrap as _wrap

from tfgraphtools._tf.api import IS_TF1, tf


def for_each(body, count):
    """``body(i)`` for i below the count, each output stacked, computed by vectorised ops.

    Raises what TensorFlow does where it cannot vectorise an op (ValueError, mostly).

    Args:
      body: a function of an int32 scalar that returns a list of tensors.
      count: a number or an int32 scalar.
    """
    with _flags_left_alone():
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
