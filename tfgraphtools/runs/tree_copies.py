"""Copies of a tree that never lead back into it: no .git, links inside it point into the copy."""

import contextlib
import hashlib
import os
import shutil
import stat

from tfgraphtools.errors import ArgumentError

#: Folders that are not copied.
NOT_COPIED = {".git", "__pycache__", "node_modules", ".venv", ".tox"}

#: Folders in which tools keep what they know; what is written there is no result of a program.
CACHES = {".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints"}

#: The largest folder that is copied, in bytes.
LARGEST = 8 << 30


def copy(source, target):
    """Copies the files of a folder; what is read-only becomes writable in the copy.

    Links stay links. A link into the folder leads into the copy, also where it is absolute, and
    one that leads elsewhere leads to the same place. Sockets, pipes and devices are left out.

    Args:
      source: a folder.
      target: the folder to make; its parent exists.

    Returns:
      the names, from the folder, of the links that lead outside.

    Raises:
      ArgumentError: the folder is too large.
    """
    source = os.path.realpath(source)
    _require_size(source)
    outside = []
    os.makedirs(target)
    for folder, folders, names in _walk(source):
        here = os.path.normpath(os.path.join(target, os.path.relpath(folder, source)))
        for name in sorted(folders + names):
            path, copied = os.path.join(folder, name), os.path.join(here, name)
            status = os.lstat(path)
            if stat.S_ISLNK(status.st_mode):
                destination = _destination(path, source)
                if os.path.isabs(destination):
                    outside.append(os.path.relpath(path, source))
                os.symlink(destination, copied)
            elif stat.S_ISDIR(status.st_mode):
                os.mkdir(copied)
            elif stat.S_ISREG(status.st_mode):
                shutil.copyfile(path, copied)
                os.chmod(copied, stat.S_IMODE(status.st_mode) | 0o600)
                os.utime(copied, ns=(status.st_mtime_ns, status.st_mtime_ns))
    return outside


def names(folder):
    """Yields the names, from a folder, of the files and links that `copy` copies."""
    folder = os.path.realpath(folder)
    for place, _, base_names in _walk(folder):
        for name in base_names:
            yield os.path.relpath(os.path.join(place, name), folder)


def ages(folder):
    """Returns {path: (the time of its last change, its size)} of the files that `copy` copies.

    A program may be at work there: what it removes meanwhile is left out.
    """
    result = {}
    for place, _, base_names in _walk(folder, onerror=None):
        for name in base_names:
            path = os.path.join(place, name)
            with contextlib.suppress(OSError):
                status = os.lstat(path)
                result[path] = status.st_mtime_ns, status.st_size
    return result


def written(folder, before):
    """Returns the paths of the files that are new or changed since `ages` returned `before`.

    Those in `CACHES` are none.
    """
    changed = [path for path, age in ages(folder).items() if before.get(path) != age]
    return [
        path for path in changed if CACHES.isdisjoint(os.path.relpath(path, folder).split(os.sep))
    ]


def _destination(link, source):
    """Returns the text of a link in the copy: relative inside the folder, else absolute."""
    folder = os.path.dirname(link)
    target = os.path.normpath(os.path.join(folder, os.readlink(link)))
    parent = os.path.join(os.path.realpath(os.path.dirname(target)), os.path.basename(target))
    for path in (target, parent, os.path.realpath(target)):
        if path == source or path.startswith(source + os.sep):
            return os.path.relpath(path, folder)
    return target


def digests(folder):
    """Returns {name from the folder: digest} of the files and links that `copy` copies.

    Those of a copy are the same: a link counts as what `copy` makes of it.
    """
    result = {}
    folder = os.path.realpath(folder)
    for place, folders, names in _walk(folder):
        for name in names + folders:
            path = os.path.join(place, name)
            if os.path.islink(path):
                data = b"link " + os.fsencode(_destination(path, folder))
            elif os.path.isfile(path):
                data = digest(path)
            else:
                continue
            result[os.path.relpath(path, folder)] = data
    return result


def differing(folder, other):
    """Returns the names of files and links that are not the same in two folders."""
    ours, theirs = digests(folder), digests(other)
    return sorted(name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name))


def digest(path):
    """Returns the digest of a file's content."""
    content = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            content.update(block)
    return content.digest()


def _raise(error):
    raise error


def _walk(source, onerror=_raise):
    for folder, folders, names in os.walk(source, onerror=onerror):
        folders[:] = sorted(name for name in folders if not _is_left_out(folder, name))
        yield folder, folders, [name for name in names if name not in NOT_COPIED]


def _is_left_out(folder, name):
    path = os.path.join(folder, name)
    return name in NOT_COPIED or os.path.exists(os.path.join(path, "pyvenv.cfg"))


def _require_size(source):
    size = 0
    for folder, _, names in _walk(source):
        size += sum(os.lstat(os.path.join(folder, name)).st_size for name in names)
        if size > LARGEST:
            raise ArgumentError(
                source,
                f"a folder of at most {LARGEST >> 30} GiB, because its code runs in copies of it",
                "a larger one",
                "Move the data to another folder and put a link in its place: links stay links.",
            )
