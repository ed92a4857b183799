"""Files in the making: a hidden folder beside the destination, and a lock while its writer lives.

A lock that nobody holds says that the writer died; what it left can go then.
"""

import errno
import fcntl
import os
import re
import shutil
import zlib

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


def flush_tree(path):
    """Flushes a file, or every file and folder below a folder, to the disk."""
    if not os.path.isdir(path):
        _flush(path)
        return
    for folder, _, names in os.walk(path):
        for name in names:
            _flush(os.path.join(folder, name))
        sync_folder(folder)


def _flush(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


def exchange(one, other):
    """Swaps two files or folders in one step; False where the system cannot do that."""
    import ctypes

    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):  # no Linux, or a C library before 2018
        return False
    one, other = os.fsencode(one), os.fsencode(other)
    return call(_AT_FDCWD, one, _AT_FDCWD, other, _RENAME_EXCHANGE) == 0
