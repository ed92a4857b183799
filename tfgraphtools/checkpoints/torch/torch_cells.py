"""Recurrent cells of TF1 in PyTorch: the order of gates, the biases, and the way back.

Sources: `rnn_cell_impl.py` and `keras/layers/recurrent.py` of TF 1.15, `torch/nn/modules/rnn.py`.
"""

import numpy as np

from tfgraphtools.checkpoints.facts import questions
from tfgraphtools.checkpoints.matching import cudnn, rnn
from tfgraphtools.checkpoints.matching.unit_fits import Fit, Misfit
from tfgraphtools.checkpoints.names import name_parts as names
from tfgraphtools.errors import ArgumentError

#: Keras's gates z, r, h -> PyTorch's r, z, n.
_GRU_ORDER = (1, 0, 2)


def fit(source, target, tensors, facts):
    """Returns the `Fit` of TF1's cell and a layer of PyTorch, or a `Misfit`: see `torch_fits`."""
    roles = {"weight_ih", "weight_hh", "bias_ih", "bias_hh"}
    if set(target.weights) != roles:
        return Misfit("a cell of TF1 has a bias and no projection (build the module so)")
    half = names.direction(source.name)
    if half and half != target.config.get("direction", "forward"):
        return Misfit(f"the {half} half of a bidirectional layer")
    if source.kind in cudnn.GATES:
        conversion = _of_cudnn(source, target)
    elif target.kind == "gru" and "recurrent_kernel" in source.leaves:
        conversion = _gru_of_keras(source, target, tensors)
    else:
        conversion = KINDS[target.kind](source, target, facts)
    if isinstance(conversion, Misfit):
        return conversion
    reason, notes = _activations(source, target, facts)
    if reason:
        return Misfit(reason)
    conversion = conversion._replace(notes=notes + conversion.notes)
    zeros = {
        argument: np.broadcast_to(np.float32(0), tensors[name][1])
        for argument, name in conversion.leaves.items()
    }
    try:
        shapes = {role: array.shape for role, array in conversion.convert(zeros).items()}
    except ArgumentError as error:
        return Misfit(f"{error.got} where a cell has {error.expected}")
    for role, weight in target.weights.items():
        if shapes[role] != tuple(weight.shape):
            return Misfit(f"{role} would be {list(shapes[role])}, not {list(weight.shape)}")
    return conversion


def _activations(source, target, facts):
    """Returns (why PyTorch's activations differ or "", notes); LSTM and GRU have no choice."""
    is_of_keras = "recurrent_kernel" in source.leaves
    own = target.config.get("nonlinearity", "tanh") if target.kind == "rnn" else "tanh"
    name = target.name or "the module"

    def build(value):
        if target.kind == "rnn" and value in ("relu", "tanh"):
            return f"build the module with nonlinearity={value!r}"
        return "no module of PyTorch has it; --to keras converts such a cell"

    reason, notes = questions.activation(facts, "activation", own, "tanh", name, build=build)
    if reason or target.kind == "rnn":
        return reason, notes
    default = None if is_of_keras else "sigmoid"
    reason, more_notes = questions.activation(
        facts, "recurrent_activation", "sigmoid", default, name, build=build
    )
    return reason, notes + more_notes


def _torch_cell(weights, order=None, second=None):
    """Returns PyTorch's four arrays from Keras's three, gates in the given order.

    TF1's bias goes to ih, bit by bit; what it adds without storing it, ``second``, to hh.
    """
    kernel, recurrent, bias = (
        _gates(np.asarray(weights[role]), order) for role in ("kernel", "recurrent_kernel", "bias")
    )
    if bias.ndim == 1:
        bias = np.stack([bias, np.zeros_like(bias) if second is None else second])
    return {"weight_ih": kernel.T, "weight_hh": recurrent.T, "bias_ih": bias[0], "bias_hh": bias[1]}


def _keras_cell(arrays, order=None, second=0):
    """Converts back to Keras's arrays; adds biases unless hh is as `_torch_cell` gave it."""
    first, hidden = np.asarray(arrays["bias_ih"]), np.asarray(arrays["bias_hh"])
    return {
        "kernel": _gates(arrays["weight_ih"].T, order),
        "recurrent_kernel": _gates(arrays["weight_hh"].T, order),
        "bias": np.where(hidden == second, first, first + (hidden - second)),
    }


def _forget(bias, size, dtype):
    """Returns what TF1's LSTM adds to the gates i, f, g, o."""
    units = size // 4
    added = np.zeros(size, dtype)
    added[units : 2 * units] = bias
    return added


def _gates(array, order):
    if order is None:
        return array
    parts = np.split(array, len(order), axis=-1)
    return np.concatenate([parts[i] for i in order], axis=-1)


def _lstm(source, target, facts):
    if "recurrent_kernel" in source.leaves:
        return _of_keras(source, target)
    if source.kind not in ("lstm", "plain") or set(source.leaves) != {"kernel", "bias"}:
        return Misfit(f"the weights of a {source.kind}")
    if questions.gates(facts):
        return Misfit(questions.gates(facts))
    bias, note = questions.forget_bias(facts)

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
    notes = ["{}: {}".format(target.name or "the module", note)] if note else []
    return Fit(dict(source.leaves), convert, None, steps, notes, bias != 0, back)


def _of_keras(source, target):
    has_bias = "bias" in source.leaves
    if set(source.leaves) - {"bias"} != {"kernel", "recurrent_kernel"}:
        return Misfit("the weights of another cell")

    def convert(arrays):
        columns = np.asarray(arrays["kernel"])[0]
        return _torch_cell(arrays if has_bias else dict(arrays, bias=np.zeros_like(columns)))

    steps = dict.fromkeys(target.weights, "transposed")
    steps.update(
        bias_ih="" if has_bias else "all 0: TF1's has none", bias_hh="all 0: TF1 has one bias"
    )
    back = _keras_cell if has_bias else None
    return Fit(dict(source.leaves), convert, None, steps, [], False, back)


def _of_cudnn(source, target):
    """Fits CuDNNLSTM, CuDNNGRU and networks of cuDNN: PyTorch has two biases, too."""
    if target.kind != {"CuDNNLSTM": "lstm", "CuDNNGRU": "gru"}[source.kind]:
        return Misfit(f"the weights of a {source.kind}")
    order = None if target.kind == "lstm" else _GRU_ORDER

    def convert(arrays):
        return _torch_cell(cudnn.convert(source, arrays), order)

    def back(arrays):
        own = dict(_keras_cell(arrays, order), bias=_both_biases(arrays, order))
        return cudnn.back(source, own)

    steps = dict.fromkeys(target.weights, "cuDNN's" + " gates z,r,h -> r,z,n" * bool(order))
    back = back if source.part is None else None
    return Fit(dict(source.leaves), convert, None, steps, [], False, back)


_RESET_BEFORE = Misfit(
    "a GRU of TF1 whose reset gate comes before the matrix product; torch.nn.GRU's comes after it, "
    "as in CudnnCompatibleGRUCell and in Keras's with reset_after=True alone"
)


def _gru_of_keras(source, target, tensors):
    """Fits tf.keras's GRU; a bias of two rows is that of reset_after=True."""
    bias = source.leaves.get("bias")
    if bias is None or len(tensors[bias][1]) != 2:
        return _RESET_BEFORE
    conversion = _of_keras(source, target)

    def convert(arrays):
        return _torch_cell(arrays, _GRU_ORDER)

    def back(arrays):
        return dict(_keras_cell(arrays, _GRU_ORDER), bias=_both_biases(arrays))

    steps = dict.fromkeys(target.weights, "gates z,r,h -> r,z,n; transposed")
    steps.update(dict.fromkeys(("bias_ih", "bias_hh"), "gates z,r,h -> r,z,n"))
    return conversion._replace(convert=convert, back=back, steps=steps)


def _both_biases(arrays, order=_GRU_ORDER):
    return np.stack([_gates(np.asarray(arrays["bias_" + h]), order) for h in ("ih", "hh")])


def _gru(source, target, facts):
    if source.kind != "cudnn gru":
        return _RESET_BEFORE

    def convert(arrays):
        return _torch_cell(rnn.cudnn_gru_to_keras(**arrays), _GRU_ORDER)

    def back(arrays):
        own = dict(_keras_cell(arrays, _GRU_ORDER), bias=_both_biases(arrays))
        return rnn.cudnn_gru_from_keras(**own)

    steps = dict.fromkeys(target.weights, "gates r,u,c -> r,z,n; transposed")
    steps.update(dict.fromkeys(("bias_ih", "bias_hh"), "gates r,u,c -> r,z,n"))
    return Fit(dict(source.leaves), convert, None, steps, [], False, back)


def _basic(source, target, facts):
    if "recurrent_kernel" in source.leaves:
        return _of_keras(source, target)
    if source.kind not in ("basic rnn", "plain") or set(source.leaves) != {"kernel", "bias"}:
        return Misfit(f"the weights of a {source.kind}")

    def convert(arrays):
        return _torch_cell(rnn.basic_rnn_to_keras(**arrays))

    def back(arrays):
        return rnn.basic_rnn_from_keras(**_keras_cell(arrays))

    steps = dict.fromkeys(target.weights, "transposed")
    steps.update(bias_ih="", bias_hh="all 0: TF1 has one bias")
    return Fit(dict(source.leaves), convert, None, steps, [], False, back)


#: {kind of a PyTorch layer: function of source, target and facts}.
KINDS = {"lstm": _lstm, "gru": _gru, "rnn": _basic}
