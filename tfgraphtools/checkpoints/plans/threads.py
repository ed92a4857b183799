"""Two threads that work some steps ahead of whoever uses what they give."""

import collections
import concurrent.futures


def mapped_ahead(function, blocks, depth=4):
    """``map(function, blocks)``, computed by two threads some blocks ahead of their use.

    The blocks themselves are read by the caller's thread: NumPy's conversions let it read and
    write meanwhile.
    """
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        waiting = collections.deque()
        for block in blocks:
            waiting.append(pool.submit(function, block))
            if len(waiting) > depth:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
