"""Whether a unit of a checkpoint fits a unit of a model, and how the one becomes the other.

A `Fit` is exact: the layer computes what TF1 computed. What the checkpoint cannot
say (activations, epsilons) is compared with TF1's defaults and noted.
"""

import collections

from tfgraphtools.checkpoints.keras import rnn
from tfgraphtools.checkpoints.names import parts as names
from tfgraphtools.errors import ArgumentError, PlanError

#: How a source becomes a target. ``leaves``: {argument: tensor name}; ``convert(arrays)`` gives
#: {role: array} and ``convert_slots`` the same of an optimizer's slots, None if that cannot be
#: exact; ``steps`` says what is done: {role: words}; ``notes`` what the checkpoint does not say;
#: ``is_shifted`` if something is added to a weight; ``back(arrays)`` gives {argument: array} of
#: {role: array}, None if there is no way back.
Fit = collections.namedtuple("Fit", "leaves convert convert_slots steps notes is_shifted back")
Fit.__new__.__defaults__ = (False, None)

#: A model's layer cannot take a unit: ``reason`` says why.
Misfit = collections.namedtuple("Misfit", "reason")

_NORMALISATIONS = {
    "BatchNormalization": ("batch",),
    "SyncBatchNormalization": ("batch",),
    "LayerNormalization": ("layer",),
    "GroupNormalization": ("group", "instance", "layer"),
}
#: {kind of normalisation: epsilons that TF1's functions have by default}
_EPSILONS = {
    "batch": ("tf.layers and slim", 1e-3),
    "layer": ("tf.contrib.layers", 1e-12),
    "instance": ("tf.contrib.layers", 1e-6),
    "group": ("tf.contrib.layers", 1e-6),
}


def fit(source, target, tensors, forget_bias=None):
    """A `Fit` of a `Source` and a `Target`, or a `Misfit`.

    Args:
      tensors: {tensor name: (type name, shape)}.
      forget_bias: a number instead of the cell's own; None: its own, 0 if that is not known (see
        `require_forget_bias`).
    """
    if source.kind == "refused":
        return Misfit(source.reason)
    if target.kind in _CELLS:
        return _cell_fit(source, target, tensors, forget_bias)
    if source.kind != "plain":
        return Misfit(f"the weights of a recurrent cell ({source.kind})")
    return _plain_fit(source, target, tensors)


def candidate(source, target, tensors, forget_bias=None):
    """As `fit`, for units that no map pairs: the halves of bidirectional layers stay apart."""
    half = names.direction(source.name)
    if target.kind in _CELLS and half and half != target.config.get("direction"):
        return Misfit(f"the {half} half of a bidirectional layer")
    return fit(source, target, tensors, forget_bias)


def require_forget_bias(source, target, forget_bias):
    """Raises `PlanError` if an LSTM's forget bias is neither given nor known by its name."""
    is_lstm = target.kind == "LSTMCell" and "recurrent_kernel" not in source.leaves
    if is_lstm and forget_bias is None and source.forget_bias is None:
        raise PlanError(
            f"the LSTM {source.name!r}",
            "the forget bias with which its cell was built",
            "a name that is not one of TF's cells, and none given",
            "Pass forget_bias=1.0 (--forget-bias 1.0) if the code did not set it: that is TF1's "
            "default, which no checkpoint holds.",
        )


# Layers -----------------------------------------------------------------------


def _plain_fit(source, target, tensors):
    leaves = source.leaves
    if len(leaves) == len(target.weights) == 1:  # a table, an alpha, whatever it is called
        leaves = dict(zip(target.weights, leaves.values()))
    if set(leaves) != set(target.weights):
        return Misfit(_roles_differ(leaves, target))
    wrong = _wrong_shapes({role: tensors[leaves[role]][1] for role in leaves}, target)
    if wrong:
        return Misfit(wrong)
    notes = []
    kind = names.normalisation(source.name)
    if target.kind in _NORMALISATIONS and kind:
        reason = _other_normalisation(kind, target)
        if reason:
            return Misfit(reason)
    if target.kind in _NORMALISATIONS:
        notes = _epsilon_notes(kind or _NORMALISATIONS[target.kind][0], target)
    return Fit(leaves, dict, dict, {}, notes, False, dict)


def _roles_differ(leaves, target):
    missing = sorted(set(target.weights) - set(leaves))
    extra = sorted(set(leaves) - set(target.weights))
    said = []
    if missing:
        said.append("no {}".format(", ".join(missing)))
    if extra:
        said.append("{} besides".format(", ".join(extra)))
    switches = {"gamma": "scale", "beta": "center", "bias": "use_bias"}
    hints = [switches[role] for role in missing + extra if role in switches]
    hint = f" (build the layer with {hints[0]}={not missing})" if hints else ""
    return " and ".join(said) + hint


def _wrong_shapes(shapes, target):
    for role, shape in shapes.items():
        if tuple(shape) != target.weights[role].shape:
            return f"{role} has the shape {list(shape)}, not {list(target.weights[role].shape)}"
    return ""


def _other_normalisation(kind, target):
    """Why a unit of one normalisation does not fit a layer of another, or ""."""
    if kind not in _NORMALISATIONS[target.kind]:
        return f"{kind} normalisation, not {target.kind}"
    groups = target.config.get("groups")
    channels = next(iter(target.weights.values())).shape[-1]
    if target.kind == "GroupNormalization" and kind == "instance" and groups not in (-1, channels):
        return f"instance normalisation: build the layer with groups=-1, not {groups}"
    if target.kind == "GroupNormalization" and kind == "layer" and groups != 1:
        return f"layer normalisation: build the layer with groups=1, not {groups}"
    return ""


def _epsilon_notes(kind, target):
    whose, epsilon = _EPSILONS[kind]
    found = target.config.get("epsilon")
    notes = []
    if found is not None and float(found) != epsilon:
        notes.append(
            f"{target.name}: epsilon is {found:g}; {kind} normalisation of {whose} has "
            f"{epsilon:g} by default, and a checkpoint does not say"
        )
    if kind == "group":
        notes.append(
            f"{target.name}: groups is {target.config.get('groups')}; a checkpoint does not say"
        )
    return notes


# Recurrent cells ----------------------------------------------------------------


def _cell_fit(source, target, tensors, forget_bias):
    if set(target.weights) != {"kernel", "recurrent_kernel", "bias"}:
        return Misfit("a cell of TF1 has a bias (build the layer with use_bias=True)")
    if "recurrent_kernel" in source.leaves:
        found = _plain_fit(source, target, tensors)
        if isinstance(found, Fit):
            found = found._replace(notes=_keras_notes(target))
        return found
    wanted = target.config.get("recurrent_activation", "sigmoid")
    if wanted != "sigmoid":
        return Misfit(f"recurrent_activation is {wanted}; TF1's gates are sigmoid")
    found = _CELLS[target.kind](source, target, forget_bias)
    if isinstance(found, Misfit):
        return found
    try:
        shapes = _converted_shapes(found, tensors)
    except ArgumentError as error:
        return Misfit(f"{error.got} where a cell has {error.expected}")
    wrong = _wrong_shapes(shapes, target)
    return Misfit(wrong) if wrong else found


def _converted_shapes(found, tensors):
    """The shapes that a conversion gives, by converting zeros that take no memory."""
    import numpy as np

    zeros = {
        argument: np.broadcast_to(np.float32(0), tensors[name][1])
        for argument, name in found.leaves.items()
    }
    return {role: array.shape for role, array in found.convert(zeros).items()}


def _lstm(source, target, forget_bias):
    if source.kind not in ("lstm", "projected lstm", "plain"):
        return Misfit(f"the weights of a {source.kind}")
    if source.kind == "plain" and set(source.leaves) != {"kernel", "bias"}:
        return Misfit("not the kernel and bias of a cell")
    bias = source.forget_bias or 0.0 if forget_bias is None else float(forget_bias)
    steps = dict.fromkeys(target.weights, "gates i,c,f,o -> i,f,c,o")
    if bias:
        steps["bias"] += f"; {bias:+g} on f"
    convert, convert_slots = _without_projection(bias), _without_projection(0.0)
    if source.kind == "projected lstm":
        steps["recurrent_kernel"] += "; times the projection"
        convert_slots = None
    notes = _activation_notes(target)

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


def _gru(source, target, forget_bias):
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
        _activation_notes(target),
        False,
        lambda arrays: back(**arrays),
    )


def _basic_rnn(source, target, forget_bias):
    if source.kind not in ("basic rnn", "plain") or set(source.leaves) != {"kernel", "bias"}:
        return Misfit(f"the weights of a {source.kind} unit")

    def convert(arrays):
        return rnn.basic_rnn_to_keras(**arrays)

    steps = {"kernel": "the input's rows", "recurrent_kernel": "the other rows"}
    notes = _activation_notes(target)
    return Fit(dict(source.leaves), convert, convert, steps, notes, False, _basic_rnn_back)


def _basic_rnn_back(arrays):
    return rnn.basic_rnn_from_keras(**arrays)


def tensors_of(found, role):
    """The tensors that a weight is made of, of a `Fit`."""
    if role in found.leaves and not found.steps:
        return (found.leaves[role],)
    is_bias = role == "bias"  # no conversion mixes biases and kernels
    names = [n for argument, n in found.leaves.items() if argument.endswith("bias") == is_bias]
    if role == "kernel" and "projection_kernel" in found.leaves:
        names.remove(found.leaves["projection_kernel"])
    return tuple(sorted(names))


_CELLS = {"LSTMCell": _lstm, "GRUCell": _gru, "SimpleRNNCell": _basic_rnn}


def _activation_notes(target):
    found = target.config.get("activation", "tanh")
    if found == "tanh":
        return []
    return [f"{target.name}: activation is {found}; TF1's is tanh by default"]


def _keras_notes(target):
    if target.kind == "SimpleRNNCell":
        return _activation_notes(target)
    found = target.config.get("recurrent_activation")
    return _activation_notes(target) + [
        f"{target.name}: recurrent_activation is {found}; in TF1's tf.keras it is hard_sigmoid by "
        "default, clip(0.2 * x + 0.5, 0, 1), which Keras 3's hard_sigmoid is not"
    ]
