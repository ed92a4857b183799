"""The optimizer's slots of a checkpoint as the state of a compiled model's optimizer.

A weight's slots go through the conversion of the weight itself (gates are
permuted in moments as in kernels), then through the optimizer's own maths.
"""

import collections

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.keras import optimizer_settings
from tfgraphtools.errors import PlanError

_DROP = "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer)."

#: What will be done: ``kind`` of optimizer, ``steps`` taken (None if unknown), ``rows``
#: [`Row`], ``given`` the hyper-parameters by TF1's names, and ``notes``.
State = collections.namedtuple("State", "kind flavour steps rows given notes")

#: The slots of one weight: ``match`` and ``role`` say which; ``slots``: {TF1's slot: {argument of
#: the conversion: tensor name}}.
Row = collections.namedtuple("Row", "match role slots")

#: Kinds whose momentum slot is there without a momentum.
_WITHOUT = ("RMSProp", "CenteredRMSProp")


def plan(model, matches, ckpt, detection, steps, is_sparse, hyper):
    """What an optimizer of a compiled model takes over.

    Args:
      model: the model.
      matches: the `Match` of every unit that is converted.
      ckpt: the open checkpoint.
      detection: of `optimizers.detect`.
      steps: the number of steps taken, or None to find out.
      is_sparse: of `graphs.training.sparse`.
      hyper: the `Hyper` that a graph says.

    Raises:
      PlanError: the state cannot be carried exactly.
    """
    optimizer = getattr(model, "optimizer", None)
    if optimizer is None:
        raise PlanError(
            "the optimizer's state of the checkpoint",
            "a compiled model to take it",
            "a model without an optimizer",
            "Compile the model before. " + _DROP,
        )
    kind = _kind_of(detection, optimizer)
    flavour = optimizers.LEGACY if _is_legacy(optimizer) else optimizers.KERAS
    own = optimizers.own_numbers(ckpt, detection, kind)
    settings = optimizers.settings(kind)
    said = {name: value for name, value in hyper.values.items() if name in settings}
    known = hyper._replace(values=dict(said, **own), source=hyper.source if said else None)
    given, notes = _hyperparameters(kind, optimizer, known, flavour)
    optimizers.require_exact(kind, flavour, given)
    _require_dense(matches, detection, kind, flavour, is_sparse)
    taken = optimizers.steps_taken(ckpt, detection, given, steps)
    if taken is None:
        if optimizers.KINDS[kind].keras == "Adam" or _schedule(optimizer):
            raise PlanError(
                f"the steps that {kind} has taken",
                "a global_step or beta powers",
                "neither in the checkpoint",
                "Pass steps=..., the number of steps trained (--steps).",
            )
        notes.append("iterations stays 0: no global_step says how many steps were taken")
    rows = []
    if optimizers.KINDS[kind].slots:
        rows = [row for found in matches for row in _rows_of(found, detection, kind)]
    _require_all_used(rows, detection)
    return State(kind, flavour, taken, rows, given, notes)


def _require_dense(matches, detection, kind, flavour, is_sparse):
    for found in matches:
        for name in found.fit.leaves.values():
            is_embedding = found.target.kind == "Embedding"
            why = is_sparse(name, is_embedding, optimizers.KINDS[kind].keras)
            if why and name in detection.by_variable:
                optimizers.require_dense(name, kind, flavour, why)


def _kind_of(detection, optimizer):
    """The kind of optimizer that trained the checkpoint, which the model's must be."""
    kinds = sorted({found.kind for found in detection.by_variable.values()})
    mine = type(optimizer).__name__
    if not kinds:
        kinds = ["GradientDescent"]
    if len(kinds) > 1:
        raise PlanError("the optimizer's state", "one optimizer", ", ".join(kinds), _DROP)
    kind = kinds[0]
    class_name, config = optimizers.keras_config(kind)
    own = optimizer.get_config()
    is_same = mine == class_name and bool(own.get("centered")) == bool(config.get("centered"))
    if class_name == "SGD" and is_same:
        is_same = bool(own.get("momentum")) == bool(optimizers.KINDS[kind].slots)
    if class_name == "RMSprop" and is_same and not optimizers.KINDS[kind].saved_as:
        slots = [row.name for row in optimizers.KINDS[kind].slots]
        is_same = bool(own.get("momentum")) == ("momentum" in slots)
    if not is_same:
        centered = ", centered=True" if config.get("centered") else ""
        slots = [row.name for row in optimizers.KINDS[kind].slots]
        momentum = ", momentum=..." if "momentum" in slots and kind not in _WITHOUT else ""
        raise PlanError(
            "the optimizer's state of the checkpoint",
            f"a model compiled with {class_name}(...{momentum}{centered}), as {kind} trained it",
            f"one compiled with {mine}",
            "Compile it so. " + _DROP,
        )
    return kind


def _hyperparameters(kind, optimizer, known, flavour):
    """(the model's hyper-parameters by TF1's names, notes on those that TF1 has otherwise).

    ``known`` are those in the checkpoint and in its graph.
    """
    notes = optimizer_settings.notes(optimizer, kind, known, flavour)
    given = optimizer_settings.given(optimizer, kind)
    if kind == "Momentum":
        if _schedule(optimizer):
            raise PlanError(
                "the state of Momentum",
                "a constant learning rate",
                "a schedule: TF1 applies the rate after the momentum, Keras before, and under a "
                "changing rate these are two algorithms",
                "Compile with a constant rate. " + _DROP,
            )
        given["learning_rate"] = float(optimizer.learning_rate)
    return given, notes


def _schedule(optimizer):
    """Whether the learning rate is a schedule."""
    return isinstance(optimizer.get_config().get("learning_rate"), dict)


def _is_legacy(optimizer):
    return ".legacy" in type(optimizer).__module__


def _rows_of(found, detection, kind):
    """The slots of one unit's trainable weights, by role."""
    trainable = {role for role, w in found.target.weights.items() if w.variable.trainable}
    if not trainable:
        return
    names = set(found.fit.leaves.values())
    with_slots = names & set(detection.by_variable)
    if not with_slots:
        raise _not_alike(found, "no slots in the checkpoint: TF1 did not train it")
    if found.fit.convert_slots is None:
        raise PlanError(
            f"the slots of {found.source.name!r}",
            "a conversion that keeps them exact",
            f"a {found.source.kind}, whose weights become others",
            _DROP,
        )
    if found.fit.is_shifted and optimizers.KINDS[kind].keras == "Ftrl":
        raise PlanError(
            f"the slots of {found.source.name!r}",
            "a forget bias of 0",
            "another, and Ftrl computes a weight from its slots alone: what was added is lost",
            _DROP,
        )
    slots = {slot.name: {} for slot in optimizers.KINDS[kind].slots}
    for argument, name in found.fit.leaves.items():
        if name not in with_slots:
            if found.target.weights.get(argument) and argument not in trainable:
                continue  # a moving mean: no optimizer has slots of it
            raise _not_alike(found, f"no slots of {name!r} in the checkpoint")
        for slot, tensor in detection.by_variable[name].slots.items():
            slots[slot][argument] = tensor
    for role in sorted(trainable):
        yield Row(found, role, slots)


def _not_alike(found, what):
    return PlanError(
        f"the slots of layer {found.target.name!r}",
        "slots of the weights that the model trains, and of no others",
        what,
        "Set layer.trainable as it was in TF1. " + _DROP,
    )


def _require_all_used(rows, detection):
    used = {name for row in rows for slots in row.slots.values() for name in slots.values()}
    for variable, found in sorted(detection.by_variable.items()):
        left = [name for name in found.slots.values() if name not in used]
        if left:
            raise PlanError(
                f"the slots of {variable!r}",
                "a trainable weight of the model that takes them",
                "none: its layer is not trainable, or is left out",
                "Set layer.trainable as it was in TF1, or leave them out: drop=[...] (--drop). "
                + _DROP,
            )


# Doing it -----------------------------------------------------------------------


def variables(model, state):
    """Finds the optimizer's variables, before any of them or of the model's changes.

    Returns:
      [(`Row`, {Keras's name of a slot: variable})].

    Raises:
      PlanError: the optimizer does not have one of them.
    """
    optimizer = model.optimizer
    _build(optimizer, model)
    found = []
    for row in state.rows:
        weight = row.match.target.weights[row.role]
        slots = {}
        for name in _kept(optimizer, state):
            try:
                slots[name] = _variable_of(optimizer, weight.variable, name, state)
            except (LookupError, AttributeError, StopIteration) as error:
                raise PlanError(
                    f"the slot {name!r} of {weight.path!r}",
                    f"a variable of the model's {type(optimizer).__name__}",
                    f"none ({error})",
                    "Compile the model again, and do not train it before. " + _DROP,
                ) from error
        found.append((row, slots))
    return found


def apply(model, state, ckpt, found):
    """Sets the optimizer's variables, which `variables` has found."""
    if state.steps is not None:
        model.optimizer.iterations.assign(state.steps)
    for row, slots in found:
        parts = {}
        for slot, names in row.slots.items():
            arrays = {argument: ckpt[name] for argument, name in names.items()}
            parts[slot] = row.match.fit.convert_slots(arrays)[row.role]
        values = optimizers.to_keras(state.kind, parts, _for_maths(state), state.flavour)
        for name, variable in slots.items():
            variable.assign(values[name])


def _kept(optimizer, state):
    """The slots of this optimizer: tf_keras's RMSprop without a momentum has none of it."""
    names = list(optimizers.kept(state.kind, _for_maths(state), state.flavour))
    is_without = optimizers.KINDS[state.kind].keras == "RMSprop" and not optimizer.get_config().get(
        "momentum"
    )
    return [name for name in names if not (is_without and name == "momentum")]


def _for_maths(state):
    known = optimizers.settings(state.kind)
    return {name: value for name, value in state.given.items() if name in known}


def _build(optimizer, model):
    """Makes the optimizer's variables, if the model has not trained yet."""
    if _is_legacy(optimizer):
        optimizer._create_all_weights(model.trainable_variables)
    elif not getattr(optimizer, "built", getattr(optimizer, "_built", False)):
        optimizer.build(model.trainable_variables)


def _variable_of(optimizer, variable, name, state):
    """The optimizer's variable of a weight's slot."""
    if state.flavour == optimizers.LEGACY:
        return optimizer.get_slot(variable, name)
    listed = next(s.listed for s in optimizers.KINDS[state.kind].slots if s.keras == name)
    if hasattr(optimizer, "_get_variable_index"):
        index = optimizer._get_variable_index(variable)
    else:
        index = optimizer._index_dict[optimizer._var_key(variable)]
    return getattr(optimizer, listed)[index]
