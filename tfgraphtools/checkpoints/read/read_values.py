"""Arrays, or slices of them, from the parts of a tensor."""

import numpy as np

from tfgraphtools.checkpoints.format import dtypes
from tfgraphtools.checkpoints.format import extents as _extents
from tfgraphtools.checkpoints.format.wire import Malformed
from tfgraphtools.checkpoints.read.stored_tensors import require_dimensions, shaped
from tfgraphtools.errors import ArgumentError


def read(store, tensor, index=None, widen=True):
    """Returns the values of ``tensor[index]``, read-only; of the whole tensor if ``index`` is None.

    ``widen`` gives types that NumPy lacks as float32, else they come in the storage type.
    """
    if tensor.dtype.kind == "x":
        dtypes.storage(tensor.dtype)  # says that there are no values
    if not tensor.partitioned:
        array = _part_array(store, tensor, tensor.parts[0])
        array = array if index is None else _indexed(array, index, tensor)
    else:
        array = _assembled(store, tensor, index)
    if widen:
        array = dtypes.widened(array, tensor.dtype)
    array = np.asarray(array)
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


def _part_array(store, tensor, part):
    values = store.array(tensor, part)
    if isinstance(values, list):
        array = np.empty(len(values), object)
        array[:] = values
        return shaped(array, part.shape)
    return values


def _assembled(store, tensor, index):
    """Returns a partitioned tensor in one piece, or the slice ``index`` of it."""
    require_dimensions(tensor.shape)
    _extents.check_cover([part.bounds for part in tensor.parts], tensor.shape)
    wanted, inner_index = _bounding_box(index, tensor)
    touched = [
        (part, common)
        for part in tensor.parts
        for common in [_extents.intersect(part.bounds, wanted)]
        if common is not None
    ]
    _check_backed(store, tensor, [part for part, _ in touched])
    out = np.empty(_extents.lengths(wanted), _native(store, tensor))
    for part, common in touched:
        values = _part_array(store, tensor, part)
        out[_relative(common, wanted)] = values[_relative(common, part.bounds)]
    return out if inner_index is None else out[inner_index]


def _check_backed(store, tensor, parts):
    """Raises unless every element to be allocated has bytes of its own in a file.

    Slices that are missing would leave what is in memory, and slices that share
    their bytes would let a small file claim a huge tensor.
    """
    missing = [part for part in parts if part.shard is None]
    if missing:
        raise Malformed(
            "no slice {}".format(", ".join(_extents.describe(p.bounds) for p in missing))
        )
    for part in parts:
        store.require(tensor, part)
    ranges = sorted(
        (part.shard, part.offset, part.offset + part.bytes)
        for part in parts
        if part.offset is not None and part.bytes
    )
    for (shard, _, end), (next_shard, start, _) in zip(ranges, ranges[1:]):
        if shard == next_shard and start < end:
            raise Malformed("slices that share their bytes")


def _native(store, tensor):
    if tensor.dtype.number == dtypes.STRING:
        return object
    return dtypes.storage(tensor.dtype, store.big_endian)


def _relative(bounds, origin):
    return tuple(
        slice(start - base, stop - base) for (start, stop), (base, _) in zip(bounds, origin)
    )


def _bounding_box(index, tensor):
    """Returns (bounds of what ``index`` touches, what is left of the index inside them)."""
    if index is None:
        return tuple((0, size) for size in tensor.shape), None
    items = _expanded(index if isinstance(index, tuple) else (index,), tensor)
    bounds, inner_index = [], []
    for item, size in zip(items, tensor.shape):
        if isinstance(item, slice):
            taken = range(size)[item]
            low, high = (
                (min(taken[0], taken[-1]), max(taken[0], taken[-1]) + 1) if taken else (0, 0)
            )
            stop = taken.stop - low if taken.step > 0 or taken.stop >= low else None
            inner_index.append(slice(taken.start - low, stop, taken.step) if taken else slice(0, 0))
        else:
            try:
                low = range(size)[item]
            except (IndexError, TypeError):
                raise _bad_index(index, tensor)
            high = low + 1
            inner_index.append(0)
        bounds.append((low, high))
    return tuple(bounds), tuple(inner_index)


def _expanded(items, tensor):
    """Returns the index with one item per dimension."""
    rank = len(tensor.shape)
    if any(
        item is not Ellipsis and not isinstance(item, (int, slice, np.integer)) for item in items
    ):
        raise _bad_index(items, tensor)
    if Ellipsis in items:
        at = items.index(Ellipsis)
        after = items[at + 1 :]
        items = items[:at] + (slice(None),) * (rank - len(items) + 1) + after
    items = items + (slice(None),) * (rank - len(items))
    if len(items) != rank:
        raise _bad_index(items, tensor)
    return items


def _indexed(array, index, tensor):
    items = _expanded(index if isinstance(index, tuple) else (index,), tensor)
    try:
        return array[items]
    except IndexError:
        raise _bad_index(index, tensor)


def _bad_index(index, tensor):
    return ArgumentError(
        f"the index of {tensor.name!r}",
        f"integers, slices and ... inside the shape {list(tensor.shape)}",
        repr(index),
        "Read the whole tensor and index the array for anything else.",
    )
