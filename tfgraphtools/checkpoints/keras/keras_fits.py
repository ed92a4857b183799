"""The fit of a checkpoint's unit and a Keras model's, and the conversion of one into the other.

A `Fit` is exact: the layer computes what TF1 computed. What no tensor says (activations,
epsilons, forget biases) is asked of `facts.questions`.
"""

import numpy as np

from tfgraphtools.checkpoints.facts import questions
from tfgraphtools.checkpoints.matching import cudnn, rnn
from tfgraphtools.checkpoints.matching.unit_fits import Fit, Misfit
from tfgraphtools.checkpoints.names import name_parts as names
from tfgraphtools.errors import ArgumentError

_NORMALISATIONS = {
    "BatchNormalization": ("batch",),
    "SyncBatchNormalization": ("batch",),
    "LayerNormalization": ("layer",),
    "GroupNormalization": ("group", "instance", "layer"),
}


def fit(source, target, tensors, facts=None):
    """Returns a `Fit` of a `Source` and a `Target`, or a `Misfit`.

    Args:
      tensors: {tensor name: (type name, shape)}.
      facts: {question: `Fact`} of the source; see `facts.questions`.
    """
    facts = facts or {}
    if source.kind == "refused":
        return Misfit(source.reason)
    if target.kind in _CELLS:
        return _cell_fit(source, target, tensors, facts)
    if source.kind != "plain" and (source.kind != target.kind or source.part is not None):
        return Misfit(f"the weights of a recurrent cell ({source.kind})")
    return _plain_fit(source, target, tensors, facts)


def candidate(source, target, tensors, facts=None):
    """Fits units that no map pairs: the halves of bidirectional layers stay apart."""
    half = names.direction(source.name)
    if target.kind in _CELLS and half and half != target.config.get("direction"):
        return Misfit(f"the {half} half of a bidirectional layer")
    return fit(source, target, tensors, facts)


# Layers -----------------------------------------------------------------------


def _plain_fit(source, target, tensors, facts):
    leaves = source.leaves
    if len(leaves) == len(target.weights) == 1:  # a table, an alpha, whatever it is called
        leaves = dict(zip(target.weights, leaves.values()))
    if set(leaves) != set(target.weights):
        return Misfit(_roles_differ(leaves, target))
    is_transposed = "transposed" in facts and target.kind == "Dense"
    shapes = {role: tuple(tensors[leaves[role]][1]) for role in leaves}
    if is_transposed:
        shapes["kernel"] = shapes["kernel"][::-1]
    wrong = _wrong_shapes(shapes, target)
    if wrong:
        return Misfit(wrong)
    if is_transposed:
        return _transposed_fit(leaves, facts["transposed"].source)
    notes = questions.convolution(facts, target.name, target.config)
    kind = names.normalisation(source.name)
    if target.kind in _NORMALISATIONS and kind:
        reason = _other_normalisation(kind, target)
        if reason:
            return Misfit(reason)
    if target.kind in _NORMALISATIONS:
        reason, notes = _epsilon(kind or _NORMALISATIONS[target.kind][0], target, facts)
        if reason:
            return Misfit(reason)
    return Fit(leaves, dict, dict, {}, notes, False, dict)


def _transposed_fit(leaves, path):
    """Returns the `Fit` of a dense layer whose matrix the graph multiplies transposed."""

    def convert(arrays):
        return dict(arrays, kernel=np.asarray(arrays["kernel"]).T)

    steps = {"kernel": f"transposed, as {path} multiplies it"}
    return Fit(leaves, convert, convert, steps, [], False, convert)


def _roles_differ(leaves, target):
    missing = sorted(set(target.weights) - set(leaves))
    extra = sorted(set(leaves) - set(target.weights))
    differences = []
    if missing:
        differences.append("no {}".format(", ".join(missing)))
    if extra:
        differences.append("{} besides".format(", ".join(extra)))
    switches = {"gamma": "scale", "beta": "center", "bias": "use_bias"}
    hints = [switches[role] for role in missing + extra if role in switches]
    hint = f" (build the layer with {hints[0]}={not missing})" if hints else ""
    return " and ".join(differences) + hint


def _wrong_shapes(shapes, target):
    for role, shape in shapes.items():
        if tuple(shape) != target.weights[role].shape:
            return f"{role} has the shape {list(shape)}, not {list(target.weights[role].shape)}"
    return ""


def _other_normalisation(kind, target):
    """Tells why a unit of one normalisation does not fit a layer of another, or ""."""
    if kind not in _NORMALISATIONS[target.kind]:
        return f"{kind} normalisation, not {target.kind}"
    groups = target.config.get("groups")
    channels = next(iter(target.weights.values())).shape[-1]
    if target.kind == "GroupNormalization" and kind == "instance" and groups not in (-1, channels):
        return f"instance normalisation: build the layer with groups=-1, not {groups}"
    if target.kind == "GroupNormalization" and kind == "layer" and groups != 1:
        return f"layer normalisation: build the layer with groups=1, not {groups}"
    return ""


def _epsilon(kind, target, facts):
    """Returns (why it does not fit or "", notes)."""
    whose, default = questions.EPSILONS[kind]
    defaults = f"{kind} normalisation of {whose}", default
    own = target.config.get("epsilon")
    reason, notes = questions.epsilon(facts, target.name, own, defaults)
    if kind == "group":
        notes.append(
            f"{target.name}: groups is {target.config.get('groups')}; a checkpoint does not say"
        )
    return reason, notes


# Recurrent cells ----------------------------------------------------------------


def _cell_fit(source, target, tensors, facts):
    if set(target.weights) != {"kernel", "recurrent_kernel", "bias"}:
        return Misfit("a cell of TF1 has a bias (build the layer with use_bias=True)")
    is_of_keras = "recurrent_kernel" in source.leaves and source.kind == "plain"
    wanted = target.config.get("recurrent_activation", "sigmoid")
    if not is_of_keras and "recurrent_activation" not in facts and wanted != "sigmoid":
        return Misfit(f"recurrent_activation is {wanted}; TF1's gates are sigmoid")
    reason, notes = _activations(target, facts, is_of_keras)
    if reason:
        return Misfit(reason)
    if is_of_keras:
        conversion = _plain_fit(source, target, tensors, facts)
    elif source.kind in cudnn.GATES:
        conversion = _of_cudnn(source, target)
    else:
        conversion = _CELLS[target.kind](source, target, facts)
    if isinstance(conversion, Misfit):
        return conversion
    conversion = conversion._replace(notes=notes + conversion.notes)
    if is_of_keras:
        return conversion
    try:
        shapes = _converted_shapes(conversion, tensors)
    except ArgumentError as error:
        return Misfit(f"{error.got} where a cell has {error.expected}")
    wrong = _wrong_shapes(shapes, target)
    return Misfit(wrong) if wrong else conversion


def _of_cudnn(source, target):
    if target.kind != {"CuDNNLSTM": "LSTMCell", "CuDNNGRU": "GRUCell"}[source.kind]:
        return Misfit(f"the weights of a {source.kind}")
    is_lstm = source.kind == "CuDNNLSTM"

    def convert(arrays):
        weights = cudnn.convert(source, arrays)
        return dict(weights, bias=weights["bias"].sum(0)) if is_lstm else weights

    def back(arrays):
        bias = np.asarray(arrays["bias"])
        bias = np.stack([bias, np.zeros_like(bias)]) if is_lstm else bias
        return cudnn.back(source, dict(arrays, bias=bias))

    steps = dict.fromkeys(target.weights, "cuDNN's matrices transposed")
    steps["bias"] = "its two biases added" if is_lstm else "its two biases"
    has_slots = not is_lstm and source.part is None
    return Fit(
        dict(source.leaves),
        convert,
        convert if has_slots else None,
        steps,
        [],
        False,
        back if source.part is None else None,
    )


def _activations(target, facts, is_of_keras):
    """Returns (why the activations or the reset gate do not fit or "", notes)."""
    notes = []
    asked = {"activation": "tanh"}
    if target.kind != "SimpleRNNCell":
        asked["recurrent_activation"] = None if is_of_keras else "sigmoid"
    for question, default in asked.items():
        own = target.config.get(question, default)
        is_keras3 = target.config.get("package") == "keras"
        reason, more_notes = questions.activation(
            facts, question, own, default, target.name, is_keras3
        )
        if reason:
            return reason, []
        notes += more_notes
    return questions.reset_after(facts, target.config.get("reset_after")), notes


def _converted_shapes(conversion, tensors):
    """Returns the shapes that a conversion gives, by converting zeros that take no memory."""
    zeros = {
        argument: np.broadcast_to(np.float32(0), tensors[name][1])
        for argument, name in conversion.leaves.items()
    }
    return {role: array.shape for role, array in conversion.convert(zeros).items()}


def _lstm(source, target, facts):
    if source.kind not in ("lstm", "projected lstm", "plain"):
        return Misfit(f"the weights of a {source.kind}")
    if source.kind == "plain" and set(source.leaves) != {"kernel", "bias"}:
        return Misfit("not the kernel and bias of a cell")
    if questions.gates(facts):
        return Misfit(questions.gates(facts))
    bias, note = questions.forget_bias(facts)
    steps = dict.fromkeys(target.weights, "gates i,c,f,o -> i,f,c,o")
    if bias:
        steps["bias"] += f"; {bias:+g} on f"
    convert, convert_slots = _without_projection(bias), _without_projection(0.0)
    if source.kind == "projected lstm":
        steps["recurrent_kernel"] += "; times the projection"
        convert_slots = None
    notes = [f"{target.name}: {note}"] if note else []

    def back(arrays):
        return rnn.lstm_from_keras(forget_bias=bias, **arrays)

    back = None if source.kind == "projected lstm" else back
    return Fit(dict(source.leaves), convert, convert_slots, steps, notes, bias != 0, back)


def _without_projection(forget_bias):
    def convert(arrays):
        weights = rnn.lstm_to_keras(forget_bias=forget_bias, **arrays)
        weights.pop("projection_kernel", None)  # the Dense layer's, which has a row of its own
        return weights

    return convert


def _gru(source, target, facts):
    reset_after = target.config.get("reset_after", False)
    if source.kind == "gru" and reset_after:
        return Misfit("a GRUCell of TF1: build the layer with reset_after=False")
    if source.kind == "cudnn gru" and not reset_after:
        return Misfit("a cuDNN GRU: build the layer with reset_after=True")
    conversions = {
        "gru": (rnn.gru_to_keras, rnn.gru_from_keras),
        "cudnn gru": (rnn.cudnn_gru_to_keras, rnn.cudnn_gru_from_keras),
    }
    if source.kind not in conversions:
        return Misfit(f"the weights of a {source.kind} unit")
    convert, back = conversions[source.kind]
    slots = (lambda arrays: convert(**arrays)) if source.kind == "gru" else None
    return Fit(
        dict(source.leaves),
        lambda arrays: convert(**arrays),
        slots,
        dict.fromkeys(target.weights, "gates r,u -> z,r"),
        [],
        False,
        lambda arrays: back(**arrays),
    )


def _basic_rnn(source, target, facts):
    if source.kind not in ("basic rnn", "plain") or set(source.leaves) != {"kernel", "bias"}:
        return Misfit(f"the weights of a {source.kind} unit")

    def convert(arrays):
        return rnn.basic_rnn_to_keras(**arrays)

    steps = {"kernel": "the input's rows", "recurrent_kernel": "the other rows"}
    return Fit(dict(source.leaves), convert, convert, steps, [], False, _basic_rnn_back)


def _basic_rnn_back(arrays):
    return rnn.basic_rnn_from_keras(**arrays)


def tensors_of(conversion, role):
    """Returns the tensors that a weight is made of, of a `Fit`."""
    if role in conversion.leaves and not conversion.steps:
        return (conversion.leaves[role],)
    is_bias = role == "bias"  # no conversion mixes biases and kernels
    names = [n for argument, n in conversion.leaves.items() if argument.endswith("bias") == is_bias]
    if set(conversion.leaves) == {"parameters"}:  # of cuDNN, in one array
        names = list(conversion.leaves.values())
    if role == "kernel" and "projection_kernel" in conversion.leaves:
        names.remove(conversion.leaves["projection_kernel"])
    return tuple(sorted(names))


_CELLS = {"LSTMCell": _lstm, "GRUCell": _gru, "SimpleRNNCell": _basic_rnn}
