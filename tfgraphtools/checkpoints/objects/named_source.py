"""An object-based checkpoint as the source of a conversion that goes by names."""

from tfgraphtools.checkpoints.objects.name_based import plan_name_based
from tfgraphtools.checkpoints.read.checkpoint import GRAPH_KEY, Checkpoint


def as_named(ckpt: Checkpoint, drop_optimizer: bool) -> Checkpoint:
    """Returns a checkpoint whose tensors have the names of a graph: itself if it is name-based."""
    if GRAPH_KEY not in ckpt:
        return ckpt
    return plan_name_based(ckpt, drop_optimizer=drop_optimizer).view()
