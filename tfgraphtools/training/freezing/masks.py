"""Masks of frozen elements: checked, and broadcast by NumPy's rules to their variable."""

import copy

import numpy as np

from tfgraphtools import _tf
from tfgraphtools import select as _select
from tfgraphtools._tf import tf, v1
from tfgraphtools.errors import MaskError
from tfgraphtools.training import _arguments


def by_selector(frozen, place):
    """Returns the (selector, `Mask`) items of a user's ``{selector: mask}``; none is an error."""
    return [
        (selector, Mask(mask, f"{place} {_select.shown(selector)}"))
        for selector, mask in _arguments.items(frozen, place, "mask")
    ]


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
            mask = _array(mask, place)
        self._mask = self._unread_mask = mask
        dtype = tf.as_dtype(mask.dtype).base_dtype
        if dtype != tf.bool:
            raise MaskError(
                place,
                "a bool mask, True where frozen",
                f"one of dtype {mask.dtype.name.replace('_ref', '')}",
                "Compare it: mask > 0, or mask.astype(bool) for an array.",
            )

    def read(self, step):
        """Returns the same mask as it is at the start of a step."""
        read = copy.copy(self)
        read._mask = step.read(self._mask, self._place)
        return read

    def of(self, variable):
        """Returns the mask of one variable.

        Raises:
          MaskError: the shapes, as far as they are known, do not broadcast.
        """
        wanted = _whole_shape(variable)
        if wanted is not None:
            self._check_shape(wanted)
        return VariableMask(self._mask, self._unread_mask, variable)

    def _check_shape(self, wanted):
        if isinstance(self._mask, np.ndarray):
            mask_sizes = list(self._mask.shape)
        elif self._mask.shape.rank is None:
            return  # broadcast_to checks it when it runs
        else:
            mask_sizes = self._mask.shape.as_list()
        ends = zip(reversed(mask_sizes), reversed(wanted))
        if len(mask_sizes) > len(wanted) or any(f not in (None, 1, w) for f, w in ends):
            raise MaskError(
                self._place,
                f"a mask that broadcasts to {tuple(wanted)}",
                f"one of shape {tuple(mask_sizes)}",
                "Shapes align at their last dimension, as in NumPy; "
                "a mask of rows has shape (n, 1).",
            )


class VariableMask:
    """The mask of one variable, or of one slice of a partitioned variable.

    A tensor is built again at each call, where ops are built at that moment.

    Args:
      mask: an array, or a tensor or variable to be read.
      unread: the same as the user gave it.
      variable: whose mask it is; its shape may be unknown until a step runs.
    """

    def __init__(self, mask, unread, variable):
        self._mask = mask
        self._variable = variable
        self.unread = unread
        self._whole = _whole_shape(variable)
        self._slice = getattr(variable, "_save_slice_info", None)

    def check_at_start(self, step):
        """Checks a shape that is known only in a run, before the step changes anything."""
        if self.is_known or self._mask.shape.is_fully_defined():
            return
        whole = self._whole
        if whole is None:
            whole = tf.shape(_value(self._variable))
        with v1.name_scope("mask_shape"):
            mask_shape = tf.shape(self._mask)
            joint_shape = tf.broadcast_dynamic_shape(mask_shape, whole)
            same_rank = tf.equal(tf.size(joint_shape), tf.size(whole))
            # Without the slice TensorFlow compares shapes of two ranks by an error of its own.
            equal_shapes = tf.reduce_all(tf.equal(joint_shape[-tf.size(whole) :], whole))
            words = [
                "FreezeOptimizer: expected a mask that broadcasts to",
                whole,
                "got",
                mask_shape,
            ]
            checked = v1.debugging.Assert(tf.logical_and(same_rank, equal_shapes), words)
            with v1.control_dependencies([checked]):
                step.reads.append(tf.identity(mask_shape))

    @property
    def is_known(self):
        """True if it is an array."""
        return isinstance(self._mask, np.ndarray)

    @property
    def is_scalar(self):
        """True if one value, known now or later, holds for the whole variable."""
        return self._mask.shape == () if self.is_known else self._mask.shape.rank == 0

    @property
    def is_of_rows(self):
        """True if it is known to be the same along every row of a matrix or more."""
        shape = self._mask.shape
        if not self.is_known:
            shape = shape.as_list() if shape.rank is not None else ()
        return (
            self._slice is None
            and self._whole is not None
            and len(self._whole) > 1
            and len(shape) == len(self._whole)
            and shape[0] == self._whole[0]
            and all(size == 1 for size in shape[1:])
        )

    def array(self):
        """Returns the mask as an array of the variable's shape; None if known only later."""
        if not self.is_known or self._whole is None:
            return None
        return self._own_part(np.broadcast_to(self._mask, self._whole))

    def describe(self):
        """Returns the mask in words: how many elements of an array, or the tensor's name."""
        if not self.is_known:
            return f"by {self.unread.name}"
        array = self.array()
        if array is None:
            return f"an array of shape {self._mask.shape}"
        return f"{int(array.sum()):,} of {array.size:,}"

    def scalar(self):
        """Returns the one value of a mask that `is_scalar`, as a tensor."""
        return self._tensor()

    def tensor(self):
        """Returns the mask as a tensor of the variable's shape.

        The shape is always spelled out: for a square variable TF 1's `where`
        takes a rank-1 mask to mean rows, and TF 2's to mean columns.
        """
        mask = self._tensor()
        if self._whole is None:
            return tf.broadcast_to(mask, tf.shape(_value(self._variable)), name="frozen")
        if mask.shape.rank is None or mask.shape.as_list() != self._whole:
            mask = tf.broadcast_to(mask, self._whole, name="frozen")
        return self._own_part(mask)

    def frozen_rows(self):
        """Returns the indices of the frozen rows of a mask that `is_of_rows`: an int32 vector."""
        return tf.cast(tf.reshape(v1.where(self.of_rows()), [-1]), tf.int32, name="frozen_rows")

    def of_rows(self):
        """Returns one bool for each row of a mask that `is_of_rows`: True where frozen."""
        return tf.reshape(self._tensor(), [-1])

    def gathered(self, rows):
        """Returns the mask of some rows, in their shape, at the cost of these rows only."""
        if self._whole is None:
            return tf.gather(self.tensor(), rows)
        mask = _of_rank(self._tensor(), len(self._whole))
        offsets, sizes = [0] * len(self._whole), self._whole
        if self._slice is not None:
            offsets, sizes = self._slice.var_offset, self._slice.var_shape
            rows += tf.constant(offsets[0], rows.dtype)
        count = mask.shape.as_list()[0]
        if count != 1:
            if count != self._whole[0]:  # known in a run: 1 row stands for all
                rows *= tf.cast(tf.shape(mask)[0] > 1, rows.dtype)
            mask = tf.gather(mask, rows)
        shape = tf.concat([tf.shape(rows), tf.constant(self._whole[1:], tf.int32)], axis=0)
        mask = tf.broadcast_to(mask, shape, name="frozen_of_rows")
        if list(sizes[1:]) == list(self._whole[1:]):
            return mask
        ends = [slice(begin, begin + size) for begin, size in zip(offsets[1:], sizes[1:])]
        return mask[(slice(None), *ends)]

    def _tensor(self):
        """Returns the mask in its own shape, as a tensor that no later assign changes."""
        if self.is_known:
            return tf.constant(self._mask, name="frozen")
        mask = self._mask.read_value() if _tf.is_variable(self._mask) else self._mask
        return _tf.DeepCopy(x=mask) if _tf.is_ref_buffer(mask) else mask

    def _own_part(self, mask):
        if self._slice is None:
            return mask
        begin, size = self._slice.var_offset, self._slice.var_shape
        return mask[tuple(slice(b, b + s) for b, s in zip(begin, size))]


def _of_rank(mask, rank):
    """Returns the same mask with dimensions of 1 in front."""
    if mask.shape.rank is None:
        ones = tf.ones([rank - tf.rank(mask)], tf.int32)
        mask = tf.reshape(mask, tf.concat([ones, tf.shape(mask)], axis=0))
        return v1.ensure_shape(mask, [None] * rank)
    for _ in range(rank - mask.shape.rank):
        mask = tf.expand_dims(mask, 0)
    return mask


class Union:
    """The elements of one variable that any of several masks freezes, none of them scalar."""

    def __init__(self, masks):
        self._masks = masks

    @property
    def is_of_rows(self):
        """True if each of them is the same along every row, and one is known only in a run."""
        return self.array() is None and all(mask.is_of_rows for mask in self._masks)

    def trainable_rows(self):
        """Returns one bool for each row where it `is_of_rows`: True where none freezes it."""
        return tf.logical_not(_any([mask.of_rows() for mask in self._masks]))

    def array(self):
        """Returns an array, or None where one of them is known only later."""
        arrays = [mask.array() for mask in self._masks]
        return None if any(a is None for a in arrays) else np.logical_or.reduce(arrays)

    def tensor(self):
        """Returns a tensor of the variable's shape."""
        if self.array() is not None:
            return tf.constant(self.array(), name="frozen")
        return _any([mask.tensor() for mask in self._masks])


class Gathered:
    """A `Union` of some elements: those that a function gathers from the whole."""

    def __init__(self, masks, gather):
        self._masks, self._gather = masks, gather

    def tensor(self):
        """Returns a tensor of the shape of what is gathered."""
        return _any([self._gather(mask.tensor()) for mask in self._masks])


def _array(mask, place):
    try:
        return np.array(mask)  # a copy: what the user does to it later changes no freeze
    except (ValueError, TypeError, NotImplementedError) as error:  # of a ragged list, or of tensors
        raise MaskError(
            place,
            "a bool mask, True where frozen",
            f"a list that is no array ({error})",
            "Give all rows one length; of tensors make one: tf.stack(masks).",
        ) from error


def _value(variable):
    """Returns the value of a variable, or of a tensor: `frozen_read` gives one."""
    return variable.read_value() if _tf.is_variable(variable) else variable


def _any(tensors):
    any_of = tensors[0]
    for other in tensors[1:]:
        any_of = tf.logical_or(any_of, other)
    return any_of


def _whole_shape(variable):
    """Returns the shape of a variable, or of a slice's whole; None where unknown."""
    slice_info = getattr(variable, "_save_slice_info", None)
    if slice_info is not None:
        return list(slice_info.full_shape)
    return variable.shape.as_list() if variable.shape.is_fully_defined() else None
