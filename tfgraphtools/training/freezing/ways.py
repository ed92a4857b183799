"""Putting frozen elements back after an optimizer's step.

A state is the variable itself or one of its slots: they share one shape.
"""

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1


class PutBack:
    """Parts of a state are saved before a step and written back after it.

    Attributes:
      waits: tensors that must be there before the step begins, beside the saved.
    """

    def __init__(self, mask=None, parts=None, in_place=False):
        """Use one of the functions below.

        Args:
          mask: bool tensor of the shape of the parts: the new values stand where it
            is False. None writes all of the saved back.
          parts: the indices of rows (a vector) or of elements (a matrix); None is all.
          in_place: True if each state is memory of its own after the step.
        """
        self._mask, self._parts, self._in_place = mask, parts, in_place
        self.waits = [tensor for tensor in (mask, parts) if tensor is not None]

    def save(self, state):
        """The parts before the step, in memory of their own.

        `read_value` alone would be the memory of a ref variable, which the step changes.
        """
        return _tf.DeepCopy(x=state.read_value()) if self._parts is None else self._now(state)

    def restore(self, state, saved):
        """The op that writes them back; it is built after the step."""
        if self._mask is not None:
            saved = _tf.select(self._mask, saved, self._now(state))
        if self._parts is None:
            return v1.assign(state, saved)
        if self._mask is not None:
            return v1.scatter_update(state, self._parts, saved)
        if self._in_place:
            return _tf.overwrite_rows(state, self._parts, saved)
        rows = self._parts if self._parts.shape.rank == 2 else tf.expand_dims(self._parts, -1)
        return _tf.scatter_rows(state, rows, saved)

    def _now(self, state):
        if self._parts is None:
            return state.read_value()
        if self._mask is not None:
            return tf.gather(state, self._parts)  # by the handle: without a read of the whole
        if self._parts.shape.rank == 2:
            return tf.gather_nd(state.read_value(), self._parts)
        return tf.gather(state.read_value(), self._parts)


def everything(mask):
    """Any mask: all is copied before the step and chosen from after it."""
    return PutBack(mask=mask.tensor())


def rows(mask, in_place):
    """A mask of rows: the frozen rows."""
    return PutBack(parts=mask.frozen_rows(), in_place=in_place)


def elements(array, in_place):
    """An array with few frozen elements: these."""
    indices = tf.constant(np.argwhere(array), tf.int32, name="frozen_elements")
    return PutBack(parts=indices, in_place=in_place)


def touched_rows(mask, grad):
    """The rows of a sparse gradient, whose optimizer leaves all others alone."""
    touched = tf.unique(tf.reshape(grad.indices, [-1])).y
    return PutBack(mask=mask.gathered(touched), parts=touched)
