"""Open whatever holds tensors as a `Checkpoint`: a checkpoint of TensorFlow, or an archive."""

import contextlib
import os

from tfgraphtools.checkpoints.read import paths
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint
from tfgraphtools.checkpoints.read.stores import BundleStore, V1Store
from tfgraphtools.errors import CheckpointNotFoundError, SourceChangedError

_ATTEMPTS = 8  # at opening a checkpoint that is being replaced


def open_checkpoint(path, allow_missing_shards=False):
    """Opens a checkpoint for reading: a lazy mapping from tensor names to arrays.

    It reads what TF 1 and TF 2 write: V1 and V2, compressed or not, in any number of shards,
    little- and big-endian, partitioned variables in one piece, and object-based checkpoints.

    Args:
      path: a prefix, its ``.index``, ``.data-...`` or ``.meta``, a folder, or a ``checkpoint``
        file. It is taken literally: ``[``, ``]``, ``*`` and ``?`` are characters.
      allow_missing_shards: open it even if files of it are missing, to see what is left.

    Returns:
      A `Checkpoint`. It is a context manager; arrays taken from it stay valid after it.

    Example:
      >>> with open_checkpoint("model.ckpt-1000") as ckpt:            # doctest: +SKIP
      ...     print(ckpt.info("dense/kernel").shape, ckpt["dense/kernel"].mean())

    Raises:
      CheckpointNotFoundError: there is none, or a shard of it is missing.
      DamagedCheckpointError: the index contradicts its checksum or its format.
    """
    location = paths.find(path)
    if location.version == 1:
        store = V1Store(location.prefix, location.files)
    else:
        store = _open_bundle(location.prefix, allow_missing_shards)
    return Checkpoint(store)


def _open_bundle(prefix, allow_missing_shards):
    """Opens the index and then its shards, again if a writer replaced them in between."""
    for _ in range(_ATTEMPTS):
        store = BundleStore(prefix)
        if allow_missing_shards:
            return store
        try:
            store.require_shards()
            return store
        except CheckpointNotFoundError as error:
            missing = error
        try:
            store.index_file.check_unchanged()
            break  # they are really missing
        except SourceChangedError:
            continue
    raise missing


def as_checkpoint(path_or_checkpoint, **options):
    """An open checkpoint for what the public functions take: a path, or one that is open.

    A path may also be that of an archive, so that a checkpoint can be compared with one.
    """
    if isinstance(path_or_checkpoint, Checkpoint):
        return path_or_checkpoint
    path = os.fspath(path_or_checkpoint)
    if path.endswith((".npz", ".safetensors")) and os.path.isfile(path):
        from tfgraphtools.checkpoints.read.archives import open_archive

        return open_archive(path)
    return open_checkpoint(path, **options)


@contextlib.contextmanager
def opened(path_or_checkpoint, **options):
    """The same in a ``with``, which closes what it has opened, and only that."""
    ckpt = as_checkpoint(path_or_checkpoint, **options)
    try:
        yield ckpt
    finally:
        if ckpt is not path_or_checkpoint:
            ckpt.close()
