"""No variable changes before every gradient is there."""

import contextlib

from tfgraphtools import _tf
from tfgraphtools._tf import tf


@contextlib.contextmanager
def gated(pairs):
    """Yields the gradients, none ready before all are, in a scope that waits for them.

    Without it one optimizer changes a ref variable while another's gradient is
    still being computed from it.

    Args:
      pairs: list of (gradient, variable) without None.
    """
    changed = {part.op for _, variable in pairs for part in _tf.components(variable)}

    def copied(tensor):
        return _out_of_variables(tensor, changed)

    own = [(_mapped(copied, grad), variable) for grad, variable in pairs]
    tensors = [tensor for grad, _ in own for tensor in _parts(grad)]
    with _tf.after([tensor.op for tensor in tensors]):
        yield [(_mapped(_held, grad), variable) for grad, variable in own]


def _parts(grad):
    return [grad.values, grad.indices] if isinstance(grad, tf.IndexedSlices) else [grad]


def _mapped(function, grad):
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(function(grad.values), function(grad.indices), grad.dense_shape)
    return function(grad)


def _out_of_variables(tensor, changed):
    """Copies a "gradient" that is a ref variable's own memory, which its update changes.

    Not that of a variable that the step does not change, such as a sum of the user's own.
    """
    if not _tf.is_ref_buffer(tensor):
        return tensor
    variables = _tf.refs_behind(tensor)
    if variables and changed.isdisjoint(variables):
        return tensor
    with _tf.colocate_with(tensor.op):
        return _tf.DeepCopy(x=tensor)


def _held(tensor):
    with _tf.colocate_with(tensor.op):
        return tf.identity(tensor)
