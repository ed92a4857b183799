"""Reads and writes at a position of a file, also on a system that has no call for that: Windows."""

import os
import threading

_BINARY = getattr(os, "O_BINARY", 0)

#: How `os.open` opens a file to read, and a new one to write.
READ = os.O_RDONLY | _BINARY
CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY

#: Whether a file can be replaced while it is open.
REPLACES_OPEN_FILES = os.name != "nt"

_lock = threading.Lock()  # between a seek and what follows it


def pread(descriptor, size, offset):
    """Returns at most so many bytes at an offset, as `os.pread` does."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, offset)
    with _lock:
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, size)


def pwrite(descriptor, data, offset):
    """Writes at an offset and returns how many bytes, as `os.pwrite` does."""
    if hasattr(os, "pwrite"):
        return os.pwrite(descriptor, data, offset)
    with _lock:
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.write(descriptor, data)
