"""Whether ops of a graph change a variable while a step runs."""

from tfgraphtools import _tf

#: Ops that take a variable and leave it as it is.
_READS = frozenset(
    ["IsVariableInitialized", "ReadVariableOp", "ResourceGather", "VarIsInitializedOp"]
)


def is_written(handle):
    """True if an op may change the variable that neither initialises nor restores it.

    Args:
      handle: the variable's handle, or its ref.
    """
    initializer = _initializer(handle)
    return any(
        _may_write(op, handle) and not _sets_anew(op, initializer) for op in handle.consumers()
    )


def _initializer(handle):
    """The op that initialises it: TensorFlow makes it first and calls it ``<name>/Assign``."""
    sets = [op for op in handle.consumers() if op.type in ("Assign", "AssignVariableOp")]
    return next((op for op in sets if op.name == handle.op.name + "/Assign"), None)


def _may_write(op, handle):
    if op.type in _READS:
        return False
    positions = [i for i, tensor in enumerate(op.inputs) if tensor is handle]
    return not _tf.is_ref(handle) or any(_tf.takes_ref(op.type, i, op.graph) for i in positions)


def _sets_anew(op, initializer):
    """True for the initializer, and for what a Saver restores by."""
    if op.type not in ("Assign", "AssignVariableOp"):
        return False
    value = op.inputs[1].op
    value = value.inputs[0].op if value.type == "Identity" else value
    return op is initializer or value.type.startswith("Restore")
