"""The update of one variable in one step, as all wrappers together have planned it."""

import contextlib
import numbers

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training.freezing import choice_of_way as _choice
from tfgraphtools.training.freezing import masks as _masks
from tfgraphtools.training.steps import master_weight as _master
from tfgraphtools.training.steps import rate as _rate
from tfgraphtools.training.steps import trust_ratio as _trust


class Update:
    """One variable of a step: filled by the wrappers, and done once in the optimizer inside.

    It goes by the user's variable, whatever the optimizer updates in its place:
    a copy on a server, or a small variable of the trainable elements.

    Attributes:
      variable: the user's.
      chain: the optimizers on the way to it, outermost first.
      multipliers: of the learning rate: numbers, or scalar tensors read at the start.
      element_rates: `VariableMask` of the multipliers of its elements.
      freezers: the optimizers that freeze some of it.
      frozen: `VariableMask` of each of these, in whatever way it freezes.
      masks: `VariableMask` of the elements that stay while the optimizer updates.
      trust: the `Ratio` by which the optimizer's own update is scaled, or None.
      fused: True if XLA may do it, with other last bits.
      in_one_pass: True if XLA is to do it, with the same bits, where it can.
      master: the `MasterWeight` that the optimizer updates in the variable's place, or None.
      compact: the `CompactSlots` way, where slots are kept for trainable elements alone.
      compact_by: the optimizer that keeps them so.
      done: True once an optimizer has updated the variable.
    """

    def __init__(self, variable):
        self.variable = variable
        self.chain = []
        self.multipliers = []
        self.element_rates = []
        self.freezers = []
        self.frozen = []
        self.masks = []
        self.trust = None
        self.fused = self.in_one_pass = False
        self.read_any = False  # see `FreezeOptimizer` readers
        self.compact = self.compact_by = None
        self.master = None
        self.done = False

    @property
    def is_plain(self):
        """True if no wrapper has asked for anything inside the optimizer's update."""
        plain_rate = all(isinstance(m, numbers.Real) and m == 1 for m in self.multipliers)
        asked = self.masks or self.element_rates or self.compact or self.trust or self.master
        return plain_rate and not asked

    def stand_in(self, variable):
        """Returns what the optimizer makes slots of and updates in the place of a variable."""
        if self.master is not None:
            return self.master.weights
        return variable if self.compact is None else self.compact.small

    def unless_frozen(self, new, old, rows=None, slots=None):
        """Returns a new value, with the old one where any optimizer freezes the variable.

        For what wrappers change beside the optimizer's own update.

        Args:
          new, old: tensors of the variable's shape.
          rows: the indices of the rows that these hold; None is all.
          slots: count only the optimizers that freeze with one of these ``slots=``.
        """
        for freezer, mask in zip(self.freezers, self.frozen):
            if slots is None or freezer.slots_of_frozen in slots:
                now = mask.tensor() if rows is None else mask.gathered(rows)
                new = _tf.select(now, old, new)
        return new

    @contextlib.contextmanager
    def constrained(self):
        """Makes the variable's constraint leave it where a multiplier is 0, while open.

        TensorFlow applies the constraint after the optimizer's update, left out or not.
        """
        may_be_zero = any(
            tf.is_tensor(multiplier) or multiplier == 0 for multiplier in self.multipliers
        )
        with contextlib.ExitStack() as stack:
            for copy in _tf.components(self.variable) if may_be_zero else ():
                if copy.constraint is not None:
                    own = self._unless_zero(copy.constraint)
                    stack.enter_context(_tf.constrained_by(copy, own))
            yield

    def _unless_zero(self, constraint):
        def constrained(variable):
            return self.unless_zero(constraint(variable), variable.read_value())

        return constrained

    def unless_zero(self, new, old):
        """Returns a new value, with the old one in the runs in which a multiplier is 0."""
        zeros = self.zeros()
        if zeros is None:
            return old
        return _tf.where(tf.reduce_any(tf.stack(zeros)), old, new) if zeros else new

    def above(self, wrapper):
        """Returns the optimizers around a wrapper."""
        return self.chain[
            : next(i for i, optimizer in enumerate(self.chain) if optimizer is wrapper)
        ]

    def below(self, wrapper):
        """Returns the optimizers between a wrapper and the variable."""
        position = next(i for i, optimizer in enumerate(self.chain) if optimizer is wrapper)
        return self.chain[position + 1 :]

    def run(self, leaf, hook, grad, variable):
        """Returns the optimizer's update with all that was asked for.

        Args:
          leaf: the optimizer that updates variables itself.
          hook: ``hook(grad, variable)``: its own update of one variable.
          grad, variable: what it was about to update; of a mirrored variable one copy.
        """
        self.done = True
        stops = self._stops()
        if stops is None:
            return tf.no_op()
        hook = _rate.at_rate(leaf, self.multipliers, hook)
        if self.master is None:
            return self._updated(leaf, hook, grad, variable, stops)
        grad = _master.widened(grad)
        return self.master.updated(
            self, lambda weights: self._updated(leaf, hook, grad, weights, stops)
        )

    def _updated(self, leaf, hook, grad, variable, stops):
        def build(variable):
            if not stops:
                return self._trainable_part(leaf, hook, grad, variable)
            with v1.name_scope("unless_frozen"):
                goes_on = tf.logical_not(tf.reduce_any(tf.stack(stops)))
                return _tf.run_if(
                    goes_on, lambda: tf.group(self._trainable_part(leaf, hook, grad, variable))
                )

        trust = self.trust
        if trust is None and not self.element_rates:
            return build(variable)
        if trust is None:
            trust = _trust.Ratio(None)  # the step by itself
            trust.add(self, 0)
        rate = _rate.value(leaf, self.multipliers)
        return trust.update(self, leaf, rate, build, variable)

    def at_element_rates(self, step):
        """Returns the optimizer's step times the multipliers of the elements."""
        for rates in self.element_rates:
            step = step * tf.cast(rates.tensor(), step.dtype)
        return step

    def _stops(self):
        """Returns the bool tensors any of which leaves the whole update out; None is always."""
        stops = self.zeros()
        if stops is None:
            return None
        for mask in self.masks:
            if mask.is_scalar and mask.is_known:
                if mask.unread:
                    return None
            elif mask.is_scalar:
                stops.append(mask.scalar())
        return stops

    def zeros(self):
        """Returns the bool tensors that tell where a multiplier is 0; None: one always is."""
        if any(
            isinstance(multiplier, numbers.Real) and multiplier == 0
            for multiplier in self.multipliers
        ):
            return None
        return [tf.equal(m, 0) for m in self.multipliers if not isinstance(m, numbers.Real)]

    def _trainable_part(self, leaf, hook, grad, variable):
        masks = [mask for mask in self.masks if not mask.is_scalar]
        if self.compact is not None:
            return self.compact.update(leaf, hook, grad, variable, masks)
        if not masks:
            return hook(grad, variable)
        mask = _masks.Union(masks)
        array = mask.array()
        if array is not None and array.all():
            return tf.no_op()
        way = _choice.at_leaf(mask, leaf, grad, variable, self)
        return way.update(leaf, hook, grad, variable)
