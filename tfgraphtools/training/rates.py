"""Learning-rate multipliers for single variables, exact for every core optimizer."""

import contextlib
import numbers

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training import _arguments
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import optimizers as _optimizers
from tfgraphtools.training.steps import synchronous as _synchronous
from tfgraphtools.training.steps import wrapper as _wrapper

#: Where the v1 optimizers keep the prepared learning-rate tensor, and the number
#: that it was made of.
_RATE_TENSORS = {"_lr_t": "_lr", "_learning_rate_tensor": "_learning_rate"}


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
        and the slots stay as they are. The selectors exclude one another.
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

    changes_nothing_itself = True
    steps_in_replicas = True

    def __init__(self, optimizer, multipliers, name="LRMultiplier"):
        _optimizers.check_optimizer(optimizer, "LRMultiplierOptimizer")
        super().__init__([optimizer], name)
        place = "LRMultiplierOptimizer multiplier"
        self._multipliers = _arguments.items(multipliers, place, "multiplier")
        for selector, multiplier in self._multipliers:
            here = f"{place} {_select.shown(selector)}"
            _arguments.check_scalar(here, multiplier, lambda x: x >= 0, "a number from 0 on")

    def _apply(self, pairs, outside):
        multiplier_of = _select.assign_values(
            self._multipliers,
            _wrapper.candidates([v for _, v in pairs]),
            "LRMultiplierOptimizer multiplier",
        )
        for grad, variable in pairs:
            multiplier = multiplier_of.get(variable, 1)
            place = f"LRMultiplierOptimizer multiplier of {_select.listing([variable])}"
            _synchronous.check_not_fed(multiplier, grad, place)
            self.note(variable, rate=f"x {_arguments.shown(multiplier)}")
        with contextlib.ExitStack() as stack:
            for leaf in _optimizers.leaves(self):
                stack.enter_context(_scaled_rates(leaf, multiplier_of))
            stack.enter_context(v1.name_scope(outside))
            return _optimizers.as_operation(_distributed.apply_wrapped(self._wrapped[0], pairs))


def _scaled_rates(optimizer, multiplier_of):
    """While open, the optimizer's update of a variable sees its rate times the multiplier."""

    def around(hook, grad, variable):
        multiplier = multiplier_of.get(variable, 1)
        if not isinstance(multiplier, numbers.Real):
            return _tf.switch_cond(
                tf.equal(multiplier, 0),
                tf.no_op,
                lambda: tf.group(_at_rate(optimizer, multiplier, hook, grad, variable)),
            )
        if multiplier == 0:
            return tf.no_op()
        if multiplier == 1:
            return hook(grad, variable)
        return _at_rate(optimizer, multiplier, hook, grad, variable)

    return _optimizers.intercepted(optimizer, around)


def _at_rate(optimizer, multiplier, hook, grad, variable):
    """The optimizer's update of the variable, at its rate times the multiplier."""
    attribute = _rate_attribute(optimizer)
    plain = getattr(optimizer, attribute)
    scaled = _scaled(plain, getattr(optimizer, _RATE_TENSORS[attribute], None), multiplier)
    setattr(optimizer, attribute, scaled)
    try:
        result = hook(grad, variable)
    finally:
        setattr(optimizer, attribute, plain)
    if not scaled.consumers():
        raise _no_rate(optimizer, "one that is not read in the update")
    return result


def _scaled(tensor, number, multiplier):
    """The learning-rate tensor times the multiplier, rounded once where both are numbers."""
    if isinstance(multiplier, numbers.Real) and isinstance(number, numbers.Real):
        plain = tf.get_static_value(tensor)
        if plain is not None and plain == plain.dtype.type(number):  # not scaled already
            return tf.constant(number * multiplier, dtype=tensor.dtype, name="scaled_rate")
    return tf.multiply(tensor, tf.cast(multiplier, tensor.dtype), name="scaled_rate")


def _rate_attribute(optimizer):
    found = [name for name in _RATE_TENSORS if tf.is_tensor(getattr(optimizer, name, None))]
    if len(found) != 1:
        raise _no_rate(optimizer, "none")
    return found[0]


def _no_rate(optimizer, found):
    return OptimizerKindError(
        f"LRMultiplierOptimizer around {type(optimizer).__name__}",
        "an optimizer that takes its step from a learning-rate tensor",
        found,
        "Give each rate an optimizer of its own: PartitionOptimizer([Group(...), ...]).",
    )
