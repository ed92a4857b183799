"""What a tensor is for, to compare those of a checkpoint with those of a graph."""

import collections

from tfgraphtools.checkpoints.optimizers import groups, role
from tfgraphtools.checkpoints.optimizers.keras_roles import KERAS
from tfgraphtools.checkpoints.optimizers.roles import roles

#: ``kind``: weight, slot, average, ...; ``part``: which part of which optimizer; ``words``: what it
#: is, in words, "" of a weight. Only tensors of equal roles can be each other's.
TensorRole = collections.namedtuple("TensorRole", "kind part words")

_STATE = (role.SLOT, role.UNCERTAIN)


def of(shapes):
    """Finds the roles of all tensors of a checkpoint or a graph.

    Args:
      shapes: {name: shape}.

    Returns:
      {name: `TensorRole`}.
    """
    found = roles(shapes)
    counts = collections.Counter((one.owner, one.optimizer) for one in found.values())
    return {name: _role(name, one, counts) for name, one in found.items()}


def _role(name, one, counts):
    last = name.rpartition("/")[2]
    if one.role == role.WEIGHT:
        return TensorRole(one.role, None, "")
    if one.role == role.AVERAGE:
        return TensorRole(one.role, last, "a moving average")
    if one.role == role.STEP:
        return TensorRole(one.role, None, "a step count")
    if one.role in _STATE and one.optimizer:
        optimizer = _called(one.optimizer)
        part = optimizer, one.slot, counts[one.owner, one.optimizer]
        return TensorRole(role.SLOT, part, f"a slot of {optimizer}")
    return TensorRole(role.ACCUMULATOR, groups.counted(last)[0], "a number of an optimizer")


def _called(optimizer):
    scope, base = optimizer
    return groups.counted(scope.rpartition("/")[2])[0] if base == KERAS else base.lstrip("/_")
