"""Masks of rows that are known only in a run: the optimizer updates the rows that train."""

import math

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training.freezing import compact as _compact
from tfgraphtools.training.freezing import frozen_updates as _updates
from tfgraphtools.training.freezing import ways as _ways

MOST = 0.55  # the share of trainable rows up to which it is faster to update these alone


def fits(variable):
    """Tells whether a part of the rows can be updated alone, with the bits of the whole update."""
    size = variable.shape.num_elements()
    # On TF 1.15 the last elements of other sizes are computed alone: it depends on the threads.
    return bool(size) and not (_tf.IS_TF1 and size % _compact.PACKET)


class MovingRows:
    """Rows by a mask that is read in a run: each run chooses between two ways.

    Where few rows train, these are gathered with their slots, updated and scattered back: the
    frozen rows are neither read nor written. Where many train, the optimizer updates the whole
    variable, and the frozen rows are put back.

    Args:
      mask: a `Union` that `is_of_rows`.
      in_place: True if each state is memory of its own after the optimizer's update.
    """

    def __init__(self, mask, in_place):
        self._mask, self._in_place = mask, in_place

    def update(self, leaf, hook, grad, variable):
        """Returns an op that runs one of the two."""
        with v1.name_scope("moving_rows"):
            trains = self._mask.trainable_rows()
            rows = _indices(trains, "trainable_rows")
            are_few = tf.logical_and(
                tf.size(rows) <= int(MOST * variable.shape.as_list()[0]),
                tf.logical_not(_any_in_last_packet(trains, variable)),
            )
            alone = _tf.run_if(are_few, lambda: self._alone(leaf, hook, grad, variable, rows))
            # One way after the other: both read and write the same state.
            with _tf.after([alone]):
                return _tf.run_if(
                    tf.logical_not(are_few),
                    lambda: self._put_back(leaf, hook, grad, variable, trains),
                )

    def _alone(self, leaf, hook, grad, variable, rows):
        columns = variable.shape.as_list()[1:]
        together = _compact.PACKET // math.gcd(_compact.PACKET, variable.shape[1:].num_elements())
        # Whole packets of 64 elements, as in `compact`: the first row fills the last of them.
        filled = tf.concat([rows, tf.tile(rows[:1], [-tf.size(rows) % together])], axis=0)
        small = _updates.Scratch(leaf, variable, lambda state: [None] + columns, "moving")
        small.fill(lambda state: tf.gather(state, filled))
        stepped = small.step(hook, tf.gather(grad, filled))
        with _tf.after([stepped]):
            return small.each(lambda state, part: _scatter(state, rows, part.read_value()))

    def _put_back(self, leaf, hook, grad, variable, trains):
        frozen = _indices(tf.logical_not(trains), "frozen_rows")
        rows = _ways.PutBack(parts=frozen, in_place=self._in_place)
        states = [variable, *_updates.slots_of(leaf, variable).values()]
        saved = [rows.save(state) for state in states]
        with _tf.after([tensor.op for tensor in saved + [frozen]]):
            stepped = hook(grad, variable)
        with _tf.after([getattr(stepped, "op", stepped)]):
            return tf.group(*[rows.restore(*pair) for pair in zip(states, saved)])


def _indices(chosen, name):
    return tf.cast(tf.reshape(v1.where(chosen), [-1]), tf.int32, name=name)


def _any_in_last_packet(trains, variable):
    """Returns whether a row trains that is computed in part behind the last whole packet."""
    size, row_size = variable.shape.num_elements(), variable.shape[1:].num_elements()
    begin = (size - size % _compact.PACKET) // row_size
    return tf.reduce_any(trains[begin:])


def _scatter(state, rows, values):
    return v1.scatter_update(state, rows, values[: tf.size(rows)])
