"""Python's garbage collector at rest: it looks again and again at trees that are in use.

Reading the sources of a codebase makes millions of nodes, which took a third of the time.
"""

import contextlib
import gc

#: New objects after which the youngest are looked at: those of some files.
_MANY = 200000


def start() -> None:
    """Makes the collector run rarely from now on."""
    gc.set_threshold(_MANY, *gc.get_threshold()[1:])


@contextlib.contextmanager
def rare_collection():
    """Has the collector run rarely in a ``with`` block, or in a function that it decorates."""
    before = gc.get_threshold()
    start()
    try:
        yield
    finally:
        gc.set_threshold(*before)
