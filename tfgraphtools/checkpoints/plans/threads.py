"""Threads that work some steps ahead of whoever uses what they give."""

import collections
import concurrent.futures
import os

_MOST_THREADS = 8  # more find nothing to do: the blocks are read by one


def mapped_ahead(function, blocks):
    """``map(function, blocks)``, computed by a thread a core, some blocks ahead of their use.

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
