"""Learning-rate multipliers for single variables, exact for every core optimizer."""

from tfgraphtools import select as _select
from tfgraphtools._tf import v1
from tfgraphtools.training import _arguments, _types, _wrapper
from tfgraphtools.training.freeze import FreezeOptimizer
from tfgraphtools.training.freezing import masks as _masks
from tfgraphtools.training.parameters import element_rates as _elements
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
        exclude one another. An array, or a tensor, placeholder or variable with dimensions,
        has a multiplier for each element, broadcast to the variable's shape by NumPy's rules:
        it multiplies the step that the optimizer takes, and an element at 0 is frozen as by a
        `FreezeOptimizer`, slots included.
      name: of the scope of ops.

    Example:
      >>> optimizer = LRMultiplierOptimizer(
      ...     tf.compat.v1.train.AdamOptimizer(1e-3), {"conv.*": 0.01})
      >>> train_op = optimizer.minimize(loss)

    Raises:
      ArgumentError: a multiplier that is no number from 0 on.
      NothingMatchedError, MatchedTwiceError: when the step is built: a key that
        matches no variable, or two that match the same one.
      MaskError: multipliers of elements that do not broadcast.
      OptimizerKindError: when the step is built: an optimizer without a
        learning-rate tensor, or one that does not read it; for multipliers of elements, one
        whose step depends on the variable's value.
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
        place = "LRMultiplierOptimizer multiplier"
        items = _arguments.items(multipliers, place, "multiplier")
        self._multipliers = [item for item in items if not _elements.is_of_elements(item[1])]
        for selector, multiplier in self._multipliers:
            here = f"{place} {_select.shown(selector)}"
            _arguments.check_scalar(here, multiplier, lambda x: x >= 0, "a number from 0 on")
        self._elements = [
            (selector, _elements.checked(multiplier, f"{place} {_select.shown(selector)}"))
            for selector, multiplier in items
            if _elements.is_of_elements(multiplier)
        ]
        frozen = [(s, _elements.zeros_of(m)) for s, m in self._elements if _elements.may_freeze(m)]
        super().__init__([FreezeOptimizer(optimizer, frozen) if frozen else optimizer], name)

    def _plan(self, step, pairs):
        place = "LRMultiplierOptimizer multiplier"
        read = [(s, step.read(m, f"{place} {_select.shown(s)}")) for s, m in self._multipliers]
        candidates = step.candidates()
        all_items = self._multipliers + self._elements
        described = _select.assign_values(all_items, candidates, place)  # each in one of them
        multiplier_of = _select.assign_values(read, candidates, place)
        elements = [(s, (step.read(m, place), m)) for s, m in self._elements]
        elements_of = _select.assign_values(elements, candidates, place)
        for grad, variable in pairs:
            if variable in elements_of and grad is not None:
                here = f"{place} of {_select.listing([variable])}"
                _synchronous.check_not_fed(elements_of.get(variable)[1], grad, here)
                own = _masks.VariableMask(*elements_of.get(variable), variable)
                _elements.check_broadcasts(own, variable, here)
                step.update_of(variable).element_rates.append(own)
                step.lock(variable, "several")  # its step goes through one scratch variable
            if variable in multiplier_of:
                here = f"{place} of {_select.listing([variable])}"
                _synchronous.check_not_fed(described.get(variable), grad, here)
                step.update_of(variable).multipliers.append(multiplier_of.get(variable))
        return described

    def _apply(self, step, pairs, outside):
        multiplier_of = step.plan_of(self, pairs)
        for grad, variable in pairs:
            multiplier = multiplier_of.get(variable, 1)
            update = step.update_of(variable)
            if grad is not None and update.element_rates:
                _elements.check_optimizer(update)
            self.note(variable, rate=f"x {_elements.shown(multiplier)}")
        return self._apply_wrapped(step, pairs, outside)
