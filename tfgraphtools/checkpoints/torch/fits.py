"""Whether a unit of a TF1 checkpoint fits a unit of a PyTorch model, and the exact conversion."""

import numpy as np

from tfgraphtools.checkpoints.keras import rnn
from tfgraphtools.checkpoints.keras.fits import Fit, Misfit
from tfgraphtools.checkpoints.names import parts as names
from tfgraphtools.checkpoints.torch import layouts
from tfgraphtools.errors import ArgumentError, PlanError

_NORMS = ("batch norm", "norm")
_STATISTICS = ("moving_mean", "moving_variance")
#: What a normalisation of TF1 without a gamma or a beta computes with.
_NEUTRAL = {"gamma": 1, "beta": 0}
#: TF1's and PyTorch's epsilon by default, by kind of normalisation in TF1.
_EPSILONS = {"batch": 1e-3, "layer": 1e-12, "instance": 1e-6, "group": 1e-6}
#: Keras's gates z, r, h -> PyTorch's r, z, n.
_GRU_ORDER = (1, 0, 2)


def fit(source, target, tensors, forget_bias=None, rows=None):
    """A `Fit` of a `Source` of the checkpoint and a `Target` of the model, or a `Misfit`.

    Args:
      tensors: {tensor name: (type name, shape)}.
      forget_bias: a number instead of the LSTM cell's own; None: its own.
      rows: the shape [h, w, c] that TF1 flattened in front of a dense kernel; None or False if
        it did not.
    """
    if source.kind == "refused":
        return Misfit(source.reason)
    if target.kind in _CELLS:
        return _cell(source, target, tensors, forget_bias)
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
        found = _layout(source, target, role, shapes[role], weight.shape, rows)
        if isinstance(found, Misfit):
            return found
        layout[role] = found
    return _plain(source, target, leaves, layout, neutral)


def _paired(source, target):
    """({role: tensor}, roles that TF1's layer does not have), or (`Misfit`, ())."""
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
        said = []
        if missing:
            said.append("no {}".format(", ".join(missing)))
        if extra:
            said.append("also {}".format(", ".join(extra)))
        return Misfit(" and ".join(said)), ()
    kind = names.normalisation(source.name)
    if target.kind == "norm" and kind == "batch":
        return Misfit("batch normalisation without its moving averages"), ()
    return {_role(role): name for role, name in leaves.items()}, neutral


def _role(role):
    return "kernel" if role == "depthwise_kernel" else role


def _layout(source, target, role, shape, wanted, rows):
    """The `Layout` of one weight, or a `Misfit`."""
    if role == "kernel" and rows:
        found = layouts.flattened(rows, shape, wanted)
        return found or Misfit(f"a kernel of {list(shape)}, which is not {list(rows)} flattened")
    found = layouts.candidates(shape, wanted)
    names_ = _layouts_of(source, target, role, found)
    if isinstance(names_, Misfit):
        return names_
    for name in names_:
        if name in found:
            return found[name]
    return Misfit(f"{role} has the shape {list(shape)}, PyTorch's is {list(wanted)}")


def _layouts_of(source, target, role, found):
    """The layouts that this kind of weight may have, the surest first."""
    if target.kind == "linear" and role == "kernel":
        return ["transposed"]
    if target.kind == "conv" and role == "kernel":
        depthwise = "depthwise_kernel" in source.leaves
        return ["depthwise"] if depthwise else ["conv", "depthwise"]
    if target.kind != "matrix" or role != "kernel":
        return ["same"]
    if not {"same", "transposed"} <= set(found):
        return ["transposed", "same"]
    words = set(names.words(source.name) + names.words(target.name))
    words.update(names.words(next(iter(source.leaves.values()))))
    if words & {"embedding", "lookup", "table"}:
        return ["same"]
    if "kernel" in source.leaves:
        return ["transposed"]
    return Misfit("a square matrix: a state dict does not say if it is a Linear's (pass the model)")


def _plain(source, target, leaves, layout, neutral):
    """The `Fit` of a layer."""

    def convert(arrays):
        done = {role: layout[role].forward(array) for role, array in arrays.items()}
        some = next(iter(arrays.values()))
        for role in neutral:
            done[role] = np.full(target.weights[role].shape, _NEUTRAL[role], some.dtype)
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
    slots, notes = None if neutral else convert, _notes(source, target)
    return Fit(dict(leaves), convert, slots, steps, notes, False, back)


def _notes(source, target):
    kind = names.normalisation(source.name)
    if target.kind not in _NORMS or "epsilon" not in target.config:
        return []
    if kind is None:
        kind = "batch" if target.kind == "batch norm" else "layer"
    found, expected = target.config["epsilon"], _EPSILONS[kind]
    if found == expected:
        return []
    return [
        f"{target.name}: eps is {found}; {kind} normalisation of TF1 has {expected:g} by default, "
        "and a checkpoint does not say"
    ]


# Recurrent cells --------------------------------------------------------------


def _cell(source, target, tensors, forget_bias):
    roles = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}
    if set(target.weights) != roles:
        return Misfit("a cell of TF1 has a bias and no projection (build the module so)")
    half = names.direction(source.name)
    if half and half != target.config.get("direction", "forward"):
        return Misfit(f"the {half} half of a bidirectional layer")
    found = _CELLS[target.kind](source, target, forget_bias)
    if isinstance(found, Misfit):
        return found
    zeros = {
        argument: np.broadcast_to(np.float32(0), tensors[name][1])
        for argument, name in found.leaves.items()
    }
    try:
        shapes = {role: array.shape for role, array in found.convert(zeros).items()}
    except ArgumentError as error:
        return Misfit(f"{error.got} where a cell has {error.expected}")
    for role, weight in target.weights.items():
        if shapes[role] != tuple(weight.shape):
            return Misfit(f"{role} would be {list(shapes[role])}, not {list(weight.shape)}")
    return found


def _torch_cell(weights, order=None, second=None):
    """PyTorch's four arrays from Keras's three, gates in the given order.

    TF1's bias goes to ih, bit by bit; what it adds without storing it, ``second``, to hh.
    """
    kernel, recurrent, bias = (
        _gates(np.asarray(weights[role]), order) for role in ("kernel", "recurrent_kernel", "bias")
    )
    if bias.ndim == 1:
        bias = np.stack([bias, np.zeros_like(bias) if second is None else second])
    return {"weight_ih": kernel.T, "weight_hh": recurrent.T, "bias_ih": bias[0], "bias_hh": bias[1]}


def _keras_cell(arrays, order=None, second=0):
    """The way back: Keras's arrays; biases are added, unless hh is what `_torch_cell` gave it."""
    first, hidden = np.asarray(arrays["bias_ih"]), np.asarray(arrays["bias_hh"])
    return {
        "kernel": _gates(arrays["weight_ih"].T, order),
        "recurrent_kernel": _gates(arrays["weight_hh"].T, order),
        "bias": np.where(hidden == second, first, first + (hidden - second)),
    }


def _forget(bias, size, dtype):
    """What TF1's LSTM adds to the gates i, f, g, o."""
    units = size // 4
    added = np.zeros(size, dtype)
    added[units : 2 * units] = bias
    return added


def _gates(array, order):
    if order is None:
        return array
    parts = np.split(array, len(order), axis=-1)
    return np.concatenate([parts[i] for i in order], axis=-1)


def _lstm(source, target, forget_bias):
    if "recurrent_kernel" in source.leaves:
        return _of_keras(source, target, "recurrent_activation is sigmoid in PyTorch")
    if source.kind not in ("lstm", "plain") or set(source.leaves) != {"kernel", "bias"}:
        return Misfit(f"the weights of a {source.kind}")
    bias = source.forget_bias or 0.0 if forget_bias is None else float(forget_bias)

    def convert(arrays):
        weights = rnn.lstm_to_keras(forget_bias=0.0, **arrays)
        added = _forget(bias, weights["bias"].size, weights["bias"].dtype)
        return _torch_cell(weights, second=added)

    def back(arrays):
        hidden = np.asarray(arrays["bias_hh"])
        added = _forget(bias, hidden.size, hidden.dtype)
        return rnn.lstm_from_keras(forget_bias=0.0, **_keras_cell(arrays, second=added))

    steps = dict.fromkeys(target.weights, "gates i,c,f,o -> i,f,g,o; transposed")
    steps["bias_ih"] = "gates i,c,f,o -> i,f,g,o"
    steps["bias_hh"] = "all 0: TF1 has one bias"
    if bias:
        steps["bias_hh"] = f"all 0 but {bias:g} for f, which TF1's cell adds"
    return Fit(dict(source.leaves), convert, None, steps, [], bias != 0, back)


def _of_keras(source, target, hint):
    def convert(arrays):
        return _torch_cell(arrays)

    note = f"{target.name}: {hint}; in TF1's tf.keras it is hard_sigmoid by default"
    steps = dict.fromkeys(target.weights, "transposed")
    steps.update(bias_ih="", bias_hh="all 0: TF1 has one bias")
    return Fit(dict(source.leaves), convert, None, steps, [note], False, _keras_cell)


def _gru(source, target, forget_bias):
    if source.kind != "cudnn gru":
        return Misfit(
            "a GRU of TF1 whose reset gate comes before the matrix product; torch.nn.GRU's comes "
            "after it, as in CudnnCompatibleGRUCell alone"
        )

    def convert(arrays):
        return _torch_cell(rnn.cudnn_gru_to_keras(**arrays), _GRU_ORDER)

    def back(arrays):
        both = np.stack([_gates(np.asarray(arrays["bias_" + h]), _GRU_ORDER) for h in ("ih", "hh")])
        return rnn.cudnn_gru_from_keras(**dict(_keras_cell(arrays, _GRU_ORDER), bias=both))

    steps = dict.fromkeys(target.weights, "gates r,u,c -> r,z,n; transposed")
    steps.update(dict.fromkeys(("bias_ih", "bias_hh"), "gates r,u,c -> r,z,n"))
    return Fit(dict(source.leaves), convert, None, steps, [], False, back)


def _basic(source, target, forget_bias):
    if "recurrent_kernel" in source.leaves:
        return _of_keras(source, target, "nonlinearity is tanh in PyTorch")._replace(notes=[])
    if source.kind not in ("basic rnn", "plain") or set(source.leaves) != {"kernel", "bias"}:
        return Misfit(f"the weights of a {source.kind}")

    def convert(arrays):
        return _torch_cell(rnn.basic_rnn_to_keras(**arrays))

    def back(arrays):
        return rnn.basic_rnn_from_keras(**_keras_cell(arrays))

    steps = dict.fromkeys(target.weights, "transposed")
    steps.update(bias_ih="", bias_hh="all 0: TF1 has one bias")
    return Fit(dict(source.leaves), convert, None, steps, [], False, back)


_CELLS = {"lstm": _lstm, "gru": _gru, "rnn": _basic}
