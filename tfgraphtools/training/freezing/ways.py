"""The ways to put frozen elements back after an optimizer's step.

Each is a class with

- ``label``: the way in words, for `describe`;
- ``waits``: tensors that must be there before the step begins, beside the saved;
- ``save(state)``: before the step, a tensor in memory of its own;
- ``restore(state, saved)``: built after the step, the op that puts it back.

A state is the variable itself or one of its slots: they share one shape.
"""

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1


class Copy:
    """Any mask: everything is copied before the step and chosen from after it."""

    label = "copy and restore"

    def __init__(self, mask):
        self._mask = mask.tensor()
        self.waits = [self._mask]

    def save(self, state):
        """The value before the step.

        `read_value` alone would be the memory of a ref variable, which the step
        changes.
        """
        return _tf.DeepCopy(x=state.read_value())

    def restore(self, state, saved):
        """The saved where frozen, the new elsewhere."""
        return v1.assign(state, _tf.select(self._mask, saved, state.read_value()))


class Rows:
    """A mask of rows: the frozen rows are copied before the step and written back.

    Args:
      mask: the variable's `VariableMask`.
      in_place: True if each state is memory of its own after the step.
    """

    label = "rows"
    MOST = 0.5  # the share of frozen rows, where it is known, up to which this is faster

    def __init__(self, mask, in_place):
        self._rows = mask.frozen_rows()
        self._in_place = in_place
        self.waits = [self._rows]

    def save(self, state):
        """The frozen rows before the step."""
        return tf.gather(state.read_value(), self._rows)

    def restore(self, state, saved):
        """The frozen rows, written over the step's."""
        if self._in_place:
            return _tf.overwrite_rows(state, self._rows, saved)
        return _tf.scatter_rows(state, tf.expand_dims(self._rows, -1), saved)


class Elements:
    """An array with few frozen elements: as `Rows`, element by element."""

    label = "few frozen elements"
    MOST = 0.002  # the share of frozen elements up to which this is the faster way

    def __init__(self, array, in_place):
        self._indices = tf.constant(np.argwhere(array), tf.int32, name="frozen_elements")
        self._in_place = in_place
        self.waits = []

    def save(self, state):
        """The frozen elements before the step."""
        return tf.gather_nd(state.read_value(), self._indices)

    def restore(self, state, saved):
        """The frozen elements, written over the step's."""
        if self._in_place:
            return _tf.overwrite_rows(state, self._indices, saved)
        return _tf.scatter_rows(state, self._indices, saved)


class TouchedRows:
    """A sparse gradient of an optimizer that leaves all other rows alone: its rows only."""

    label = "touched rows"

    def __init__(self, mask, grad):
        self._rows = tf.unique(tf.reshape(grad.indices, [-1])).y
        self._mask = mask.gathered(self._rows)
        self.waits = [self._rows, self._mask]

    def save(self, state):
        """The touched rows before the step."""
        return tf.gather(state, self._rows)

    def restore(self, state, saved):
        """In the touched rows, the saved where frozen, the new elsewhere."""
        chosen = _tf.select(self._mask, saved, tf.gather(state, self._rows))
        return v1.scatter_update(state, self._rows, chosen)
