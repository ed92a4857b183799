"""``.npz`` and ``.safetensors`` files written as TF 1 checkpoints."""

from typing import Any

from tfgraphtools.checkpoints.format.type_hints import Path, Progress
from tfgraphtools.checkpoints.plans.plan import plan
from tfgraphtools.checkpoints.read.archive_kinds import open_archive


def from_npz(
    path: Path, destination: Path, overwrite: bool = False, progress: Progress = None
) -> Any:
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


def from_safetensors(
    path: Path, destination: Path, overwrite: bool = False, progress: Progress = None
) -> Any:
    """Writes a ``.safetensors`` file as a TF 1 checkpoint; everything as in `from_npz`.

    Example:
      >>> from_safetensors("model.safetensors", "model.ckpt-0")        # doctest: +SKIP
    """
    return _to_checkpoint(path, destination, overwrite, progress)


def _to_checkpoint(path, destination, overwrite, progress):
    with open_archive(path) as archive:
        return plan(archive).apply(destination, overwrite=overwrite, progress=progress)
