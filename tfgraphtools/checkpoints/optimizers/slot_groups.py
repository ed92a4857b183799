"""Groups of the tensors under the names of variables: one per name that it has there.

``w/Adam`` and ``w/Adam_1`` are of the group "Adam", as is ``scope/w/Adam`` of the same group in a
scope. What the groups are, `state_roles` decides.
"""

import collections
import functools
import re

from tfgraphtools.checkpoints.optimizers import state_names as known

_COUNTED = re.compile(r"(.+?)(?:_(\d{1,9}))?", re.DOTALL)
_DEEPEST = 16  # scopes of an optimizer that can be in front of a variable's name
_MOST = 0.5
_LIKE_SLOTS = set(known.BY_OPTIMIZER).union(
    *(slot_set for _, sets, _ in known.BY_SLOT for slot_set in sets)
)


@functools.lru_cache(maxsize=1024)
def counted(last):
    """Returns ("Adam", 1) of "Adam_1", and ("Adam", 0) of "Adam"."""
    match = _COUNTED.fullmatch(last)
    return (match.group(1), int(match.group(2) or 0)) if match else (last, 0)


def called(shapes, last):
    """Returns {variable: [tensors]} of those of its shape that lie below its name as ``last``.

    Args:
      shapes: {tensor name: shape} of the whole checkpoint.
      last: what a name ends in, such as ``Slow`` or ``ExponentialMovingAverage_1``.
    """
    grouped, (base, counter) = Grouped(shapes), counted(last)
    named = collections.defaultdict(list)
    for (_, group_base), group in grouped._groups.items():
        for owner, saved in group.members.items() if group_base == base else ():
            if counter in saved and grouped._is_alike(saved[counter], owner):
                named[owner].append(saved[counter])
    return {owner: sorted(names) for owner, names in named.items()}


class _Group:
    """The tensors that lie under variables' names with one name of their own.

    Attributes:
      members: {owner: {counter or slot: tensor name}}.
    """

    def __init__(self):
        self.members = collections.defaultdict(dict)


class Grouped:
    """The names of a checkpoint in groups, and which of them are variables."""

    def __init__(self, shapes):
        self._shapes = {name: tuple(shape) for name, shape in shapes.items()}
        self._groups = self._grouped()
        nested = {
            name
            for (_, base), group in self._groups.items()
            for owner, saved in group.members.items()
            for name in saved.values()
            if base in _LIKE_SLOTS or self._is_alike(name, owner)
        }
        statistics = ("/moving_mean", "/moving_variance")
        owners = {owner for group in self._groups.values() for owner in group.members}
        self._variables = {
            name
            for name, shape in self._shapes.items()
            if (shape or name in owners) and name not in nested and not name.endswith(statistics)
        }
        self._by_scope = collections.defaultdict(set)
        for name in self._variables:
            self._by_scope[name.rpartition("/")[0]].add(name)

    def _grouped(self):
        """Returns {(scope, base of the name): `_Group`} of what lies below a variable's name.

        With a scope in front of the variable's name there may be several readings; the one that
        most variables share counts, then the longest name of a variable.
        """
        split = {name: name.rpartition("/") for name in self._shapes}
        lasts = {last for _, _, last in split.values()}
        by_stem, readings, sizes = {}, {}, collections.Counter()
        for name, (stem, _, last) in split.items():
            if not stem or not last:
                continue
            owners = by_stem.get(stem)
            if owners is None:
                owners = by_stem[stem] = self._owners(stem, lasts)
            if owners:
                base, counter = counted(last)
                readings[name] = base, counter, owners
                for scope, _ in owners:
                    sizes[scope, base] += 1
        groups = collections.defaultdict(_Group)
        for name, (base, counter, owners) in readings.items():
            best = owners[0]
            if len(owners) > 1:
                best = max(owners, key=lambda owner: (sizes[owner[0], base], len(owner[1])))
            groups[best[0], base].members[best[1]][counter] = name
        return groups

    def _owners(self, stem, lasts):
        """Returns [(scope, variable)]: the readings of what is in front of a slot's name.

        All of them end in the stem's last part: of most stems that is no variable's (``lasts``).
        """
        if stem[stem.rfind("/") + 1 :] not in lasts:
            return ()
        readings, start = [], 0
        for _ in range(_DEEPEST):
            owner = stem[start:]
            if owner in self._shapes:
                readings.append((stem[: start and start - 1], owner))
            start = stem.find("/", start) + 1
            if not start:
                break
        return readings

    def _is_alike(self, name, owner):
        return self._shapes[name] == self._shapes[owner]

    def _covers(self, owners):
        """Tells whether most variables are among the owners."""
        covered = sum(1 for name in owners if name in self._variables)
        return covered > 0 and covered >= _MOST * len(self._variables)

    def _are_whole_layers(self, owners):
        """Tells whether the owners are all variables of their scopes, several in one."""
        scopes = [self._by_scope[scope] for scope in {n.rpartition("/")[0] for n in owners}]
        return all(scope_names <= set(owners) for scope_names in scopes) and any(
            len(scope_names) > 1 for scope_names in scopes
        )

    def _have_shapes(self, owner, names, relation):
        own, shapes = self._shapes[owner], [self._shapes[name] for name in names]
        if relation == known.SAME:
            return all(shape == own for shape in shapes)
        if relation == known.FIRST:
            return shapes[0] == own
        parts = {own, own[:-1], own[:-2] + own[-1:]}
        return all(shape in parts for shape in shapes)
