"""Keeps the logs of libraries out of what a command prints to stderr."""

import contextlib
import io
import os
import sys
from typing import Iterator

from tfgraphtools.errors import TfgraphtoolsError

#: The loggers of TensorFlow and of absl, to which Keras logs.
LOGGERS = ("tensorflow", "absl")


@contextlib.contextmanager
def hidden_library_logs() -> Iterator[None]:
    """Hides what TensorFlow and its C++ libraries write to stderr in the block.

    The command's own messages still appear. An exception that no line of ours tells shows what was
    hidden. Does nothing if stderr is closed.
    """
    import logging
    import tempfile

    try:
        kept = os.dup(2)
    except OSError:
        yield
        return
    levels = {name: logging.getLogger(name).level for name in LOGGERS}
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.ERROR)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    stderr = sys.stderr
    with tempfile.TemporaryFile() as hidden:
        if _is_descriptor_2(stderr):
            stderr.flush()
            sys.stderr = _writer(kept, stderr)
        os.dup2(hidden.fileno(), 2)
        try:
            yield
        except (TfgraphtoolsError, OSError, ModuleNotFoundError):  # told in one line
            raise
        except Exception:
            hidden.seek(0)
            os.write(kept, hidden.read())
            raise
        finally:
            sys.stderr.flush()
            sys.stderr = stderr
            os.dup2(kept, 2)
            os.close(kept)
            for name, level in levels.items():
                logging.getLogger(name).setLevel(level)


def _is_descriptor_2(stream):
    try:
        return stream.fileno() == 2
    except (AttributeError, OSError, ValueError):  # a capture of pytest, or a notebook's
        return False


def _writer(descriptor, like):
    """Returns a text stream of the descriptor, encoded like another one."""
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=like.encoding, errors=like.errors, line_buffering=True
    )
