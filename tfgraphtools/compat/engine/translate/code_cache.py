"""The one cache: where it is, and the compiled code in it.

Code is kept under a key of everything that it depends on (the source, its path,
the fixes in force, this package and Python), with a digest that is checked before
it is run, in a folder that only its owner can write. The oldest entries go when
there are too many.

The user may name any folder as the cache, one of their own included. So the compiled
code has a folder of its own in it, which holds a file that says whose it is, and only
files whose names are an entry's are ever removed from it.
"""

import contextlib
import functools
import hashlib
import marshal
import os
import re
import stat
from typing import Optional

from tfgraphtools import environment_variables

VARIABLE = environment_variables.CACHE

#: The folder of compiled code in the cache, the file that says that it is ours, and its text.
CODE_FOLDER = "tfgraphtools-code"
MARKER = "TFGRAPHTOOLS-CACHE"
MARKER_TEXT = b"""Compiled code that tfgraphtools keeps: it can be removed at any time.
tfgraphtools removes the files *.code of this folder, and no other file.
"""

#: Entries and bytes of compiled code that are kept.
MOST_ENTRIES = 4000
MOST_BYTES = 256 * 2**20

#: The name of an entry: finished, or in the making by a process that may have been killed.
_ENTRY = re.compile(r"[0-9a-f]{40}(\.[0-9a-z_]{8})?\.code")

#: Entries are counted once in so many writes of a process.
_WRITES_UNTIL_COUNTED = 50

_writes = 0


def folder() -> str:
    """Returns the folder: $TFGRAPHTOOLS_CACHE, else ``tfgraphtools`` in the user's cache folder.

    A relative one is relative to the folder in which the process asked first, whatever
    `os.chdir` does later.
    """
    base = environment_variables.value_of("XDG_CACHE_HOME") or os.path.join("~", ".cache")
    return _absolute(environment_variables.value_of(VARIABLE) or os.path.join(base, "tfgraphtools"))


@functools.lru_cache(maxsize=None)
def _absolute(path):
    return os.path.abspath(os.path.expanduser(path))


def key_of(*settings: object) -> str:
    """Returns the name of an entry that depends on these bytes and values."""
    key = hashlib.sha256()
    for value in settings:
        data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogateescape")
        key.update(b"%d:" % len(data))
        key.update(data)
    return key.hexdigest()[:40]


def read(key: str):
    """Returns what `write` kept under this key; None where there is nothing, or it is damaged."""
    place = _code_folder()
    if place is None:
        return None
    try:
        with open(_path(place, key), "rb") as file:
            digest, data = file.read(32), file.read()
        if hashlib.sha256(key.encode() + data).digest() != digest:
            return None
        return marshal.loads(data)
    except (OSError, EOFError, ValueError, TypeError):
        return None


def write(key: str, value: object) -> None:
    """Keeps a value that can be marshalled; a folder that cannot be written costs only time."""
    global _writes
    place = _code_folder(make=True)
    if place is None:
        return
    import tempfile  # slow to import, and not needed where all is in the cache

    data = marshal.dumps(value)
    try:
        descriptor, partial = tempfile.mkstemp(prefix=key + ".", suffix=".code", dir=place)
    except OSError:
        return
    try:
        with open(descriptor, "wb") as file:
            file.write(hashlib.sha256(key.encode() + data).digest() + data)
        os.replace(partial, _path(place, key))
    except OSError:
        _remove(partial)
        return
    _writes += 1
    if (_writes - 1) % _WRITES_UNTIL_COUNTED == 0:
        _evict(place)


def _path(place, key):
    return os.path.join(place, key + ".code")


def _code_folder(make=False) -> Optional[str]:
    """Returns the folder of compiled code, or None.

    None: it is not ours (a link, or a folder without our marker), others could write into it,
    or it cannot be made.
    """
    place = os.path.join(folder(), CODE_FOLDER)
    try:
        if make and not os.path.lexists(place):
            _make(place)
        place_status = os.lstat(place)
        marker_status = os.lstat(os.path.join(place, MARKER))
    except OSError:
        return None
    is_others = hasattr(os, "getuid") and place_status.st_uid != os.getuid()
    if is_others or place_status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return None
    is_ours = stat.S_ISDIR(place_status.st_mode) and stat.S_ISREG(marker_status.st_mode)
    return place if is_ours and marker_status.st_size == len(MARKER_TEXT) else None


def _make(place):
    """Makes the folder with its marker, in one step: a kill leaves no folder without one."""
    import tempfile

    os.makedirs(folder(), exist_ok=True)
    beside = tempfile.mkdtemp(prefix=CODE_FOLDER + ".", dir=folder())
    marker = os.path.join(beside, MARKER)
    try:
        with open(marker, "wb") as file:
            file.write(MARKER_TEXT)
        os.rename(beside, place)
    except OSError:  # another process was faster, or the disk is full
        _remove(marker)
        with contextlib.suppress(OSError):
            os.rmdir(beside)


def _evict(place):
    """Removes the entries that were written first, until a tenth of the room is free."""
    entries = []
    for entry in os.scandir(place):
        try:
            if _ENTRY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                entries.append((status.st_mtime_ns, status.st_size, entry.path))
        except OSError:  # another process removed it
            continue
    count, size = len(entries), sum(entry[1] for entry in entries)
    if count <= MOST_ENTRIES and size <= MOST_BYTES:
        return
    for _, its_size, path in sorted(entries):
        if count <= 0.9 * MOST_ENTRIES and size <= 0.9 * MOST_BYTES:
            return
        _remove(path)
        count, size = count - 1, size - its_size


def _remove(path):
    with contextlib.suppress(OSError):
        os.remove(path)
