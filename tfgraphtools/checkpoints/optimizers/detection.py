"""Detection of the TF 1 optimizer that trained each variable, by the names of its slots."""

import collections
import re

from tfgraphtools.checkpoints.optimizers import slot_groups, slot_sets, state_roles
from tfgraphtools.checkpoints.optimizers.keras_roles import KERAS
from tfgraphtools.checkpoints.optimizers.slot_sets import DROP
from tfgraphtools.checkpoints.optimizers.state_names import (
    FLATTENED,
    KERAS_SCALARS,
    KERAS_STEPS,
)
from tfgraphtools.checkpoints.optimizers.tf1_optimizers import OF_KERAS
from tfgraphtools.errors import ArgumentError, PlanError

#: ``by_variable``: {variable: `Found`}; ``beta_powers``: [(name of beta1_power, of beta2_power)];
#: ``global_step``: its name or None; ``averages``: {variable: name of its moving average};
#: ``uncertain``: names that are like slots, and may be weights; ``numbers``: {hyper-parameter: name
#: of the tensor that holds it}, of tf.keras; ``others``: scalars that no optimizer of Keras takes.
Detection = collections.namedtuple(
    "Detection", "by_variable beta_powers global_step averages uncertain numbers others"
)
Detection.__new__.__defaults__ = ((), {}, ())

#: What `detect` is told of tensors that only look like slots.
WEIGHT = "weight"

_BETA = re.compile(r"((?:.*/)?)beta1_power(_\d+)?")


def detect(ckpt, names=None, library=OF_KERAS):
    """Finds out which optimizer trained each variable of a name-based checkpoint.

    A slot of ``w`` is saved under the optimizer's name: ``w/Adam``, ``w/Adam_1``. A second
    optimizer of that name in the graph counted on: ``w/Momentum_1``. It does nothing about a
    variable without slots: a GradientDescent keeps none.

    Args:
      ckpt: an open checkpoint, or {name: shape}.
      names: {name of the optimizer: name of a kind} for optimizers that were given a ``name=``,
        or to say what "Adam" is: LazyAdam calls itself so, too. "weight" instead of a kind says
        that tensors of this name are weights. A kind alone is that of all slots.
      library: the `tf1_optimizers.Library` that is to go on.

    Returns:
      A `Detection`.

    Example:
      >>> detect({"w": (3,), "w/Momentum": (3,)}).by_variable["w"]
      Found(kind='Momentum', slots={'momentum': 'w/Momentum'})

    Raises:
      PlanError: slots of an optimizer that the library cannot go on from exactly (AdaMax, ...), of
        none that is known, of two optimizers, or a slot that is missing.
      ArgumentError: ``names`` has a kind that does not exist.
    """
    shapes = _shapes(ckpt)
    found_roles = state_roles.roles(shapes)
    names = _said_names(names, found_roles, library)
    slots, uncertain = _slots(shapes, found_roles, names)
    names = dict(_own_names(library), **names)
    by_variable = collections.defaultdict(lambda: collections.defaultdict(dict))
    for slot, (variable, base, counter) in slots.items():
        by_variable[variable][base][counter] = slot
    if None in by_variable:
        raise slot_sets.nameless(by_variable[None])
    slot_set_of = {
        variable: slot_sets.slot_set_of(variable, saved, names, library)
        for variable, saved in sorted(by_variable.items())
    }
    powers = _beta_powers(shapes)
    scopes = _scopes_of_keras(found_roles) if slot_set_of else _scopes_of_counters(found_roles)
    numbers = _numbers(found_roles, scopes)
    taken = {name for pair in powers for name in pair} | set(numbers.values())
    others = [name for name, role in found_roles.items() if role.role == state_roles.ACCUMULATOR]
    _refuse_flattened(others, library)
    return Detection(
        slot_set_of,
        powers,
        _global_step(found_roles, scopes),
        _averages(found_roles),
        uncertain,
        numbers,
        tuple(name for name in others if name not in taken),
    )


def _averages(found_roles):
    """Returns {variable: its moving average}."""
    return {
        role.owner: name
        for name, role in found_roles.items()
        if role.role == state_roles.AVERAGE and role.owner is not None
    }


def _scopes_of_keras(found_roles):
    """Returns the scopes of the optimizers of tf.keras that keep slots."""
    return {
        role.optimizer[0]
        for role in found_roles.values()
        if role.role == state_roles.SLOT and role.optimizer[1] == KERAS
    }


def _scopes_of_counters(found_roles):
    """Returns the scopes of those that keep a counter alone: SGD without momentum."""
    return {
        name.rpartition("/")[0]
        for name, role in found_roles.items()
        if role.role == state_roles.STEP and name.rpartition("/")[2] in KERAS_STEPS
    }


def _numbers(found_roles, scopes):
    """Returns {hyper-parameter: its tensor} of the one optimizer of tf.keras that there is."""
    if len(scopes) != 1:
        return {}
    scope = next(iter(scopes))
    tensor_of = {}
    for name, role in found_roles.items():
        front, _, last = name.rpartition("/")
        if role.role == state_roles.ACCUMULATOR and front == scope and last in KERAS_SCALARS:
            tensor_of[last] = name
    return tensor_of


def _refuse_flattened(names, library):
    flattened = [name for name in names if name.rpartition("/")[2] in FLATTENED]
    if flattened:
        raise PlanError(
            "the optimizer of the checkpoint",
            slot_sets.expected(library),
            "{}: GGT, which {} does not have".format(", ".join(flattened), library.name),
            DROP + ".",
        )


def _said_names(names, found_roles, library):
    """Returns {optimizer's name: kind} that the user gave; a kind alone is of all slots."""
    if not names:
        return {}
    if isinstance(names, str):
        slots = [r for r in found_roles.values() if r.role == state_roles.SLOT and r.slot]
        own = [
            r.optimizer[0].rpartition("/")[2] if r.optimizer[1] == KERAS else r.slot for r in slots
        ]
        names = {slot_groups.counted(name)[0]: names for name in own}
    for name, kind in names.items():
        if kind not in library.kinds and kind != WEIGHT:
            refused = library.refused.get(kind)
            raise ArgumentError(
                f"the optimizer that is called {name!r}",
                "a kind: {}".format(", ".join(library.kinds)),
                repr(kind) + (f", and {refused}" if refused else ""),
                DROP + "." if refused else "Pass one of these, or 'weight'.",
            )
    return dict(names)


def _shapes(ckpt):
    return ckpt if isinstance(ckpt, dict) else {n: ckpt.store.summary(n)[1] for n in ckpt}


def _own_names(library):
    """Returns {the name under which slots are saved: kind}; of both RMSProps the plain one."""
    kinds = [kind for kind in library.kinds.values() if kind.saved_as]
    return {kind.saved_as: kind.name for kind in reversed(kinds)}


def _slots(shapes, found_roles, names):
    """Returns ({slot: (variable, name of the optimizer, counter)}, [what may be one]).

    The user's ``names`` decide; then the roles.
    """
    owner_of, uncertain = {}, []
    for name, role in found_roles.items():
        owner, _, last = name.rpartition("/")
        base, counter = slot_groups.counted(last)
        if base in names and shapes.get(owner) == shapes[name]:
            if names[base] != WEIGHT:
                owner_of[name] = (owner, base, counter)
        elif role.role == state_roles.SLOT:
            if role.optimizer[1] == KERAS:
                owner_of[name] = (role.owner, role.optimizer, role.slot)
            else:
                owner_of[name] = (role.owner, *slot_groups.counted(role.slot))
        elif role.role == state_roles.UNCERTAIN:
            uncertain.append(name)
    return owner_of, tuple(uncertain)


def _beta_powers(shapes):
    pairs = []
    for name in sorted(shapes):
        match = _BETA.fullmatch(name)
        if match:
            other = "{}beta2_power{}".format(match.group(1), match.group(2) or "")
            pairs.append((name, other if other in shapes else None))
    return pairs


def _global_step(found_roles, scopes):
    """Returns the counter of an optimizer of tf.keras, or global_step."""
    steps = [name for name, role in found_roles.items() if role.role == state_roles.STEP]
    own = [name for name in steps if name.rpartition("/")[0] in scopes and scopes]
    own = [name for name in own if not name.endswith("global_step")]
    if len(own) == 1:
        return own[0]
    if "global_step" in steps:
        return "global_step"
    scoped = [name for name in steps if name.endswith("/global_step")]
    return scoped[0] if len(scoped) == 1 else None
