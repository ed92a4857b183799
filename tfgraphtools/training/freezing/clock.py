"""A clock for each element: Adam's bias correction counts the steps that the element took.

Adam divides its moments by ``1 - beta**t``, with one t for all elements. An element that
was frozen for a long time has moments of few steps, corrected as if of many: its first
steps are up to three times too large. Here t is the element's own.

Each element has an integer, in a slot of the variable: 0 while the optimizer's own clock
holds for it, which is until the element misses a step; then the number of its next step.
(The optimizer's own count is two powers that decay to 0. Only the integer can tell how many
steps an element took after that.) A checkpoint of the plain optimizer restores to zeros.

Source: Kingma and Ba, Adam (2015), section 3, and the "epsilon hat" form before
section 2.1 that TensorFlow computes:
``variable -= rate * sqrt(1 - beta2**t) / (1 - beta1**t) * m / (sqrt(v) + epsilon)``.
"""

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training.freezing import ways as _ways
from tfgraphtools.training.steps import optimizer_chain as _optimizers


class Clock:
    """The clocks of all elements of one `FreezeOptimizer`.

    Args:
      optimizer: that it wraps.
      slot_of: ``slot_of(variable)``: the slot of a variable's clocks, integers.
    """

    def __init__(self, optimizer, slot_of):
        self._optimizer = optimizer
        self._slot_of = slot_of

    def way(self, mask, variable, slots, multipliers, shared):
        """Returns the way to freeze the variable by its elements' own clocks.

        Args:
          shared: a dict, of the step alone, for the scalars that all variables share.
          multipliers: of the variable's learning rate: where one is 0, no element takes the step.
        """
        mirrored = _tf.is_mirrored(_tf.container(variable))
        if mirrored or not variable.shape.is_fully_defined():
            raise OptimizerKindError(
                f"FreezeOptimizer clock='element' for {_select.listing([variable])}",
                "a variable of one copy and of a known shape",
                "one with a copy in every replica" if mirrored else "one of unknown shape",
                "Leave clock out: the clock of the optimizer then counts all steps.",
            )
        adam, dtype = self._adam_of(variable), variable.dtype.base_dtype
        if (adam, dtype) not in shared:
            shared[adam, dtype] = _OptimizerClock(adam, dtype)
        return ClockedCopy(
            mask, variable, shared[adam, dtype], self._slot_of(variable), slots, multipliers
        )

    def _adam_of(self, variable):
        adam = v1.train.AdamOptimizer
        for leaf in _optimizers.leaves(self._optimizer):
            own_update = type(leaf)._resource_apply_dense is adam._resource_apply_dense
            if isinstance(leaf, adam) and own_update:
                if leaf.get_slot(variable, "m") is not None:
                    return leaf
        raise OptimizerKindError(
            f"FreezeOptimizer clock='element' for {_select.listing([variable])}",
            "tf.compat.v1.train.AdamOptimizer, whose bias correction has a clock",
            ", ".join(type(leaf).__name__ for leaf in _optimizers.leaves(self._optimizer)),
            "Leave clock out: this optimizer counts no steps.",
        )


class _OptimizerClock:
    """The optimizer's own clock before a step, as scalar tensors, for all variables of a dtype.

    Attributes:
      waits: tensors to be read before the step.
      logs: of beta1 and beta2.
      applied: the correction that the optimizer applies, 0 where it is unknown.
      step: the number of this step, int64.
    """

    def __init__(self, adam, dtype):
        self.waits = [_tf.DeepCopy(x=p.read_value()) for p in adam._get_beta_accumulators()]
        self.logs = [tf.math.log(tf.cast(b, tf.float32)) for b in (adam._beta1_t, adam._beta2_t)]
        # Cast to the dtype in which the optimizer computes.
        power1, power2 = (tf.cast(tf.cast(power, dtype), tf.float32) for power in self.waits)
        self.applied = tf.sqrt(1 - power2) / (1 - power1)
        self.is_known = tf.greater(self.applied, 0)
        self.step = self._number()

    def _number(self):
        """Returns the number of steps that the powers say; where one is close to 0, a large one."""
        numbers = [
            tf.math.log(tf.maximum(tf.cast(power, tf.float32), 1e-30)) / log
            for power, log in zip(self.waits, self.logs)
        ]
        return tf.cast(tf.round(tf.maximum(1.0, tf.maximum(*numbers))), tf.int64)


class ClockedCopy(_ways.PutBack):
    """All is put back; an element with a clock of its own gets the step of that clock."""

    def __init__(self, mask, variable, optimizer_clock, own_steps, slots, multipliers):
        super().__init__(mask=mask.tensor())
        #: The elements whose moments take no part in this run's step.
        self._waiting = tf.zeros_like(self._mask) if slots == "advance" else self._mask
        for multiplier in multipliers:  # 0 leaves the update of the whole variable out
            self._waiting = tf.logical_or(self._waiting, tf.equal(multiplier, 0))
        self._variable = variable
        self._clock = optimizer_clock
        self._own_steps = own_steps
        self._slots = slots
        self._step_before = _tf.DeepCopy(x=own_steps.read_value())
        self.waits = self.waits + self._clock.waits + [self._step_before]

    def restore(self, state, saved):
        """Restores a state; of the variable it also corrects the steps, and counts them."""
        if state is not self._variable:
            return super().restore(state, saved)
        new = state.read_value()
        factor = tf.cast(self._factor(), new.dtype)
        own_step = saved + (new - saved) * factor
        stepped = _tf.select(tf.equal(self._step_before, 0), new, own_step)
        return tf.group(
            v1.assign(state, _tf.select(self._mask, saved, stepped)),
            v1.assign(self._own_steps, self._step_after()),
        )

    def _factor(self):
        """Returns the element's correction over the one that the optimizer has applied."""
        own = tf.cast(tf.maximum(self._step_before, 1), tf.float32)
        of_beta1, of_beta2 = (_one_minus_exp(own * log) for log in self._clock.logs)
        correction = tf.sqrt(of_beta2) / of_beta1
        return correction / _tf.where(self._clock.is_known, self._clock.applied, correction)

    def _step_after(self):
        before = self._step_before
        has_own = tf.greater(before, 0)
        unmoved = _tf.select(has_own, before, tf.fill(tf.shape(before), self._clock.step))
        after = _tf.select(self._waiting, unmoved, before + tf.cast(has_own, tf.int64))
        if self._slots == "reset":  # the moments of frozen elements start from 0
            after = _tf.select(self._mask, tf.ones_like(after), after)
        return after


def _one_minus_exp(exponent):
    """Returns ``1 - exp(exponent)``, exact for an exponent near 0."""
    return -tf.math.expm1(exponent)
