"""The global step of several optimizers that take one step together: it counts once.

Each of them may count it, read it, count it in some runs alone, or do none of it. Those of
which that is not known get a copy of it each, and the true one moves as the copies did.
"""

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import optimizer_chain as _optimizers


def counts_every_step(optimizer):
    """Tells whether an optimizer adds one in every run, and does not read the global step."""
    return all(
        getattr(link, "counts_every_step", False)
        if hasattr(link, "wrapped_optimizers")
        else _optimizers.applies_by_hooks(link)
        for link in _optimizers.chain(optimizer)
    )


class SharedCount:
    """One global step for the optimizers of one step.

    Args:
      global_step: a variable, or None.
      optimizers: that take the step.
    """

    def __init__(self, global_step, optimizers):
        self._true = global_step
        self._alone = len(optimizers) == 1
        self._known = any(counts_every_step(optimizer) for optimizer in optimizers)
        self._copies = []

    def of(self, optimizer):
        """Returns the global step to pass to one of the optimizers, or None."""
        if self._true is None or self._alone:
            return self._true
        if counts_every_step(optimizer):
            return None
        if _distributed.is_active():
            raise OptimizerKindError(
                f"PartitionOptimizer with {type(optimizer).__name__} under a strategy",
                "groups whose optimizers count the global step in every run",
                "one that counts in a way of its own",
                "Put it around the PartitionOptimizer.",
            )
        with v1.name_scope("count"):
            copy = _tf.scratch_variable(self._true, [], "global_step")
            filled = v1.assign(copy, self._true.read_value())
            with _tf.after([_optimizers.as_operation(filled)]):
                _tf.read_from_here_on(copy)
                before = _tf.DeepCopy(x=copy.read_value())
        self._copies.append((copy, before))
        return copy

    def begun(self):
        """Returns the ops that the optimizer of the last copy must wait for."""
        return [before.op for _, before in self._copies[-1:]]

    def advance(self, after):
        """Returns the op that counts, after the given one."""
        if self._true is None or self._alone or not (self._known or self._copies):
            return after
        with _tf.after([after]):
            moves = [copy.read_value() - before for copy, before in self._copies]
            by = 1 if self._known else tf.reduce_max(tf.stack(moves), name="by")
            by = tf.cast(by, self._true.dtype.base_dtype)
            return _distributed.updated(
                self._true, lambda count: v1.assign_add(count, by, use_locking=True)
            )
