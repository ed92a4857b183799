"""Roles of tensors, to compare those of a checkpoint with those of a graph."""

import collections

from tfgraphtools.checkpoints.optimizers import slot_groups, state_role_table
from tfgraphtools.checkpoints.optimizers.keras_roles import KERAS
from tfgraphtools.checkpoints.optimizers.state_roles import roles

#: ``kind``: weight, slot, average, ...; ``part``: which part of which optimizer; ``words``: what it
#: is, in words, "" of a weight. Only tensors of equal roles can be each other's.
TensorRole = collections.namedtuple("TensorRole", "kind part words")

_STATE = (state_role_table.SLOT, state_role_table.UNCERTAIN)


def of(shapes):
    """Finds the roles of all tensors of a checkpoint or a graph.

    Args:
      shapes: {name: shape}.

    Returns:
      {name: `TensorRole`}.
    """
    role_of = roles(shapes)
    counts = collections.Counter(
        (known_role.owner, known_role.optimizer) for known_role in role_of.values()
    )
    return {name: _role(name, known_role, counts) for name, known_role in role_of.items()}


def _role(name, known_role, counts):
    last = name.rpartition("/")[2]
    if known_role.role == state_role_table.WEIGHT:
        return TensorRole(known_role.role, None, "")
    if known_role.role == state_role_table.AVERAGE:
        return TensorRole(known_role.role, last, "a moving average")
    if known_role.role == state_role_table.STEP:
        return TensorRole(known_role.role, None, "a step count")
    if known_role.role in _STATE and known_role.optimizer:
        optimizer = _called(known_role.optimizer)
        part = optimizer, known_role.slot, counts[known_role.owner, known_role.optimizer]
        return TensorRole(state_role_table.SLOT, part, f"a slot of {optimizer}")
    return TensorRole(
        state_role_table.ACCUMULATOR, slot_groups.counted(last)[0], "a number of an optimizer"
    )


def _called(optimizer):
    scope, base = optimizer
    return slot_groups.counted(scope.rpartition("/")[2])[0] if base == KERAS else base.lstrip("/_")
