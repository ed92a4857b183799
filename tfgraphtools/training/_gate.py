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
    tensors = [tensor for grad, _ in pairs for tensor in _parts(grad)]
    all_ready = tf.group(*[tensor.op for tensor in tensors], name="gradients_ready")
    with v1.control_dependencies([all_ready]):
        return [(_rebuilt(grad), variable) for grad, variable in pairs]


def _parts(grad):
    return [grad.values, grad.indices] if isinstance(grad, tf.IndexedSlices) else [grad]


def _rebuilt(grad):
    if isinstance(grad, tf.IndexedSlices):
        return tf.IndexedSlices(_held(grad.values), _held(grad.indices), grad.dense_shape)
    return _held(grad)


def _held(tensor):
    with _tf.colocate_with(tensor.op):
        if _tf.is_ref_buffer(tensor):
            return _tf.DeepCopy(x=tensor)
        return tf.identity(tensor)
