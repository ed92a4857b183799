"""No variable changes before every gradient is there."""

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1


def gate(pairs):
    """The same gradients, none of which is ready before all of them are.

    Without it one optimizer changes a ref variable while another's gradient is
    still being computed from it.

    Args:
      pairs: list of (gradient, variable) without None.
    """
    own = [(_mapped(_out_of_variables, grad), variable) for grad, variable in pairs]
    tensors = [tensor for grad, _ in own for tensor in _parts(grad)]
    all_ready = tf.group(*[tensor.op for tensor in tensors], name="gradients_ready")
    with v1.control_dependencies([all_ready]):
        return [(_mapped(_held, grad), variable) for grad, variable in own]


def _parts(grad):
    return [grad.values, grad.indices] if isinstance(grad, tf.IndexedSlices) else [grad]


def _mapped(function, grad):
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(function(grad.values), function(grad.indices), grad.dense_shape)
    return function(grad)


def _out_of_variables(tensor):
    """A copy where the "gradient" is a ref variable's own memory, which its update changes."""
    if not _tf.is_ref_buffer(tensor):
        return tensor
    with _tf.colocate_with(tensor.op):
        return _tf.DeepCopy(x=tensor)


def _held(tensor):
    with _tf.colocate_with(tensor.op):
        return tf.identity(tensor)
