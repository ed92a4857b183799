"""Steps inside a `SyncReplicasOptimizer`, which a thread of the chief runs, and feeds nothing."""

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import ArgumentError, OptimizerKindError

#: The ops that give out the gradients of all workers together.
_TAKE = ("AccumulatorTakeGradient", "ResourceAccumulatorTakeGradient")
_TAKE += ("SparseAccumulatorTakeGradient",)


def check_not_fed(value, grad, place):
    """Raises where a synchronous step would wait for a value that nothing feeds to it.

    Without this TF 1.15 hangs.

    Args:
      value: a mask or multiplier: an array, number, tensor or variable.
      grad: of the variable that it is for.
      place: the argument to name in an error.
    """
    if not tf.is_tensor(value) or _tf.is_variable(value) or not is_of_all_workers(grad):
        return
    fed = next((op for op in _above(value.op) if op.type == "Placeholder"), None)
    if fed is not None:
        raise ArgumentError(
            place,
            "no placeholder inside a SyncReplicasOptimizer, whose thread feeds nothing",
            repr(fed.name),
            "Use a variable, and load() a value into it, or a function of the global step.",
        )


def check_steps_in_every_run(pairs, place):
    """Raises inside a `SyncReplicasOptimizer`, for what does not take and count a step in each run.

    The workers get the global step as a token, and the accumulators count the runs. Where the two
    differ, every later gradient is stale, and all workers wait for ever.
    """
    if any(grad is not None and is_of_all_workers(grad) for grad, _ in pairs):
        raise OptimizerKindError(
            f"SyncReplicasOptimizer around {place}",
            "an optimizer that counts the global step in every run, for the workers wait for it",
            f"{place}, which leaves out steps",
            "Do without the one or the other. A gradient that is not finite can be replaced by "
            "zeros in a GradientTransformOptimizer.",
        )


def is_of_all_workers(grad):
    """Returns True for a gradient that a `SyncReplicasOptimizer` hands on."""
    tensor = grad.values if isinstance(grad, tf.IndexedSlices) else grad
    if not isinstance(tensor, tf.Tensor):  # None, or one for each replica
        return False
    return any(op.type in _TAKE for op in _above(tensor.op, only_first=True))


def _above(op, only_first=False):
    """Yields the op and all it is computed from; along first inputs where that is enough."""
    seen, waiting = set(), [op]
    while waiting:
        op = waiting.pop()
        if op not in seen:
            seen.add(op)
            yield op
            inputs = op.inputs[:1] if only_first else op.inputs
            waiting.extend(tensor.op for tensor in inputs)
