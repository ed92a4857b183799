"""Boxes of a tensor, some megabytes at a time, by plain reads of the file.

Views of a memory map would count as memory of the process once they are touched;
what passes over whole tensors reads this way instead.
"""

import numpy as np

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format.extents import check_cover, elements, intersect, lengths
from tfgraphtools.checkpoints.format.wire import Malformed

_MOST_WASTE = 16  # elements read for one that is requested; beyond, each row is read by itself


def can_stream(store, tensor):
    """Tells whether every part of a tensor is a plain range of a file."""
    return bool(tensor.dtype.size) and all(store.streams(tensor, part) for part in tensor.parts)


def blocks(store, tensor, bounds, size):
    """Yields the values of a box in C order, as flat arrays of at most ``size`` bytes.

    The caller has checked the tensor's checksums.
    """
    check_cover([part.bounds for part in tensor.parts], tensor.shape)
    for box in _pieces(tuple(bounds), max(1, size // tensor.dtype.size)):
        yield np.ascontiguousarray(_box(store, tensor, box)).reshape(-1)


def _pieces(bounds, limit):
    """Yields boxes of at most ``limit`` elements that make a box, in C order."""
    shape = lengths(bounds)
    if elements(shape) <= limit:
        if elements(shape):
            yield bounds
        return
    axis = next(k for k, length in enumerate(shape) if length > 1)
    row_size = elements(shape[axis + 1 :])
    rows = max(1, limit // row_size)
    start, stop = bounds[axis]
    for first in range(start, stop, rows):
        cut = (first, min(first + rows, stop))
        yield from _pieces(bounds[:axis] + (cut,) + bounds[axis + 1 :], limit)


def _box(store, tensor, box):
    """Returns the values of a small box, in one array."""
    storage = dtypes.storage(tensor.dtype, store.big_endian)
    out = None
    for part in tensor.parts:
        common = intersect(part.bounds, box)
        if common is None:
            continue
        if part.shard is None:
            raise Malformed("a slice that is listed and not there")
        values = _of_part(store, tensor, part, _relative(common, part.bounds), storage)
        if common == box:
            return values
        out = np.empty(lengths(box), storage) if out is None else out
        out[tuple(slice(*bound) for bound in _relative(common, box))] = values
    return out


def _relative(bounds, origin):
    return tuple((start - base, stop - base) for (start, stop), (base, _) in zip(bounds, origin))


def _of_part(store, tensor, part, box, storage):
    """Returns the values of a box of one part, in one read or row by row."""
    shape, wanted = lengths(box), elements(lengths(box))
    strides = [1]
    for size in reversed(part.shape[1:]):
        strides.append(strides[-1] * size)
    strides.reverse()
    first = sum(start * stride for (start, _), stride in zip(box, strides))
    span = 1 + sum((stop - 1 - start) * stride for (start, stop), stride in zip(box, strides))
    if not part.shape:
        first, span, strides = 0, 1, []
    if span > _MOST_WASTE * wanted:
        axis = next(k for k, length in enumerate(shape) if length > 1)
        out = np.empty(shape, storage)
        for i in range(*box[axis]):
            row = box[:axis] + ((i, i + 1),) + box[axis + 1 :]
            at = (slice(None),) * axis + (slice(i - box[axis][0], i - box[axis][0] + 1),)
            out[at] = _of_part(store, tensor, part, row, storage)
        return out
    item = tensor.dtype.size
    data = store.bytes_of(tensor, part, first * item, span * item)
    flat = np.frombuffer(data, storage)
    return np.lib.stride_tricks.as_strided(flat, shape, [stride * item for stride in strides])
