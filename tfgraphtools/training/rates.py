"""Learning-rate multipliers for single variables, exact for every core optimizer."""

from tfgraphtools import select as _select
from tfgraphtools._tf import v1
from tfgraphtools.training import _arguments, _types, _wrapper
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import synchronous as _synchronous


class LRMultiplierOptimizer(_wrapper.WrapperOptimizer):
    """Trains chosen variables at a multiple of the optimizer's learning rate.

    The optimizer's own update of a variable sees its own learning rate times
    the multiplier. (Multiplying the *gradient* is not the same: it does nothing
    under Adam and next to nothing under Adagrad and RMSProp.) State keeps the
    plain optimizer's names, so its checkpoints restore with a stock ``Saver``.

    It does nothing to a variable that no key matches: that trains at the
    optimizer's rate.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer`` that computes its updates
        from a learning-rate tensor, as all of ``tf.compat.v1.train`` do; also
        one of ours around such.
      multipliers: ``{selector: multiplier}``: a number from 0 on, or a scalar
        float tensor, placeholder or variable. 0 freezes: the update is left out,
        the variable's ``constraint`` too, and the slots stay as they are. The selectors
        exclude one another.
      name: of the scope of ops.

    Example:
      >>> optimizer = LRMultiplierOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3), {"conv.*": 0.01})
      >>> train_op = optimizer.minimize(loss)

    Raises:
      ArgumentError: a multiplier that is no number from 0 on.
      NothingMatchedError, MatchedTwiceError: when the step is built: a key that
        matches no variable, or two that match the same one.
      OptimizerKindError: when the step is built: an optimizer without a
        learning-rate tensor, or one that does not read it.
    """

    keeps_frozen_elements = True
    is_flushed_through = True
    steps_in_replicas = True

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        multipliers: _types.BySelector,
        name: str = "LRMultiplier",
    ) -> None:
        _optimizers.check_optimizer(optimizer, "LRMultiplierOptimizer")
        super().__init__([optimizer], name)
        place = "LRMultiplierOptimizer multiplier"
        self._multipliers = _arguments.items(multipliers, place, "multiplier")
        for selector, multiplier in self._multipliers:
            here = f"{place} {_select.shown(selector)}"
            _arguments.check_scalar(here, multiplier, lambda x: x >= 0, "a number from 0 on")

    def _plan(self, step, pairs):
        place = "LRMultiplierOptimizer multiplier"
        read = [(s, step.read(m, f"{place} {_select.shown(s)}")) for s, m in self._multipliers]
        candidates = step.candidates()
        multiplier_of = _select.assign_values(read, candidates, place)
        described = _select.assign_values(self._multipliers, candidates, place)
        for grad, variable in pairs:
            if variable in multiplier_of:
                here = f"{place} of {_select.listing([variable])}"
                _synchronous.check_not_fed(described.get(variable), grad, here)
                step.update_of(variable).multipliers.append(multiplier_of.get(variable))
        return described

    def _apply(self, step, pairs, outside):
        multiplier_of = step.plan_of(self, pairs)
        for _, variable in pairs:
            self.note(variable, rate=f"x {_arguments.shown(multiplier_of.get(variable, 1))}")
        return self._apply_wrapped(step, pairs, outside)
