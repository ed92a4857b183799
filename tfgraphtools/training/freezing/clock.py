"""A clock for each element: Adam's bias correction counts the steps that the element took.

Adam divides its moments by ``1 - beta**t``, with one t for all elements. One that
was frozen for long has moments of few steps, corrected as if of many: its first
steps are up to three times too large. Here t is the element's own.

Source: Kingma and Ba, Adam (2015), section 3, and the "epsilon hat" form before
section 2.1 that TensorFlow computes:
``variable -= rate * sqrt(1 - beta2**t) / (1 - beta1**t) * m / (sqrt(v) + epsilon)``.
"""

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import OptimizerKindError
from tfgraphtools.training.freezing import ways as _ways
from tfgraphtools.training.steps import optimizers as _optimizers


class Clock:
    """The clocks of all elements of one `FreezeOptimizer` in one graph.

    Only what differs between elements is kept, as a slot of the variable: the
    steps that each element missed. An element that missed none is exactly where
    the optimizer put it.
    """

    def __init__(self, optimizer, name):
        self._optimizer = optimizer
        self._name = name
        self._missed = _select.Assignment()

    def slot(self, variable):
        """The slot of missed steps of a variable, made on first use: float32, zeros."""
        if variable not in self._missed:
            with _tf.init_scope():
                slot = _tf.zeros_slot(variable, self._name + "MissedSteps")
            self._missed.put(variable, slot)
        return self._missed.get(variable)

    def way(self, mask, variable, slots, multipliers):
        """The way to freeze the variable by its elements' own clocks.

        Args:
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
        return ClockedCopy(
            mask, variable, self._adam_of(variable), self.slot(variable), slots, multipliers
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
            ", ".join(type(one).__name__ for one in _optimizers.leaves(self._optimizer)),
            "Leave clock out: this optimizer counts no steps.",
        )


class ClockedCopy(_ways.PutBack):
    """All is put back; an element that missed steps gets the step of its own clock."""

    def __init__(self, mask, variable, adam, missed, slots, multipliers):
        super().__init__(mask=mask.tensor())
        self._misses = self._mask
        for multiplier in multipliers:  # 0 leaves the update of the whole variable out
            self._misses = tf.logical_or(self._misses, tf.equal(multiplier, 0))
        self._variable = variable
        self._adam = adam
        self._missed = missed
        self._slots = slots
        beta1_power, beta2_power = adam._get_beta_accumulators()
        self._powers = [_tf.DeepCopy(x=p.read_value()) for p in (beta1_power, beta2_power)]
        self._missed_before = _tf.DeepCopy(x=missed.read_value())
        self.waits = self.waits + self._powers + [self._missed_before]

    def restore(self, state, saved):
        """For the variable also the step of each element's own clock, and the clock's."""
        if state is not self._variable:
            return super().restore(state, saved)
        new = state.read_value()
        factor = tf.cast(self._factor(), new.dtype)
        own_step = saved + (new - saved) * factor
        stepped = _tf.select(tf.equal(self._missed_before, 0), new, own_step)
        return tf.group(
            v1.assign(state, _tf.select(self._mask, saved, stepped)),
            v1.assign(self._missed, self._missed_after()),
        )

    def _factor(self):
        """The element's correction over the one that the optimizer has applied."""
        beta1, beta2 = (tf.cast(b, tf.float32) for b in (self._adam._beta1_t, self._adam._beta2_t))
        own = tf.maximum(self._steps(beta2) - self._missed_before, 1.0)
        power1, power2 = (tf.cast(power, tf.float32) for power in self._powers)
        applied = tf.sqrt(1 - power2) / (1 - power1)
        return tf.sqrt(_one_minus_power(beta2, own)) / _one_minus_power(beta1, own) / applied

    def _steps(self, beta2):
        """This step's number, as the optimizer's own state has it.

        The power reaches the smallest float after some 87,000 steps, when no
        correction is left; the number then stays.
        """
        power = tf.maximum(tf.cast(self._powers[1], tf.float32), 1e-37)
        return tf.round(tf.math.log(power) / tf.math.log(beta2))

    def _missed_after(self):
        if self._slots == "advance":  # its moments took part in every step
            return self._missed_before
        beta2 = tf.cast(self._adam._beta2_t, tf.float32)
        missed = self._missed_before + 1
        if self._slots == "reset":  # its moments start from 0
            missed = tf.fill(tf.shape(missed), self._steps(beta2))
        return _tf.select(self._misses, missed, self._missed_before)


def _one_minus_power(base, exponent):
    """``1 - base**exponent``, exact for a base near 1."""
    return -tf.math.expm1(exponent * tf.math.log(base))
