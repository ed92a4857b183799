"""A Saver whose checkpoints hold the state between two steps."""

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training.steps import variable_locks as _locks

_MARK = "consistent"  # the end of the name of the tensor that saves


class ConsistentSaver(v1.train.Saver):
    """A ``Saver`` that waits for the step of another thread or worker, and reads between two.

    A stock ``Saver`` in a thread of its own, as a ``tf.train.Supervisor`` has it, or on a worker
    beside others, reads variables in the middle of a step: frozen elements that are not yet put
    back, a sum without its count, weights without their slots. This one reads all variables
    under the lock that the steps of our optimizers hold. The lock is not held while the file is
    written. The checkpoints are a stock ``Saver``'s, and so are the arguments.

    It does nothing about steps that hold no lock: those of plain optimizers, and of ours with
    ``threads="one"``. A whole variable that is frozen, rates and groups take none.

    Give it to ``Scaffold(saver=...)``, ``CheckpointSaverHook(saver=...)``,
    ``Supervisor(saver=...)`` or call it as any ``Saver``. A ref variable is copied for
    a save; a resource variable is copied if a step changes it meanwhile.

    Example:
      >>> saver = ConsistentSaver(max_to_keep=3)
      >>> supervisor = tf.compat.v1.train.Supervisor(logdir=folder, saver=saver)

    Raises:
      What a ``Saver`` raises.
    """

    def build(self) -> None:
        """Builds a ``Saver``'s ops, and locks around those that read."""
        graph = v1.get_default_graph()
        before = len(graph.get_operations())
        super().build()
        saver_def = self.saver_def
        if not saver_def or not saver_def.save_tensor_name:
            return  # there is nothing to save
        if saver_def.save_tensor_name.split(":")[0].endswith(_MARK):
            return
        saved = graph.get_tensor_by_name(saver_def.save_tensor_name)
        new = set(graph.get_operations()[before:])
        with _tf.colocate_with(None, ignore_existing=True), v1.control_dependencies(None):
            saver_def.save_tensor_name = _between_steps(saved, new).name


def _between_steps(saved, new):
    """Returns a tensor that saves as the given one does, with all variables read under locks.

    Args:
      saved: the tensor of a ``Saver`` that saves.
      new: the ops that the ``Saver`` has made.
    """
    ops = sorted(set(_tf.upstream_ops([saved], controls=True)) & new, key=_tf.order_of)
    reads = {op: op.outputs[0] for op in ops if op.type == "ReadVariableOp"}
    for op in ops:
        for position, tensor in enumerate(op.inputs):
            source = tensor.op
            if source in new:
                continue
            variable_read = _read_of_variable(tensor)
            if source not in reads and variable_read is not None:
                reads[source] = _read_again(variable_read)
            if source in reads:
                _tf.replace_input(op, position, reads[source])
    waiting = [tensor.op for tensor in reads.values()]
    variables = {op.inputs[0].op for op in waiting}
    released = _locks.around_reads(waiting, variables)
    with v1.control_dependencies([saved.op, released]):
        return tf.identity(saved, name=f"{saved.op.name}_{_MARK}")


def _read_of_variable(tensor):
    """Returns the ref, or the read of a resource variable, that a tensor is; None for others.

    A slice of a ref variable is saved as ``w/part_0/read``, an identity.
    """
    while tensor.op.type == "Identity":
        tensor = tensor.op.inputs[0]
    return tensor if _tf.is_ref(tensor) or tensor.op.type == "ReadVariableOp" else None


def _read_again(tensor):
    """Returns a read of its own of a variable, for a ref or for what reads a resource variable."""
    with v1.device(tensor.op.device):
        if _tf.is_ref(tensor):
            return _tf.DeepCopy(x=tensor, name="save_copy")
        handle = tensor.op.inputs[0]
        return tf.raw_ops.ReadVariableOp(resource=handle, dtype=tensor.dtype, name="save_read")
