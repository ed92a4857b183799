"""The families that are known, and which of them a checkpoint is of."""

import collections
import importlib
import pkgutil
import re
from typing import Dict, Optional, Tuple

from tfgraphtools.checkpoints.families import family, known
from tfgraphtools.checkpoints.read.checkpoint import Source
from tfgraphtools.checkpoints.read.opening import opened

#: Every module below `known`, by its name.
FAMILIES = [
    importlib.import_module(name).FAMILY
    for name in sorted(
        (
            module.name
            for module in pkgutil.walk_packages(known.__path__, known.__name__ + ".")
            if not module.ispkg
        ),
        key=lambda name: name.rpartition(".")[2],
    )
]

#: What a family's `family.Target` says of where it leads.
LIBRARIES = {
    "hf": "Transformers",
    "timm": "timm",
    "keras": "keras.applications",
    "torch": "facenet-pytorch",
}


def find_family(names):
    """Returns the `Family` whose marks are all among tensor names, or None."""
    return next((candidate for candidate in FAMILIES if family.is_of(candidate, names)), None)


def hint(names):
    """Tells how to rename tensors that a known family has below another scope, or ""."""
    scopes = collections.Counter()
    for candidate in FAMILIES:
        for mark in candidate.marks:
            matches = (re.fullmatch(f"(.+/)(?:{mark})", name) for name in names)
            scopes.update({match.group(1) for match in matches if match})
    for scope, _ in scopes.most_common(3):
        inside = [name[len(scope) :] for name in names if name.startswith(scope)]
        known = find_family(inside)
        if known:
            return (
                f"Below {scope!r} it is a {known.name}: rename its tensors with "
                f"--rule '{re.escape(scope)}(.*)' '\\1'."
            )
    return ""


def candidates(shapes, to):
    """Returns {model: (`Family`, `Target`)} of a library's models that a checkpoint has."""
    models = {}
    for candidate in FAMILIES:
        target = (
            family.target_of(candidate, shapes, to) if family.is_of(candidate, shapes) else None
        )
        if target:
            for model in [target[1], *target[0].likewise.get(target[1], ())]:
                models.setdefault(model, (candidate, target[0]))
    return models


def family_of(checkpoint: Source) -> Optional[Tuple[str, Optional[str]]]:
    """Returns what family of models a checkpoint is of, by its tensors' names.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.

    Returns:
      (name of the family, its model in the first library that has it), or None if it is of no
      known family; the model is None if no library has one of this size.

    Example:
      >>> family_of("uncased_L-12_H-768_A-12/bert_model.ckpt")          # doctest: +SKIP
      ('BERT', 'BertForPreTraining')

    Raises:
      CheckpointNotFoundError, DamagedCheckpointError: as `open_checkpoint`.
    """
    name_and_models = models_of(checkpoint)
    if name_and_models is None:
        return None
    name, models = name_and_models
    return name, next(iter(models.values()), None)


def models_of(checkpoint: Source) -> Optional[Tuple[str, Dict[str, str]]]:
    """Returns what family a checkpoint is of, and what libraries have a model of it.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.

    Returns:
      (name of the family, {"hf", "timm", "keras" or "torch": its model there}), or None.

    Example:
      >>> models_of("mobilenet_v2_1.0_224.ckpt")                       # doctest: +SKIP
      ('MobileNet v2', {'timm': 'mobilenetv2_100', 'keras': 'MobileNetV2'})

    Raises:
      CheckpointNotFoundError, DamagedCheckpointError: as `open_checkpoint`.
    """
    with opened(checkpoint) as ckpt:
        shapes = {name: tuple(ckpt.store.summary(name)[1]) for name in ckpt}
        known = find_family(list(shapes))
        if known is None:
            return None
        models = ((to, family.target_of(known, shapes, to)) for to in LIBRARIES)
        return known.name, {to: target[1] for to, target in models if target}
