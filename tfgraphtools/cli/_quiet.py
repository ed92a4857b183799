"""Without the lines that TensorFlow's C++ writes when it is loaded."""

import contextlib
import os
import sys
import tempfile


@contextlib.contextmanager
def quiet_stderr():
    """While open, what is written to stderr, by C++ too, is kept; shown only after an error."""
    sys.stderr.flush()
    before = os.dup(2)
    with tempfile.TemporaryFile() as kept:
        os.dup2(kept.fileno(), 2)
        try:
            yield
        except BaseException:
            _restore(before)
            kept.seek(0)
            os.write(2, kept.read())
            raise
        _restore(before)


def _restore(before):
    sys.stderr.flush()
    os.dup2(before, 2)
    os.close(before)
