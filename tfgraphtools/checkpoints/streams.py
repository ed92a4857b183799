"""Streams of blocks: flat arrays of some megabytes, one after the other."""

import collections
import concurrent.futures

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
            for block in row_blocks(part):
                yield block
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


_END = object()


def ahead(blocks, depth=4):
    """The same blocks, computed by a thread of their own some steps ahead of their use.

    Reading, NumPy's conversions and writing let other threads run, so that two of these in a row
    keep the disk and both ends of a cast busy.
    """
    iterator = iter(blocks)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = collections.deque(pool.submit(next, iterator, _END) for _ in range(depth))
        while True:
            block = waiting.popleft().result()
            if block is _END:
                return
            waiting.append(pool.submit(next, iterator, _END))
            yield block
