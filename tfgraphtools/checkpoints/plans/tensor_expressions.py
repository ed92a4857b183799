"""Steps on tensors: expressions made of expressions; `stored` has those that they begin with."""

import numpy as np

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.extents import lengths
from tfgraphtools.checkpoints.plans.casts import Caster
from tfgraphtools.checkpoints.plans.stored import Expression, Stored, objects, rows_of
from tfgraphtools.checkpoints.plans.streams import aligned, mapped_ahead
from tfgraphtools.errors import ArgumentError


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
        self._bounds = _bounds(index, inner.shape)
        if self._bounds is not None:
            self.shape = lengths(self._bounds)
        else:
            self.shape = np.broadcast_to(np.zeros((), np.bool_), inner.shape)[index].shape

    def view(self):
        if isinstance(self._inner, Stored) and not self._partly_other():
            return np.asarray(self._inner.slice(self._index))
        return np.asarray(self._inner.view()[self._index])

    def blocks(self):
        if self._bounds is not None and isinstance(self._inner, Stored):
            return self._inner.box(self._bounds) or super().blocks()
        return super().blocks()

    def _partly_other(self):
        """Returns True for an index of more than integers and slices, which only an array takes."""
        items = self._index if isinstance(self._index, tuple) else (self._index,)
        return not all(item is Ellipsis or isinstance(item, (int, slice)) for item in items)


def _bounds(index, shape):
    """Returns ((start, stop), ...) of an index of slices without steps, or None."""
    items = index if isinstance(index, tuple) else (index,)
    if len(items) > len(shape) or not all(isinstance(item, slice) for item in items):
        return None
    bounds = []
    for item, size in zip(items + (slice(None),) * (len(shape) - len(items)), shape):
        start, stop, step = item.indices(size)
        if step != 1:
            return None
        bounds.append((start, max(start, stop)))
    return tuple(bounds)


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
        rows = rows_of(self)
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
            yield self._mean(blocks)

    def _mean(self, blocks):
        total = 0.0
        with np.errstate(all="ignore"):  # infinities and NaN are values as others are
            for block, weight in zip(blocks, self._weights):
                values = dtypes.widened(block, self.dtype)
                wide = np.complex128 if values.dtype.kind == "c" else np.float64
                total = total + values.astype(wide) * weight
            return dtypes.narrowed(total, self.dtype)

    def view(self):
        return _joined_blocks(self)


# Helpers --------------------------------------------------------------------


def _joined_blocks(expression):
    """Returns the view of an expression that is computed block by block."""
    blocks = list(expression.blocks())
    joined = np.concatenate(blocks) if blocks else np.zeros(0, dtypes.storage(expression.dtype))
    return joined.reshape(expression.shape)


def literal(value, place):
    """Returns the `Literal` of an array, or of anything that NumPy makes one of."""
    array = np.array(value)  # a copy: the plan must not change when the caller's array does
    if array.dtype.kind in "US":
        array = np.array(value, object)  # NumPy's string types drop zero bytes at the end
    if array.dtype.kind in "USO":
        flat = [_as_bytes(item, place) for item in array.reshape(-1).tolist()]
        return Literal(objects(flat, array.shape), dtypes.by_number(dtypes.STRING))
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
