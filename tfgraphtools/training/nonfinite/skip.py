"""Steps whose gradients are not finite are skipped."""

from typing import Optional

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import v1
from tfgraphtools.training import _step, _types, _wrapper
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import synchronous as _synchronous


class SkipNonFiniteOptimizer(_wrapper.WrapperOptimizer):
    """Skips a step if a gradient is NaN or infinite: after it, everything is as before it.

    No variable, slot, power, average, sum or counter moves, ``global_step`` included, whatever
    wrappers stand inside or around, and whichever group of a `PartitionOptimizer` this one is
    in: a step is taken as a whole or not at all.

    It does nothing in a run whose gradients are finite.

    The gradients are those that this optimizer is given. (A transform around it may repair
    them.) What a transform inside makes of them must be finite, too: a norm that overflows skips
    the step. A gradient of an element that a `FreezeOptimizer` freezes, inside or around, does
    not count, as nobody applies it; with ``slots="advance"`` its moments would take it, and it
    counts. A multiplier of 0 exempts no gradient.

    With a `GradientAccumulationOptimizer`, inside or around, a run is skipped: its gradients are
    not in the sum, and it is not one of the runs of the step.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``.
      name: of the scope of ops and of ``<name>/skipped``, the number of skipped runs. Two of them
        in one graph need two names.

    Example:
      >>> optimizer = SkipNonFiniteOptimizer(tf.compat.v1.train.AdamOptimizer(1e-3))
      >>> train_op = optimizer.minimize(loss, global_step=global_step)
      >>> hook = ProgressHook({"loss": loss, "skipped": optimizer.skipped()})

    Raises:
      ArgumentError: a second step built with the same name.
      OptimizerKindError: when the step is built: the optimizer is inside of another library's
        that does not show it, inside of one of ours, whose changes it could not undo; a
        ``SyncReplicasOptimizer`` around, whose workers would wait for ever after a skipped step.
    """

    keeps_frozen_elements = True
    is_flushed_through = True
    steps_in_replicas = True

    #: True for what has whole steps skipped: see `Step.if_finite`.
    skips_nonfinite = True

    def __init__(self, optimizer: v1.train.Optimizer, name: str = "SkipNonFinite") -> None:
        _optimizers.check_optimizer(optimizer, type(self).__name__)
        super().__init__([optimizer], name)

    def skipped(self) -> Optional[_types.Variable]:
        """Returns the variable that counts skipped runs, int64; None before the step is built."""
        return self._non_slot_dict.get(("skipped", _tf.root_graph()))

    def _plan(self, step, pairs):
        _synchronous.check_steps_in_every_run(pairs, type(self).__name__)

    def look_ahead(self, step: _step.Step, pairs: _types.Pairs) -> None:
        """Looks ahead as every wrapper does; the gradients are to be checked."""
        step.checks.add(step, pairs)
        with step.checks.inside():
            super().look_ahead(step, pairs)

    def _apply(self, step, pairs, outside):
        trained = [variable for grad, variable in pairs if grad is not None]
        counter = self._own_variable(step, "skipped", np.int64(0), trained, outside)
        step.when_skipped.append(lambda: _distributed.updated(counter, _plus_one))
        for variable in trained:
            self.note(variable, nonfinite="skips the step")
        return self._apply_wrapped(step, pairs, outside)


def _plus_one(counter):
    return v1.assign_add(counter, np.int64(1), use_locking=True)
