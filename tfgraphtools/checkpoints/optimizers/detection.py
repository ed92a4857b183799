"""Which TF 1 optimizer trained each variable, by the names of its slots."""

import collections
import re

from tfgraphtools.checkpoints.optimizers import slots
from tfgraphtools.checkpoints.optimizers.kinds import KINDS, LEGACY, REFUSED
from tfgraphtools.errors import PlanError

#: The optimizer of a variable: ``kind`` is a key of `KINDS`, ``slots`` {TF 1's slot: tensor name}.
Found = collections.namedtuple("Found", "kind slots")

#: ``by_variable``: {variable: `Found`}; ``beta_powers``: [(name of beta1_power, of beta2_power)];
#: ``global_step``: its name or None; ``averages``: {variable: name of its moving average}.
Detection = collections.namedtuple("Detection", "by_variable beta_powers global_step averages")

_COUNTED = re.compile(r"(.+?)(?:_(\d+))?")
_BETA = re.compile(r"((?:.*/)?)beta1_power(_\d+)?")
_AVERAGE = "ExponentialMovingAverage"


def detect(ckpt, names=None):
    """Finds out which optimizer trained each variable of a name-based checkpoint.

    A slot of ``w`` is saved under the optimizer's name: ``w/Adam``, ``w/Adam_1``. A second
    optimizer of that name in the graph counted on: ``w/Momentum_1``. It does nothing about a
    variable without slots: a GradientDescent keeps none.

    Args:
      ckpt: an open checkpoint, or {name: shape}.
      names: {name of the optimizer: key of `KINDS`} for optimizers that were given a ``name=``,
        or to say what "Adam" is: LazyAdam calls itself so, too.

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
    by_variable = collections.defaultdict(lambda: collections.defaultdict(dict))
    averages = {}
    names = dict(_own_names(), **(names or {}))
    for slot, (variable, last) in _slots(shapes, names).items():
        base, counter = _COUNTED.fullmatch(last).groups()
        if base == _AVERAGE:
            averages[variable] = slot
        else:
            by_variable[variable][base][int(counter or 0)] = slot
    found = {
        variable: _found(variable, saved, names) for variable, saved in sorted(by_variable.items())
    }
    return Detection(found, _beta_powers(shapes), _global_step(shapes), averages)


def _shapes(ckpt):
    return ckpt if isinstance(ckpt, dict) else {n: ckpt.store.summary(n)[1] for n in ckpt}


def _own_names():
    """{the name under which slots are saved: kind}; of both RMSProps the plain one."""
    return {kind.saved_as: kind.name for kind in reversed(list(KINDS.values()))}


def _slots(shapes, names):
    """{slot: (variable, last part of its name)}, for the given names of optimizers, too."""
    found = dict(slots.find(shapes))
    for name, shape in shapes.items():
        owner, _, last = name.rpartition("/")
        if owner in shapes and shapes[owner] == shape and name not in found:
            if _COUNTED.fullmatch(last).group(1) in names:
                found[name] = (owner, last)
    return found


def _found(variable, saved, names):
    """The `Found` of a variable whose slots are ``saved``: {optimizer: {counter: name}}."""
    place = f"the optimizer of {variable!r}"
    listed = ", ".join(name for one in saved.values() for _, name in sorted(one.items()))
    for base in saved:
        if base in REFUSED and base not in names:
            raise PlanError(
                place,
                "one that Keras can go on from exactly: {}".format(", ".join(KINDS)),
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


def _beta_powers(shapes):
    pairs = []
    for name in sorted(shapes):
        match = _BETA.fullmatch(name)
        if match:
            other = "{}beta2_power{}".format(match.group(1), match.group(2) or "")
            pairs.append((name, other if other in shapes else None))
    return pairs


def _global_step(shapes):
    if "global_step" in shapes:
        return "global_step"
    scoped = [name for name in shapes if name.endswith("/global_step")]
    return scoped[0] if len(scoped) == 1 else None


def kind_of(names, flavour):
    """The kind whose slots have these names in Keras; the reverse of `kept`.

    Args:
      names: names of slots, in the order in which the optimizer made them: Keras 3's Adam makes
        momentum and velocity of a variable, its RMSprop the velocities of all and then momentums.
      flavour: `KERAS` or `LEGACY`.

    Example:
      >>> kind_of(["rms", "rms", "mg", "mg"], "legacy")
      'CenteredRMSProp'

    Raises:
      PlanError: no optimizer of TF 1 has these.
    """
    found = list(dict.fromkeys(names))
    for kind in KINDS.values():
        rows = [slot.legacy if flavour == LEGACY else slot.keras for slot in kind.slots]
        if kind.name == "Adam":
            if found == rows:
                return kind.name
            continue
        without = [name for name in rows if name != "momentum"]
        is_rmsprop = kind.keras == "RMSprop"
        if sorted(found) == sorted(rows) or is_rmsprop and sorted(found) == sorted(without):
            return kind.name
    raise PlanError(
        "the slots {}".format(", ".join(found)),
        "those of an optimizer that TF 1 has: {}".format(", ".join(KINDS)),
        "none that is known",
        "Leave the optimizer's state behind (--drop-optimizer).",
    )
