"""What a new tensor is made of: stored tensors, and steps on them.

An expression knows its type and shape without reading anything. `blocks` yields
its values a few megabytes at a time, in the storage type, flat and in order, so
that a tensor larger than the memory can be written; `view` gives all of it, as
a view of the file where that is possible.
"""

import numpy as np

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.crc32c import crc32c, mask
from tfgraphtools.checkpoints.format.extents import elements
from tfgraphtools.checkpoints.format.wire import Malformed, reading
from tfgraphtools.checkpoints.plans.casts import Caster
from tfgraphtools.checkpoints.plans.streams import BLOCK, aligned, row_blocks
from tfgraphtools.checkpoints.plans.threads import mapped_ahead
from tfgraphtools.errors import ArgumentError


class Expression:
    """One tensor to be; see the module's docstring."""

    dtype = None
    shape = ()

    def view(self):
        """All values, in the storage type, of the shape."""
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

    def view(self):
        if self._part is None:
            self._ckpt.check(self._tensor.name)
            return self._ckpt.raw(self._tensor.name)
        with self._reading():
            self._ckpt.store.check(self._tensor, self._part)
            values = self._ckpt.store.array(self._tensor, self._part)
        return _objects(values, self.shape) if isinstance(values, list) else values

    def slice(self, index):
        """Values of a slice; of a partitioned tensor, only the slices that it touches are read."""
        if self._part is not None:
            return self.view()[index]
        if not self._checked:
            self._ckpt.check(self._tensor.name)
            self._checked = True
        return self._ckpt.raw(self._tensor.name, index)

    def blocks(self):
        part = self._part
        if part is None and not self._tensor.partitioned:
            part = self._tensor.parts[0]
        if part is None and self.shape and self.dtype.size:
            return self._joined()
        if part is None or not self._ckpt.store.streams(self._tensor, part):
            return row_blocks(self.view())
        return self._streamed(part)

    def _joined(self):
        """A partitioned tensor, some rows at a time."""
        rows = _rows_of(self)
        for start in range(0, self.shape[0], rows):
            yield self.slice(slice(start, start + rows)).reshape(-1)

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


class Literal(Expression):
    """Values that are at hand."""

    def __init__(self, array, dtype):
        self.dtype, self.shape = dtype, array.shape
        self._array = array

    def view(self):
        return self._array


class Cast(Expression):
    """Another type. Values that it cannot hold raise a `CastError` at the end of the blocks."""

    def __init__(self, inner, dtype, place, allow=()):
        self._inner = inner
        self.dtype, self.shape = dtype, inner.shape
        self._place, self._allow = place, allow

    def blocks(self):
        caster = Caster(self._inner.dtype, self.dtype, self._place, self._allow)
        yield from mapped_ahead(caster.cast, self._inner.blocks())
        caster.finish()

    def view(self):
        return _joined_blocks(self)


class Reshape(Expression):
    """The same values in another shape."""

    def __init__(self, inner, shape):
        self._inner = inner
        self.dtype, self.shape = inner.dtype, shape

    def blocks(self):
        return self._inner.blocks()

    def view(self):
        return self._inner.view().reshape(self.shape)


class Transpose(Expression):
    """The same values with permuted axes."""

    def __init__(self, inner, permutation):
        self._inner, self._permutation = inner, permutation
        self.dtype = inner.dtype
        self.shape = tuple(inner.shape[axis] for axis in permutation)

    def view(self):
        return self._inner.view().transpose(self._permutation)


class Slice(Expression):
    """The values that a NumPy index takes."""

    def __init__(self, inner, index):
        self._inner, self._index = inner, index
        self.dtype = inner.dtype
        self.shape = np.broadcast_to(np.zeros((), np.bool_), inner.shape)[index].shape

    def view(self):
        if isinstance(self._inner, Stored) and not self._partly_other():
            return np.asarray(self._inner.slice(self._index))
        return np.asarray(self._inner.view()[self._index])

    def _partly_other(self):
        """True for an index of more than integers and slices, which only an array takes."""
        items = self._index if isinstance(self._index, tuple) else (self._index,)
        return not all(item is Ellipsis or isinstance(item, (int, slice)) for item in items)


class Concat(Expression):
    """Tensors joined along an axis; with axis 0 one after the other, else row by row."""

    def __init__(self, inners, axis):
        self._inners, self._axis = inners, axis
        shape = list(inners[0].shape)
        shape[axis] = sum(inner.shape[axis] for inner in inners)
        self.dtype, self.shape = inners[0].dtype, tuple(shape)

    def blocks(self):
        if self._axis == 0:
            for inner in self._inners:
                yield from inner.blocks()
            return
        views = [inner.view() for inner in self._inners]
        rows = _rows_of(self)
        for start in range(0, self.shape[0], rows):
            pieces = [view[start : start + rows] for view in views]
            yield np.concatenate(pieces, self._axis).reshape(-1)

    def view(self):
        return np.concatenate([inner.view() for inner in self._inners], self._axis)


class Scaled(Expression):
    """A floating-point tensor times a number, computed as float64 and rounded once."""

    def __init__(self, inner, factor):
        self._inner, self.factor = inner, factor
        self.dtype, self.shape = inner.dtype, inner.shape

    def blocks(self):
        for block in self._inner.blocks():
            values = dtypes.widened(block, self.dtype).astype(np.float64) * self.factor
            yield dtypes.narrowed(values, self.dtype)

    def view(self):
        return _joined_blocks(self)


class Average(Expression):
    """The weighted mean of tensors of one shape and floating type, summed as float64."""

    def __init__(self, inners, weights):
        self._inners, self._weights = inners, weights
        self.dtype, self.shape = inners[0].dtype, inners[0].shape

    def blocks(self):
        for blocks in aligned([inner.blocks() for inner in self._inners]):
            total = 0.0
            for block, weight in zip(blocks, self._weights):
                values = dtypes.widened(block, self.dtype)
                wide = np.complex128 if values.dtype.kind == "c" else np.float64
                total = total + values.astype(wide) * weight
            yield dtypes.narrowed(total, self.dtype)

    def view(self):
        return _joined_blocks(self)


# Helpers --------------------------------------------------------------------


def _joined_blocks(expression):
    """The view of an expression that is computed block by block."""
    blocks = list(expression.blocks())
    joined = np.concatenate(blocks) if blocks else np.zeros(0, dtypes.storage(expression.dtype))
    return joined.reshape(expression.shape)


def literal(value, place):
    """The `Literal` of an array, or of anything that NumPy makes one of."""
    array = np.array(value)  # a copy: the plan must not change when the caller's array does
    if array.dtype.kind in "US":
        array = np.array(value, object)  # NumPy's string types drop zero bytes at the end
    if array.dtype.kind in "USO":
        flat = [_as_bytes(item, place) for item in array.reshape(-1).tolist()]
        return Literal(_objects(flat, array.shape), dtypes.by_number(dtypes.STRING))
    dtype = dtypes.of_array(array, place)
    storage = dtypes.storage(dtype)
    if dtype.name != array.dtype.name:
        raise ArgumentError(
            place, "numbers or strings", array.dtype.name, "Convert the array first."
        )
    is_foreign = array.dtype.kind == "V" or dtype.kind == "f" and dtype.storage[0] == "u"
    array = np.ascontiguousarray(array).reshape(array.shape)
    return Literal(array.view(storage) if is_foreign else array.astype(storage), dtype)


def _as_bytes(item, place):
    if isinstance(item, str):
        return item.encode("utf-8")
    if isinstance(item, bytes):
        return item
    raise ArgumentError(place, "numbers or strings", repr(item), "Convert the array first.")


def _objects(values, shape):
    array = np.empty(len(values), object)
    array[:] = values
    return array.reshape(shape)


def _rows_of(expression):
    """How many rows of an expression make a block."""
    row = elements(expression.shape[1:]) * (expression.dtype.size or 8)
    return max(1, BLOCK // max(1, row))
