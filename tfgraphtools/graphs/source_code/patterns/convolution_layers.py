"""Convolutions over one or two axes: plain, depthwise, dilated and transposed ones.

Settings: ``size``, ``strides`` and ``dilations``, one number for each axis; ``padding``: "SAME",
"VALID", or a tuple of (before, after) for each axis.
"""

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.passes import shape_ops
from tfgraphtools.graphs.source_code.patterns import layer_nodes
from tfgraphtools.graphs.source_code.patterns.layer_nodes import KERNEL


def _convolution(program, node):
    x, kernel = node.inputs[:2]
    attributes = node.attributes
    if not layer_nodes.is_parameter(kernel, 4) or node.output.dims is None:
        return None
    if attributes.get("data_format", "NHWC") != "NHWC" or attributes["padding"] == "EXPLICIT":
        return None
    kind = "conv" if node.op == "Conv2D" else "depthwise_conv"
    if kind == "conv" and x.dims[-1] != kernel.dims[2]:  # in groups
        return None
    settings = {
        "size": kernel.dims[:2],
        "strides": tuple(attributes["strides"][1:3]),
        "dilations": tuple((attributes.get("dilations") or [1] * 4)[1:3]),
        "padding": attributes["padding"],
        "inputs": kernel.dims[2],
        "outputs": node.output.dims[3],
    }
    return layer_nodes.layer(kind, node, [x], {KERNEL: kernel}, settings, node.output.dims)


def _padded(program, node):
    """Puts the padding before a convolution into it."""
    if not layer_nodes.is_layer(node.output, "conv", "depthwise_conv"):
        return None
    source, settings = node.inputs[0], layer_nodes.settings_of(node)
    if source.op != "Pad" or settings["padding"] != "VALID":
        return None
    padding = source.node.inputs[1].array
    if padding is None or padding[0].any() or padding[-1].any():
        return None
    settings["padding"] = tuple(tuple(int(n) for n in pair) for pair in padding[1:-1])
    node.set_inputs(source.node.inputs[:1])
    return True


def _dilated(program, node):
    """Joins SpaceToBatch, a convolution and BatchToSpace."""
    result = node.inputs[0]
    convolution = _behind_reshape(result)
    if not layer_nodes.is_layer(convolution, "conv", "depthwise_conv"):
        return None
    spread = _behind_reshape(convolution.node.inputs[0])
    settings = layer_nodes.settings_of(convolution.node)
    if spread.op != "SpaceToBatchND" or set(settings["dilations"]) != {1}:
        return None
    if settings["padding"] != "VALID" or set(settings["strides"]) != {1}:
        return None
    block = spread.node.inputs[1].content
    if block is None or node.inputs[1].content != block or node.output.dims is None:
        return None
    return _joined(node, convolution.node, spread.node, block)


def _behind_reshape(value):
    is_reshape = value.op == "Reshape" and len(value.node.inputs) == 1
    return value.node.inputs[0] if is_reshape else value


def _joined(node, convolution, spread, block):
    source = spread.inputs[0]
    settings = dict(layer_nodes.settings_of(convolution))
    parameters = dict(layer_nodes.parameters_of(convolution))
    if len(block) < len(settings["size"]):  # one axis in a convolution over two
        if len(block) != 1 or settings["size"][0] != 1:
            return None
        settings, parameters = _over_one_axis(settings, parameters)
    settings["dilations"] = tuple(block)
    settings["padding"] = _total_padding(spread.inputs[2], node.inputs[2])
    if settings["padding"] is None or len(source.dims) != len(block) + 2:
        return None
    kind = convolution.attributes["kind"]
    return layer_nodes.layer(kind, convolution, [source], parameters, settings, node.output.dims)


def _total_padding(added, removed):
    """Returns the padding that is left.

    Where it is computed at run time, what is added to that of the convolution only fills up to a
    multiple of the block: the comparison of outputs says whether it does.
    """
    if added.array is None or removed.array is None:
        pairs = _least_padding(added)
    elif (removed.array[:, 0] != 0).any():
        return None
    else:
        rows = zip(added.array, removed.array)
        pairs = [(int(a[0]), int(a[1] - r[1])) for a, r in rows]
    return "VALID" if set(pairs) == {(0, 0)} else tuple(pairs)


def _least_padding(added):
    """Returns the paddings to which a graph adds what fills up: ``[[start, end + more], ...]``."""
    while added.op == "StridedSlice":
        added = added.node.inputs[0]
    pairs = []
    for axis, row in enumerate(added.node.inputs if added.op == "Pack" else ()):
        end = row.node.inputs[-1]
        total = end.node.inputs[0] if end.op == "StridedSlice" else end
        contents = [part.content for part in total.node.inputs if isinstance(part.content, tuple)]
        start = row.node.inputs[0].content if row.op == "Pack" else None
        if total.op not in ("Add", "AddV2") or len(contents) != 1 or not isinstance(start, int):
            return [(0, 0)]
        pairs.append((start, contents[0][axis if len(contents[0]) > 1 else 0]))
    return pairs or [(0, 0)]


def _over_one_axis(settings, parameters):
    """Returns settings and parameters of a convolution over the last of its axes."""
    settings = dict(settings)
    for key in ("size", "strides", "dilations"):
        settings[key] = settings[key][-1:]
    if not isinstance(settings["padding"], str):
        settings["padding"] = settings["padding"][-1:]
    kernel = parameters[KERNEL]
    dims = kernel.dims[1:]
    return settings, {**parameters, KERNEL: shape_ops.view(kernel, ("reshape", dims), dims)}


def _of_sequence(program, node):
    """Makes a convolution over one axis of one over two, where the first one has size 1."""
    if not layer_nodes.is_layer(node.output, "conv"):
        return None
    x, settings = node.inputs[0], layer_nodes.settings_of(node)
    source = _behind_reshape(x)
    if source is x or len(settings["size"]) != 2 or settings["size"][0] != 1:
        return None
    if x.dims != (*source.dims[:1], 1, *source.dims[1:]) or settings["strides"][0] != 1:
        return None
    settings, parameters = _over_one_axis(settings, layer_nodes.parameters_of(node))
    dims = (node.output.dims[0], *node.output.dims[2:])
    result = layer_nodes.layer("conv", node, [source], parameters, settings, dims)
    return ir_nodes.made(
        "Reshape", node.name, [result], node.output.dims, node.output.dtype, position=node.position
    )


def _transposed(program, node):
    shape, kernel, x = node.inputs
    attributes = node.attributes
    if not layer_nodes.is_parameter(kernel, 4) or node.output.dims is None:
        return None
    if attributes.get("data_format", "NHWC") != "NHWC" or attributes["padding"] == "EXPLICIT":
        return None
    if set(attributes.get("dilations") or [1]) != {1}:
        return None
    settings = {
        "size": kernel.dims[:2],
        "strides": tuple(attributes["strides"][1:3]),
        "padding": attributes["padding"],
        "inputs": kernel.dims[3],
        "outputs": kernel.dims[2],
    }
    return layer_nodes.layer(
        "conv_transpose", node, [x], {KERNEL: kernel}, settings, node.output.dims
    )


RULES = {
    "Conv2D": [_convolution],
    "DepthwiseConv2dNative": [_convolution],
    "Conv2DBackpropInput": [_transposed],
    "BatchToSpaceND": [_dilated],
    ir_nodes.LAYER: [_padded, _of_sequence],
}
