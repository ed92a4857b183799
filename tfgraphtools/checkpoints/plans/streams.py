"""Streams of blocks: flat arrays of some megabytes, one after the other."""

import collections
import concurrent.futures
import os

import numpy as np

BLOCK = 1 << 20  # bytes
_MOST_THREADS = 8  # more find nothing to do: the blocks are read by one


def row_blocks(view):
    """Yields pieces of a view in C order, of some megabytes each, whatever its strides."""
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


def mapped_ahead(function, blocks):
    """Yields ``map(function, blocks)``, computed by a thread a core, some blocks ahead.

    The blocks themselves are read by the caller's thread: NumPy's conversions let it read and
    write meanwhile.
    """
    threads = max(2, min(os.cpu_count() or 2, _MOST_THREADS))
    depth = 2 * threads
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        waiting = collections.deque()
        for block in blocks:
            waiting.append(pool.submit(function, block))
            if len(waiting) > depth:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
