"""Ops of a graph that change variables while a step runs."""

from tfgraphtools._tf.api import tf
from tfgraphtools._tf.graph_walks import upstream_ops
from tfgraphtools._tf.op_facts import takes_ref
from tfgraphtools._tf.op_type_groups import VARIABLES
from tfgraphtools._tf.variable_kinds import is_ref

#: Ops that take a variable and leave it as it is.
_READS = frozenset(
    ["IsVariableInitialized", "ReadVariableOp", "ResourceGather", "VarIsInitializedOp"]
)


def is_written(handle):
    """Tells whether an op may change the variable that neither initialises nor restores it.

    Args:
      handle: the variable's handle, or its ref.
    """
    initializer = _initializer(handle)
    return any(
        may_write(op, handle) and not _sets_anew(op, initializer) for op in handle.consumers()
    )


def counts_that_stand_still(rate):
    """Returns the names of the integer variables behind a tensor that no op changes."""
    handles = [
        op.outputs[0]
        for op in upstream_ops([rate])
        if op.type in VARIABLES and tf.as_dtype(op.get_attr("dtype")).is_integer
    ]
    return sorted(handle.op.name for handle in handles if not is_written(handle))


def _initializer(handle):
    """Returns the op that initialises it, which TensorFlow calls ``<name>/Assign``."""
    sets = [op for op in handle.consumers() if op.type in ("Assign", "AssignVariableOp")]
    return next((op for op in sets if op.name == handle.op.name + "/Assign"), None)


def may_write(op, handle):
    """Tells whether an op that takes a variable's handle, or its ref, may change the variable."""
    if op.type in _READS:
        return False
    positions = [i for i, tensor in enumerate(op.inputs) if tensor is handle]
    return not is_ref(handle) or any(takes_ref(op.type, i, op.graph) for i in positions)


def _sets_anew(op, initializer):
    """Returns True for the initializer, and for what a Saver restores by."""
    if op.type not in ("Assign", "AssignVariableOp"):
        return False
    value = op.inputs[1].op
    value = value.inputs[0].op if value.type == "Identity" else value
    return op is initializer or value.type.startswith("Restore")
