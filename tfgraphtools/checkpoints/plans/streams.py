"""Streams of blocks: flat arrays of some megabytes, one after the other."""

import numpy as np

BLOCK = 1 << 20  # bytes


def row_blocks(view):
    """Pieces of a view in C order, of some megabytes each, whatever its strides."""
    if view.nbytes <= BLOCK or not view.ndim:
        yield np.ascontiguousarray(view).reshape(-1)
        return
    row = view.nbytes // view.shape[0]
    if row > BLOCK and view.ndim > 1:
        for part in view:
            yield from row_blocks(part)
        return
    rows = max(1, BLOCK // row)
    for start in range(0, view.shape[0], rows):
        yield np.ascontiguousarray(view[start : start + rows]).reshape(-1)


def aligned(streams):
    """Yields lists of blocks of equal length, one of each stream."""
    pending = [np.zeros(0) for _ in streams]
    while True:
        for i, stream in enumerate(streams):
            while not len(pending[i]):
                block = next(stream, None)
                if block is None:
                    return
                pending[i] = block
        size = min(map(len, pending))
        yield [block[:size] for block in pending]
        pending = [block[size:] for block in pending]
