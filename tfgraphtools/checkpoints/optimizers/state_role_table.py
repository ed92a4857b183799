"""The roles that a tensor of a checkpoint can have, and those assigned so far."""

import collections

from tfgraphtools.checkpoints.optimizers.slot_groups import Grouped

WEIGHT, SLOT, ACCUMULATOR = "weight", "slot", "accumulator"
STEP, AVERAGE, UNCERTAIN = "step", "average", "uncertain"

#: What a tensor is. ``role`` is one of the words above; ``owner`` is the variable that a slot or an
#: average is of, ``slot`` its name there (``Adam_1``), ``optimizer`` the (scope, name) of the group
#: that it is in: ("", "Adam"), or ("training/Adam", "keras").
Role = collections.namedtuple("Role", "role owner slot optimizer")
Role.__new__.__defaults__ = (None, None, None)


class Assigned(Grouped):
    """The names of a checkpoint in groups, and the roles that are known: the first one counts."""

    def __init__(self, shapes):
        super().__init__(shapes)
        self._roles = {}

    def _put(self, name, *role):
        self._roles.setdefault(name, Role(*role))
