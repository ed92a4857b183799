"""The last checkpoints of a folder, by the number of steps in their names."""

import os
import re
from typing import List

from tfgraphtools.checkpoints.format.type_hints import Path
from tfgraphtools.checkpoints.read import paths
from tfgraphtools.checkpoints.read.remote import urls
from tfgraphtools.errors import CheckpointNotFoundError

_STEP = re.compile(r"(.*?)-?(\d+)\.index")


def last_in(folder: Path, count: int) -> List[str]:
    """Returns the prefixes of a folder's last checkpoints by the number of steps, the oldest first.

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
    names = urls.folder_names(folder) if urls.is_url(folder) else paths.names_in(folder)
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
            "Ask for fewer, or keep more of them: Saver(max_to_keep=...)."
            if names
            else "Pass the folder in which a Saver writes them.",
        )
    return [prefix for _, prefix in sorted(newest)[-count:]]
