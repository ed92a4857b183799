"""Open whatever holds tensors as a `Checkpoint`: a checkpoint of TensorFlow, or an archive."""

import contextlib
import os
import time

from tfgraphtools import regular_files
from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.read import archive_names, paths, pointer_files
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY, Checkpoint
from tfgraphtools.checkpoints.read.tensor_stores import BundleStore, V1Store
from tfgraphtools.errors import CheckpointNotFoundError, PlanError, SourceChangedError

_ATTEMPTS = 8  # at opening a checkpoint that is being replaced
_REMOVAL = 0.05  # seconds that a Saver takes to remove the files of one checkpoint


def open_checkpoint(path: Path, allow_missing_shards: bool = False) -> Checkpoint:
    """Opens a checkpoint for reading: a lazy mapping from tensor names to arrays.

    It reads what TF 1 and TF 2 write: V1 and V2, compressed or not, in any number of shards,
    little- and big-endian, partitioned variables in one piece, and object-based checkpoints. And
    files of arrays, as `open_archive`.

    Args:
      path: a prefix, its ``.index``, ``.data-...`` or ``.meta``, a folder, a ``checkpoint`` file,
        an ``.npz``, ``.safetensors``, ``.keras``, ``.h5`` or frozen ``.pb`` file, a SavedModel
        or TF-Hub module (its folder or its ``.pb``), or the folder of GPT-1's
        ``params_shapes.json`` and ``params_0.npy``. It is taken literally: ``[``,
        ``]``, ``*`` and ``?`` are characters. In a folder that was copied, the checkpoint
        there is preferred to the original that its ``checkpoint`` file names. Or a URL of one of
        these, such as ``gs://``, ``s3://``, ``hdfs://`` or ``https://``, which is read by ranges
        (``pip install fsspec aiohttp``).
      allow_missing_shards: open it even if files of it are missing, to see what is left.

    Returns:
      A `Checkpoint`. It is a context manager; arrays taken from it stay valid after it. Its
      ``note`` says which checkpoint of a folder it is.

    Example:
      >>> with open_checkpoint("model.ckpt-1000") as ckpt:            # doctest: +SKIP
      ...     print(ckpt.info("dense/kernel").shape, ckpt["dense/kernel"].mean())

    Raises:
      CheckpointNotFoundError: there is none, or a shard of it is missing.
      DamagedCheckpointError: the index contradicts its checksum or its format.
      SourceChangedError: it was removed while it was opened.
      RemoteError: a server does not answer.
    """
    path = os.fspath(path)
    if "://" in path:
        from tfgraphtools.checkpoints.read.remote import urls

        if urls.is_url(path):
            return _remote(path, allow_missing_shards)
    for name in (path, path + ".index"):
        regular_files.require(name)
    folder = archive_names.gpt_folder(path)
    if folder is not None:
        from tfgraphtools.checkpoints.read.gpt1 import gpt1_arrays  # with JSON

        return gpt1_arrays.open_folder(folder)
    path = paths.beside_graph(path) or paths.saved_model_in(path) or path
    if archive_names.has_ending(path):
        return _archive(path)
    removal = None
    for _ in range(_ATTEMPTS):
        try:
            location = paths.find(path)
        except CheckpointNotFoundError:
            if removal is not None:
                break
            if archive_names.looks_like_one(path):
                return _archive(path)
            raise
        try:
            store = _opened_store(location, allow_missing_shards)
            return Checkpoint(store, location.folder, location.note)
        except CheckpointNotFoundError:
            raise
        except FileNotFoundError as error:  # removed since it was found; a folder may have another
            removal = error
    raise SourceChangedError(
        path,
        "a checkpoint that stays while it is opened",
        f"one that was removed ({removal.filename})",
        "A training job keeps its newest checkpoints only, see Saver(max_to_keep=...): "
        "copy one first, or pass the folder to get the newest.",
    ) from removal


def _remote(url, allow_missing_shards):
    from tfgraphtools.checkpoints.read.remote import remote_locations

    location = remote_locations.find(url)
    if location is None:
        return _archive(url)
    store = _opened_store(location, allow_missing_shards)
    return Checkpoint(store, location.folder, location.note)


def _archive(path):
    from tfgraphtools.checkpoints.read.archive_kinds import open_archive  # with JSON

    pointer_files.require(path)
    return open_archive(path)


def _opened_store(location, allow_missing_shards):
    for path in location.files:
        pointer_files.require(path)
    if location.version == 1:
        return V1Store(location.prefix, location.files)
    store = _open_bundle(location.prefix, allow_missing_shards)
    pointer_files.require_shards(location.prefix)
    return store


def _open_bundle(prefix, allow_missing_shards):
    """Opens the index and then its shards, again if a writer replaced them in between.

    The shards of an index in force are never replaced: if the index is still the same when all
    are open, they are its own. An open file stays readable when it is removed.
    """
    missing = None
    for _ in range(_ATTEMPTS):
        store, missing = BundleStore(prefix), None
        try:
            (store.open_shards if allow_missing_shards else store.require_shards)()
        except CheckpointNotFoundError as error:
            missing = error
            time.sleep(_REMOVAL)
        state = store.index_file.state()
        if missing is None and state != "written":
            return store
        if state == "same":
            raise missing
    raise missing or SourceChangedError(
        prefix,
        "a checkpoint that stays while it is opened",
        f"one that was replaced {_ATTEMPTS} times",
        "Wait until its writer is done, then start again.",
    )


def as_checkpoint(path_or_checkpoint, **options):
    """Opens what the public functions take: a path, or a checkpoint that is open."""
    if isinstance(path_or_checkpoint, Checkpoint):
        return path_or_checkpoint
    return open_checkpoint(path_or_checkpoint, **options)


@contextlib.contextmanager
def opened(path_or_checkpoint, **options):
    """Opens as `as_checkpoint` in a ``with``, which closes only what it has opened."""
    ckpt = as_checkpoint(path_or_checkpoint, **options)
    try:
        yield ckpt
    finally:
        if ckpt is not path_or_checkpoint:
            ckpt.close()


def require_name_based(ckpt):
    """Raises `PlanError` of an object-based checkpoint."""
    if GRAPH_KEY in ckpt:
        raise PlanError(
            ckpt.prefix,
            "a name-based checkpoint, as TF1's Saver writes it",
            "an object-based one of TF 2",
            "Convert it first: tfgraphtools ckpt convert --to tf1.",
        )
