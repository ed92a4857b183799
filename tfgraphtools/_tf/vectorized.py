"""Loops without order, computed as one: TensorFlow's `pfor`."""

import contextlib

from absl import flags as _flags

from tfgraphtools._tf.api import tf
from tfgraphtools._tf.converters import converters
from tfgraphtools._tf.tf_internals import Internal

_parallel = Internal("tensorflow.python.ops.parallel_for.control_flow_ops", "Vectorized loops")


def for_each(body, count):
    """Returns ``body(i)`` for i below the count, each output stacked, computed by vectorised ops.

    Raises what TensorFlow does where it cannot vectorise an op (ValueError, mostly).

    Args:
      body: a function of an int32 scalar that returns a list of tensors.
      count: a number or an int32 scalar.
    """
    with _flags_left_alone(), converters():
        return _parallel.pfor(tf.autograph.experimental.do_not_convert(body), count)


@contextlib.contextmanager
def _flags_left_alone():
    """Lets TF 1.15's `pfor` read a flag without parsing the program's command line."""
    parsed = _flags.FLAGS.is_parsed()
    if not parsed:
        _flags.FLAGS.mark_as_parsed()
    try:
        yield
    finally:
        if not parsed:
            _flags.FLAGS.unparse_flags()
