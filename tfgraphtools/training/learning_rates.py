"""The learning rates that an optimizer trains with, by group and by multiplier."""

from typing import Dict

from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training import _types
from tfgraphtools.training.partition import PartitionOptimizer
from tfgraphtools.training.rates import LRMultiplierOptimizer
from tfgraphtools.training.steps import optimizer_chain as _optimizers
from tfgraphtools.training.steps import rate as _rate


def learning_rates(optimizer: v1.train.Optimizer) -> Dict[str, _types.Tensor]:
    """Returns the learning rates of an optimizer as tensors: to log, or to show beside the loss.

    A `PartitionOptimizer` has one per group, an `LRMultiplierOptimizer` one more
    per multiplier; any other wrapper has those of what it wraps. It does nothing
    to the optimizer; groups that are left alone have no rate.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer`` with a learning rate.

    Returns:
      ``{label: scalar float tensor}``: the label is the group's name, or else
      the optimizer's class, with ``*selector`` added for a multiplier.

    Example:
      >>> sorted(learning_rates(PartitionOptimizer([
      ...     Group("low", "conv.*", tf.compat.v1.train.AdamOptimizer(1e-5)),
      ...     Group("head", "head/.*", tf.compat.v1.train.AdamOptimizer(1e-3))])))
      ['head', 'low']

    Raises:
      OptimizerKindError: an optimizer that keeps no learning rate.
    """
    _optimizers.check_optimizer(optimizer, "learning_rates")
    if isinstance(optimizer, PartitionOptimizer):
        return _of_groups(optimizer)
    inner = _optimizers.wrapped_by(optimizer)
    if not inner:
        return {type(optimizer).__name__: _own_rate(optimizer)}
    rates = learning_rates(inner[0])
    if isinstance(optimizer, LRMultiplierOptimizer):
        for label, rate in list(rates.items()):
            for selector, multiplier in optimizer._multipliers:
                scaled = rate * tf.cast(multiplier, rate.dtype)
                rates[f"{label}*{_select.shown(selector)}"] = scaled
    return rates


def _of_groups(optimizer):
    rates = {}
    for name, share in optimizer._shares:
        base, *others = own = learning_rates(share)
        rates[name] = own[base]
        rates.update((_label(name, base, label), own[label]) for label in others)
    return rates


def _label(group, base, label):
    """Returns the label of another rate than the first one of a group."""
    return group + label[len(base) :] if label.startswith(base + "*") else f"{group}/{label}"


def _own_rate(optimizer):
    for name in _rate.GIVEN_RATES:
        rate = getattr(optimizer, name, None)
        if rate is not None:
            return tf.cast(rate() if callable(rate) else rate, tf.float32, name="learning_rate")
    raise OptimizerKindError(
        "learning_rates",
        f"an optimizer with one of the attributes {', '.join(_rate.GIVEN_RATES)}",
        type(optimizer).__name__,
        "Pass the rates themselves: {'rate': tensor}.",
    )
