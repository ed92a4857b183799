"""The trust ratio of one variable, or of a group of variables that shares one."""

import numbers

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training.freezing import frozen_updates as _updates
from tfgraphtools.training.optimizers.adam_family import (
    AMSGradOptimizer,
    NadamOptimizer,
    RAdamOptimizer,
)
from tfgraphtools.training.steps import indexed_slices as _slices
from tfgraphtools.training.steps import master_weight as _master
from tfgraphtools.training.steps import optimizer_chain as _optimizers

#: Optimizers whose step does not depend on the variable's value, by their exact types.
_FREE_OF_THE_VALUE = (
    AMSGradOptimizer,
    NadamOptimizer,
    RAdamOptimizer,
    v1.train.AdadeltaOptimizer,
    v1.train.AdagradOptimizer,
    v1.train.AdamOptimizer,
    v1.train.GradientDescentOptimizer,
    v1.train.MomentumOptimizer,
    v1.train.RMSPropOptimizer,
)


def is_free_of_the_value(leaf):
    """Tells whether it is known that an optimizer's step does not depend on the value."""
    return type(leaf) in _FREE_OF_THE_VALUE


class Ratio:
    """The trust ratio of the variables that share it.

    Args:
      coefficient: number or scalar tensor; None is a ratio of 1.
    """

    def __init__(self, coefficient):
        self._coefficient = coefficient
        self._members = []  # (update, decay)
        self._decays = {}  # id of an update: its decay
        self._waiting = []  # what `_apply` takes, of a group

    def add(self, update, decay):
        """Adds a variable, by its `Update`."""
        self._members.append((update, decay))
        self._decays[id(update)] = decay

    @property
    def is_shared(self):
        """True for a group of several variables."""
        return len(self._members) > 1

    def check(self):
        """Raises where the optimizers inside cannot scale their updates."""
        leaves = {id(update.chain[-1]): update.chain[-1] for update, _ in self._members}
        kinds = sorted(type(leaf).__name__ for leaf in leaves.values())
        if not all(type(leaf) in _FREE_OF_THE_VALUE for leaf in leaves.values()):
            raise OptimizerKindError(
                "TrustRatioOptimizer",
                "Adadelta, Adagrad, Adam, AMSGrad, GradientDescent, Momentum, Nadam, RAdam or "
                "RMSProp inside, whose steps do not depend on the variable's value",
                " and ".join(kinds),
                "Use of='gradient', which takes any optimizer.",
            )
        variables = [update.variable for update, _ in self._members]
        unknown = [v for v in variables if not v.shape.is_fully_defined()]
        if unknown:
            raise OptimizerKindError(
                f"TrustRatioOptimizer for {_select.listing(unknown)}",
                "a shape known when the step is built",
                str(unknown[0].shape),
                "Make the variable with its shape, without validate_shape=False.",
            )
        if self.is_shared:
            updates = [update for update, _ in self._members]
            _master.check_none(updates, "TrustRatioOptimizer group")
        if self.is_shared and any(_tf.is_mirrored(v) for v in variables):
            raise OptimizerKindError(
                f"TrustRatioOptimizer group of {_select.listing(variables)}",
                "a ratio for each variable under a MirroredStrategy",
                "one for several variables",
                "Leave out groups=, or use of='gradient'.",
            )
        if len(leaves) > 1:
            raise OptimizerKindError(
                f"TrustRatioOptimizer group of {_select.listing(variables)}",
                "variables that one optimizer trains",
                " and ".join(kinds),
                "Make a group for each optimizer.",
            )

    def update(self, update, leaf, rate, build, variable):
        """Returns an optimizer's update of one variable, scaled; of a group only its step, kept.

        The optimizer updates a variable of zeros, with the slots of this one: what stands
        there then is its step, without the rounding of a difference.

        Args:
          update: the variable's `Update`.
          leaf: the optimizer.
          rate: scalar tensor: the learning rate of this update.
          build: ``build(variable)``: the optimizer's own update of a variable.
          variable: that it was about to update.

        Returns:
          The operation; for a group `finish` makes the one that changes the variables.
        """
        decay = self._decays[id(update)]
        with v1.name_scope("trust_ratio"):
            zeros = _tf.scratch_variable(variable, variable.shape, "step")
            zeroed = v1.assign(zeros, tf.zeros(variable.shape, variable.dtype.base_dtype))
            with _tf.after([getattr(zeroed, "op", zeroed)]):
                _tf.read_from_here_on(zeros)
                with _updates.slots_lent(leaf, variable, zeros):
                    stepped = _optimizers.as_operation(build(zeros))
            with _tf.after([stepped]):
                member = (update, variable, zeros.read_value(), decay, rate)
                if self.is_shared:
                    self._waiting.append(member)
                    return stepped
                return self._apply([member])

    def finish(self):
        """Returns the op of the kept steps of a group's updates, or None."""
        members, self._waiting = self._waiting, []
        return self._apply(members) if members else None

    def _apply(self, members):
        """Applies the steps of members: (update, variable, step, decay, rate) of each one."""
        steps, norms = [], []
        for update, variable, step, decay, rate in members:
            value = counts = variable.read_value()
            if not _is_zero(decay):
                step = step - tf.cast(rate, value.dtype) * _tf.in_dtype(decay, value.dtype) * value
            if update.frozen:
                none = tf.zeros_like(value)
                step, counts = (update.unless_frozen(moving, none) for moving in (step, value))
            steps.append(step)
            of_value, size = _tf.norms([[counts], [step]])
            own_rate = tf.cast(_magnitude(rate), size.dtype)
            norms.append(_at_rate_one(of_value, size, own_rate, self.is_shared))
        of_values, of_steps, over = map(_joint, zip(*norms))
        ratio = self._ratio(of_values, of_steps, over)
        done = []
        for (update, variable, *_), step in zip(members, steps):
            if not _changes_in_parts(update) and ratio.dtype == step.dtype:
                done.append(_tf.add_scaled(variable, step, ratio))
                continue
            step = update.at_element_rates(_tf.scaled(step, ratio))
            # -0.0 + 0.0 is 0.0, and 0 times an infinite ratio is NaN.
            if update.frozen or any(map(tf.is_tensor, update.multipliers)):
                old = variable.read_value()
                new = update.unless_zero(update.unless_frozen(old + step, old), old)
                done.append(v1.assign(variable, new))
            else:
                done.append(v1.assign_add(variable, step))
        return _tf.together(list(map(_optimizers.as_operation, done)))

    def of_gradients(self, grad_of):
        """Returns {key of a variable: its gradient, decayed and scaled} of a group."""
        norms, decay_norms, decayed = [], [], {}
        for update, decay in self._members:
            key = _tf.key(update.variable)
            value = _tf.components(update.variable)[0].read_value()
            grad = _tf.summed(grad_of[key])
            none = tf.zeros_like(value)
            counts = _slices.values_of(grad)
            if update.frozen:
                counts = update.unless_frozen(_slices.dense(grad, update.variable), none)
            size = _norm([update.unless_frozen(value, none)])
            norms.append((size, _norm([counts])))
            decay_norms.append(_tf.in_dtype(decay, size.dtype) * size)
            if not _is_zero(decay):
                grad = (
                    _slices.dense(grad, update.variable) + _tf.in_dtype(decay, value.dtype) * value
                )
            decayed[key] = grad
        of_values, of_grads = map(_joint, zip(*norms))
        of_decays = _joint(decay_norms)
        ratio = self._ratio(of_values, of_grads, of_grads + of_decays)
        return {
            key: _slices.with_values(grad, _tf.scaled(_slices.values_of(grad), ratio))
            for key, grad in decayed.items()
        }

    def _ratio(self, of_values, of_steps, over):
        zero, one = (tf.constant(number, of_values.dtype) for number in (0, 1))
        if self._coefficient is None:
            return one
        known = tf.logical_and(of_values > zero, of_steps > zero)
        if not _is_one(self._coefficient):
            of_values = _tf.in_dtype(self._coefficient, one.dtype) * of_values
        return _tf.where(known, of_values / over, one)


def _changes_in_parts(update):
    """Tells whether some elements take another share of the step, or none in some runs."""
    return update.element_rates or update.frozen or any(map(tf.is_tensor, update.multipliers))


def _at_rate_one(of_value, of_step, rate, is_shared):
    """Returns the norms of a variable, of its step, and of its step at rate 1.

    At rate 0 the variable counts in no group's norm; alone its step of 0 has the ratio 1.
    """
    if not is_shared:
        return of_value, of_step, of_step / rate
    moves, zero = rate > 0, tf.zeros_like(of_step)
    of_step = _tf.where(moves, of_step / rate, zero)
    return _tf.where(moves, of_value, zero), of_step, of_step


def _magnitude(rate):
    """Returns the absolute value of a rate: itself where it is a constant from 0 on."""
    number = tf.get_static_value(rate)
    return rate if number is not None and number >= 0 else tf.abs(rate)


def _is_one(coefficient):
    return isinstance(coefficient, numbers.Real) and coefficient == 1


def _is_zero(decay):
    return isinstance(decay, numbers.Real) and decay == 0


def _joint(norms):
    """Returns the norm of a whole, by the norms of its parts."""
    return norms[0] if len(norms) == 1 else _norm(list(norms))


def _norm(tensors):
    """Returns the L2 norm of tensors together."""
    return _tf.Norm(tensors, lazily=True).value()
