"""``.npz``, ``.safetensors``, ``.keras``, ``.h5`` and frozen ``.pb`` files read as checkpoints."""

import os

from tfgraphtools.checkpoints.format import (
    graph_constants,
    manifests,
    npz_files,
    safetensors_files,
)
from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.format.wire import Malformed, reading
from tfgraphtools.checkpoints.read import archive_names
from tfgraphtools.checkpoints.read.archive_store import ArchiveStore
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint
from tfgraphtools.checkpoints.read.keras_store import KerasStore
from tfgraphtools.checkpoints.read.local_files import exists, opened
from tfgraphtools.errors import CheckpointNotFoundError, RemoteError

_NEXT_STEP = "Write it again; np.savez, save_file, to_npz and to_safetensors make such files."


def open_archive(path: Path) -> Checkpoint:
    """Opens a file of arrays for reading: ``.npz``, ``.safetensors``, ``.keras``, ``.h5``, ``.pb``.

    `open_checkpoint` does the same for these files. Those that other programs wrote are read as
    well, each array under its key; weights of Keras under the path of the variable, those of a
    frozen graph under the names of the variables that they were. Nothing is ever unpickled.

    Args:
      path: the file.

    Returns:
      A `Checkpoint`, which `diff`, `plan`, `statistics` and the others take.

    Example:
      >>> with open_archive("model.npz") as archive:                   # doctest: +SKIP
      ...     plan(archive, rename=[("old/(.*)", r"new/\\1")]).apply("model.ckpt-0")

    Raises:
      CheckpointNotFoundError: there is no such file.
      DamagedCheckpointError: it is no such archive, or its manifest contradicts it.
      UnreadableTensorError: an array of a type that no checkpoint has, such as Python objects.
    """
    path = os.fspath(path)
    if not exists(path):
        raise CheckpointNotFoundError(
            path, "an .npz, .safetensors, .keras, .h5 or .pb file", "no file", "Check the path."
        )
    file = opened(path)
    with reading(path, _NEXT_STEP):
        return Checkpoint(_store(file))


def _store(file):
    if _is_keras(file):
        if "://" in file.path:
            raise RemoteError(
                file.path,
                "an .npz or .safetensors file, or a checkpoint",
                "a file of Keras, which the HDF5 library reads from this machine alone",
                "Copy it to this machine first.",
            )
        return KerasStore(file)
    if file.path.endswith(".pb"):
        return ArchiveStore("pb", file, graph_constants.members(file), {})
    if _is_zip(file):
        members, manifest = _without_manifest(npz_files.members(file))
        kind = "npz"
    else:
        members, metadata = safetensors_files.members(file)
        kind, manifest = "safetensors", metadata.get(manifests.KEY, "")
    if not isinstance(manifest, str):
        raise Malformed("a manifest that is no text")
    notes = manifests.load(manifest, [m.key for m in members]) if manifest else {}
    return ArchiveStore(kind, file, members, notes)


def _is_keras(file):
    """Returns True for HDF5, and for a zip file with the weights of a Keras model in it."""
    if file.size >= 8 and file.read(0, 8) == archive_names.HDF5:
        return True
    return _is_zip(file) and (
        file.path.endswith(".keras") or "model.weights.h5" in npz_files.names(file)
    )


def _is_zip(file):
    return file.size >= 4 and file.read(0, 4) in archive_names.ZIP


def _without_manifest(members):
    """Returns ([the members but the manifest], the manifest's text or "")."""
    for member in members:
        if member.key == manifests.KEY:
            member.check()
            text = bytes(member.load()).decode("utf-8", "replace")
            return [other for other in members if other is not member], text
    return members, ""
