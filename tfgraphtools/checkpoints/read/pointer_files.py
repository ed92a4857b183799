"""Files that are no checkpoint and no graph: a pointer, a page, an archive, an array."""

import os

from tfgraphtools.errors import DamagedCheckpointError

_LFS = b"version https://git-lfs.github.com/spec/"
_LARGEST_POINTER = 1024  # bytes; the specification's limit
_GZIP = b"\x1f\x8b"
_NUMPY = b"\x93NUMPY"
_PAGES = (b"<!doctype html", b"<html", b"<?xml")


def words(path):
    """Says what a file holds and what to do about it, or ("", "") if its first bytes do not tell.

    Returns:
      (what it is, the next step).
    """
    try:
        with open(path, "rb") as file:
            head = file.read(64)
    except OSError:
        return "", ""
    if head.startswith(_LFS):
        return "a Git LFS pointer, not the file itself", "Run 'git lfs pull' in its repository."
    if head.lstrip().lower().startswith(_PAGES):
        return (
            "a web page, not the file itself",
            "Download the file again: the server sent a page, such as a login.",
        )
    if head.startswith(_GZIP):
        return "a compressed file", "Unpack it first: gunzip, or tar xzf for an archive."
    if head.startswith(_NUMPY):
        return "one NumPy array", "Write an archive of all arrays: np.savez('model.npz', name=...)."
    return "", ""


def require(path):
    """Raises `DamagedCheckpointError` if a file of a checkpoint is a pointer or a page instead."""
    problem, step = words(path)
    if problem:
        raise DamagedCheckpointError(path, "the data of a checkpoint", problem, step)


def require_shards(prefix):
    """Raises as `require` for the shards that lie under a prefix; a pointer is small."""
    folder, name = os.path.split(prefix)
    if not os.path.isdir(folder or "."):  # a URL
        return
    for shard in os.listdir(folder or "."):  # an index may name any number of them
        path = os.path.join(folder, shard)
        if shard.startswith(name + ".data-") and _size(path) < _LARGEST_POINTER:
            require(path)


def _size(path):
    try:
        return os.path.getsize(path)
    except FileNotFoundError:  # a writer has just replaced it
        return _LARGEST_POINTER


def alone(prefix):
    """Says which files lie under a prefix whose checkpoint is not whole; ("", "") if none does."""
    folder, name = os.path.split(prefix)
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        return "", ""
    data = [other for other in names if other.startswith(name + ".data-")]
    if data:
        got = f"data without an index: {data[0]}"
        return got, f"Copy {name}.index from where the checkpoint was written."
    if name + ".meta" in names:
        return (
            f"the graph alone: {name}.meta",
            f"Copy {name}.index and {name}.data-... from where the checkpoint was written.",
        )
    return "", ""
