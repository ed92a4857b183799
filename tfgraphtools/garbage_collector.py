"""Python's garbage collector at rest: it looks repeatedly at what is in use, and frees none."""

import contextlib
import gc

#: New objects after which the youngest are looked at: the trees of twenty sources or so.
_MANY = 1000000


@contextlib.contextmanager
def paused():
    """Pauses the collector, for work that makes many objects of one file."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def run_rarely() -> None:
    """Makes the collector run rarely from now on."""
    gc.set_threshold(_MANY, *gc.get_threshold()[1:])


@contextlib.contextmanager
def rare():
    """Returns a context, or a decorator, in which the collector runs rarely.

    Reading the sources of a codebase makes millions of nodes, which took a third of the time.
    """
    before = gc.get_threshold()
    run_rarely()
    try:
        yield
    finally:
        gc.set_threshold(*before)
