"""The families that are known, and which of them a checkpoint is of."""

from tfgraphtools.checkpoints.families import albert, bert, electra, family, gpt2
from tfgraphtools.checkpoints.read.opening import opened

FAMILIES = [bert.FAMILY, albert.FAMILY, electra.FAMILY, gpt2.FAMILY]


def find_family(names):
    """The `Family` whose marks are all among tensor names, or None."""
    return next((one for one in FAMILIES if family.is_of(one, names)), None)


def family_of(checkpoint):
    """What family of models a checkpoint is of, by its tensors' names alone.

    Args:
      checkpoint: as in `open_checkpoint`, or an open one.

    Returns:
      (name of the family, class in Transformers), or None if it is of no known family.

    Example:
      >>> family_of("uncased_L-12_H-768_A-12/bert_model.ckpt")          # doctest: +SKIP
      ('BERT', 'BertForPreTraining')

    Raises:
      CheckpointNotFoundError, DamagedCheckpointError: as `open_checkpoint`.
    """
    with opened(checkpoint) as ckpt:
        found = find_family(list(ckpt))
        return found and (found.name, family.architecture(found, list(ckpt)))
