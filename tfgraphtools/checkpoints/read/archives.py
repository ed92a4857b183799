"""``.npz`` and ``.safetensors`` files read as checkpoints."""

import os

from tfgraphtools.checkpoints.format import manifests, npz_files, safetensors_files
from tfgraphtools.checkpoints.format.wire import Malformed, reading
from tfgraphtools.checkpoints.read.archive_store import ArchiveStore
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint
from tfgraphtools.checkpoints.read.files import File
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
