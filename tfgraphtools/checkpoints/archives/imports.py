"""``.npz`` and ``.safetensors`` files read as checkpoints, and written as TF 1 checkpoints."""

import os

from tfgraphtools.checkpoints._proto import Malformed, reading
from tfgraphtools.checkpoints.archives import manifests, npz_files, safetensors_files
from tfgraphtools.checkpoints.archives.store import ArchiveStore
from tfgraphtools.checkpoints.files import File
from tfgraphtools.checkpoints.reader import Checkpoint
from tfgraphtools.errors import CheckpointNotFoundError

_NEXT_STEP = "Write it again; np.savez, save_file, to_npz and to_safetensors make such files."


def open_archive(path):
    """Opens an ``.npz`` or ``.safetensors`` file for reading, as `open_checkpoint` a checkpoint.

    Files that other programs wrote are read as well, each array under its key. Nothing is ever
    unpickled.

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
    if not os.path.isfile(path):
        raise CheckpointNotFoundError(
            path, "an .npz or .safetensors file", "no file", "Check the path."
        )
    file = File(path)
    with reading(path, _NEXT_STEP):
        if _is_zip(file):
            members, manifest = _without_manifest(npz_files.members(file))
            kind = "npz"
        else:
            members, metadata = safetensors_files.members(file)
            kind, manifest = "safetensors", metadata.get(manifests.KEY, "")
        if not isinstance(manifest, str):
            raise Malformed("a manifest that is no text")
        notes = manifests.load(manifest, [m.key for m in members]) if manifest else {}
        return Checkpoint(ArchiveStore(kind, file, members, notes))


def _is_zip(file):
    return file.size >= 4 and file.read(0, 4) in (b"PK\3\4", b"PK\5\6")


def _without_manifest(members):
    """([the members but the manifest], the manifest's text or "")."""
    for member in members:
        if member.key == manifests.KEY:
            member.check()
            text = bytes(member.load()).decode("utf-8", "replace")
            return [one for one in members if one is not member], text
    return members, ""


def from_npz(path, destination, overwrite=False, progress=None):
    """Writes an ``.npz`` file as a TF 1 checkpoint (V2, one shard), which `Saver.restore` reads.

    A file that `to_npz` wrote gives the very same tensors: names, types (bfloat16 and float8
    included), shapes, strings, slices, every bit. In a file that another program wrote, each
    key is a name.

    Args:
      path: the file.
      destination: the prefix to write.
      overwrite: replace a checkpoint that is there.
      progress: called now and then with (bytes done, bytes in all).

    Returns:
      A `writer.Result`.

    Example:
      >>> from_npz("model.npz", "model.ckpt-0")                        # doctest: +SKIP

    Raises:
      CheckpointNotFoundError, DamagedCheckpointError, UnreadableTensorError: as `open_archive`.
      PlanError: a key that is no tensor's name, such as an empty one.
      DestinationError: the prefix is taken, its folder is missing, or the disk is full.
    """
    return _to_checkpoint(path, destination, overwrite, progress)


def from_safetensors(path, destination, overwrite=False, progress=None):
    """Writes a ``.safetensors`` file as a TF 1 checkpoint; everything as in `from_npz`.

    Example:
      >>> from_safetensors("model.safetensors", "model.ckpt-0")        # doctest: +SKIP
    """
    return _to_checkpoint(path, destination, overwrite, progress)


def _to_checkpoint(path, destination, overwrite, progress):
    from tfgraphtools.checkpoints.plans import plan

    with open_archive(path) as archive:
        return plan(archive).apply(destination, overwrite=overwrite, progress=progress)
