"""cuDNN's recurrent networks of TF 1: Keras's CuDNNLSTM and CuDNNGRU, and tf.contrib's parameters.

Keras's layers keep a gate's matrix as cuDNN does, [units, inputs], under the shape of its
transpose; and two biases, in one array. tf.contrib.cudnn_rnn keeps the network in one array: all
matrices, layer by layer, forward before backward, the input's gates before the state's; then all
biases in this order. Its gates are i, f, c, o and r, z, h. Sources: TF 1.15
`keras/layers/cudnn_recurrent.py`, `keras/saving/hdf5_format.py`; cuDNN's documentation of
cudnnGetRNNLinLayerMatrixParams.
"""

import collections

import numpy as np

from tfgraphtools.checkpoints.matching.tensor_units import Source

#: {kind of a source: gates}
GATES = {"CuDNNLSTM": 4, "CuDNNGRU": 3}
_MODES = {"lstm": "CuDNNLSTM", "gru": "CuDNNGRU"}
_KERAS_FROM_CUDNN = {"CuDNNLSTM": (0, 1, 2, 3), "CuDNNGRU": (1, 0, 2)}

#: One layer and direction of a network in one array.
Part = collections.namedtuple("Part", "layers directions units inputs layer direction")


def refined(sources, shapes, known):
    """Replaces units that are cuDNN's by units that say so: one for each layer and direction.

    Args:
      sources: a list of `Source`.
      shapes: {tensor: shape}.
      known: a `known.Known`, whose graph says what a network in one array is.
    """
    units = []
    for source in sources:
        if source.kind != "plain":
            units.append(source)
        elif set(source.leaves) == {"kernel", "recurrent_kernel", "bias"}:
            units.append(source._replace(kind=_layer_kind(source, shapes)))
        else:
            units += _parts(source, shapes, known)
    return units


def _layer_kind(source, shapes):
    """Returns the kind of a layer of Keras: cuDNN's have two biases in one array."""
    recurrent, bias = (
        tuple(shapes[source.leaves["recurrent_kernel"]]),
        shapes[source.leaves["bias"]],
    )
    for kind, gates in GATES.items():
        if len(recurrent) == 2 and recurrent[1] == gates * recurrent[0]:
            return kind if tuple(bias) == (2 * recurrent[1],) else source.kind
    return source.kind


def _parts(source, shapes, known):
    tensors = list(source.leaves.values())
    if len(tensors) != 1 or len(shapes[tensors[0]]) != 1:
        return [source]
    (name,), (size,) = tensors, shapes[tensors[0]]
    network = known.cudnn_network(name)
    if network is None:
        if not name.endswith("/opaque_kernel"):
            return [source]
        reason = (
            "cuDNN's parameters in one array; the graph says of how many layers and units they "
            "are: pass it (graph=, --meta)"
        )
        return [source._replace(kind="refused", reason=reason)]
    sizes = _sizes(network, size)
    if isinstance(sizes, str):
        return [source._replace(kind="refused", reason=sizes)]
    scope = name.rpartition("/")[0] or name
    units = []
    for layer in range(sizes.layers):
        for direction in range(sizes.directions):
            half = ("/fw", "/bw")[direction] if sizes.directions == 2 else ""
            part = sizes._replace(layer=layer, direction=direction)
            kind, unit = _MODES[network.mode], f"{scope}/cell_{layer}{half}"
            units.append(Source(unit, kind, {"parameters": name}, "", None, part))
    return units


def _sizes(network, size):
    """Returns the `Part` of a network without its place, or why its array cannot be cut."""
    array = f"the parameters of a {network.mode} of cuDNN in one array of {size}"
    if network.mode not in _MODES:
        return array + ": only lstm and gru are converted"
    state = network.state
    if state is None or len(state) != 3 or not state[0] or not state[2]:
        return (
            array + "; the graph does not say its units and layers, because its initial state is "
            "computed: save it on a GPU by tf.train.Saver, which writes every matrix"
        )
    layers, units = state[0] // network.directions, state[2]
    gates = GATES[_MODES[network.mode]]
    left = size - 2 * gates * units * layers * network.directions  # the biases
    left -= gates * units * units * layers * network.directions  # what reads the state
    left -= gates * units * units * network.directions**2 * (layers - 1)  # what reads layers below
    inputs = left // (gates * units * network.directions)
    if inputs < 1 or inputs * gates * units * network.directions != left:
        return f"{array}, which {layers} layers of {units} units do not have ({network.input_mode})"
    return Part(layers, network.directions, units, inputs, 0, 0)


def convert(source, arrays):
    """Returns Keras's arrays of a unit, its bias as [2, gates * units], whose sum an LSTM has.

    Args:
      source: a `Source` of a kind in `GATES`.
      arrays: {role: array} of its leaves.
    """
    gates = GATES[source.kind]
    if source.part is not None:
        return _cut(source, np.asarray(arrays["parameters"]))
    kernel = np.split(np.asarray(arrays["kernel"]), gates, axis=-1)
    recurrent = np.split(np.asarray(arrays["recurrent_kernel"]), gates, axis=-1)
    return {
        "kernel": np.concatenate([gate.reshape(gate.shape[::-1]).T for gate in kernel], axis=-1),
        "recurrent_kernel": np.concatenate([gate.T for gate in recurrent], axis=-1),
        "bias": np.asarray(arrays["bias"]).reshape(2, -1),
    }


def back(source, arrays):
    """Returns the arrays of a layer of Keras from those that `convert` gives."""
    gates = GATES[source.kind]
    kernel = np.split(np.asarray(arrays["kernel"]), gates, axis=-1)
    recurrent = np.split(np.asarray(arrays["recurrent_kernel"]), gates, axis=-1)
    return {
        "kernel": np.concatenate([gate.T.reshape(gate.shape) for gate in kernel], axis=-1),
        "recurrent_kernel": np.concatenate([gate.T for gate in recurrent], axis=-1),
        "bias": np.asarray(arrays["bias"]).reshape(-1),
    }


def _cut(source, parameters):
    """Returns the arrays of one layer and direction of a network in one array."""
    part, gates = source.part, GATES[source.kind]
    order = _KERAS_FROM_CUDNN[source.kind]
    units, place = part.units, 0
    matrices, biases = {}, {}
    for layer in range(part.layers):
        inputs = part.inputs if layer == 0 else units * part.directions
        for direction in range(part.directions):
            for role, rows in (("kernel", inputs), ("recurrent_kernel", units)):
                matrices[layer, direction, role] = place, rows
                place += gates * units * rows
    for layer in range(part.layers):
        for direction in range(part.directions):
            biases[layer, direction] = place
            place += 2 * gates * units
    weights = {}
    for role in ("kernel", "recurrent_kernel"):
        start, rows = matrices[part.layer, part.direction, role]
        matrix = parameters[start : start + gates * units * rows].reshape(gates, units, rows)
        weights[role] = np.concatenate([matrix[gate].T for gate in order], axis=-1)
    start = biases[part.layer, part.direction]
    bias = parameters[start : start + 2 * gates * units].reshape(2, gates, units)
    weights["bias"] = bias[:, list(order)].reshape(2, -1)
    return weights
