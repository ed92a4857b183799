"""Batch normalizations of inference, multiplied into the weights before them."""

import collections

import numpy as np

from tfgraphtools.checkpoints.graphs import cuts
from tfgraphtools.graphs import op_kinds

#: Ops whose weights have their output channels in the last axis.
_LAYERS = ("Conv2D", "MatMul")
_DEPTHWISE = "DepthwiseConv2dNative"


def fold(graph_def, fetched):
    """Makes ``layer, batch norm`` into ``layer with other weights, BiasAdd`` where it is exact.

    That is where nothing else reads the layer, its weights are constants, and the norm is a fused
    one of inference. Others stay.

    Args:
      graph_def: changed in place.
      fetched: the names of the inputs and outputs, which stay.

    Returns:
      What was changed, in words.
    """
    nodes = {node.name: node for node in graph_def.node}
    readers = collections.Counter(
        cuts.split_tensor(tensor) for node in graph_def.node for tensor in node.input
    )
    changes = []
    for node in list(graph_def.node):
        if node.op not in op_kinds.BATCH_NORMS or _is_training(node):
            continue
        layer = nodes[cuts.split_tensor(node.input[0])[0]]
        constants = [_value(nodes, tensor) for tensor in node.input[1:5]]
        is_read = any(readers[node.name, output] for output in range(1, 6))
        is_alone = readers[layer.name, 0] == 1 and layer.name not in fetched
        if is_read or not is_alone or any(value is None for value in constants):
            continue
        weights = _weights(nodes, layer, node)
        if weights is not None:
            _replace(graph_def, node, layer, weights, constants)
            changes.append(f"{node.name}: folded into {layer.name}")
    cuts.keep_only(graph_def, cuts.needed(graph_def, fetched))
    return changes


def _replace(graph_def, node, layer, weights, constants):
    """Gives a layer weights of its own, and makes the norm behind it a BiasAdd."""
    gamma, beta, mean, variance = (value.astype(np.float64) for value in constants)
    epsilon = node.attr["epsilon"].f if "epsilon" in node.attr else 1e-4
    scale = gamma / np.sqrt(variance + epsilon)
    factors = scale.reshape(weights.shape[2:]) if layer.op == _DEPTHWISE else scale
    layer.input[1] = _constant(graph_def, f"{node.name}/folded_weights", weights * factors, weights)
    bias = _constant(graph_def, f"{node.name}/folded_bias", beta - mean * scale, weights)
    data_format = node.attr["data_format"].s or b"NHWC"
    node.op = "BiasAdd"
    del node.input[:]
    node.input.extend([layer.name, bias])
    node.attr.clear()
    node.attr["T"].CopyFrom(layer.attr["T"])
    node.attr["data_format"].s = data_format


def _constant(graph_def, name, value, like):
    from tensorflow import make_tensor_proto

    tensor = make_tensor_proto(value.astype(like.dtype))
    node = graph_def.node.add(name=name, op="Const")
    node.attr["dtype"].type = tensor.dtype
    node.attr["value"].tensor.CopyFrom(tensor)
    return name


def _weights(nodes, layer, norm):
    """Returns the weights of a layer whose output channels a norm scales, or None."""
    if layer.op not in _LAYERS + (_DEPTHWISE,):
        return None
    if layer.op == "MatMul" and layer.attr["transpose_b"].b:
        return None
    formats = [node.attr["data_format"].s or b"NHWC" for node in (layer, norm)]
    if layer.op != "MatMul" and formats[0] != formats[1]:
        return None
    return _value(nodes, layer.input[1])


def _value(nodes, tensor):
    """Returns the value of a constant, perhaps through Identity, or None."""
    from tensorflow import make_ndarray

    node = nodes[cuts.split_tensor(tensor)[0]]
    while node.op == "Identity":
        node = nodes[cuts.split_tensor(node.input[0])[0]]
    is_free = node.op == "Const" and not node.input  # one that awaits something is of a loop's body
    return make_ndarray(node.attr["value"].tensor) if is_free else None


def _is_training(node):
    return node.attr["is_training"].b if "is_training" in node.attr else True
