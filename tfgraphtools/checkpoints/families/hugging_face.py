"""`to_hugging_face`: a TF1 checkpoint of a known family as a folder for Transformers."""

import json
import os
import shutil
from typing import Any, Mapping, Optional, Union

from tfgraphtools.checkpoints.families import family_plans, tokenizers
from tfgraphtools.checkpoints.families.family import Family, Target
from tfgraphtools.checkpoints.format.type_hints import Path, Progress
from tfgraphtools.checkpoints.plans.replacement import replacing
from tfgraphtools.checkpoints.read.checkpoint import Checkpoint, Source
from tfgraphtools.checkpoints.read.opening import opened

#: The file that every folder has.
CONFIG = "config.json"


class FolderPlan(family_plans.FamilyPlan):
    """A folder of ``config.json`` and ``model.safetensors``.

    Attributes:
      files: {name in the folder: path} of the tokenizer's files, which are copied.
    """

    def __init__(self, ckpt: Checkpoint, family: Family, target: Target, *plan_arguments: Any):
        super().__init__(ckpt, family, target, *plan_arguments)
        self.files, notes = tokenizers.find(target, family_plans.folders_of(ckpt))
        self.notes += notes

    def apply(
        self,
        destination: Path,
        *,
        overwrite: bool = False,
        progress: Progress = None,
        max_shard_size: Optional[int] = None,
    ) -> None:
        """Writes the folder beside its place and moves it in at the end.

        Args:
          destination: the folder to write.
          overwrite: replace one that `apply` wrote.
          progress: called with (bytes done, bytes in all).
          max_shard_size: in bytes; larger models are written as several files with
            ``model.safetensors.index.json``. None writes one file.

        Raises:
          DamagedCheckpointError, DestinationError: nothing was written then.
        """
        self.check()
        with replacing(os.fspath(destination), overwrite, folder_with=(CONFIG,)) as staged:
            os.mkdir(staged)
            _write_json(os.path.join(staged, CONFIG), self.config)
            if tokenizers.is_cased(self.files):
                _write_json(os.path.join(staged, tokenizers.CONFIG), tokenizers.CASED)
            for name, path in self.files.items():
                shutil.copyfile(path, os.path.join(staged, name))
            self.write_weights(staged, progress, max_shard_size)


class HuggingFacePlan(FolderPlan):
    """The contents of a folder for Transformers; made by `plan_hugging_face`."""

    def __init__(self, *arguments: Any):
        super().__init__(*arguments)
        self.config = dict(self.config, architectures=[self.architecture])


def to_hugging_face(
    checkpoint: Source,
    folder: Path,
    config: Union[None, Path, Mapping[str, Any]] = None,
    overwrite: bool = False,
    progress: Progress = None,
    max_shard_size: Optional[int] = None,
    architecture: Optional[str] = None,
) -> HuggingFacePlan:
    """Writes a folder that ``AutoModel.from_pretrained`` loads, from a TF1 checkpoint.

    The family is found by the tensors' names (see `family_of`): BERT, ALBERT, ELECTRA's
    discriminator and generator, BigBird, GPT-1, GPT-2, PEGASUS, T5, XLNet. The optimizer's state is
    left behind. Neither PyTorch nor Transformers is needed.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.
      folder: to write: ``config.json``, ``model.safetensors``, and the tokenizer's files that are
        beside the checkpoint.
      config: the model's own settings, a dict or a JSON file; by default the file that the family
        has beside a checkpoint, such as ``bert_config.json``.
      overwrite: replace a folder that is there.
      progress: called with (bytes done, bytes in all).
      max_shard_size: in bytes; a larger model becomes several files with an index. None: one file.
      architecture: the model's class where the checkpoint has several models, such as
        "ElectraForMaskedLM" for ELECTRA's generator.

    Returns:
      The `HuggingFacePlan` that was carried out.

    Example:
      >>> to_hugging_face("uncased_L-12_H-768_A-12/bert_model.ckpt", "bert")   # doctest: +SKIP
      >>> transformers.AutoModel.from_pretrained("bert")

    Raises:
      PlanError: no known family, a tensor that it does not have, or a setting that is missing.
      DamagedCheckpointError, DestinationError: nothing was written then.
    """
    with opened(checkpoint) as ckpt:
        plan = plan_hugging_face(ckpt, config, architecture)
        plan.apply(folder, overwrite=overwrite, progress=progress, max_shard_size=max_shard_size)
        return plan


def plan_hugging_face(
    ckpt: Checkpoint,
    config: Union[None, Path, Mapping[str, Any]] = None,
    architecture: Optional[str] = None,
) -> HuggingFacePlan:
    """Plans what `to_hugging_face` writes.

    Args:
      ckpt: an open checkpoint.
      config, architecture: as in `to_hugging_face`.

    Returns:
      A `HuggingFacePlan`: print it, `apply` it.

    Example:
      >>> with open_checkpoint("bert_model.ckpt") as ckpt:             # doctest: +SKIP
      ...     print(plan_hugging_face(ckpt))

    Raises:
      PlanError: as `to_hugging_face`.
    """
    return family_plans.make(ckpt, "hf", config, HuggingFacePlan, architecture)


def _write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=2, sort_keys=True)
        file.write("\n")
