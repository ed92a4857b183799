"""The fit of a TF1 checkpoint's unit and a PyTorch model's, and the exact conversion."""

import numpy as np

from tfgraphtools.checkpoints.facts import questions
from tfgraphtools.checkpoints.matching.unit_fits import Fit, Misfit
from tfgraphtools.checkpoints.names import name_parts as names
from tfgraphtools.checkpoints.torch import layouts, torch_cells
from tfgraphtools.errors import PlanError

_NORMS = ("batch norm", "norm")
#: What a normalisation of TF1 without a gamma or a beta computes with.
_NEUTRAL = {"gamma": 1, "beta": 0}
#: TF1's and PyTorch's epsilon by default, by kind of normalisation in TF1.
_EPSILONS = {"batch": 1e-3, "layer": 1e-12, "instance": 1e-6, "group": 1e-6}


def fit(source, target, tensors, facts=None, rows=None):
    """Returns a `Fit` of a `Source` of the checkpoint and a `Target` of the model, or a `Misfit`.

    Args:
      tensors: {tensor name: (type name, shape)}.
      facts: {question: `Fact`} of the source; see `facts.questions`.
      rows: the shape [h, w, c] that TF1 flattened in front of a dense kernel; None or False if
        it did not.
    """
    facts = facts or {}
    if source.kind == "refused":
        return Misfit(source.reason)
    if target.kind in torch_cells.KINDS:
        return torch_cells.fit(source, target, tensors, facts)
    if source.kind != "plain":
        return Misfit(f"the weights of a recurrent cell ({source.kind})")
    leaves, neutral = _paired(source, target)
    if isinstance(leaves, Misfit):
        return leaves
    shapes = {role: tensors[name][1] for role, name in leaves.items()}
    layout = {}
    for role, weight in target.weights.items():
        if role in neutral:
            continue
        weight_layout = _layout(source, target, role, shapes[role], weight.shape, rows, facts)
        if isinstance(weight_layout, Misfit):
            return weight_layout
        layout[role] = weight_layout
    reason, notes = _computation(source, target, facts)
    if reason:
        return Misfit(reason)
    return _layer_fit(source, target, leaves, layout, neutral)._replace(notes=notes)


def _paired(source, target):
    """Returns ({role: tensor}, roles that TF1's layer does not have), or (`Misfit`, ())."""
    leaves, wanted = source.leaves, set(target.weights)
    if len(leaves) == len(wanted) == 1 and target.kind not in _NORMS:
        return dict(zip(target.weights, leaves.values())), ()
    neutral = ()
    if target.kind in _NORMS and set(leaves) <= wanted:
        neutral = tuple(sorted(wanted - set(leaves)))
        if not set(neutral) <= set(_NEUTRAL) or len(leaves) == 0:
            return Misfit("no {}".format(", ".join(neutral))), ()
    roles = {_role(role) for role in leaves}
    if roles != wanted - set(neutral):
        missing, extra = sorted(wanted - roles - set(neutral)), sorted(roles - wanted)
        differences = []
        if missing:
            differences.append("no {}".format(", ".join(missing)))
        if extra:
            differences.append("also {}".format(", ".join(extra)))
        return Misfit(" and ".join(differences)), ()
    kind = names.normalisation(source.name)
    if target.kind == "norm" and kind == "batch":
        return Misfit("batch normalisation without its moving averages"), ()
    return {_role(role): name for role, name in leaves.items()}, neutral


def _role(role):
    return "kernel" if role == "depthwise_kernel" else role


def _layout(source, target, role, shape, wanted, rows, facts):
    """Returns the `Layout` of one weight, or a `Misfit`."""
    if role == "gain":
        return _layout_of_gain(source, target, shape, wanted)
    if role == "kernel" and rows:
        possible = layouts.flattened(rows, shape, wanted)
        return possible or Misfit(f"a kernel of {list(shape)}, which is not {list(rows)} flattened")
    possible = layouts.candidates(shape, wanted)
    is_transposed = role == "kernel" and "transposed" in facts
    names_ = ["same"] if is_transposed else _layouts_of(source, target, role, possible)
    if isinstance(names_, Misfit):
        return names_
    for name in names_:
        if name in possible:
            return possible[name]
    if is_transposed:
        shape = tuple(shape)[::-1]
    elif "transposed" in names_ and "same" in possible:
        hint = f"(pass transpose={{{next(iter(source.leaves.values()))!r}: [1, 0]}})"
        return Misfit(f"{role} has the shape {list(shape)}, as PyTorch has it, not TF 1 {hint}")
    return Misfit(f"{role} has the shape {list(shape)}, PyTorch's is {list(wanted)}")


def _layout_of_gain(source, target, shape, wanted):
    """Returns the `Layout` of the factor of a normalised kernel, one for each output."""
    if "depthwise_kernel" in source.leaves:
        return Misfit("a normalised depthwise kernel: no name says along which axes")
    rank, is_transposed = len(target.weights["kernel"].shape), target.config.get("is_transposed")
    axis = 1 if is_transposed else 0
    outputs = target.weights["kernel"].shape[axis]
    one_each = tuple(outputs if number == axis else 1 for number in range(rank))
    if tuple(shape) == tuple(wanted) == ():
        return layouts.SAME
    if tuple(wanted) != one_each:
        return Misfit(
            f"weight_norm of other axes: weight_g has the shape {list(wanted)}, and {axis} is the "
            f"axis of the outputs (weight_norm(..., dim={axis}))"
        )
    if int(np.prod(shape)) != outputs or outputs not in (*shape, 1):
        return Misfit(f"a gain of {list(shape)} for {outputs} outputs")
    return layouts.reshaped(shape, wanted)


def _layouts_of(source, target, role, possible):
    """Returns the layouts that this kind of weight may have, the surest first."""
    if target.kind == "linear" and role == "kernel":
        return ["transposed"]
    if target.kind == "conv" and role == "kernel":
        depthwise = "depthwise_kernel" in source.leaves
        return ["depthwise"] if depthwise else ["conv", "depthwise"]
    if target.kind != "matrix" or role != "kernel":
        return ["same"]
    if not {"same", "transposed"} <= set(possible):
        return ["transposed", "same"]
    words = set(names.words(source.name) + names.words(target.name))
    words.update(names.words(next(iter(source.leaves.values()))))
    if words & {"embedding", "lookup", "table"}:
        return ["same"]
    if "kernel" in source.leaves:
        return ["transposed"]
    return Misfit("a square matrix: a state dict does not say if it is a Linear's (pass the model)")


def _layer_fit(source, target, leaves, layout, neutral):
    """Returns the `Fit` of a layer."""

    def convert(arrays):
        done = {role: layout[role].forward(array) for role, array in arrays.items()}
        example = next(iter(arrays.values()))
        for role in neutral:
            done[role] = np.full(target.weights[role].shape, _NEUTRAL[role], example.dtype)
        return done

    def back(arrays):
        for role in neutral:
            if (np.asarray(arrays[role]) != _NEUTRAL[role]).any():
                raise PlanError(
                    target.weights[role].path,
                    f"{_NEUTRAL[role]} everywhere: TF1's {source.name!r} has no {role}",
                    "other values",
                    "Build the layer of TF1 with it, or train this one without.",
                )
        return {role: layout[role].backward(arrays[role]) for role in leaves}

    steps = {role: layout[role].words for role in leaves if layout[role].words}
    for role in neutral:
        steps[role] = f"all {_NEUTRAL[role]}: TF1's layer has none"
    return Fit(dict(leaves), convert, None if neutral else convert, steps, [], False, back)


def _computation(source, target, facts):
    """Returns (why the layer computes something else or "", notes)."""
    if target.kind == "conv":
        name, kernel = target.name or "the module", target.weights.get("kernel")
        notes = questions.convolution(facts, name, target.config)
        if kernel is not None:
            is_transposed = bool(target.config.get("is_transposed"))
            sizes = kernel.shape[2:]
            notes += questions.pads(facts, name, target.config, sizes, is_transposed)
        return "", notes
    kind = names.normalisation(source.name)
    if target.kind not in _NORMS:
        return "", []
    kind = names.normalisation(source.name) or ("batch" if target.kind == "batch norm" else "layer")
    own = target.config.get("epsilon")
    defaults = f"{kind} normalisation of TF1", _EPSILONS[kind]
    return questions.epsilon(facts, target.name or "the module", own, defaults)
