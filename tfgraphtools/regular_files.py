"""Files that are read whole: regular ones of a limited size, no pipes, devices or endless links.

A name ends in ``.py`` whatever it is the name of. To open a pipe waits for a writer, and to read a
device may never end.
"""

import errno
import os
import stat

#: The most bytes of a source. The largest that people write are a tenth of it.
LARGEST_SOURCE = 8 << 20

#: The most bytes of a notebook, which holds pictures.
LARGEST_NOTEBOOK = 64 << 20

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def limit_of(path):
    """Returns the most bytes that are read of a source or a notebook, by its name."""
    is_notebook = os.fspath(path).endswith(".ipynb")
    return LARGEST_NOTEBOOK if is_notebook else LARGEST_SOURCE


def read(path, most=None):
    """Returns the bytes of a file.

    Args:
      path: its path; a link counts as what it leads to.
      most: the most bytes that it may have; by default those of a source, or of a notebook.

    Raises:
      OSError: it is no regular file or a larger one; its ``strerror`` says so.
    """
    most = limit_of(path) if most is None else most
    _require_regular(os.stat(path), path)  # to open a device may do something
    # A pipe that takes the place of the file meanwhile is opened at once, without a writer.
    flags = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, os.O_RDONLY | flags), "rb") as file:
        _require_regular(os.fstat(file.fileno()), path)
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"larger than {_size(most)}: not looked at", path)
    return data


def require(path):
    """Raises OSError for a pipe, a device or a socket, whose reading may never end.

    Args:
      path: a path; of nothing, or of a folder, it raises nothing.
    """
    if os.path.exists(path) and not os.path.isdir(path):
        _require_regular(os.stat(path), path)


def _require_regular(status, path):
    if not stat.S_ISREG(status.st_mode):
        kind = next((name for is_such, name in _KINDS if is_such(status.st_mode)), "no file")
        raise OSError(errno.EINVAL, f"{kind}, no regular file: not looked at", path)


def text(path, most=None):
    """Returns the text of a file as UTF-8, whatever its bytes; "" where `read` raises an error.

    Args:
      path: its path.
      most: as for `read`.
    """
    try:
        return read(path, most).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    except OSError:
        return ""


def _size(count):
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"
