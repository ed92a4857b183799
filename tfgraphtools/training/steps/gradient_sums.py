"""The sums of an accumulation: of one variable's gradients, and of the runs that wait in it."""

import functools

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import ArgumentError
from tfgraphtools.training.steps import distributed as _distributed
from tfgraphtools.training.steps import indexed_slices as _slices


class Sum:
    """The sum of one variable's gradients, in slots of the optimizer.

    Args:
      step: that is being built.
      zeros: ``zeros(step, variable, name, shape, dtype)`` makes a slot.
      grad, variable: one pair of it.
    """

    def __init__(self, step, zeros, grad, variable):
        self.variable = variable
        self._grad = grad
        if not variable.shape.is_fully_defined():
            raise ArgumentError(
                "GradientAccumulationOptimizer",
                f"a shape known when the step is built of {_select.listing([variable])}",
                str(variable.shape),
                "Make the variable with its shape, without validate_shape=False.",
            )
        dtype = variable.dtype.base_dtype
        # Half floats would lose the small gradients, and overflow over the large ones.
        wide = dtype if dtype.size >= 4 else tf.float32
        zeros = functools.partial(zeros, step, variable)
        self._sum = zeros("gradient_sum", variable.shape, wide)
        self._rows = self._touched = self._waits = None
        if _may_wait(step.update_of(variable)):
            self._waits = zeros("gradient_waits", variable.shape, tf.float32)
        if isinstance(_distributed.together(grad), tf.IndexedSlices):
            self._rows = zeros("gradient_rows", variable.shape[:1], tf.bool)
            for rows in _tf.components(self._rows):
                _tf.save_as_rows(rows, variable)  # else a Saver takes it to have all dimensions

    @property
    def slots(self):
        """The slots of the variable."""
        return [slot for slot in (self._sum, self._rows, self._waits) if slot is not None]

    def is_unused(self):
        """Tells, as a scalar tensor, whether no gradients are there since the last step was due."""
        total = _tf.components(self._sum)[0]
        with _tf.colocate_with(total):
            is_none = tf.equal(total.read_value(), 0)
            if self._waits is not None:
                waits = _tf.components(self._waits)[0].read_value()
                is_none = tf.logical_or(is_none, tf.not_equal(waits, 0))
            return tf.reduce_all(is_none)

    def add(self, update):
        """Returns the op that adds the gradient of this run where no mask freezes."""
        grad = _distributed.together(self._grad)
        values = tf.cast(_slices.values_of(grad), self._sum.dtype.base_dtype)
        rows = None if self._rows is None else grad.indices
        if update.frozen:
            kinds = ("keep", "compact", "reset")
            values = update.unless_frozen(values, tf.zeros_like(values), rows, kinds)
        if self._rows is None:
            return _distributed.updated(self._sum, v1.assign_add, values)
        touched = tf.ones_like(grad.indices, tf.bool)
        return tf.group(
            _distributed.updated(self._sum, v1.scatter_add, grad.indices, values),
            _distributed.updated(self._rows, v1.scatter_update, grad.indices, touched),
        )

    def mean(self, count):
        """Returns the mean gradient; for a sparse one, slices of all rows that were touched."""
        dtype = self.variable.dtype.base_dtype
        own = _tf.components(self._sum)[0]
        with _tf.colocate_with(own):
            if self._rows is None:
                mean = tf.cast(own.read_value() * self._share(count), dtype)
            else:
                self._touched = _slices.rows_where(_tf.components(self._rows)[0].read_value())
                values = tf.gather(own, self._touched) * self._share(count, self._touched)
                mean = tf.IndexedSlices(tf.cast(values, dtype), self._touched, tf.shape(own))
        return _distributed.apart(mean, self._grad)

    def _share(self, count, rows=None):
        """Returns 1 over the runs that are in a sum, of each element where these may differ.

        Args:
          count: the runs since the last step was due.
          rows: of which elements; None is all.
        """
        # To multiply by: the graph optimizer makes a product of a division, and rounds so.
        runs = tf.cast(count, tf.float64)
        if self._waits is not None:
            waits = _tf.components(self._waits)[0]
            waits = waits.read_value() if rows is None else tf.gather(waits, rows)
            runs += tf.cast(waits, tf.float64)
        return tf.cast(1 / runs, self._sum.dtype.base_dtype)

    def clear(self, update, count):
        """Returns the op that forgets the sum: not that of frozen elements, whose state waits.

        Args:
          update: of the variable.
          count: the runs since the last step was due.
        """
        if self._rows is None:
            own = [slot for slot in (self._sum, self._waits) if slot is not None]
            return _distributed.updated(own[0], _cleared(update, count), *own[1:])
        own = [_tf.components(slot)[0] for slot in (self._sum, self._waits) if slot is not None]
        with _tf.colocate_with(own[0]):  # elsewhere it is a copy of who knows when
            rows = [tf.gather(slot, self._touched) for slot in own]
        kept = update.unless_frozen(tf.zeros_like(rows[0]), rows[0], self._touched, _KEPT)
        # A row with a sum that waits is one of the next step's, touched then or not.
        is_kept = tf.not_equal(kept, 0)
        waits = tf.reduce_any(is_kept, axis=list(range(1, kept.shape.rank)))
        cleared = [
            _distributed.updated(self._sum, v1.scatter_update, self._touched, kept),
            _distributed.updated(self._rows, v1.scatter_update, self._touched, waits),
        ]
        if self._waits is not None:
            longer = _waiting(is_kept, rows[1], count)
            cleared.append(
                _distributed.updated(self._waits, v1.scatter_update, self._touched, longer)
            )
        return tf.group(*cleared)


#: With these ``slots=`` the sum of a frozen element waits for it.
_KEPT = ("keep", "compact")


def _may_wait(update):
    """Tells whether an element can have gradients, and be frozen when the step is due."""
    return any(
        freezer.slots_of_frozen in _KEPT and not mask.is_known
        for freezer, mask in zip(update.freezers, update.frozen)
    )


def _cleared(update, count):
    """Returns the function that makes the op that clears a sum and, if any, its waits."""

    def cleared(total, waits=None):
        kept = tf.zeros_like(total)
        if update.frozen:
            kept = update.unless_frozen(kept, total.read_value(), None, _KEPT)
        if waits is None:
            return v1.assign(total, kept)
        longer = _waiting(tf.not_equal(kept, 0), waits.read_value(), count)
        with _tf.after([kept, longer]):
            return tf.group(v1.assign(total, kept), v1.assign(waits, longer))

    return cleared


def _waiting(is_kept, waits, count):
    """Returns the runs that each sum waits for, after one more period of so many."""
    return _tf.select(is_kept, waits + tf.cast(count, waits.dtype), tf.zeros_like(waits))
