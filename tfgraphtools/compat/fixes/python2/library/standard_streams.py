"""The standard streams of a Python 2 program: bytes, which no output refuses."""

import os
import sys

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.fixes.python2.library.byte_texts import of_bytes
from tfgraphtools.compat.fixes.python2.library.old_files import TextFile

_taken = []


def take_bytes():
    """Makes stdout and stderr take every byte, and stdin give bytes where it is no terminal.

    It does nothing while compat is not active, or at a second call.
    """
    if _taken or not state.is_changed():
        return
    _taken.append(True)
    state.at_restore(_taken.clear)
    for stream in (sys.stdout, sys.stderr):
        if getattr(stream, "errors", None) == "strict" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="surrogateescape")
            state.at_restore(_back(stream))
    sys.argv[:] = [of_bytes(os.fsencode(argument)) for argument in sys.argv]
    stdin = sys.stdin
    if hasattr(stdin, "buffer") and not stdin.isatty():
        state.set_attribute(sys, "stdin", TextFile(stdin.buffer, "r"))


def _back(stream):
    def restore():
        if not stream.closed:
            stream.reconfigure(errors="strict")

    return restore
