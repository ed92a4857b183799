"""Files that a command is to write: looked at before the work whose result they are to hold."""

import os
from typing import Optional

from tfgraphtools.errors import UsageError


def require_writable(option: str, path: Optional[str]) -> None:
    """Raises `UsageError` where no file can be written.

    Args:
      option: that names the file.
      path: the file; None without the option.
    """
    if path is None:
        return
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path) or not path:
        raise UsageError(
            option, "a file to write", f"the folder {path}" if path else "''", "Add a file name."
        )
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise UsageError(option, "a file in a folder", f"{folder}, a file", "Check the path.")
    if not os.path.isdir(folder):
        raise UsageError(
            option,
            "a file in an existing folder",
            f"no folder {folder}",
            f"Make it first: mkdir -p {folder}",
        )
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise UsageError(
            option, "a file that you may write", f"{path}: permission denied", "Write elsewhere."
        )
