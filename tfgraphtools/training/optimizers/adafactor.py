"""Adafactor for graph mode: the average of squares by its rows and columns."""

from tfgraphtools._tf import tf
from tfgraphtools.training import _arguments, _types
from tfgraphtools.training.optimizers import rule_optimizer as _rule


class AdafactorOptimizer(_rule.RuleOptimizer):
    """Adam's division without Adam's memory: a matrix keeps one number a row and one a column.

    The step is clipped by its root mean square, and taken relative to that of the variable:
    ``max(epsilon, rms(var)) * min(learning_rate, 1 / sqrt(steps))``. A variable of rank 1 or 0,
    or any with ``factored=False``, keeps the average of squares whole.

    It does nothing to variables without a gradient. Frozen elements (`FreezeOptimizer`) ask for
    ``factored=False``: a number of a row or column mixes elements that train with others. Slots
    are ``vr`` and ``vc``, or ``v``.

    Args:
      learning_rate: number from 0, scalar float tensor, or function that returns one.
      decay: number below 0: the average of squares keeps ``1 - steps ** decay`` of itself.
      epsilon: number from 0: the least root mean square of a variable that a step is relative to.
      clip: number above 0: the root mean square from which on a step is clipped.
      factored: False keeps the average of squares whole for matrices, too.
      use_locking: True has a ref variable locked while it is written.
      name: of the slots, and of the variable ``<name>/steps``.

    Example:
      >>> train_op = AdafactorOptimizer(0.01).minimize(loss)

    Raises:
      ArgumentError: a number out of its range.

    Source: Shazeer, Stern, "Adafactor: adaptive learning rates with sublinear memory cost",
    arXiv:1804.04235, algorithms 4 to 6, as PyTorch has it, without momentum.
    """

    _slot_names = ("v", "vr", "vc")

    def __init__(
        self,
        learning_rate: _types.Scalar = 0.01,
        decay: float = -0.8,
        epsilon: _types.Scalar = 1e-3,
        clip: float = 1.0,
        factored: bool = True,
        use_locking: bool = False,
        name: str = "Adafactor",
    ) -> None:
        super().__init__(learning_rate, use_locking, name)
        place = "AdafactorOptimizer"
        _arguments.check_number(f"{place} decay", decay, lambda x: x < 0, "a number below 0")
        _arguments.check_number(f"{place} clip", clip, lambda x: x > 0, "a number above 0")
        _arguments.check_choice(f"{place} factored", factored, (False, True))
        _rule.check_not_negative(place, epsilon=epsilon)
        self._decay, self._epsilon = decay, epsilon
        self._clip, self._factored = clip, factored

    def _make_slots(self, variable):
        """Makes ``vr`` and ``vc`` of the last two dimensions, or ``v``."""
        sizes = variable.shape.as_list()
        if self._factored and len(sizes) > 1:
            self._make_slot(variable, "vr", sizes[:-1] + [1])
            self._make_slot(variable, "vc", sizes[:-2] + [1, sizes[-1]])
        else:
            self._make_slot(variable, "v", sizes)

    def _new_values(self, value, grad, slots, rate, steps):
        """Returns the new values: see `RuleOptimizer`."""
        kept = 1 - steps.in_float64() ** self._decay
        squares = tf.square(grad)
        if "v" in slots:
            new = {"v": _rule.mixed(slots["v"], squares, kept)}
            estimate = new["v"]
        else:
            by_row, by_column = (tf.reduce_mean(squares, axis, keepdims=True) for axis in (-1, -2))
            new = {
                "vr": _rule.mixed(slots["vr"], by_row, kept),
                "vc": _rule.mixed(slots["vc"], by_column, kept),
            }
            mean = tf.maximum(tf.reduce_mean(new["vr"], -2, keepdims=True), _TINY)
            estimate = new["vr"] * new["vc"] / mean
        step = grad * tf.math.rsqrt(tf.maximum(estimate, _TINY))
        step /= tf.maximum(
            _rule.scalar(1, step.dtype), _rms(step) / _rule.scalar(self._clip, step.dtype)
        )
        rate = tf.minimum(rate, steps.of(tf.math.rsqrt))
        relative = tf.maximum(_rule.scalar(self._epsilon, value.dtype), _rms(value))
        return value - relative * rate * step, new


_TINY = 1e-30  # the paper's epsilon 1


def _rms(x):
    return tf.sqrt(tf.reduce_mean(tf.square(x)))
