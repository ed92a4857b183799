"""The role of each tensor of a checkpoint: a weight, or a part of an optimizer's state.

A TF 1 checkpoint does not say, and a name alone can mislead: a weight may be called
``scale/logs`` or even ``scale/Momentum``. So names are looked at together. What lies under the
names of variables is put into groups, one per name of an optimizer; a group is taken for slots
only if its tensors come in the numbers and shapes that this optimizer keeps, and if other
evidence agrees: most variables have them, or beta powers or a step counter are there. What is
like a slot but lacks the evidence is UNCERTAIN, and everyone must keep it.
"""

import collections

from tfgraphtools.checkpoints.optimizers import state_names as known
from tfgraphtools.checkpoints.optimizers.keras_roles import KerasState
from tfgraphtools.checkpoints.optimizers.slot_groups import counted
from tfgraphtools.checkpoints.optimizers.state_role_table import (
    ACCUMULATOR,
    AVERAGE,
    SLOT,
    STEP,
    UNCERTAIN,
    WEIGHT,
    Role,
)


def roles(shapes):
    """Returns {name: `Role`} of all tensors of a name-based checkpoint.

    Args:
      shapes: {tensor name: shape}.

    Example:
      >>> found = roles({"w": (3,), "w/Momentum": (3,), "global_step": ()})
      >>> found["w/Momentum"].role, found["w/Momentum"].owner, found["global_step"].role
      ('slot', 'w', 'step')
    """
    return _Roles(shapes).by_name()


class _Roles(KerasState):
    """One run of `roles`."""

    def by_name(self):
        self._scalars()
        self._keras_state()
        self._averages()
        self._copies()
        for separator, sets, shapes in known.BY_SLOT:
            self._named_slots(separator, sets, shapes)
        self._optimizers()
        self._own_names()
        self._flattened()
        weight = Role(WEIGHT)
        return {name: self._roles.get(name, weight) for name in self._shapes}

    # Scalars -----------------------------------------------------------------

    def _scalars(self):
        self._powers = collections.defaultdict(dict)
        for name, shape in self._shapes.items():
            if shape != ():
                continue
            power = known.BETA_POWER.fullmatch(name)
            if power:
                self._powers[power.group(1), power.group(3)][power.group(2)] = name
            elif known.GLOBAL_STEP.fullmatch(name):
                self._put(name, STEP)
            self._loss_scale(name)
        self._has_powers = False
        for pair in self._powers.values():
            if len(pair) == 2:
                self._has_powers = True
                for name in pair.values():
                    self._put(name, ACCUMULATOR)

    def _loss_scale(self, name):
        scope, slash, last = name.rpartition("/")
        for row in known.TOGETHER:
            together = [scope + slash + leaf for leaf in row]
            if last == row[0] and all(
                self._shapes.get(name_together) == () for name_together in together
            ):
                for name_together in together:
                    self._put(name_together, ACCUMULATOR)

    def _flattened(self):
        first = known.FLATTENED[0]
        for name, shape in self._shapes.items():
            if len(shape) != 2 or not (name == first or name.endswith("/" + first)):
                continue
            together = [name[: -len(first)] + leaf for leaf in known.FLATTENED]
            vectors = [self._shapes.get(name_together) for name_together in together[1:]]
            if all(vector == shape[1:] for vector in vectors) or all(
                vector == shape[:1] for vector in vectors
            ):
                for name_together in together:
                    self._put(name_together, ACCUMULATOR)

    # Averages ------------------------------------------------------------------------

    def _averages(self):
        for (scope, base), group in self._groups.items():
            for owner, saved in group.members.items():
                for name in saved.values():
                    if base == known.AVERAGE and self._is_alike(name, owner):
                        self._put(name, AVERAGE, owner, name.rpartition("/")[2], (scope, base))
        for name in self._shapes:  # those of tensors, which are not saved, and their counters
            stem, _, last = name.rpartition("/")
            if last.startswith(known.AVERAGE) and counted(last)[0] == known.AVERAGE and stem:
                self._put(name, AVERAGE)
            elif last in known.DEBIASING and stem in self._shapes:
                above = counted(stem.rpartition("/")[2])[0]
                if above in (known.AVERAGE, "moving_mean", "moving_variance"):
                    self._put(name, AVERAGE)

    def _copies(self):
        for scope, is_average in known.COPIES.items():
            front = scope + "/"
            copies = {name: name[len(front) :] for name in self._shapes if name.startswith(front)}
            own = {n: of for n, of in copies.items() if self._shapes.get(of) == self._shapes[n]}
            if own and len(own) == len(copies) and self._covers(own.values()):
                for name, owner in own.items():
                    self._put(name, AVERAGE if is_average else SLOT, owner, scope, ("", scope))

    # Slots -----------------------------------------------------------------------------

    def _named_slots(self, separator, sets, shapes):
        """Finds slots with a name each, such as ``w/adam_m`` and ``w/adam_v``."""
        names = set().union(*sets)
        by_scope = collections.defaultdict(lambda: collections.defaultdict(dict))
        if separator == "/":
            for (scope, base), group in self._groups.items():
                for owner, saved in group.members.items():
                    if base in names and list(saved) == [0] and saved[0] not in self._roles:
                        by_scope[scope][owner][base] = saved[0]
        else:
            for name in self._shapes:
                owner, saved_of, slot = name.rpartition(separator)
                if saved_of and slot in names and owner in self._shapes:
                    by_scope[""][owner][slot] = name
        is_generic = separator == "/" and shapes == known.FACTORED
        for scope, saved_of in by_scope.items():
            complete = {
                owner: saved
                for owner, saved in saved_of.items()
                if set(saved) in sets and self._have_shapes(owner, list(saved.values()), shapes)
            }
            if is_generic and not any(
                {"vr", "vc"} <= set(saved) and len(self._shapes[owner]) > 1
                for owner, saved in complete.items()
            ):
                continue  # "m" and "v" alone say nothing
            is_certain = not is_generic or len(complete) > 1 or self._covers(complete)
            for owner, saved in saved_of.items():
                role = SLOT if owner in complete and is_certain else UNCERTAIN
                optimizer = scope, separator + "+".join(sorted(sets[0]))
                for slot, name in saved.items():
                    self._put(name, role, owner, slot, optimizer)

    def _optimizers(self):
        """Finds slots under the name of an optimizer of tf.train or tf.contrib."""
        known_groups = {
            key: group for key, group in self._groups.items() if key[1] in known.BY_OPTIMIZER
        }
        with_slots = {owner for group in known_groups.values() for owner in group.members}
        for (scope, base), group in known_groups.items():
            numbers, relation, has_powers = known.BY_OPTIMIZER[base]
            complete = {}
            for owner, saved in list(group.members.items()):
                # What has slots of its own was trained: a weight, whatever its name is.
                if not with_slots.isdisjoint(saved.values()):
                    saved = {c: n for c, n in saved.items() if n not in with_slots}
                    group.members[owner] = saved
                if saved and self._is_complete(owner, saved, numbers, relation):
                    complete[owner] = saved
            is_sure = (
                self._covers(complete)
                or self._are_whole_layers(complete)
                or has_powers
                and self._has_powers
                or numbers[0] > 1
            )
            usual = collections.Counter(map(len, complete.values()))
            fewest = min(numbers)
            for owner, saved in group.members.items():
                regular = (
                    len(saved) <= fewest
                    or owner in complete
                    and (len(saved) in numbers or usual[len(saved)] > 1 or len(complete) == 1)
                )
                for _, name in sorted(saved.items()):
                    if complete and is_sure and regular and self._has_part(relation, name, owner):
                        self._put(name, SLOT, owner, name.rpartition("/")[2], (scope, base))
                    elif self._is_alike(name, owner):
                        self._put(name, UNCERTAIN, owner, name.rpartition("/")[2], (scope, base))

    def _is_complete(self, owner, saved, numbers, relation):
        """Tells whether these are all slots of a variable, of optimizers of one name."""
        names = [saved[counter] for counter in sorted(saved)]
        if not self._have_shapes(owner, names, relation):
            return False
        if relation != known.SAME:
            return len(names) in numbers
        first = min(saved)
        return sorted(saved) == list(range(first, first + len(saved))) and any(
            len(names) % number == 0 for number in numbers
        )

    def _has_part(self, relation, name, owner):
        return relation != known.SAME or self._is_alike(name, owner)

    def _own_names(self):
        """Finds groups of an unknown name: slots of an optimizer with a name of its own."""
        explained = any(
            role.role == SLOT and known.BY_OPTIMIZER.get(role.optimizer[1], (0, 0, False))[2]
            for role in self._roles.values()
        )
        trained = {role.owner for role in self._roles.values() if role.role == SLOT}
        left = {}
        for (scope, base), group in self._groups.items():
            owners = {
                owner: saved
                for owner, saved in group.members.items()
                if all(n not in self._roles and self._is_alike(n, owner) for n in saved.values())
                and trained.isdisjoint(saved.values())
            }
            if self._covers(owners):
                left[scope, base] = owners
        pairs = [
            key
            for key, owners in left.items()
            if self._has_powers
            and not explained
            and all(sorted(saved) in ([0, 1], [0, 1, 2]) for saved in owners.values())
        ]
        for key, owners in left.items():
            role = SLOT if pairs == [key] else UNCERTAIN
            for owner, saved in owners.items():
                for name in saved.values():
                    self._put(name, role, owner, name.rpartition("/")[2], key)
        slots = [role for role in self._roles.values() if role.role == SLOT]
        has_adamax = any(role.optimizer[1] == "AdaMax" for role in slots)
        for pair in self._powers.values():
            for name in pair.values():  # AdaMax has only one; alone it can be anything
                self._put(name, ACCUMULATOR if has_adamax else UNCERTAIN)
