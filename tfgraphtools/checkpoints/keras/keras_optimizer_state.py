"""The optimizer's slots of a checkpoint as the state of a compiled model's optimizer.

A weight's slots go through the conversion of the weight itself (gates are
permuted in moments as in kernels), then through the optimizer's own maths.
"""

import collections

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.keras import optimizer_settings
from tfgraphtools.checkpoints.optimizers import setting_differences
from tfgraphtools.errors import PlanError

_DROP = "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer)."

#: What will be done: ``kind`` of optimizer, ``steps`` taken (None if unknown), ``rows``
#: [`Row`], ``hyper`` the hyper-parameters by TF1's names, and ``notes``.
State = collections.namedtuple("State", "kind flavour steps rows hyper notes")

#: The slots of one weight: ``match`` and ``role`` say which; ``slots``: {TF1's slot: {argument of
#: the conversion: tensor name}}.
Row = collections.namedtuple("Row", "match role slots")

#: Kinds whose momentum slot is there without a momentum.
_WITHOUT = ("RMSProp", "CenteredRMSProp")


def plan(model, matches, ckpt, detection, steps, is_sparse, file_facts):
    """Returns what an optimizer of a compiled model takes over.

    Args:
      model: the model.
      matches: the `Match` of every unit that is converted.
      ckpt: the open checkpoint.
      detection: of `optimizers.detect`.
      steps: the number of steps taken, or None to find out.
      is_sparse: of `graph_training.sparse`.
      file_facts: the `known.Known` whose graph says hyper-parameters.

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
    of_file = file_facts.hyperparameters(kind, list(detection.by_variable) or None)
    hyper = setting_differences.of_kind(of_file, optimizers.settings(kind))
    source = hyper.source or (ckpt.prefix if own else None)
    known = hyper._replace(values=dict(hyper.values, **own), source=source)
    values, notes = _hyperparameters(kind, optimizer, known, flavour)
    optimizers.require_exact(kind, flavour, values)
    _require_dense(matches, detection, kind, flavour, is_sparse)
    taken = optimizers.steps_taken(ckpt, detection, values, steps)
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
        rows = [row for pair_match in matches for row in _rows_of(pair_match, detection, kind)]
    _require_all_used(rows, detection)
    return State(kind, flavour, taken, rows, values, notes)


def _require_dense(matches, detection, kind, flavour, is_sparse):
    for pair_match in matches:
        for name in pair_match.fit.leaves.values():
            is_embedding = pair_match.target.kind == "Embedding"
            why = is_sparse(name, is_embedding, optimizers.KINDS[kind].keras)
            if why and name in detection.by_variable:
                optimizers.require_dense(name, kind, flavour, why)


def _kind_of(detection, optimizer):
    """Returns the kind of optimizer that trained the checkpoint, which the model's must be."""
    kinds = sorted({state.kind for state in detection.by_variable.values()})
    own_class = type(optimizer).__name__
    if not kinds:
        kinds = ["GradientDescent"]
    if len(kinds) > 1:
        raise PlanError("the optimizer's state", "one optimizer", ", ".join(kinds), _DROP)
    kind = kinds[0]
    class_name, config = optimizers.keras_config(kind)
    own = optimizer.get_config()
    is_same = own_class == class_name and bool(own.get("centered")) == bool(config.get("centered"))
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
            f"one compiled with {own_class}",
            "Compile it so. " + _DROP,
        )
    return kind


def _hyperparameters(kind, optimizer, known, flavour):
    """Returns (the model's hyper-parameters by TF1's names, notes on those that TF1 has otherwise).

    ``known`` are those in the checkpoint and in its graph.
    """
    notes = optimizer_settings.notes(optimizer, kind, known, flavour)
    values = optimizer_settings.model_values(optimizer, kind)
    if kind == "Momentum":
        if _schedule(optimizer):
            raise PlanError(
                "the state of Momentum",
                "a constant learning rate",
                "a schedule: TF1 applies the rate after the momentum, Keras before, and under a "
                "changing rate these are two algorithms",
                "Compile with a constant rate. " + _DROP,
            )
        values["learning_rate"] = float(optimizer.learning_rate)
    return values, notes


def _schedule(optimizer):
    """Tells whether the learning rate is a schedule."""
    return isinstance(optimizer.get_config().get("learning_rate"), dict)


def _is_legacy(optimizer):
    return ".legacy" in type(optimizer).__module__


def _rows_of(pair_match, detection, kind):
    """Yields the slots of one unit's trainable weights, by role."""
    trainable = {role for role, w in pair_match.target.weights.items() if w.variable.trainable}
    if not trainable:
        return
    names = set(pair_match.fit.leaves.values())
    with_slots = names & set(detection.by_variable)
    if not with_slots:
        raise _not_alike(pair_match, "no slots in the checkpoint: TF1 did not train it")
    if pair_match.fit.convert_slots is None:
        raise PlanError(
            f"the slots of {pair_match.source.name!r}",
            "a conversion that keeps them exact",
            f"a {pair_match.source.kind}, whose weights become others",
            _DROP,
        )
    if pair_match.fit.is_shifted and optimizers.KINDS[kind].keras == "Ftrl":
        raise PlanError(
            f"the slots of {pair_match.source.name!r}",
            "a forget bias of 0",
            "another, and Ftrl computes a weight from its slots alone: what was added is lost",
            _DROP,
        )
    slots = {slot.name: {} for slot in optimizers.KINDS[kind].slots}
    for argument, name in pair_match.fit.leaves.items():
        if name not in with_slots:
            if pair_match.target.weights.get(argument) and argument not in trainable:
                continue  # a moving mean: no optimizer has slots of it
            raise _not_alike(pair_match, f"no slots of {name!r} in the checkpoint")
        for slot, tensor in detection.by_variable[name].slots.items():
            slots[slot][argument] = tensor
    for role in sorted(trainable):
        yield Row(pair_match, role, slots)


def _not_alike(pair_match, problem):
    return PlanError(
        f"the slots of layer {pair_match.target.name!r}",
        "slots of the weights that the model trains, and of no others",
        problem,
        "Set layer.trainable as it was in TF1. " + _DROP,
    )


def _require_all_used(rows, detection):
    used = {name for row in rows for slots in row.slots.values() for name in slots.values()}
    for variable, slot_set in sorted(detection.by_variable.items()):
        left = [name for name in slot_set.slots.values() if name not in used]
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
    variables_of_rows = []
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
        variables_of_rows.append((row, slots))
    return variables_of_rows


def apply(model, state, ckpt, variables_of_rows):
    """Sets the optimizer's variables, which `variables` has found."""
    if state.steps is not None:
        model.optimizer.iterations.assign(state.steps)
    for row, slots in variables_of_rows:
        parts = {}
        for slot, names in row.slots.items():
            arrays = {argument: ckpt[name] for argument, name in names.items()}
            parts[slot] = row.match.fit.convert_slots(arrays)[row.role]
        values = optimizers.to_keras(state.kind, parts, _for_maths(state), state.flavour)
        for name, variable in slots.items():
            variable.assign(values[name])


def _kept(optimizer, state):
    """Returns the slots of this optimizer: tf_keras's RMSprop without a momentum has none of it."""
    names = list(optimizers.kept(state.kind, _for_maths(state), state.flavour))
    is_without = optimizers.KINDS[state.kind].keras == "RMSprop" and not optimizer.get_config().get(
        "momentum"
    )
    return [name for name in names if not (is_without and name == "momentum")]


def _for_maths(state):
    known = optimizers.settings(state.kind)
    return {name: value for name, value in state.hyper.items() if name in known}


def _build(optimizer, model):
    """Makes the optimizer's variables, if the model has not trained yet."""
    if _is_legacy(optimizer):
        optimizer._create_all_weights(model.trainable_variables)
    elif not getattr(optimizer, "built", getattr(optimizer, "_built", False)):
        optimizer.build(model.trainable_variables)


def _variable_of(optimizer, variable, name, state):
    """Returns the optimizer's variable of a weight's slot."""
    if state.flavour == optimizers.LEGACY:
        return optimizer.get_slot(variable, name)
    listed = next(s.listed for s in optimizers.KINDS[state.kind].slots if s.keras == name)
    if hasattr(optimizer, "_get_variable_index"):
        index = optimizer._get_variable_index(variable)
    else:
        index = optimizer._index_dict[optimizer._var_key(variable)]
    return getattr(optimizer, listed)[index]
