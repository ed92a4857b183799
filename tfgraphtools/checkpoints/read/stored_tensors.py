"""Tensors as stores know them: a type, a shape, and parts; and what stores have in common."""

import collections

from tfgraphtools.checkpoints.format import extents as _extents
from tfgraphtools.checkpoints.format.wire import Malformed

#: ``parts`` of a partitioned tensor are its slices, of another one the whole.
Tensor = collections.namedtuple("Tensor", "name dtype shape partitioned parts")

#: ``bounds``: ((start, stop), ...); ``extents``: the same as the file says it, None for the whole
#: tensor; ``shard`` is None if the file lists the slice and does not hold it. ``crc`` is masked.
#: In V1 there is no offset and no crc, and the bytes of strings are None: unknown until decoded.
Part = collections.namedtuple("Part", "bounds extents shape shard offset bytes crc")


_MOST_DIMENSIONS = 32  # of an array, in every NumPy
_MOST_ELEMENTS = 1 << 58  # of which one may take 16 bytes


def shaped(array, shape):
    """Returns a flat array in its shape, if NumPy has arrays of so many dimensions."""
    require_dimensions(shape)
    return array.reshape(shape)


def require_dimensions(shape):
    """Raises `Malformed` for a shape that no array can have."""
    if len(shape) > _MOST_DIMENSIONS:
        raise Malformed(f"a tensor of {len(shape)} dimensions, more than an array has")
    if _extents.elements(max(1, size) for size in shape) > _MOST_ELEMENTS:
        raise Malformed(f"a tensor of shape {list(shape)}, more elements than an array has")


def whole(shape):
    """Returns the bounds of a whole tensor."""
    return tuple((0, size) for size in shape)


def along_first_axis(tensor):
    """Returns the parts in the order of the whole tensor's bytes, or None if cut across.

    Slices of the first axis lie one after the other, so that the whole is their bytes joined.
    """
    if not tensor.partitioned:
        return list(tensor.parts)
    if not tensor.shape or any(
        part.shard is None or part.bounds[1:] != tuple((0, size) for size in tensor.shape[1:])
        for part in tensor.parts
    ):
        return None
    parts, end = sorted(tensor.parts, key=lambda part: part.bounds[0]), 0
    for part in parts:
        if part.bounds[0][0] != end:
            return None
        end = part.bounds[0][1]
    return parts if end == tensor.shape[0] else None


class WholeStore:
    """A store that knows all its tensors, in `_tensors`, and has all its files."""

    big_endian = False

    def names(self):
        return self._tensors

    def tensor(self, name):
        return self._tensors[name]

    def orphans(self):
        return iter(())

    def missing_shards(self):
        return []

    def require_shards(self):
        pass
