"""The line of the user's code that built an op."""

import linecache
import os

from tfgraphtools import _tf

_MOST_CODE = 60  # characters of a line of code that are shown
_OURS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def user_line(op):
    """Returns "file:line (code)" of the user's line that built the op, or None."""
    frames = _tf.traceback_of(op)
    if any(function == "import_graph_def" for _, _, function, _ in frames):
        return None  # that line imported the op; it did not build it
    for filename, line, _, code in reversed(frames):
        folder = os.path.abspath(filename)
        if folder.startswith(_tf.PACKAGE_FOLDERS) or folder.startswith(_OURS):
            continue
        if filename.startswith("<") or "/importlib/" in filename or "/keras/" in filename:
            continue
        code = (code or linecache.getline(filename, line)).strip()
        where = f"{os.path.basename(filename)}:{line}"
        return f"{where} ({code[:_MOST_CODE]})" if code else where
    return None
