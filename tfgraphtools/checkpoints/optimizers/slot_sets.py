"""The optimizer of one variable, from the names and numbers of its slots."""

import collections

from tfgraphtools.checkpoints.optimizers import slot_groups
from tfgraphtools.checkpoints.optimizers.state_names import KERAS_CLASSES
from tfgraphtools.checkpoints.optimizers.tf1_optimizers import REFUSED_OF_KERAS
from tfgraphtools.errors import PlanError

#: The optimizer of a variable: ``kind`` is a kind's name, ``slots`` {TF 1's slot: tensor name}.
Found = collections.namedtuple("Found", "kind slots")

DROP = "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer)"


def expected(library):
    """Returns the kinds that a library can go on from, for errors."""
    return "one that {} can go on from exactly: {}".format(
        library.name, ", ".join(kind.name for kind in library.kinds.values() if kind.saved_as)
    )


def slot_set_of(variable, saved, names, library):
    """Returns the `Found` of a variable.

    Args:
      variable: its name.
      saved: its slots, {name of the optimizer: {counter: tensor}}.
      names: {name of an optimizer: its kind}.
      library: the `tf1_optimizers.Library` that is to go on.

    Raises:
      PlanError: an optimizer that the library cannot go on from, or none that is known.
    """
    place = f"the optimizer of {variable!r}"
    listed = ", ".join(name for tensors in saved.values() for _, name in sorted(tensors.items()))
    if len(saved) == 1 and isinstance(next(iter(saved)), tuple):
        ((optimizer, by_slot),) = saved.items()
        return _slot_set_of_keras(place, optimizer[0], by_slot, names, library)
    for base in saved:
        if base in library.refused and base not in names:
            raise PlanError(
                place,
                expected(library),
                f"{listed}: {base}, and {library.refused[base]}",
                DROP + ".",
            )
    if frozenset(saved) in library.named:
        return _slot_set_by_slot(place, saved, names, library)
    if len(saved) > 1 or next(iter(saved)) not in names:
        raise PlanError(
            place,
            "slots of one known optimizer",
            listed,
            "Name it if it has a name of its own (names={'MyAdam': 'Adam'}, --optimizer "
            "MyAdam=Adam), drop the others, or leave the optimizer's state behind "
            "(--drop-optimizer).",
        )
    ((base, by_counter),) = saved.items()
    kind = library.kinds[names[base]]
    if kind.name == "RMSProp" and len(by_counter) == 3:
        kind = library.kinds["CenteredRMSProp"]
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


def _slot_set_by_slot(place, saved, names, library):
    """Returns the `Found` of slots with a name each, which several optimizers use."""
    candidates = library.named[frozenset(saved)]
    named_kinds = {names[base] for base in saved if base in names}
    if len(named_kinds) != 1 or not named_kinds <= set(library.kinds):
        raise PlanError(
            place,
            "to know which optimizer it was: {}".format(" or ".join(candidates)),
            "slots that both call {}".format(", ".join(sorted(saved))),
            f"Say which: names={candidates[0]!r} (--optimizer {candidates[0]}). {DROP}.",
        )
    kind = library.kinds[named_kinds.pop()]
    return Found(kind.name, {slot.name: saved[slot.legacy][0] for slot in kind.slots})


def _slot_set_of_keras(place, scope, by_slot, names, library):
    """Returns the `Found` of slots with names, those of tf.keras's optimizers under TF 1."""
    own_name = slot_groups.counted(scope.rpartition("/")[2])[0]
    classes = [c for c, sets in KERAS_CLASSES.items() if set(by_slot) in sets]
    if own_name in classes:
        classes = [own_name]
    if "vhat" in by_slot:
        classes = ["AMSGrad"]
    kind = None
    named_kind = library.kinds.get(names.get(own_name))
    if named_kind is not None and named_kind.saved_as is None:
        kind = named_kind
    elif len(classes) == 1 and classes[0] not in REFUSED_OF_KERAS:
        kind = _kind_with(classes[0], set(by_slot), library)
    if kind is None:
        has_them = any(kind.saved_as is None for kind in library.kinds.values())
        reason = REFUSED_OF_KERAS.get(classes[0]) if len(classes) == 1 and has_them else None
        has_them = has_them and not reason
        raise PlanError(
            place,
            expected(library),
            "{}: {}".format(
                ", ".join(by_slot.values()), reason or "{} of tf.keras".format(" or ".join(classes))
            ),
            DROP
            + (f"; or say which: names={{{own_name!r}: 'tf.keras Adam'}}." if has_them else "."),
        )
    return Found(kind.name, {row.name: by_slot[row.legacy] for row in kind.slots})


def _kind_with(class_name, slots, library):
    for kind in library.kinds.values():
        if kind.saved_as is None and kind.keras == class_name:
            if slots == {row.legacy for row in kind.slots}:
                return kind
    return None


def nameless(saved):
    """Returns the `PlanError` about slots that do not say whose they are."""
    return PlanError(
        "the optimizer of the checkpoint",
        "slots that say whose they are",
        "{}: tf.keras saved slots without the names of their variables before TF 1.14".format(
            ", ".join(name for tensors in saved.values() for name in tensors.values())[:200]
        ),
        DROP + ".",
    )
