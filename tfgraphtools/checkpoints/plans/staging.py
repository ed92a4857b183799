"""Files in the making: a hidden folder beside the destination, and a lock while its writer lives.

A lock that nobody holds says that the writer died; what it left can go then. A folder of that name
without our lock file in it, or a link, is not ours: it is never touched.
"""

import contextlib
import errno
import os
import re
import shutil
import time
import zlib

from tfgraphtools.checkpoints.plans.disk import file_locks

STAGING = re.compile(r"\.tfgraphtools-[0-9a-f]{8}")
LOCK = "lock"

#: What a disk says when it cannot take more, as opposed to a mistake of ours.
DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.EACCES, errno.EPERM}

#: Seconds to wait for a lock: a process that cleans up after a killed write holds it for so long.
_PATIENCE = 2

#: Whether a file can be removed while it is open.
_REMOVES_OPEN_FILES = os.name != "nt"


class NotOursError(Exception):
    """A folder has the name of a staging folder, and no write of ours made it."""


def name_for(base):
    """Returns the hidden folder's name for the file or prefix ``base``, in any case."""
    return ".tfgraphtools-{:08x}".format(
        zlib.crc32(base.casefold().encode("utf-8", "surrogateescape"))
    )


def acquire(staging):
    """Makes the folder, and locks it.

    Returns:
      The descriptor of the lock file, or None if another process holds it.

    Raises:
      NotOursError: another folder has the name.
      OSError: the folder cannot be made, or belongs to another user.
    """
    end = time.monotonic() + _PATIENCE
    while True:
        is_new = _make(staging)
        try:
            require_ours(staging)
            descriptor = file_locks.take(os.path.join(staging, LOCK))
        except FileNotFoundError:  # its owner was just done and removed the folder
            continue
        except OSError:
            if is_new:
                with contextlib.suppress(OSError):
                    os.rmdir(staging)
            raise
        if descriptor is not None or time.monotonic() > end:
            return descriptor
        time.sleep(0.01)


def acquire_abandoned(staging):
    """Locks the folder of a writer that died; None if it lives, has begun, or is not ours."""
    try:
        require_ours(staging)
        if not os.listdir(staging):  # a kill left it; who has just made it makes it again
            os.rmdir(staging)
            return None
        return file_locks.take(os.path.join(staging, LOCK), make=False)
    except (NotOursError, OSError):
        return None


def _make(staging):
    try:
        os.mkdir(staging)
        return True
    except FileExistsError:
        return False


def require_ours(staging):
    """Raises `NotOursError` for a link, a file, and a folder that holds something but our lock.

    Our lock file is the first in a folder and the last to go, and says whose it is.

    Raises:
      FileNotFoundError: it is not there.
    """
    if os.path.islink(staging) or os.path.isfile(staging):
        raise NotOursError
    names = os.listdir(staging)  # before the mark is read, which is written before all others
    if not names:
        return
    lock = os.path.join(staging, LOCK)
    if os.path.islink(lock):
        raise NotOursError
    try:
        with open(lock, "rb") as file:
            mark = file.read(len(file_locks.MARK))
    except FileNotFoundError:
        if [name for name in os.listdir(staging) if not name.startswith(LOCK)]:
            raise NotOursError from None
        return  # its owner is leaving, or has just come
    is_new = mark == b"" and all(name.startswith(LOCK) for name in names)
    if mark != file_locks.MARK and not is_new:
        raise NotOursError


def dispose(staging, descriptor):
    """Removes the staging folder, the lock last, and lets go of the lock."""
    lock = os.path.join(staging, LOCK)
    try:
        for name in os.listdir(staging):
            if name != LOCK:
                remove(os.path.join(staging, name))
        if _REMOVES_OPEN_FILES:
            remove(lock)
            with contextlib.suppress(OSError):  # another process has just put its lock there
                os.rmdir(staging)
    finally:
        os.close(descriptor)
    if not _REMOVES_OPEN_FILES:
        with contextlib.suppress(OSError):  # another process has just opened it
            remove(lock)
            os.rmdir(staging)


def write(path, data):
    """Writes a small file that is on the disk at the end."""
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder):
    """Flushes the names in a folder to the disk, where a system does that for folders."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except PermissionError:  # Windows
        return
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


def ignores_case(staging):
    """Tells whether the file system of a staging folder finds names whatever their case."""
    folder, name = os.path.split(staging)
    return os.path.exists(os.path.join(folder, name.upper()))


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
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


def exchange(path, other_path):
    """Swaps two files or folders in one step; False where the system cannot do that."""
    import ctypes

    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # no Linux, or a C library before 2018
        return False
    path, other_path = os.fsencode(path), os.fsencode(other_path)
    return call(_AT_FDCWD, path, _AT_FDCWD, other_path, _RENAME_EXCHANGE) == 0
