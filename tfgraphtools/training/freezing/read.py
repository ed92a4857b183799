"""The read of a variable with some elements pinned."""

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training import _types
from tfgraphtools.training.freezing import masks as _masks


def frozen_read(
    variable: _types.Variable, frozen: _types.BySelector, name: str = "frozen_read"
) -> _types.Tensor:
    """Returns the variable's value as a tensor that is trainable only where it is not frozen.

    The value is a copy, taken once: after the ops of the ``control_dependencies``
    in which the read is built, and before any op that waits for the read. No
    later assign changes it, not on ref variables either, where a plain read is
    the variable's own memory.

    It does nothing to the value: only the gradient is cut, to zeros where frozen.
    An optimizer with momentum may still move an element whose gradient is zero:
    to keep it, train with `FreezeOptimizer`.

    Args:
      variable: a ref, resource or partitioned variable of a float dtype.
      frozen: bool mask, True where frozen, of a shape that broadcasts to the
        variable's: an array, tensor, placeholder or variable.
      name: of the scope of the ops.

    Returns:
      A tensor of the variable's shape and dtype.

    Example:
      >>> with tf.control_dependencies([assign]):
      ...     pinned = frozen_read(weights, mask)     # sees the assigned value
      >>> with tf.control_dependencies([pinned]):
      ...     update = weights.assign_add(delta)      # changes the variable, not `pinned`

    Raises:
      ArgumentError: what is no variable.
      MaskError: a mask that is not bool, or does not broadcast.
    """
    variable = _tf.without_keras(variable)
    if not (_tf.is_variable(variable) or _tf.is_partitioned(variable)):
        raise ArgumentError(
            "frozen_read",
            "a variable",
            f"{variable!r} of type {type(variable).__name__}",
            "Pass the variable itself: its value may be read at any time.",
        )
    with v1.name_scope(name):
        if _tf.is_partitioned(variable):
            value = tf.convert_to_tensor(variable)
        else:
            value = variable.read_value()
        mask = _masks.Mask(frozen, "frozen_read").of(value).tensor()
        # DeepCopy has no gradient of its own; Identity's is the right one, and
        # is registered in every process that loads the graph.
        with v1.get_default_graph().gradient_override_map({"DeepCopy": "Identity"}):
            copy = _tf.DeepCopy(x=value)
        return _tf.where(mask, tf.stop_gradient(copy), copy)
