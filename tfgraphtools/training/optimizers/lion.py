"""Lion for graph mode: steps by the sign of a momentum."""

from tfgraphtools._tf import tf
from tfgraphtools.training import _types
from tfgraphtools.training.optimizers import rule_optimizer as _rule


class LionOptimizer(_rule.RuleOptimizer):
    """Steps of one length in each element, by the sign of momentum and gradient together.

    It does nothing to variables without a gradient. A sparse gradient moves all rows. The slot
    is ``m``. Rates are 3 to 10 times smaller than Adam's, and decays as much larger.

    Args:
      learning_rate: number from 0, scalar float tensor, or function that returns one.
      beta1: weight of the momentum in the sign, from 0 below 1.
      beta2: decay of the momentum, from 0 below 1.
      weight_decay: number from 0 or scalar float tensor: ``learning_rate * weight_decay * var``
        is taken off, too, of all variables that it trains (see `AdamWOptimizer`).
      use_locking: True has a ref variable locked while it is written.
      name: of the slot, and of the variable ``<name>/steps``.

    Example:
      >>> train_op = LionOptimizer(1e-4, weight_decay=0.1).minimize(loss)

    Raises:
      ArgumentError: a number out of its range.

    Source: Chen et al., "Symbolic discovery of optimization algorithms", arXiv:2302.06675.
    """

    _slot_names = ("m",)

    def __init__(
        self,
        learning_rate: _types.Scalar = 1e-4,
        beta1: _types.Scalar = 0.9,
        beta2: _types.Scalar = 0.99,
        weight_decay: _types.Scalar = 0.0,
        use_locking: bool = False,
        name: str = "Lion",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        _rule.check_betas("LionOptimizer", beta1=beta1, beta2=beta2)
        _rule.check_not_negative("LionOptimizer", weight_decay=weight_decay)
        self._beta1, self._beta2, self._weight_decay = beta1, beta2, weight_decay

    def _new_values(self, value, grad, slots, rate, steps):
        """Returns the new values: see `RuleOptimizer`."""
        direction = tf.sign(_rule.mixed(slots["m"], grad, self._beta1))
        decayed = _rule.scalar(self._weight_decay, value.dtype) * value
        new = {"m": _rule.mixed(slots["m"], grad, self._beta2)}
        return value - rate * (direction + decayed), new
