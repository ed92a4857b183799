"""Masks of frozen elements: checked, and broadcast by NumPy's rules to their variable."""

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.errors import MaskError


class Mask:
    """A bool mask, True where frozen, of all variables that one selector takes.

    Args:
      mask: a NumPy bool array or what makes one, or a bool tensor, placeholder
        or variable.
      place: the call and key to name in an error.

    Raises:
      MaskError: its dtype is not bool.
    """

    def __init__(self, mask, place):
        self._place = place
        if not (tf.is_tensor(mask) or _tf.is_variable(mask)):
            mask = np.asarray(mask)
        self._mask = mask
        dtype = tf.as_dtype(mask.dtype).base_dtype
        if dtype != tf.bool:
            raise MaskError(
                place,
                "a bool mask, True where frozen",
                f"one of dtype {dtype.name}",
                "Compare it: mask > 0, or mask.astype(bool) for an array.",
            )

    @property
    def is_static(self):
        """True for an array, whose values are known when the step is built."""
        return isinstance(self._mask, np.ndarray)

    def of(self, variable):
        """The mask of one variable, as a tensor of the variable's shape.

        A slice of a partitioned variable gets its part of the mask of the whole.
        The shape is always spelled out: for a square variable TF 1's `where`
        takes a rank-1 mask to mean rows, and TF 2's to mean columns.

        Raises:
          MaskError: the shapes, as far as they are known, do not broadcast.
        """
        slice_info = getattr(variable, "_save_slice_info", None)
        whole = variable.shape.as_list() if slice_info is None else list(slice_info.full_shape)
        self._check_shape(whole)
        mask = self._tensor()
        if mask.shape.as_list() != whole if mask.shape.rank is not None else True:
            mask = tf.broadcast_to(mask, whole, name="frozen")
        if slice_info is not None:
            mask = tf.slice(mask, slice_info.var_offset, slice_info.var_shape, name="frozen_slice")
        return mask

    def _tensor(self):
        """The mask as a tensor that no later assign changes."""
        if self.is_static:
            return tf.constant(self._mask, name="frozen")
        mask = self._mask.read_value() if _tf.is_variable(self._mask) else self._mask
        return _tf.DeepCopy(x=mask) if _tf.is_ref_buffer(mask) else mask

    def _check_shape(self, wanted):
        if self.is_static:
            found = list(self._mask.shape)
        elif self._mask.shape.rank is None:
            return  # broadcast_to checks it when it runs
        else:
            found = self._mask.shape.as_list()
        ends = zip(reversed(found), reversed(wanted))
        if len(found) > len(wanted) or any(f not in (None, 1, w) for f, w in ends):
            raise MaskError(
                self._place,
                f"a mask that broadcasts to {tuple(wanted)}",
                f"one of shape {tuple(found)}",
                "Shapes align at their last dimension, as in NumPy; "
                "a mask of rows has shape (n, 1).",
            )
