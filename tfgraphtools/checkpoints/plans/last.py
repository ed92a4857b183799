"""The last checkpoints of a folder, and their mean."""

import contextlib
import os
import re
from typing import List, Optional, Sequence

from tfgraphtools.checkpoints.format.types import Path
from tfgraphtools.checkpoints.plans.combine import average
from tfgraphtools.checkpoints.plans.plan import Plan
from tfgraphtools.checkpoints.read import paths, remote
from tfgraphtools.checkpoints.read.opening import open_checkpoint
from tfgraphtools.errors import ArgumentError, CheckpointNotFoundError

_STEP = re.compile(r"(.*?)-?(\d+)\.index")


def average_last(folder: Path, count: int, weights: Optional[Sequence[float]] = None) -> Plan:
    """Plans the mean of the last checkpoints of a training, as tensor2tensor's avg_checkpoints.

    Floating-point tensors are averaged as in `average`, others are those of the last one.

    Args:
      folder: the folder in which a Saver wrote them, or its URL.
      count: how many, at least 2: those with the highest numbers of steps.
      weights: a number for each, the oldest first; all equal by default.

    Returns:
      A `Plan`; ``plan.checkpoints`` are the open checkpoints, the newest first.

    Example:
      >>> average_last("train", 8).apply("averaged/model.ckpt")        # doctest: +SKIP

    Raises:
      ArgumentError: fewer than 2. CheckpointNotFoundError: the folder has fewer.
      PlanError: as `average`.
    """
    if count < 2:
        raise ArgumentError(
            "average_last", "two checkpoints or more", str(count), "Write --last 5 (count=5)."
        )
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(open_checkpoint(p)) for p in last_in(folder, count)]
        plan = average(opened, weights)
        stack.pop_all()
        return plan


def last_in(folder: Path, count: int) -> List[str]:
    """The prefixes of a folder's last checkpoints by the number of steps, the oldest first.

    Where checkpoints of several names are there, those of the newest one's name count.

    Args:
      folder: a folder or its URL.
      count: how many.

    Example:
      >>> last_in("train", 2)                                          # doctest: +SKIP
      ['train/model.ckpt-900', 'train/model.ckpt-1000']

    Raises:
      CheckpointNotFoundError: the folder has fewer.
    """
    folder = os.fspath(folder)
    names = remote.folder_names(folder) if remote.is_url(folder) else paths.names_in(folder)
    by_stem = {}
    for match in filter(None, map(_STEP.fullmatch, names)):
        prefix = folder.rstrip("/") + "/" + match.group(0)[: -len(".index")]
        by_stem.setdefault(match.group(1), []).append((int(match.group(2)), prefix))
    newest = max(by_stem.values(), key=max) if by_stem else []
    if len(newest) < count:
        raise CheckpointNotFoundError(
            folder,
            f"{count} checkpoints with a number of steps",
            "{}: {}".format(len(newest), ", ".join(os.path.basename(p) for _, p in sorted(newest)))
            if newest
            else "none",
            "Ask for fewer, or keep more of them: Saver(max_to_keep=...).",
        )
    return [prefix for _, prefix in sorted(newest)[-count:]]
