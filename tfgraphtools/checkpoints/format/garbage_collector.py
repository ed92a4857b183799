"""The garbage collector of Python, kept away from what is no garbage."""

import contextlib
import gc


@contextlib.contextmanager
def paused():
    """Pauses the collector: it would look at ten thousand records repeatedly, and free none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
