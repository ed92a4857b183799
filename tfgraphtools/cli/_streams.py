"""The standard streams of a command: what they cannot show, and what --quiet leaves out."""

import contextlib
import io
import os
import sys
from typing import Iterator


def print_everything() -> None:
    """Lets stdout and stderr show any name: as escapes what their encoding has not."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def discard_stdout() -> None:
    """Discards what stdout still holds: its reader has gone, or its disk is full."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def without_messages() -> Iterator[None]:
    """Drops what the block writes to `sys.stderr` except errors: lines of ``tfgraphtools: ...``."""
    stderr = sys.stderr
    sys.stderr = _Errors(stderr)
    try:
        yield
    finally:
        sys.stderr.finish()
        sys.stderr = stderr


class _Errors(io.TextIOBase):
    """A stream that passes on the lines of errors alone."""

    def __init__(self, stream):
        super().__init__()
        self._stream, self._line = stream, ""

    @property
    def encoding(self):
        return self._stream.encoding

    def isatty(self):
        return False  # so that no progress is shown

    def writable(self):
        return True

    def write(self, text):
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._pass_on(line + "\n")
        return len(text)

    def finish(self):
        """Passes on a last line that has no end."""
        self._pass_on(self._line)
        self._line = ""

    def _pass_on(self, line):
        if line.startswith("tfgraphtools: "):
            self._stream.write(line)
