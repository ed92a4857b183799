"""Errors that `tf.gradients` raises whatever is between x and y."""

from tfgraphtools import _tf
from tfgraphtools._tf import v1


def error_of_y(y):
    """Returns the error for a y of a dtype for which TF has no gradient to start from, or None.

    A complex y has none, because it is not clear what is differentiated: pass grad_ys.
    """
    with v1.Graph().as_default():
        stand_in = v1.placeholder(y.dtype.base_dtype, y.shape, name=y.op.name)
        try:
            v1.gradients(stand_in, [stand_in])
        except Exception as error:  # pylint: disable=broad-except  # TF's own, by dtype
            return as_text(error)
    return None


def error_of_graphs(y, start):
    """Returns the error for a y and an x that are not of one graph, or None."""
    error = _tf.error_of_graphs([y, start])
    return None if error is None else as_text(error)


def as_text(error):
    """Returns the type and the message of an error, in one line."""
    return "{}: {}".format(type(error).__name__, " ".join(str(error).split())[:200])
