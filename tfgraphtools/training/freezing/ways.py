"""Putting frozen elements back after an optimizer's step.

A state is the variable itself or one of its slots: they share one shape.
"""

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1

BLOCK = 4 << 20  # bytes of a block that stays in the cache while it is chosen and written
_ROW = 64  # elements of a row from which on rows are written as fast as a whole variable
_ALIGNED = 64  # rows: a block that begins there begins at an aligned address


class PutBack:
    """Parts of a state are saved before a step and written back after it.

    Attributes:
      waits: tensors that must be there before the step begins, beside the saved.
    """

    def __init__(self, mask=None, parts=None, in_place=False):
        """Takes what the functions below pass: use one of them.

        Args:
          mask: bool tensor of the shape of the parts: the new values stand where it
            is False. None writes all of the saved back.
          parts: the indices of rows (a vector) or of elements (a matrix); None is all.
          in_place: True if each state is memory of its own after the step.
        """
        self._mask, self._parts, self._in_place = mask, parts, in_place
        self.waits = [tensor for tensor in (mask, parts) if tensor is not None]

    def save(self, state):
        """Returns the parts before the step, in memory of their own.

        `read_value` alone would be the memory of a ref variable, which the step changes.
        """
        if self._parts is not None:
            return self._now(state)
        if _count_of_blocks(state) > 1:  # memory that is kept: new memory costs page faults
            return v1.assign(_tf.scratch_variable(state, state.shape, "saved"), state.read_value())
        return _tf.DeepCopy(x=_tf.read_now(state))

    def restore(self, state, saved):
        """Returns the op that writes them back; it is built after the step."""
        count = _count_of_blocks(state)
        if self._parts is None and self._mask is not None and count > 1:
            return self._restore_in_blocks(state, saved, count)
        if self._mask is not None:
            saved = _tf.select(self._mask, saved, self._now(state))
        if self._parts is None:
            return state.assign(saved, read_value=False)
        if self._mask is not None:
            return v1.scatter_update(state, self._parts, saved)
        if self._in_place:
            return _tf.overwrite_rows(state, self._parts, saved)
        rows = self._parts if self._parts.shape.rank == 2 else tf.expand_dims(self._parts, -1)
        return _tf.scatter_rows(state, rows, saved)

    def _restore_in_blocks(self, state, saved, count):
        """Restores block by block: what is chosen is written while it is in the cache."""
        rows, *row = state.shape.as_list()
        flat = [tf.reshape(tensor, [-1]) for tensor in (self._mask, saved, state.read_value())]
        step = -(-rows // count // _ALIGNED) * _ALIGNED
        size = int(np.prod(row))
        written = []
        for begin in range(0, rows, step):
            own = np.arange(begin, min(begin + step, rows), dtype=np.int32)
            with _tf.after(written[-1:]):
                parts = [tf.slice(tensor, [begin * size], [len(own) * size]) for tensor in flat]
                chosen = tf.reshape(_tf.select(*parts), [len(own)] + row)
                written.append(v1.scatter_update(state, own, chosen).op)
        return written[-1]

    def _now(self, state):
        if self._parts is None:
            return _tf.read_now(state)
        if self._mask is not None:
            return tf.gather(state, self._parts)  # by the handle: without a read of the whole
        if self._parts.shape.rank == 2:
            return tf.gather_nd(state.read_value(), self._parts)
        return tf.gather(state.read_value(), self._parts)


def _count_of_blocks(state):
    """Tells how many blocks to restore a state in: more than one for a large ref variable.

    An assign to a ref variable copies. (To a resource variable it hands the memory over.)
    """
    if _tf.is_resource_variable(state) or not state.shape.is_fully_defined():
        return 1
    size = state.shape.num_elements()
    wide = state.shape.rank > 1 and size >= _ROW * state.shape.as_list()[0]
    return max(1, size * state.dtype.size // BLOCK) if wide else 1


def everything(mask):
    """Freezes by any mask: copies all before the step and chooses after it."""
    return PutBack(mask=mask.tensor())


def rows(mask, in_place):
    """Freezes by a mask of rows: copies the frozen rows."""
    return PutBack(parts=mask.frozen_rows(), in_place=in_place)


def elements(array, in_place):
    """Freezes by an array with few frozen elements: copies these."""
    indices = tf.constant(np.argwhere(array), tf.int32, name="frozen_elements")
    return PutBack(parts=indices, in_place=in_place)


def touched_rows(mask, grad):
    """Freezes rows of a sparse gradient, whose optimizer leaves all others alone."""
    touched = tf.unique(tf.reshape(grad.indices, [-1])).y
    return PutBack(mask=mask.gathered(touched), parts=touched)
