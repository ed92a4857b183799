"""Files in the making: a hidden folder beside the destination, and a lock while its writer lives.

A lock that nobody holds says that the writer died; what it left can go then.
"""

import contextlib
import errno
import fcntl
import os
import re
import shutil
import zlib

from tfgraphtools.errors import DestinationError

STAGING = re.compile(r"\.tfgraphtools-[0-9a-f]{8}")
LOCK = "lock"

#: What a disk says when it cannot take more, as opposed to a mistake of ours.
DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EACCES}


def name_for(base):
    """The hidden folder's name for the file or prefix ``base``."""
    return ".tfgraphtools-{:08x}".format(zlib.crc32(base.encode("utf-8", "surrogateescape")))


def acquire(staging):
    """The descriptor of the locked lock file, or None if another process holds it."""
    while True:
        os.makedirs(staging, exist_ok=True)
        path = os.path.join(staging, LOCK)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except FileNotFoundError:  # its owner was just done and removed the folder
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.stat(path).st_ino == os.fstat(descriptor).st_ino:
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            return None
        except FileNotFoundError:
            pass
        os.close(descriptor)


def dispose(staging, descriptor):
    """Removes the staging folder, the lock last, and lets go of the lock."""
    for name in os.listdir(staging):
        if name != LOCK:
            remove(os.path.join(staging, name))
    remove(os.path.join(staging, LOCK))
    try:
        os.rmdir(staging)
    except OSError:  # another process has just put its lock there
        pass
    os.close(descriptor)


def write(path, data):
    """Writes a small file that is on the disk at the end."""
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder):
    """Flushes the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        os.fsync(descriptor)
    except OSError:  # some network file systems have no such call
        pass
    finally:
        os.close(descriptor)


def remove(path):
    """Removes a file or a folder, if it is there."""
    try:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
    except FileNotFoundError:
        pass


@contextlib.contextmanager
def replacing(path, overwrite, folder_too=False):
    """Gives the path at which to write; at the end what is there takes the place of ``path``.

    Whatever goes wrong, ``path`` is as it was. What replaces another file is flushed to the disk
    before, so that a crash of the machine leaves the old file or the new one. ``folder_too`` is for
    what is a folder.

    Raises:
      DestinationError: it is taken, it has no folder, or the disk is full.
    """
    folder, base = os.path.split(os.path.abspath(path))
    require_free(path, overwrite, folder_too)
    hidden = os.path.join(folder, name_for(base))
    lock = acquire(hidden)
    if lock is None:
        raise DestinationError(
            path, "a destination of our own", "another process that writes it", "Wait for it."
        )
    staged = os.path.join(hidden, "file")
    try:
        remove(staged)
        yield staged
        if os.path.isfile(path):
            _flush(staged)
        if os.path.isdir(path):  # a folder cannot be renamed over another
            os.rename(path, os.path.join(hidden, "old"))
        os.rename(staged, path)
        sync_folder(folder)
    except OSError as error:
        if isinstance(error, DestinationError) or error.errno not in DISK:
            raise
        raise DestinationError(
            path,
            "room and permission to write",
            error.strerror,
            "Nothing was changed. Free space, or write to another disk.",
        ) from error
    finally:
        dispose(hidden, lock)


def require_free(path, overwrite, folder_too=False):
    """Raises `DestinationError` unless `replacing` could put something at ``path``."""
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise DestinationError(
            path, "an existing folder", f"no {folder}", f"Make it first: mkdir -p {folder}"
        )
    if os.path.exists(path) and not (overwrite and os.path.isdir(path) == folder_too):
        raise DestinationError(
            path,
            "a free path",
            "a folder" if os.path.isdir(path) else "a file that exists",
            "Write elsewhere, or pass overwrite=True (--force).",
        )


def _flush(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
