"""`to_state_dict`: a TF1 checkpoint of a known family as the weights of a PyTorch package."""

import os
from typing import Optional

from tfgraphtools.checkpoints.families import family_plans
from tfgraphtools.checkpoints.format.type_hints import Path, Progress
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import opened
from tfgraphtools.checkpoints.torch import torch_files


class StateDictPlan(family_plans.FamilyPlan):
    """The state dict that will be written; made by `plan_state_dict`."""

    def apply(
        self,
        destination: Path,
        *,
        overwrite: bool = False,
        progress: Progress = None,
        max_shard_size: Optional[int] = None,
    ) -> None:
        """Writes ``x.safetensors`` or ``x.pt``, or a folder of several files.

        Args:
          destination: to write.
          overwrite: replace what is there.
          progress: called with (bytes done, bytes in all).
          max_shard_size: in bytes; the destination is a folder then. None writes one file.

        Raises:
          DamagedCheckpointError, DestinationError: nothing was written then.
        """
        self.check()
        entries, place = self.writable(), self.checkpoint.prefix
        check = self.checkpoint.check_unchanged
        if max_shard_size is None:
            torch_files.write(os.fspath(destination), entries, place, overwrite, progress, check)
        else:
            torch_files.write_folder(
                destination, entries, place, max_shard_size, overwrite, progress, check
            )


def to_state_dict(
    checkpoint: Source, path: Path, overwrite: bool = False, progress: Progress = None
) -> StateDictPlan:
    """Writes the state dict of a PyTorch package's model from a TF1 checkpoint of a known family.

    Inception-ResNet v1 of facenet, for ``facenet_pytorch.InceptionResnetV1``. The package is not
    needed, and PyTorch only for ``.pt``. `to_torch` writes that of a model of yours.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      path: ``x.safetensors`` or ``x.pt``.
      overwrite: replace a file that is there.
      progress: called with (bytes done, bytes in all).

    Returns:
      The `StateDictPlan` that was carried out.

    Example:
      >>> to_state_dict("20180402-114759/model.ckpt-275", "facenet.pt")   # doctest: +SKIP
      >>> facenet_pytorch.InceptionResnetV1().load_state_dict(torch.load("facenet.pt"))

    Raises:
      PlanError: no known family, or none that such a package has.
      DamagedCheckpointError, DestinationError: nothing was written then.
    """
    with opened(checkpoint) as ckpt:
        plan = plan_state_dict(ckpt)
        plan.apply(path, overwrite=overwrite, progress=progress)
        return plan


def plan_state_dict(ckpt: Checkpoint) -> StateDictPlan:
    """Plans what `to_state_dict` writes.

    Args:
      ckpt: an open checkpoint.

    Returns:
      A `StateDictPlan`: print it, `apply` it.

    Example:
      >>> with open_checkpoint("facenet.ckpt") as ckpt:                # doctest: +SKIP
      ...     print(plan_state_dict(ckpt))

    Raises:
      PlanError: as `to_state_dict`.
    """
    return family_plans.make(ckpt, "torch", None, StateDictPlan)
