"""Linear layers: a product with a matrix of parameters, on the last axis.

TensorFlow flattens the leading axes and restores them; the layer takes them as they are.
"""

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.passes import shape_ops
from tfgraphtools.graphs.source_code.patterns import layer_nodes
from tfgraphtools.graphs.source_code.patterns.layer_nodes import BIAS, KERNEL

#: Layers that have a bias for each channel of the last axis.
_WITH_BIAS = ("linear", "conv", "depthwise_conv", "conv_transpose")


def _linear(program, node):
    x, weight = node.inputs
    attributes = node.attributes
    if not layer_nodes.is_parameter(weight, 2) or node.output.dims is None or x.dims is None:
        return None
    if attributes.get("transpose_a") or attributes.get("adj_x"):
        return None
    if attributes.get("transpose_b") or attributes.get("adj_y"):
        weight = shape_ops.view(weight, ("transpose", (1, 0)), weight.dims[::-1])
    inputs, outputs = weight.dims
    source = _unflattened(x, inputs)
    settings = {"inputs": inputs, "outputs": outputs}
    dims = (*source.dims[:-1], outputs)
    result = layer_nodes.layer("linear", node, [source], {KERNEL: weight}, settings, dims)
    if dims == node.output.dims:
        return result
    return ir_nodes.made(
        "Reshape", node.name, [result], node.output.dims, node.output.dtype, position=node.position
    )


def _unflattened(x, size):
    """Returns the tensor whose leading axes were flattened, or the tensor itself.

    Where the last axes were flattened, too, only these are.
    """
    if x.op != "Reshape" or len(x.node.inputs) != 1:
        return x
    source = x.node.inputs[0]
    if source.dims is None or len(source.dims) < 2:
        return x
    for count in range(len(source.dims) - 1, 1, -1):
        if sizes.product(source.dims[count:]) != size:
            continue
        if count == len(source.dims) - 1:
            return source
        dims = (*source.dims[:count], size)
        node = x.node
        return ir_nodes.made("Reshape", node.name, [source], dims, x.dtype, position=node.position)
    return source if source.dims[-1] == size else x


def _bias(program, node):
    """Puts an addition of a vector of parameters into the layer before it."""
    if node.attributes.get("data_format", "NHWC") != "NHWC":
        return None
    for x, bias in (node.inputs, node.inputs[::-1]):
        if not layer_nodes.is_parameter(bias, 1) or x.dims is None or not program.has_one_user(x):
            continue
        source = x
        if x.op == "Reshape" and len(x.node.inputs) == 1:
            source = x.node.inputs[0]
            if not program.has_one_user(source):
                continue
        if _takes_bias(source, x, bias, node):
            layer_nodes.parameters_of(source.node)[BIAS] = bias
            return x
    return None


def _takes_bias(source, x, bias, node):
    if not layer_nodes.is_layer(source, *_WITH_BIAS):
        return False
    parameters = layer_nodes.parameters_of(source.node)
    size = bias.dims[0]
    is_channel = source.dims[-1] == x.dims[-1] == size
    return BIAS not in parameters and is_channel and node.output.dims == x.dims


RULES = {
    "MatMul": [_linear],
    "BatchMatMul": [_linear],
    "BatchMatMulV2": [_linear],
    "BiasAdd": [_bias],
    "Add": [_bias],
    "AddV2": [_bias],
}
