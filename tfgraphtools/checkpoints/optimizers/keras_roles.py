"""The state of tf.keras under TF 1: ``training/Adam/w/m`` beside ``training/Adam/iter``."""

import collections

from tfgraphtools.checkpoints.optimizers import state_names as known
from tfgraphtools.checkpoints.optimizers.slot_groups import counted
from tfgraphtools.checkpoints.optimizers.state_role_table import (
    ACCUMULATOR,
    SLOT,
    STEP,
    UNCERTAIN,
    Assigned,
)

KERAS = "keras"


class KerasState(Assigned):
    """Finds it by the slots' names and what lies beside them."""

    def _keras_state(self):
        """Finds slots ``PREFIX/w/m`` beside ``PREFIX/iter`` or hyper-parameters of that prefix."""
        scalars = collections.defaultdict(set)
        for name, shape in self._shapes.items():
            scope, _, last = name.rpartition("/")
            if shape == () and (last in known.KERAS_SCALARS or last in known.KERAS_STEPS):
                scalars[scope].add(last)
        slots = {
            slot for sets in known.KERAS_CLASSES.values() for slot_set in sets for slot in slot_set
        }
        by_scope = collections.defaultdict(lambda: collections.defaultdict(dict))
        for (scope, base), group in self._groups.items():
            for owner, saved in group.members.items():
                if base in slots and list(saved) == [0] and self._is_alike(saved[0], owner):
                    by_scope[scope][owner][base] = saved[0]
        for scope, saved_of in by_scope.items():
            if self._is_keras(scope, saved_of, scalars[scope]):
                for owner, saved in saved_of.items():
                    for slot, name in saved.items():
                        self._put(name, SLOT, owner, slot, (scope, KERAS))
        for scope, beside in scalars.items():
            counts = beside & set(known.KERAS_STEPS)
            is_class = counted(scope.rpartition("/")[2])[0] in known.KERAS_CLASSES
            if counts and (scope in by_scope or is_class or len(beside) > 2):
                for last in beside:
                    role = STEP if last in counts else ACCUMULATOR
                    self._put(scope + "/" + last if scope else last, role)
                if "iterations" in counts:
                    self._nameless(scope)

    def _is_keras(self, scope, saved_of, beside):
        """Tells whether what lies in a scope are the slots of one of tf.keras's optimizers."""
        sets = {frozenset(saved) for saved in saved_of.values()}
        allowed = {
            frozenset(slot_set) for several in known.KERAS_CLASSES.values() for slot_set in several
        }
        last = counted(scope.rpartition("/")[2])[0]
        if not sets <= allowed or len(sets) > 1:
            return False
        if beside & set(known.KERAS_STEPS) or len(beside) > 1:
            return bool(scope) or self._covers(saved_of)
        sets_of_class = {frozenset(slot_set) for slot_set in known.KERAS_CLASSES.get(last, [])}
        return sets <= sets_of_class and self._covers(saved_of)

    def _nameless(self, scope):
        """Finds slots of tf.keras before TF 1.14, such as ``training/Adam/Variable_7``."""
        shapes = {self._shapes[name] for name in self._variables} | {(1,)}
        fronts = {front + "/" for front in (scope, "training", "training/" + scope)}
        for name, shape in self._shapes.items():
            front, slash, last = name.rpartition("/")
            if front + slash in fronts and shape and counted(last)[0] == "Variable":
                role = SLOT if shape in shapes else UNCERTAIN
                self._put(name, role, None, None, (scope, KERAS))
