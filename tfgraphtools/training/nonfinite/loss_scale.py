"""Loss scale for float16: gradients that would be 0 there are computed as multiples."""

from typing import Any, Optional

import numpy as np

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training import _arguments, _types, _wrapper
from tfgraphtools.training.nonfinite.skip import SkipNonFiniteOptimizer
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import indexed_slices as _slices
from tfgraphtools.training.steps import unfinished as _unfinished


class LossScaleOptimizer(SkipNonFiniteOptimizer):
    """Computes gradients of the loss times a scale, divides them by it, and skips overflows.

    A step whose gradients are not finite is skipped as by `SkipNonFiniteOptimizer`, which this
    one is: of all wrappers, inside and around. The scale is then divided by ``factor``, down to 1
    at least. After ``growth_steps`` steps in a row that were not skipped it is multiplied by
    ``factor``, if that is finite in float32. These are the numbers of TF 1.15's
    ``tf.train.experimental.DynamicLossScale``, bit for bit.

    It does nothing to gradients that were not computed by its `compute_gradients` or `minimize`,
    but skip steps and count them. A scale of a power of two changes no bit of gradients that
    neither overflow nor underflow.

    Args:
      optimizer: any ``tf.compat.v1.train.Optimizer``, wrappers included. Clipping belongs
        there: it sees the true gradients.
      scale: number of at least 1: of the loss, at the beginning.
      growth_steps: an int of at least 1, or None for a scale that stays.
      factor: number above 1.
      name: of the scope of ops, and of the state ``<name>/current_loss_scale``,
        ``<name>/good_steps`` and ``<name>/skipped``. Two of them in one graph need two names.

    Example:
      >>> optimizer = LossScaleOptimizer(tf.compat.v1.train.MomentumOptimizer(0.1, 0.9))
      >>> train_op = optimizer.minimize(loss, global_step=global_step)
      >>> hook = ProgressHook({"scale": optimizer.loss_scale(), "skipped": optimizer.skipped()})

    Raises:
      ArgumentError: no such number; a second step built with the same name.
      OptimizerKindError: when gradients are computed: under a ``tf.distribute`` strategy.

    Source: Micikevicius et al., "Mixed precision training", arXiv:1710.03740;
    tensorflow/python/training/experimental/loss_scale.py of TF 1.15.
    """

    steps_in_replicas = False

    def __init__(
        self,
        optimizer: v1.train.Optimizer,
        scale: float = 2.0**15,
        growth_steps: Optional[int] = 2000,
        factor: float = 2.0,
        name: str = "LossScale",
    ) -> None:
        super().__init__(optimizer, name)
        place = "LossScaleOptimizer"
        self._scale = _arguments.check_number(
            f"{place} scale", scale, lambda x: x >= 1, "a number of at least 1"
        )
        self._fixed = {}  # graph: a scale that stays
        self._growth_steps = growth_steps
        if growth_steps is not None:
            self._growth_steps = _arguments.check_count(f"{place} growth_steps", growth_steps)
        self._factor = _arguments.check_number(
            f"{place} factor", factor, lambda x: x > 1, "a number above 1"
        )

    def loss_scale(self) -> Optional[_types.Tensor]:
        """Returns the scale, to show: a float32 variable, or a constant where it stays.

        None before the gradients are computed.
        """
        scale = self._fixed.get(_tf.root_graph())
        return self._non_slot_dict.get((_SCALE, _tf.root_graph())) if scale is None else scale

    def compute_gradients(
        self, loss: _types.Tensor, var_list: Optional[_types.Selector] = None, **options: Any
    ) -> _types.Pairs:
        """Returns the gradients of the loss; the wrapped optimizer computes scaled ones."""
        place = "LossScaleOptimizer.compute_gradients"
        _wrapper.check_loss(place, loss, var_list)
        if _distributed.is_active():
            raise OptimizerKindError(
                place,
                "no tf.distribute strategy",
                "one, whose replicas would each have a scale",
                "Build the step outside of strategy.scope(), or scale the loss by a number and "
                "use SkipNonFiniteOptimizer.",
            )
        variables = v1.trainable_variables() if var_list is None else _select.expand(var_list)
        scale = self._scale_of(_wrapper.scope_of_caller(), variables)
        scale = tf.identity(scale, name="loss_scale")
        scaled = (lambda: _times(loss(), scale)) if callable(loss) else _times(loss, scale)
        pairs = super().compute_gradients(scaled, var_list, **options)
        with v1.name_scope("unscaled"):
            share = 1 / scale
            return [(_unscaled(grad, share), variable) for grad, variable in pairs]

    def _scale_of(self, outside, variables):
        """Returns the scale in this graph, made on first use, before the step."""
        graph = _tf.root_graph()
        if self.loss_scale() is not None:
            return self.loss_scale()
        if self._growth_steps is None:
            with _tf.init_scope():
                self._fixed[graph] = tf.constant(self._scale, tf.float32, name=_SCALE)
        else:
            name = f"{outside or ''}{self.get_name()}/{_SCALE}"
            scale = self._made_variable(name, np.float32(self._scale), True, variables)
            _unfinished.leave([(name, scale)])  # until a step is built
            self._non_slot_dict[_SCALE, graph] = scale
        return self.loss_scale()

    def _plan(self, step, pairs):
        """Lets only one thread or worker at a time count."""
        super()._plan(step, pairs)
        for variable in [v for grad, v in pairs if grad is not None and self._growth_steps][:1]:
            step.lock(variable, "several")

    def _apply(self, step, pairs, outside):
        trained = [variable for grad, variable in pairs if grad is not None]
        scale = self._scale_of(outside, trained)
        if self._growth_steps is None:
            return super()._apply(step, pairs, outside)
        _unfinished.take_variable(scale.op.name, resource=True)
        step.taken.append((scale.op.name, scale))
        good_steps = self._own_variable(step, "good_steps", np.int64(0), trained, outside)
        step.when_skipped.append(lambda: self._backed_off(scale, good_steps))
        is_flush = step.is_passing  # it has no new gradients
        stepped = super()._apply(step, pairs, outside)
        if is_flush:
            return stepped
        with _tf.after([stepped]):
            return self._counted(scale, good_steps)

    def _backed_off(self, scale, good_steps):
        lower = tf.maximum(scale.read_value() / self._factor, 1.0)
        return _set_both(scale, lower, good_steps, np.int64(0))

    def _counted(self, scale, good_steps):
        now, count = scale.read_value(), good_steps.read_value() + 1
        is_due = tf.greater_equal(count, self._growth_steps)
        higher = now * self._factor
        grows = tf.logical_and(is_due, tf.math.is_finite(higher))
        higher = _tf.where(grows, higher, now)
        return _set_both(scale, higher, good_steps, _tf.where(is_due, tf.zeros_like(count), count))


_SCALE = "current_loss_scale"


def _set_both(scale, new, good_steps, count):
    with _tf.after([op for op in (new, count) if tf.is_tensor(op)]):
        return tf.group(
            _distributed.updated(scale, v1.assign, new),
            _distributed.updated(good_steps, v1.assign, count),
        )


def _times(loss, scale):
    loss = tf.convert_to_tensor(loss)
    return loss * tf.cast(scale, loss.dtype)


def _unscaled(grad, share):
    if grad is None:
        return None
    values = _slices.values_of(grad)
    dtype = values.dtype.base_dtype
    # A share below 2**-24 is 0 in float16.
    wide = values if dtype.size >= 4 else tf.cast(values, tf.float32)
    return _slices.with_values(grad, tf.cast(wide * tf.cast(share, wide.dtype), dtype))
