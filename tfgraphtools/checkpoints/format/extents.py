"""Slices of a partitioned tensor: a (start, length) per dimension, length None for all of it."""

from tfgraphtools.checkpoints.format.wire import (
    Malformed,
    bytes_field,
    expect_bytes,
    expect_int,
    fields,
    number_field,
    signed,
    varint,
)


def parse(data):
    """Returns the extents of a TensorSliceProto."""
    extents = []
    for number, extent in fields(data):
        if number != 1:
            continue
        start, length = 0, None
        for field, value in fields(expect_bytes(extent)):
            if field == 1:
                start = signed(expect_int(value))
            elif field == 2:
                length = signed(expect_int(value))
        if start < 0 or (length is not None and length < 0):
            raise Malformed("a slice with a negative extent")
        extents.append((start, length))
    return tuple(extents)


def serialize(extents):
    """Returns the TensorSliceProto of extents; a length of 0 is written, an absent one is not."""
    out = b""
    for start, length in extents:
        size = b"" if length is None else b"\x10" + varint(length)
        out += bytes_field(1, number_field(1, start) + size)
    return out


def resolve(extents, shape):
    """Returns ((start, stop) per dimension) inside ``shape``; `Malformed` if they do not fit."""
    if len(extents) != len(shape):
        raise Malformed(f"a slice of rank {len(extents)} in a tensor of rank {len(shape)}")
    bounds = []
    for (start, length), size in zip(extents, shape):
        stop = size if length is None else start + length
        if stop > size:
            raise Malformed(f"a slice {start}:{stop} of a dimension of {size}")
        bounds.append((start, stop))
    return tuple(bounds)


def lengths(bounds):
    """Returns the shape of a slice."""
    return tuple(stop - start for start, stop in bounds)


def elements(shape):
    """Returns the number of elements of a shape, exactly (NumPy's product would overflow)."""
    count = 1
    for size in shape:
        count *= size
    return count


def describe(bounds):
    """Returns a slice as one writes it: ``[0:4, 2:3]``."""
    return "[{}]".format(", ".join("{}:{}".format(*bound) for bound in bounds))


def check_cover(all_bounds, shape):
    """Raises `Malformed` unless the slices cover the shape, each element once."""
    total = sum(elements(lengths(bounds)) for bounds in all_bounds)
    overlap = _overlap([bounds for bounds in all_bounds if elements(lengths(bounds))])
    if overlap is not None:
        raise Malformed("slices {} and {}, which overlap".format(*map(describe, overlap)))
    if total != elements(shape):
        raise Malformed(f"slices of {total} of {elements(shape)} elements")


def _overlap(boxes):
    """Returns two boxes that share an element, or None: a sweep along the busiest dimension."""
    if len(boxes) < 2:
        return None
    rank = len(boxes[0])
    if not rank:
        return boxes[0], boxes[1]
    axis = max(range(rank), key=lambda k: len({box[k][0] for box in boxes}))
    active = []
    for box in sorted(boxes, key=lambda bounds: bounds[axis]):
        active = [other for other in active if other[axis][1] > box[axis][0]]
        for other in active:
            if all(a < d and c < b for (a, b), (c, d) in zip(box, other)):
                return other, box
        active.append(box)
    return None


def intersect(bounds, wanted):
    """Returns the part of a slice inside an extent, as ((start, stop), ...), or None if empty."""
    common = tuple((max(a, c), min(b, d)) for (a, b), (c, d) in zip(bounds, wanted))
    return common if all(start < stop for start, stop in common) else None
