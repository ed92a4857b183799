"""The one cache: where it is, and the compiled code in it.

Code is kept under a key of everything that it depends on (the source, its path,
the fixes in force, this package and Python), with a digest that is checked before
it is run, in a folder that only its owner can write. The oldest entries go when
there are too many.
"""

import functools
import hashlib
import marshal
import os
import stat

VARIABLE = "TFGRAPHTOOLS_CACHE"

#: Entries and bytes of compiled code that are kept.
MOST_ENTRIES = 4000
MOST_BYTES = 256 * 2**20

#: Entries are counted once in so many writes of a process.
_WRITES_UNTIL_COUNTED = 50

_writes = 0


def folder() -> str:
    """The folder: $TFGRAPHTOOLS_CACHE, else ``tfgraphtools`` in the user's cache folder.

    A relative one is relative to the folder in which the process asked first, whatever
    `os.chdir` does later.
    """
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
    return _absolute(os.environ.get(VARIABLE) or os.path.join(base, "tfgraphtools"))


@functools.lru_cache(maxsize=None)
def _absolute(path):
    return os.path.abspath(os.path.expanduser(path))


def key_of(*settings: object) -> str:
    """The name of an entry that depends on these bytes and values."""
    key = hashlib.sha256()
    for value in settings:
        data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogateescape")
        key.update(b"%d:" % len(data))
        key.update(data)
    return key.hexdigest()[:40]


def read(key: str):
    """What `write` kept under this key; None where there is nothing, or it is damaged."""
    place = _code_folder()
    if place is None:
        return None
    try:
        with open(os.path.join(place, key), "rb") as file:
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
    data = marshal.dumps(value)
    partial = os.path.join(place, f"{key}.{os.getpid()}")
    try:
        with open(partial, "wb") as file:
            file.write(hashlib.sha256(key.encode() + data).digest() + data)
        os.replace(partial, os.path.join(place, key))
    except OSError:
        return
    _writes += 1
    if _writes % _WRITES_UNTIL_COUNTED == 1:
        _evict(place)


def _code_folder(make=False):
    """The folder of compiled code; None where others could write into it, or it cannot be made."""
    place = os.path.join(folder(), "code")
    try:
        if make:
            os.makedirs(folder(), exist_ok=True)
            os.makedirs(place, mode=0o700, exist_ok=True)
        found = os.stat(place)
    except OSError:
        return None
    is_others = hasattr(os, "getuid") and found.st_uid != os.getuid()
    if is_others or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return None
    return place


def _evict(place):
    """Removes the entries that were written first, until a tenth of the room is free."""
    entries = []
    for entry in os.scandir(place):
        try:
            found = entry.stat()
        except OSError:  # another process removed it
            continue
        entries.append((found.st_mtime_ns, found.st_size, entry.path))
    count, size = len(entries), sum(entry[1] for entry in entries)
    if count <= MOST_ENTRIES and size <= MOST_BYTES:
        return
    for _, its_size, path in sorted(entries):
        if count <= 0.9 * MOST_ENTRIES and size <= 0.9 * MOST_BYTES:
            return
        try:
            os.remove(path)
        except OSError:
            pass
        count, size = count - 1, size - its_size
