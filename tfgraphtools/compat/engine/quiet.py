"""Output on stderr: the lines of compat, and those of TensorFlow's C++ that it hides.

``TF_CPP_MIN_LOG_LEVEL`` does not hide those of an import: some of them are written before the level
is read.
"""

import contextlib
import os
import sys
from typing import Iterator

from tfgraphtools import environment_variables
from tfgraphtools.compat.engine import state

#: The file descriptors of stderr before the blocks of `quiet_stderr` that are running.
_before = []

#: Process that keeps lines for its end: the lines. A process that it forks prints its own at once.
_kept = {}

_is_hidden = False


def is_verbose():
    """Tells whether ``--verbose`` is on: in the environment, so that child processes follow it."""
    return bool(environment_variables.value_of(environment_variables.VERBOSE))


def begin(is_hidden):
    """Starts a run, in which `say` prints its lines or does nothing."""
    global _is_hidden
    _is_hidden = is_hidden
    state.at_restore(_show_again)


def _show_again():
    global _is_hidden
    _is_hidden = False


def say(text):
    """Prints a line on stderr, inside the block of `quiet_stderr` too, or keeps it: see `keep`."""
    if _is_hidden:
        return
    if os.getpid() in _kept:
        _kept[os.getpid()].append(text)
    elif _before:
        os.write(_before[0], (text + "\n").encode("utf-8", "backslashreplace"))
    else:
        print(text, file=sys.stderr)


def keep():
    """Makes `say` keep the lines of this process, for `kept`; not under ``--verbose``."""
    if not is_verbose():
        _kept.setdefault(os.getpid(), [])


def kept():
    """Returns the lines that this process has kept, and keeps no more."""
    return _kept.pop(os.getpid(), [])


@contextlib.contextmanager
def quiet_stderr() -> Iterator[None]:
    """Hides everything written to stderr in the block, by C++ as well; an error shows it.

    Does nothing under ``--verbose``, or if stderr is closed.
    """
    try:
        before = None if is_verbose() else os.dup(2)
    except OSError:
        before = None
    if before is None:
        yield
        return
    import tempfile  # slow to import

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
