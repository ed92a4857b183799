"""Python's garbage collector at rest: it looks again and again at trees that are in use.

Reading the sources of a codebase makes millions of nodes, which took a third of the time.
"""

import contextlib
import gc

#: New objects after which the youngest are looked at: those of twenty files or so.
_MANY = 1000000


def start() -> None:
    """Makes the collector run rarely from now on."""
    gc.set_threshold(_MANY, *gc.get_threshold()[1:])


@contextlib.contextmanager
def rare_collection():
    """Returns a context, or a decorator, in which the collector runs rarely."""
    before = gc.get_threshold()
    start()
    try:
        yield
    finally:
        gc.set_threshold(*before)
