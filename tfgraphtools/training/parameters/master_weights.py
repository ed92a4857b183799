"""Master weights: half floats are trained by float32 weights that round to them."""

from typing import Optional

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training import _arguments, _types, _wrapper
from tfgraphtools.training.steps import master_weight as _master
from tfgraphtools.training.steps import optimizer_chain as _optimizers


class MasterWeightsOptimizer(_wrapper.WrapperOptimizer):
    """Trains float16 and bfloat16 variables by float32 weights, and rounds these after each step.

    Small steps add up in the float32 weights where a half float would round each one away. The
    optimizer inside computes in float32: its slots are those of the weights, float32, too,
    ``w/MasterWeight/Adam``, and Adam trains bfloat16, for which TensorFlow has no kernel. The
    decay of a `DecoupledWeightDecayOptimizer` is taken off the weights.

    The weights are ``w/MasterWeight``, which a stock ``Saver`` keeps. An element of them that does
    not round to the variable's, after a restore or an assignment of the variable, say, begins
    again from it. What a `FreezeOptimizer`, inside or around, freezes keeps every bit: of the
    variable, the weights and their slots.

    It does nothing to variables of other dtypes. Gradients reach the optimizer as they are, in the
    variable's dtype: a `LossScaleOptimizer` keeps small ones from being 0 before they are computed.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer`` that applies gradients by its hooks.
      selector: which of the variables of half floats; None takes all.
      threads: as for `FreezeOptimizer`.
      name: of the scope of ops.

    Example:
      >>> optimizer = MasterWeightsOptimizer(tf.compat.v1.train.AdamOptimizer(1e-4))
      >>> train_op = LossScaleOptimizer(optimizer).minimize(loss)

    Raises:
      OptimizerKindError: when the step is built: a second one for a variable; a variable of
        unknown shape; a `LookaheadOptimizer`, a `FreezeOptimizer` that does more than keep, or a
        trust ratio of several variables with it; a ``tf.distribute`` strategy.
      NothingMatchedError: when the step is built: the selector takes no variable.

    Source: Micikevicius et al., "Mixed precision training", arXiv:1710.03740, section 3.1.
    """

    keeps_frozen_elements = True
    is_flushed_through = True

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        selector: Optional[_types.Selector] = None,
        threads: str = "several",
        name: str = "MasterWeights",
    ) -> None:
        kind = "MasterWeightsOptimizer"
        _optimizers.check_optimizer(optimizer, kind)
        super().__init__([optimizer], name)
        self._selector = selector
        self._threads = _arguments.check_choice(f"{kind} threads", threads, _arguments.THREADS)

    def master(self, variable: _types.Variable) -> Optional[_types.Variable]:
        """Returns the float32 weights of a variable; None before the step is built."""
        return v1.train.Optimizer.get_slot(self, _tf.without_keras(variable), _SLOT)

    def _plan(self, step, pairs):
        place, chosen = "MasterWeightsOptimizer selector", None
        if self._selector is not None:
            taken = _select.select(self._selector, step.candidates(), place)
            chosen = {_tf.key(variable) for variable in taken}
        for grad, variable in pairs:
            is_half = variable.dtype.base_dtype in _master.HALVES
            if grad is None or not is_half:
                continue
            if chosen is None or _tf.key(variable) in chosen:
                self._plan_one(step, variable)

    def _plan_one(self, step, variable):
        update = step.update_of(variable)
        _check(variable, update.master is not None, "other master weights of it")
        _check(variable, not variable.shape.is_fully_defined(), "a variable of unknown shape")
        step.whole = True
        step.lock(variable, self._threads)
        make = self._maker(variable)
        update.master = _master.MasterWeight(variable, self._own_slot(step, variable, _SLOT, make))
        self.note(variable, master="float32")

    def _maker(self, variable):
        def make(name):
            return self._get_or_make_slot_with_initializer(
                variable, v1.zeros_initializer(), variable.shape, tf.float32, name, name
            )

        return make

    def _apply(self, step, pairs, outside):
        begun = step.begin(self, pairs, outside)
        with _tf.after(begun):
            return self._apply_wrapped(step, pairs, outside)


_SLOT = "MasterWeight"


def _check(variable, is_wrong, got):
    if is_wrong:
        raise OptimizerKindError(
            f"MasterWeightsOptimizer for {_select.listing([variable])}",
            "a variable of known shape that no other one keeps master weights of",
            got,
            "Leave the variable out by selector=.",
        )
