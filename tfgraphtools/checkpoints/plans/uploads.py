"""Finished files of this machine to a URL: a file, a folder, or all files of a checkpoint."""

import os
from typing import List

from tfgraphtools.checkpoints.format import bundle
from tfgraphtools.checkpoints.read.remote import urls
from tfgraphtools.errors import CheckpointNotFoundError, DestinationError

_PARTIAL = ".partial"


def upload(path: str, url: str, overwrite: bool = False) -> List[str]:
    """Copies a file, a folder or a checkpoint of this machine to a URL.

    A checkpoint's index goes last: a reader finds the whole checkpoint or none. What replaces
    something is first uploaded beside it, as ``NAME.partial``, and moved when all of it is there:
    an upload that is interrupted keeps the old one.

    Args:
      path: a file, a folder, or the prefix of a checkpoint.
      url: where it goes, under the same endings.
      overwrite: replace what is there.

    Returns:
      The URLs that were written.

    Example:
      >>> upload("new/model.ckpt", "gs://bucket/model.ckpt")           # doctest: +SKIP

    Raises:
      CheckpointNotFoundError: there is no such file.
      DestinationError: something is there. RemoteError: the server does not take it.
    """
    path, url = os.fspath(path).rstrip("/"), url.rstrip("/")
    files = _files(path)
    if not files:
        raise CheckpointNotFoundError(path, "a file, a folder or a checkpoint", "none", "Check it.")
    pairs = [(file, url + file[len(path) :]) for file in files]
    taken = [there for _, there in pairs if urls.exists(there)]
    if taken and not overwrite:
        raise DestinationError(
            taken[0],
            "a free place",
            "a file that exists",
            "Write elsewhere, or pass overwrite=True (--force).",
        )
    if taken:
        _replace(pairs)
    else:
        for file, there in pairs:
            urls.upload(file, there)
    return [there for _, there in pairs]


def _replace(pairs):
    """Uploads everything beside what is there, and moves it when all has arrived."""
    partial = []
    try:
        for file, there in pairs:
            partial.append(there + _PARTIAL)
            urls.upload(file, partial[-1])
    except BaseException:
        for there in partial:
            urls.remove(there)
        raise
    for _, there in pairs:
        urls.move(there + _PARTIAL, there)


def _files(path):
    """Returns the files, the index of a checkpoint last."""
    if os.path.isfile(path):
        return [path]
    if os.path.isdir(path):
        return sorted(os.path.join(f, name) for f, _, names in os.walk(path) for name in names)
    folder, base = os.path.split(path)
    names = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
    files = [n for n in names if n == base + ".index" or _is_shard(n, base)]
    return [os.path.join(folder, n) for n in sorted(files, key=lambda n: (n.endswith(".index"), n))]


def _is_shard(name, base):
    split = bundle.split_shard_path(name)
    return bool(split) and split[0] == base
