"""A TF1 optimizer's state as a ``torch.optim`` optimizer's, so that training goes on.

What becomes what is in `optimizer_kinds`.
"""

import collections

import numpy as np

from tfgraphtools.checkpoints import optimizers
from tfgraphtools.checkpoints.optimizers import setting_differences
from tfgraphtools.checkpoints.torch import torch_models
from tfgraphtools.checkpoints.torch.optimizer_kinds import (
    KINDS,
    OF_TORCH,
    WITHOUT_CORRECTION,
    only_kind,
)
from tfgraphtools.errors import PlanError

_DROP = "Leave the optimizer's state behind: drop_optimizer=True (--drop-optimizer)."

_WITHOUT_STEP = ("GradientDescent", "Momentum")

#: What goes into an optimizer. ``rows``: [(parameter name, match, role, {slot: {argument: name}})].
State = collections.namedtuple("State", "optimizer kind steps rows parameters notes")


def plan(model, optimizer, matches, ckpt, detection, is_sparse, file_facts, steps=None):
    """Returns what a live ``torch.optim`` optimizer takes over.

    Args:
      model: the `torch_models.Model` of a live module.
      optimizer: over (some of) the module's parameters.
      matches: the `Match` of every unit that is converted.
      ckpt: the open checkpoint.
      detection: of `optimizers.detect`.
      is_sparse: function of a variable and whether it is an embedding that says why TF1's gradient
        was sparse, or "".
      file_facts: the `known.Known` whose graph says hyper-parameters.
      steps: the number of steps taken, or None to find out.

    Raises:
      PlanError: the state cannot be carried exactly.
    """
    kind = _kind_of(detection, optimizer)
    of_file = file_facts.hyperparameters(kind, list(detection.by_variable) or None)
    notes = _check_settings(kind, optimizer, of_file)
    _require_dense(kind, matches, detection, is_sparse)
    betas = _adam_betas(optimizer) if kind in ("Adam", "AdamW") else None
    taken = optimizers.steps_taken(ckpt, detection, betas, steps)
    if kind == "AdamWeightDecay":
        taken = WITHOUT_CORRECTION
    if taken is None and kind in ("Adam", "AdamW"):
        raise PlanError(
            f"the steps that {kind} has taken",
            "a global_step or beta powers",
            "neither in the checkpoint",
            "Pass steps=..., the number of steps trained (--steps).",
        )
    parameters = _parameters(model, optimizer)
    rows = []
    if KINDS[kind].slots:
        for pair_match in matches:
            rows += _rows_of(pair_match, detection, parameters)
    _require_all_used(rows, detection)
    state = State(optimizer, kind, taken or 0, rows, parameters, notes)
    notes += _epsilon_notes(state, ckpt)
    return state


def tensors(state):
    """Returns the names of the tensors that are read."""
    return {n for row in state.rows for names in row[3].values() for n in names.values()}


def read(state, ckpt):
    """Returns {parameter: its state} for the optimizer, whose groups keep their settings."""
    torch = torch_models.require_torch("to_torch(optimizer=...)")
    entries = {}
    for name, pair_match, role, slots in state.rows:
        parameter = state.parameters[name]
        entry = entries.setdefault(name, {})
        if state.kind not in _WITHOUT_STEP:
            entry["step"] = torch.tensor(float(state.steps))
        for slot, value in _slots_of(state, pair_match, role, slots, ckpt).items():
            entry[slot] = torch.from_numpy(value).to(parameter.device, parameter.dtype)
    return {state.parameters[name]: entry for name, entry in entries.items()}


def _slots_of(state, pair_match, role, slots, ckpt):
    """Returns {PyTorch's slot: array} of one parameter."""
    parameter = state.parameters[pair_match.target.weights[role].path]
    group, done = _group_of(state.optimizer, parameter), {}
    for slot, names in slots.items():
        arrays = {argument: ckpt[name] for argument, name in names.items()}
        value = np.array(pair_match.fit.convert_slots(arrays)[role], order="C")
        if state.kind.endswith("RMSProp") and slot == "momentum":
            if not group["momentum"]:
                continue  # PyTorch keeps none, and TF1's holds nothing that the next step uses
            value = (value.astype(np.float64) / float(group["lr"])).astype(value.dtype)
        done[KINDS[state.kind].slots[slot]] = value
    return done


def _kind_of(detection, optimizer):
    kind = only_kind(detection)
    expected = KINDS[kind]
    if type(optimizer).__name__ != expected.name:
        raise PlanError(
            "the optimizer's state of the checkpoint",
            f"a torch.optim.{expected.name}, as {kind} trained it",
            f"a {type(optimizer).__name__}",
            f"Pass optimizer=torch.optim.{expected.name}(net.parameters(), ...). " + _DROP,
        )
    return kind


def require_decay_after_gradient(known, detection):
    """Raises unless a graph says that AdamW decays its variables after their gradient is computed.

    Its decay does not wait for the gradients. A resource variable is read before it changes; any
    other is decayed before or after its gradient is computed, as the scheduler has it.

    Args:
      known: a `graph_training.Training`.
      detection: of `optimizers.detect`.
    """
    decayed = {name for name, slot_set in detection.by_variable.items() if slot_set.kind == "AdamW"}
    refs = sorted(decayed & known.refs)
    if not decayed or known.source and not refs:
        return
    raise PlanError(
        "the optimizer's state of AdamW",
        "resource variables, of which TF1 computes the gradient before it decays them",
        f"{refs[0]!r} in {known.source}, which is none" if refs else "no .meta that says so",
        "Pass names='AdamW' (--optimizer AdamW) to continue anyway: PyTorch always "
        "computes the gradient first. " + _DROP,
    )


def _require_dense(kind, matches, detection, is_sparse):
    """Raises for an embedding whose rows without a gradient TF1 leaves alone and PyTorch moves."""
    if not KINDS[kind].moves_all_rows:
        return
    for pair_match in matches:
        for name in set(pair_match.fit.leaves.values()) & set(detection.by_variable):
            why = is_sparse(name, pair_match.target.kind == "embedding")
            if why:
                raise PlanError(
                    f"the optimizer's state of {name!r}",
                    "an optimizer that leaves rows without a gradient alone, as TF1's",
                    f"torch.optim.{KINDS[kind].name}, which moves them; {why}",
                    "Pass sparse_gradients=[] (--sparse-gradients none) to accept the difference. "
                    + _DROP,
                )


def _check_settings(kind, optimizer, of_file):
    """Refuses settings under which PyTorch computes something else; notes others than TF1's."""
    expected, defaults, notes = KINDS[kind], OF_TORCH.kinds[kind].defaults, []
    hyper = setting_differences.of_kind(of_file, defaults)
    wanted = dict(defaults, **hyper.values)
    for group in optimizer.param_groups:
        for name, value in dict(expected.settings, maximize=False).items():
            if name in group and group[name] != value:
                raise PlanError(
                    f"torch.optim.{expected.name}",
                    f"{name}={value}, with which it goes on as TF1's {kind}",
                    f"{name}={group[name]}",
                    f"Build it with {name}={value}. " + _DROP,
                )
        for difference in setting_differences.differences(_own(kind, group), wanted, hyper):
            difference = difference._replace(name=_IN_A_GROUP.get(difference.name, difference.name))
            notes.append(setting_differences.words(difference, expected.name, kind))
        notes += _others(kind, group)
        if kind.endswith("RMSProp") and group["momentum"]:
            if not float(group["lr"]):
                raise PlanError("torch.optim.RMSprop", "lr, as TF1 had it", "lr=0", "Set the rate.")
            notes += _UNSEEN["RMSProp with momentum"]
    return sorted(set(notes)) + _UNSEEN.get(kind, [])


#: Settings that a group of parameters has under another name than TF1's.
_IN_A_GROUP = {"beta1": "betas[0]", "beta2": "betas[1]", "epsilon": "eps", "decay": "alpha"}


def _own(kind, group):
    """Returns {TF1's name: number} of what both TF1 and a group of parameters have."""
    values = dict(group, **dict(zip(("beta1", "beta2"), group.get("betas", ()))))
    return {
        tf1: values[name]
        for tf1, name in KINDS[kind].hyper.items()
        if name in values and not tf1.startswith("weight_decay")
    }


def _others(kind, group):
    """Returns notes on settings that TF1's optimizer does not have and that are not off."""
    expected = KINDS[kind]
    known = {*expected.settings, *expected.hyper.values(), *_WITHOUT_EFFECT}
    return [
        f"{expected.name}: {name} is {value}; TF1's {kind} has none"
        for name, value in group.items()
        if name not in known
        and not (isinstance(value, (bool, int, float)) and not value)
        and value is not None
    ]


#: Settings that change no step, and those that are looked at by themselves.
_WITHOUT_EFFECT = (
    "params param_names initial_lr betas foreach capturable differentiable fused maximize "
    "decoupled_weight_decay initial_accumulator_value"
).split()

#: What nobody can see in a checkpoint: how weights decay, and how the learning rate changes.
_UNSEEN = {
    "AdamW": [
        "AdamW: TF1 takes weight_decay * w off at each step, PyTorch lr * weight_decay * w: pass "
        "TF1's weight_decay / lr, and change it with lr if there is a schedule"
    ],
    "RMSProp with momentum": [
        "RMSprop: TF1's momentum holds the learning rates of its steps, and PyTorch multiplies it "
        "by the present one: lr must be that of TF1's last step, and with a schedule their steps "
        "differ from then on"
    ],
    "AdamWeightDecay": [
        "AdamWeightDecay: it has no bias correction, so PyTorch's step is set to 2^24, where its "
        "own is 1; BERT does not decay biases and layer norms: give them a group with "
        "weight_decay=0"
    ],
}


def _adam_betas(optimizer):
    pairs = sorted({tuple(map(float, group["betas"])) for group in optimizer.param_groups})
    if len(pairs) > 1:
        raise PlanError(
            f"torch.optim.{type(optimizer).__name__}",
            "one pair of betas, as TF1's optimizer has",
            " and ".join(map(str, pairs)),
            "Give all parameter groups the same betas. " + _DROP,
        )
    beta1, beta2 = pairs[0]
    return {"beta1": float(beta1), "beta2": float(beta2)}


def _parameters(model, optimizer):
    """Returns {name of an entry: parameter} of those that the optimizer trains."""
    trained = {id(p) for group in optimizer.param_groups for p in group["params"]}
    named = {name: p for name, p in model.module.named_parameters() if id(p) in trained}
    if len(named) < len(trained):
        raise PlanError(
            "the optimizer",
            "one over parameters of this model",
            f"{len(trained) - len(named)} others",
            "Pass the optimizer that was made of model.parameters().",
        )
    return named


def _group_of(optimizer, parameter):
    return next(g for g in optimizer.param_groups if any(parameter is p for p in g["params"]))


def _rows_of(pair_match, detection, parameters):
    trained = {role: w for role, w in pair_match.target.weights.items() if w.path in parameters}
    with_slots = set(pair_match.fit.leaves.values()) & set(detection.by_variable)
    if not trained or not with_slots:
        if with_slots or trained:
            raise _refused(
                pair_match, "slots of the parameters that the optimizer trains, and no others"
            )
        return
    if pair_match.fit.convert_slots is None or any(w.parts > 1 for w in trained.values()):
        raise _refused(pair_match, "a unit whose weights map one to one")
    for role, weight in trained.items():
        name = pair_match.fit.leaves.get(role)
        if name not in with_slots:
            raise _refused(pair_match, f"slots of {name!r}")
        slots = detection.by_variable[name].slots
        yield weight.path, pair_match, role, {s: {role: tensor} for s, tensor in slots.items()}


def _refused(pair_match, expected):
    return PlanError(
        f"the optimizer's state of {pair_match.target.name!r}",
        expected,
        f"{pair_match.source.name!r}",
        _DROP,
    )


def _require_all_used(rows, detection):
    used = {n for row in rows for names in row[3].values() for n in names.values()}
    for variable, slot_set in sorted(detection.by_variable.items()):
        if not used.issuperset(slot_set.slots.values()):
            raise PlanError(
                f"the slots of {variable!r}",
                "a parameter of the optimizer that takes them",
                "none",
                "Leave the variable out: drop=[...] (--drop). " + _DROP,
            )


def _epsilon_notes(state, ckpt):
    """Returns what epsilon changes: the elements where it is over 1e-4 of a step."""
    slot = {"Adam": "v", "AdamW": "v", "RMSProp": "rms", "CenteredRMSProp": "rms"}.get(state.kind)
    if slot is None:
        return []
    few = total = 0
    for name, _, _, slots in state.rows:
        group = _group_of(state.optimizer, state.parameters[name])
        for tensor in slots[slot].values():
            values = np.asarray(ckpt[tensor], np.float64)
            with np.errstate(divide="ignore"):
                off = group["eps"] / np.sqrt(values) if slot == "v" else group["eps"] / values
            few += int(((off > 1e-4) & (values > 0)).sum())
            total += values.size
    if not few:
        return []
    return [
        f"{state.kind}: for {few} of {total} elements epsilon is more than 1e-4 of the step, and "
        "PyTorch adds it at another place than TF1: their steps differ"
    ]
