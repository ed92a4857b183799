"""`to_timm`: a TF1 checkpoint of a convolutional network as a folder that timm loads."""

from typing import Any

from tfgraphtools.checkpoints.families import family_plans
from tfgraphtools.checkpoints.families.hugging_face import FolderPlan
from tfgraphtools.checkpoints.format.type_hints import Path, Progress
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import opened


class TimmPlan(FolderPlan):
    """The contents of a folder for timm; made by `plan_timm`."""

    def __init__(self, *arguments: Any):
        super().__init__(*arguments)
        arguments_ = self.config.pop("model_args", {})
        classes = self.config["num_classes"]
        # Slim's preprocessing is pixels from -1 to 1.
        mean, deviation = (self.config.pop(name, [0.5] * 3) for name in ("mean", "std"))
        own = {"num_classes": classes, "mean": mean, "std": deviation}
        self.config.update(
            architecture=self.architecture, pretrained_cfg=own, model_args=arguments_
        )


def to_timm(
    checkpoint: Source, folder: Path, overwrite: bool = False, progress: Progress = None
) -> TimmPlan:
    """Writes a folder that ``timm.create_model("local-dir:FOLDER")`` loads.

    EfficientNet of tensorflow/tpu; slim's VGG, MobileNet v1, v2 and v3, Inception v4,
    Inception-ResNet v2 and PNASNet; DeepLab's Xception. Of the others timm has no model that
    computes the same: ``ckpt convert --to keras`` writes those. Neither PyTorch nor timm is needed.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      folder: to write: ``config.json`` and ``model.safetensors``.
      overwrite: replace a folder that is there.
      progress: called with (bytes done, bytes in all).

    Returns:
      The `TimmPlan` that was carried out.

    Example:
      >>> to_timm("mobilenet_v1_1.0_224.ckpt", "mobilenet")            # doctest: +SKIP
      >>> timm.create_model("local-dir:mobilenet", pretrained=True)

    Raises:
      PlanError: no known family, or none that timm has.
      DamagedCheckpointError, DestinationError: nothing was written then.
    """
    with opened(checkpoint) as ckpt:
        plan = plan_timm(ckpt)
        plan.apply(folder, overwrite=overwrite, progress=progress)
        return plan


def plan_timm(ckpt: Checkpoint) -> TimmPlan:
    """Plans what `to_timm` writes.

    Args:
      ckpt: an open checkpoint.

    Returns:
      A `TimmPlan`: print it, `apply` it.

    Example:
      >>> with open_checkpoint("vgg_16.ckpt") as ckpt:                 # doctest: +SKIP
      ...     print(plan_timm(ckpt))

    Raises:
      PlanError: as `to_timm`.
    """
    return family_plans.make(ckpt, "timm", None, TimmPlan)
