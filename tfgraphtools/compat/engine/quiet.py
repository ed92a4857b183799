"""Hides the lines that TensorFlow's C++ writes to stderr while it is imported.

``TF_CPP_MIN_LOG_LEVEL`` does not: some of them are written before the level is read.
"""

import contextlib
import os
import sys
import tempfile
from typing import Iterator

#: In the environment, so that child processes follow ``--verbose``, too.
VERBOSE = "TFGRAPHTOOLS_VERBOSE"


#: The file descriptors of stderr before the blocks of `quiet_stderr` that are running.
_before = []


def say(text):
    """Prints a line on stderr, inside the block of `quiet_stderr` too."""
    if _before:
        os.write(_before[0], (text + "\n").encode("utf-8", "backslashreplace"))
    else:
        print(text, file=sys.stderr)


@contextlib.contextmanager
def quiet_stderr() -> Iterator[None]:
    """Hides everything written to stderr in the block, by C++ as well; an error shows it.

    Does nothing under ``--verbose``, or if stderr is closed.
    """
    try:
        before = None if os.environ.get(VERBOSE) else os.dup(2)
    except OSError:
        before = None
    if before is None:
        yield
        return
    sys.stderr.flush()
    with tempfile.TemporaryFile() as hidden:
        os.dup2(hidden.fileno(), 2)
        _before.append(before)
        try:
            yield
        except BaseException:
            _restore(before)
            hidden.seek(0)
            os.write(2, hidden.read())
            raise
        _restore(before)


def _restore(before):
    _before.remove(before)
    sys.stderr.flush()
    os.dup2(before, 2)
    os.close(before)
