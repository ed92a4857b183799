"""Which TF 1 optimizer trained each variable, by the names of its slots."""

import collections
import re

from tfgraphtools.checkpoints.optimizers import groups, roles
from tfgraphtools.checkpoints.optimizers.keras_roles import KERAS
from tfgraphtools.checkpoints.optimizers.kinds import (
    KINDS,
    OF_TF_TRAIN,
    REFUSED,
    REFUSED_OF_KERAS,
)
from tfgraphtools.checkpoints.optimizers.state_names import (
    FLATTENED,
    KERAS_CLASSES,
    KERAS_SCALARS,
    KERAS_STEPS,
)
from tfgraphtools.errors import PlanError

#: The optimizer of a variable: ``kind`` is a key of `KINDS`, ``slots`` {TF 1's slot: tensor name}.
Found = collections.namedtuple("Found", "kind slots")

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

_EXPECTED = "one that Keras can go on from exactly: {}".format(
    ", ".join(kind.name for kind in OF_TF_TRAIN)
)
_BETA = re.compile(r"((?:.*/)?)beta1_power(_\d+)?")


def detect(ckpt, names=None):
    """Finds out which optimizer trained each variable of a name-based checkpoint.

    A slot of ``w`` is saved under the optimizer's name: ``w/Adam``, ``w/Adam_1``. A second
    optimizer of that name in the graph counted on: ``w/Momentum_1``. It does nothing about a
    variable without slots: a GradientDescent keeps none.

    Args:
      ckpt: an open checkpoint, or {name: shape}.
      names: {name of the optimizer: key of `KINDS`} for optimizers that were given a ``name=``,
        or to say what "Adam" is: LazyAdam calls itself so, too. "weight" instead of a kind says
        that tensors of this name are weights.

    Returns:
      A `Detection`.

    Example:
      >>> detect({"w": (3,), "w/Momentum": (3,)}).by_variable["w"]
      Found(kind='Momentum', slots={'momentum': 'w/Momentum'})

    Raises:
      PlanError: slots of an optimizer that Keras cannot go on from exactly (AdaMax, AdamW, ...), of
        none that is known, of two optimizers, or a slot that is missing.
    """
    shapes = _shapes(ckpt)
    found_roles = roles.roles(shapes)
    slots, uncertain = _slots(shapes, found_roles, names or {})
    names = dict(_own_names(), **(names or {}))
    by_variable = collections.defaultdict(lambda: collections.defaultdict(dict))
    for slot, (variable, base, counter) in slots.items():
        by_variable[variable][base][counter] = slot
    if None in by_variable:
        raise _nameless(by_variable[None])
    found = {
        variable: _found(variable, saved, names) for variable, saved in sorted(by_variable.items())
    }
    averages = {
        role.owner: name
        for name, role in found_roles.items()
        if role.role == roles.AVERAGE and role.owner is not None
    }
    powers = _beta_powers(shapes)
    scopes = {
        role.optimizer[0]
        for role in found_roles.values()
        if role.role == roles.SLOT and role.optimizer[1] == KERAS
    }
    if not found:  # an SGD of tf.keras without momentum keeps a counter alone
        scopes = {
            name.rpartition("/")[0]
            for name, role in found_roles.items()
            if role.role == roles.STEP and name.rpartition("/")[2] in KERAS_STEPS
        }
    numbers = _numbers(found_roles, scopes)
    taken = {name for pair in powers for name in pair} | set(numbers.values())
    others = [name for name, role in found_roles.items() if role.role == roles.ACCUMULATOR]
    _refuse_flattened(others)
    return Detection(
        found,
        powers,
        _global_step(found_roles, scopes),
        averages,
        uncertain,
        numbers,
        tuple(name for name in others if name not in taken),
    )


def _numbers(found_roles, scopes):
    """{hyper-parameter: its tensor} of the one optimizer of tf.keras that there is."""
    if len(scopes) != 1:
        return {}
    scope = next(iter(scopes))
    found = {}
    for name, role in found_roles.items():
        front, _, last = name.rpartition("/")
        if role.role == roles.ACCUMULATOR and front == scope and last in KERAS_SCALARS:
            found[last] = name
    return found


def _refuse_flattened(names):
    found = [name for name in names if name.rpartition("/")[2] in FLATTENED]
    if found:
        raise PlanError(
            "the optimizer of the checkpoint",
            _EXPECTED,
            "{}: GGT, which Keras does not have".format(", ".join(found)),
            "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer).",
        )


def _shapes(ckpt):
    return ckpt if isinstance(ckpt, dict) else {n: ckpt.store.summary(n)[1] for n in ckpt}


def _own_names():
    """{the name under which slots are saved: kind}; of both RMSProps the plain one."""
    return {kind.saved_as: kind.name for kind in reversed(OF_TF_TRAIN)}


def _slots(shapes, found_roles, names):
    """({slot: (variable, name of the optimizer, counter)}, [what may be one]).

    The user's ``names`` decide; then the roles.
    """
    found, uncertain = {}, []
    for name, role in found_roles.items():
        owner, _, last = name.rpartition("/")
        base, counter = groups.counted(last)
        if base in names and shapes.get(owner) == shapes[name]:
            if names[base] != WEIGHT:
                found[name] = (owner, base, counter)
        elif role.role == roles.SLOT:
            if role.optimizer[1] == KERAS:
                found[name] = (role.owner, role.optimizer, role.slot)
            else:
                found[name] = (role.owner, *groups.counted(role.slot))
        elif role.role == roles.UNCERTAIN:
            uncertain.append(name)
    return found, tuple(uncertain)


def _found(variable, saved, names):
    """The `Found` of a variable whose slots are ``saved``: {optimizer: {counter: name}}."""
    place = f"the optimizer of {variable!r}"
    listed = ", ".join(name for one in saved.values() for _, name in sorted(one.items()))
    if len(saved) == 1 and isinstance(next(iter(saved)), tuple):
        ((optimizer, by_slot),) = saved.items()
        return _found_of_keras(place, optimizer[0], by_slot, names)
    for base in saved:
        if base in REFUSED and base not in names:
            raise PlanError(
                place,
                _EXPECTED,
                f"{listed}: {base}, and {REFUSED[base]}",
                "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer).",
            )
    if len(saved) > 1 or next(iter(saved)) not in names:
        raise PlanError(
            place,
            "slots of one known optimizer",
            listed,
            "Name it if it has a name of its own (names={'MyAdam': 'Adam'}), drop the others, "
            "or leave the optimizer's state behind (--drop-optimizer).",
        )
    ((base, by_counter),) = saved.items()
    kind = KINDS[names[base]]
    if kind.name == "RMSProp" and len(by_counter) == 3:
        kind = KINDS["CenteredRMSProp"]
    counters = sorted(by_counter)
    first = counters[0]
    if counters != list(range(first, first + len(kind.slots))):
        raise PlanError(
            place,
            f"the {len(kind.slots)} slots of {kind.name}, counted on",
            listed,
            "If it was trained by two optimizers of one name, drop the slots of one of them; "
            "or leave the optimizer's state behind (--drop-optimizer).",
        )
    named = [by_counter[counter] for counter in counters]
    return Found(kind.name, dict(zip([slot.name for slot in kind.slots], named)))


def _found_of_keras(place, scope, by_slot, names):
    """The `Found` of slots that have names, those of an optimizer of tf.keras under TF 1."""
    own_name = groups.counted(scope.rpartition("/")[2])[0]
    classes = [c for c, sets in KERAS_CLASSES.items() if set(by_slot) in sets]
    if own_name in classes:
        classes = [own_name]
    if "vhat" in by_slot:
        classes = ["AMSGrad"]
    kind = None
    said = KINDS.get(names.get(own_name))
    if said is not None and said.saved_as is None:
        kind = said
    elif len(classes) == 1 and classes[0] not in REFUSED_OF_KERAS:
        kind = _kind_with(classes[0], set(by_slot))
    if kind is None:
        reason = REFUSED_OF_KERAS.get(classes[0]) if len(classes) == 1 else None
        raise PlanError(
            place,
            _EXPECTED,
            "{}: {}".format(
                ", ".join(by_slot.values()), reason or "{} of tf.keras".format(" or ".join(classes))
            ),
            "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer)"
            + ("." if reason else f"; or say which: names={{{own_name!r}: 'tf.keras Adam'}}."),
        )
    return Found(kind.name, {row.name: by_slot[row.legacy] for row in kind.slots})


def _kind_with(class_name, slots):
    for kind in KINDS.values():
        if kind.saved_as is None and kind.keras == class_name:
            if slots == {row.legacy for row in kind.slots}:
                return kind
    return None


def _nameless(saved):
    return PlanError(
        "the optimizer of the checkpoint",
        "slots that say whose they are",
        "{}: tf.keras saved slots without the names of their variables before TF 1.14".format(
            ", ".join(name for one in saved.values() for name in one.values())[:200]
        ),
        "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer).",
    )


def _beta_powers(shapes):
    pairs = []
    for name in sorted(shapes):
        match = _BETA.fullmatch(name)
        if match:
            other = "{}beta2_power{}".format(match.group(1), match.group(2) or "")
            pairs.append((name, other if other in shapes else None))
    return pairs


def _global_step(found_roles, scopes):
    """The counter of an optimizer of tf.keras, or global_step."""
    steps = [name for name, role in found_roles.items() if role.role == roles.STEP]
    own = [name for name in steps if name.rpartition("/")[0] in scopes and scopes]
    own = [name for name in own if not name.endswith("global_step")]
    if len(own) == 1:
        return own[0]
    if "global_step" in steps:
        return "global_step"
    scoped = [name for name in steps if name.endswith("/global_step")]
    return scoped[0] if len(scoped) == 1 else None
