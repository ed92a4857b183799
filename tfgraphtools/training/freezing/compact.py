"""Arrays with few trainable elements: the optimizer updates these alone, in small variables.

The ways are used as those of `_updates` are.
"""

import math
import zlib

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.training.freezing import frozen_updates as _updates
from tfgraphtools.training.freezing import masks as _masks

#: A kernel computes whole packets of elements with other instructions than the
#: rest, which may differ in the last bit. An element is in a packet of the small
#: variable if it is in one of the large, whatever the size of a packet up to this.
PACKET = 64


MOST = 0.002  # the share of trainable elements up to which this is the faster way
MOST_ROWS = 0.2  # the same, where the trainable elements are whole rows


def unit_that_fits(array):
    """Returns "rows" or "elements" if this way is faster for a mask, and exact; else None."""
    if _tf.IS_TF1 and array.size % PACKET:
        return None  # some elements inside are computed alone there: it depends on the threads
    most = MOST if _whole_rows(array) is None else MOST_ROWS
    if not 0 < np.count_nonzero(~array) <= most * array.size:
        return None
    return _Few(array).unit


class Compact:
    """Few trainable rows or elements: gathered with their slots, updated, scattered back.

    Nothing saves or initialises the small variables: every step fills them again.
    Rows are copied whole, in order; single elements cost a miss of the cache each.
    """

    def __init__(self, array):
        self._few = _Few(array)

    def update(self, leaf, hook, grad, variable):
        """Returns the optimizer's update of the trainable elements."""
        with v1.name_scope("trainable_elements"):
            few = self._few.in_graph()
            small = _updates.Scratch(leaf, variable, lambda state: self._few.shape, "trainable")
            small.fill(few.gather)
            stepped = small.step(hook, few.gather(grad))
            with _tf.after([stepped]):
                return small.each(few.scatter)


class CompactSlots:
    """An array that never changes: the slots are kept for the trainable elements alone.

    Args:
      array: the mask, True where frozen, with at least one element that trains.
      variable: the variable.
      small: the variable that stands for its trainable elements in the
        optimizer, which makes its slots for it; made here if None.
    """

    def __init__(self, array, variable, small=None):
        self._few = _Few(array)
        if small is None:
            # Named after the variable, so that the slots' names do not depend on the order, and
            # after the mask: the slots of another mask's elements are not restored.
            with v1.name_scope(None):
                name = f"{variable.op.name}/Trainable{_of_mask(array)}{_of_slice(variable)}"
                small = _tf.unsaved_variable(variable, self._few.shape, name)
        self.small = small

    def update(self, leaf, hook, grad, variable, masks):
        """Returns the optimizer's update of the trainable elements that no other mask freezes."""
        with v1.name_scope("trainable_elements"):
            few = self._few.in_graph()
            filled = v1.assign(self.small, few.gather(variable))
            with _tf.after([getattr(filled, "op", filled)]):
                _tf.read_from_here_on(self.small)
                grad = few.gather(grad)
                if masks:
                    beside = _updates.Beside(_masks.Gathered(masks, few.gather))
                    stepped = beside.update(leaf, hook, grad, self.small)
                else:
                    stepped = hook(grad, self.small)
            with _tf.after([stepped]):
                return few.scatter(variable, self.small)


def _of_mask(array):
    return f"_of_mask_{zlib.crc32(np.packbits(array).tobytes()):08x}"


def _of_slice(variable):
    """Tells the slice of a partitioned variable: the state of another slice is not restored."""
    whole = getattr(variable, "_save_slice_info", None)
    if whole is None:
        return ""
    numbers = list(whole.var_offset) + list(whole.var_shape)
    return "_of_slice_" + "_".join(map(str, numbers))


class _Few:
    """The rows or elements that train, and their places in a small variable.

    Attributes:
      unit: "rows" or "elements".
      shape: of the small variable.
    """

    def __init__(self, array):
        rows, trains = _whole_rows(array), ~array.reshape(-1)
        in_packets = array.size - array.size % PACKET
        if rows is None or trains[in_packets:].any():
            self.unit, part = "elements", []
            order, self._trained = _in_packets(trains, in_packets)
            self._indices = np.stack(np.unravel_index(order, array.shape), axis=1)
        else:
            self.unit, part = "rows", list(array.shape[1:])
            together = PACKET // math.gcd(PACKET, int(np.prod(part, dtype=int)))
            filling = np.repeat(rows[:1], -len(rows) % together)
            self._indices = np.concatenate([rows, filling])[:, np.newaxis]
            self._trained = np.arange(len(rows))
        self.shape = [len(self._indices)] + part

    def in_graph(self):
        """Returns the same as tensors."""
        return _FewTensors(self._indices, self._trained)


class _FewTensors:
    """Gathers and scatters through the handle: after a scatter a plain read copies the whole."""

    _PIECES, _PIECE = 4, 1024  # of a scatter: how many, and from what size on

    def __init__(self, indices, trained):
        self._indices = tf.constant(indices, tf.int32)
        self._scattered, self._chosen = self._indices, None
        if len(trained) < len(indices):
            self._scattered = tf.constant(indices[trained], tf.int32)
            self._chosen = tf.constant(trained, tf.int32)

    def gather(self, whole):
        """Returns the elements of a variable or tensor, in the order of the small variable."""
        return tf.gather_nd(whole, self._indices)

    def scatter(self, whole, small):
        """Writes the trainable elements back into a variable."""
        values = small.read_value()
        if self._chosen is not None:
            values = tf.gather(values, self._chosen)
        count = self._scattered.shape.as_list()[0]
        if _tf.is_resource_variable(whole) or count < self._PIECES * self._PIECE:
            return v1.scatter_nd_update(whole, self._scattered, values)
        # A ref variable can be written from several threads, each at its own elements.
        ends = np.linspace(0, count, self._PIECES + 1).astype(int)
        return tf.group(
            *[
                v1.scatter_nd_update(
                    whole, self._scattered[begin:end], values[begin:end], use_locking=False
                )
                for begin, end in zip(ends, ends[1:])
            ]
        )


def _in_packets(trains, in_packets):
    """Returns (the elements in the small variable's order, the places there of trained ones).

    Those from whole packets fill whole packets. Behind them comes the rest of the
    variable, if any of it trains, each at its own distance from the end. The first
    trainable element fills the gaps.
    """
    trainable = np.flatnonzero(trains)
    packed = trainable[trainable < in_packets]
    filling = np.full(-len(packed) % PACKET, trainable[0])
    behind_packets = np.arange(in_packets, len(trains))
    if not trains[behind_packets].any():
        behind_packets = behind_packets[:0]
    order = np.concatenate(
        [packed, filling, np.where(trains[behind_packets], behind_packets, trainable[0])]
    )
    behind = len(packed) + len(filling)
    return order, np.append(np.arange(len(packed)), behind + np.flatnonzero(trains[behind_packets]))


def _whole_rows(array):
    """Returns the indices of the trainable rows, or None where a row is frozen in part."""
    if array.ndim < 2:
        return None
    rows = array.reshape(array.shape[0], -1)
    trainable = ~rows.any(axis=1)
    return np.flatnonzero(trainable) if (trainable | rows.all(axis=1)).all() else None
