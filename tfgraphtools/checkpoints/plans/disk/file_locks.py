"""Locks on files that end with the process that holds them, however it ends.

The system's own lock (``flock``, on Windows ``msvcrt.locking``) is freed by a kill. Where there is
none (some network file systems), the file says which process holds it, and the lock of a process
that has ended counts as free.

No library is used: the base install needs NumPy alone, and ``filelock`` (3.12, the last for Python
3.7) can give one lock to two processes where its file is removed by the first, as it is here with
the folder around it.
"""

import errno
import os
import platform
import time
import uuid

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
try:
    import msvcrt
except ImportError:
    msvcrt = None

#: The first line of a lock file.
MARK = b"tfgraphtools\n"

#: Where the system has no locks: seconds for which a file without that line counts as held, for
#: its holder is about to write it.
NEWBORN = 60

#: The byte that Windows locks: beyond the end, for a locked one cannot be read by others.
_LOCKED_BYTE = 1 << 20

_FLAGS = os.O_RDWR | getattr(os, "O_BINARY", 0)

_HELD = {errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK}
_UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL}


class _NoLocksError(OSError):
    """The system or the file system has no locks."""


def take(path, make=True):
    """Locks a file.

    Args:
      path: the lock file.
      make: whether to make it if it is not there.

    Returns:
      Its descriptor, to be closed; or None, if another process holds it.

    Raises:
      FileNotFoundError: the folder is not there, or the file without `make`.
      OSError: it cannot be opened.
    """
    while True:
        opened = _open(path, make)
        if opened is None:
            continue
        descriptor, is_new = opened
        is_taken = False
        try:
            try:
                if not _lock(descriptor):
                    return None
            except _NoLocksError:
                if not is_new:
                    if not _remove_ended(path, descriptor):
                        return None
                    make = True  # a new one in its place
                    continue
            is_taken = _is_at(path, descriptor)  # else its holder has just removed it
            if is_taken:
                _mark(descriptor)
                return descriptor
        finally:
            if not is_taken:
                os.close(descriptor)


def _open(path, make):
    """Returns (descriptor, whether the file is new), or None if that changed in between."""
    if make:
        try:
            return os.open(path, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600), True
        except FileExistsError:
            pass
    try:
        return os.open(path, _FLAGS), False
    except FileNotFoundError:
        if make and os.path.isdir(os.path.dirname(path)):
            return None
        raise


def _is_at(path, descriptor):
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


# The system's locks -----------------------------------------------------------


def _lock(descriptor):
    """Locks an open file if no other process has; tells whether it did."""
    if fcntl is None and msvcrt is None:
        raise _NoLocksError
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        return True
    except OSError as error:
        if error.errno in _HELD:
            return False
        if error.errno in _UNSUPPORTED:
            raise _NoLocksError from error
        raise


# Without them: the file names its holder ----------------------------------------


def _mark(descriptor):
    """Writes the mark, and who holds the lock, into a new lock file, or over a former holder."""
    record = MARK + f"{_machine()}\n{os.getpid()} {uuid.uuid4().hex}\n".encode()
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, record)
    os.ftruncate(descriptor, len(record))


def _remove_ended(path, descriptor):
    """Removes the lock file of a process that has ended; tells whether it did.

    Of several that see the same dead holder, the one that makes a file of its name removes it.
    """
    record = _record(descriptor)
    if not _has_ended(descriptor, record):
        return False
    claim = path + "-" + (record.split()[-1].decode() if record else "unmarked")
    try:
        os.close(os.open(claim, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except (FileExistsError, FileNotFoundError):
        return False
    try:
        is_still_there = _is_at(path, descriptor) and _record(descriptor) == record
        if is_still_there:
            os.unlink(path)
        return is_still_there
    finally:
        os.unlink(claim)


def _record(descriptor):
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, 1000)


def _has_ended(descriptor, record):
    if not record:
        return time.time() - os.fstat(descriptor).st_mtime > NEWBORN
    lines = record.split(b"\n")
    if len(lines) < 4 or lines[1] != _machine().encode() or os.name == "nt":
        return False
    try:
        os.kill(int(lines[2].split()[0]), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, ValueError, IndexError):
        pass
    return False


def _machine():
    """Returns the machine and its container, where numbers of processes mean something."""
    try:
        return f"{platform.node()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return platform.node()
