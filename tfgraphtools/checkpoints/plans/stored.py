"""Stored tensors as expressions, of which every new tensor is made.

An expression knows its type and shape without reading anything. `blocks` yields
its values a few megabytes at a time, in the storage type, flat and in order, so
that a tensor larger than the memory can be written; `view` gives all of it, as
a view of the file where that is possible.
"""

import numpy as np

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.checksums.crc32c import crc32c, mask
from tfgraphtools.checkpoints.format.extents import elements
from tfgraphtools.checkpoints.format.wire import Malformed, reading
from tfgraphtools.checkpoints.plans.streams import BLOCK, row_blocks
from tfgraphtools.checkpoints.read import boxes
from tfgraphtools.checkpoints.read.stored_tensors import along_first_axis, require_dimensions


class Expression:
    """One tensor to be; see the module's docstring."""

    dtype = None
    shape = ()

    def view(self):
        """Returns all values, in the storage type, of the shape."""
        raise NotImplementedError

    def blocks(self):
        """Yields the values as flat arrays, in C order."""
        return row_blocks(self.view())


class Stored(Expression):
    """A tensor of a checkpoint, or one part of it. Reading all of it checks its checksum."""

    def __init__(self, ckpt, name, part=None):
        self._ckpt = ckpt
        self._tensor = ckpt.tensor(name)
        self._part = part
        self._checked = False
        self.dtype = self._tensor.dtype
        self.shape = self._tensor.shape if part is None else part.shape
        with self._reading():
            require_dimensions(self.shape)

    def view(self):
        if self._part is None:
            self._ckpt.check(self._tensor.name)
            return self._ckpt.raw(self._tensor.name)
        with self._reading():
            self._ckpt.store.check(self._tensor, self._part)
            values = self._ckpt.store.array(self._tensor, self._part)
        return objects(values, self.shape) if isinstance(values, list) else values

    def slice(self, index):
        """Returns a slice's values; of a partitioned tensor only touched slices are read."""
        if self._part is not None:
            return self.view()[index]
        self._check()
        return self._ckpt.raw(self._tensor.name, index)

    def blocks(self):
        store, tensor, part = self._ckpt.store, self._tensor, self._part
        parts = along_first_axis(tensor) if part is None else [part]
        if (
            parts
            and tensor.dtype.size
            and all(store.streams(tensor, part_of_tensor) for part_of_tensor in parts)
        ):
            return self._one_by_one(parts)
        box = self.box([(0, size) for size in tensor.shape]) if part is None else None
        return box or row_blocks(self.view())

    def box(self, bounds):
        """Returns the blocks of a part, or None if its bytes must be decoded first."""
        if self._part is not None or not boxes.can_stream(self._ckpt.store, self._tensor):
            return None
        return self._of_box(bounds)

    def _of_box(self, bounds):
        with self._reading():
            self._check()
            yield from boxes.blocks(self._ckpt.store, self._tensor, bounds, BLOCK)

    def _check(self):
        """Compares all checksums, once."""
        if not self._checked:
            self._ckpt.check(self._tensor.name)
            self._checked = True

    def _one_by_one(self, parts):
        for part in parts:
            yield from self._streamed(part)

    def _streamed(self, part):
        storage = dtypes.storage(self.dtype, self._ckpt.big_endian)
        crc = 0
        with self._reading():
            for chunk in self._ckpt.store.chunks(self._tensor, part):
                crc = crc32c(chunk, crc)
                yield np.frombuffer(chunk, storage)
            if part.crc is not None and mask(crc) != part.crc:
                raise Malformed("checksum")

    def _reading(self):
        return reading(f"{self._ckpt.prefix}: {self._tensor.name!r}")


def objects(values, shape):
    """Makes an array of objects: NumPy would take lists of bytes for numbers of one width."""
    array = np.empty(len(values), object)
    array[:] = values
    return array.reshape(shape)


def rows_of(expression):
    """Tells how many rows of an expression make a block."""
    row = elements(expression.shape[1:]) * (expression.dtype.size or 8)
    return max(1, BLOCK // max(1, row))
