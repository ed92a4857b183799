"""A thread that takes steps while a test reads, and how many checkpoints such tests save."""

import contextlib
import os
import threading

CHECKPOINTS = 300 if os.environ.get("TFGRAPHTOOLS_WHOLE") else 5


@contextlib.contextmanager
def stepping(run, step):
    """Another thread takes steps while it is open."""
    stop, errors = threading.Event(), []

    def steps():
        try:
            while not stop.is_set():
                run.run(step)
        except Exception as error:  # raised where the test waits
            errors.append(error)

    thread = threading.Thread(target=steps)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
    for error in errors:
        raise error
