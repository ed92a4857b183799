"""Symbolic sizes behind convolutions, poolings and other ops of images, as in `shape_rules`."""

from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes

_SAME, _VALID = "SAME", "VALID"


def window(size, kernel, stride, padding, dilation=1):
    """Returns the size of an axis after a convolution or a pooling."""
    if padding == _SAME:
        return sizes.ceiling_quotient(size, stride)
    reach = (kernel - 1) * dilation + 1
    quotient = sizes.floor_quotient(sizes.subtract(size, reach), stride)
    return sizes.add(quotient, 1)


def _convolved(inputs, attributes):
    if attributes["padding"] not in (_SAME, _VALID):
        return (inputs[0].dims[0], None, None, None)
    kernel = inputs[1].dims
    channels = kernel[3] * (kernel[2] if attributes.get("is_depthwise") else 1)
    return _windows(inputs[0].dims, kernel[:2], attributes, channels)


def _depthwise(inputs, attributes):
    return _convolved(inputs, {**attributes, "is_depthwise": True})


def _windows(dims, kernel, attributes, channels):
    if attributes.get("data_format", "NHWC") != "NHWC":
        return (dims[0], None, None, None)
    strides, padding = attributes["strides"], attributes["padding"]
    dilations = attributes.get("dilations") or [1] * 4
    moved = [
        window(dims[axis], kernel[axis - 1], strides[axis], padding, dilations[axis])
        for axis in (1, 2)
    ]
    return (dims[0], *moved, channels)


def _pooled(inputs, attributes):
    dims = inputs[0].dims
    return _windows(dims, attributes["ksize"][1:3], {**attributes, "dilations": None}, dims[3])


def _transposed_convolution(inputs, attributes):
    return inputs[0].content


def _resized(inputs, attributes):
    dims, target = inputs[0].dims, inputs[1].content
    return (dims[0], *(target or (None, None)), dims[3])


def _spread(inputs, attributes):
    """Makes images larger and their channels fewer."""
    count, height, width, channels = inputs[0].dims
    block = attributes["block_size"]
    larger = (sizes.multiply(size, block) for size in (height, width))
    return (count, *larger, sizes.exact_quotient(channels, block * block))


def _gathered(inputs, attributes):
    """Makes images smaller and their channels more."""
    count, height, width, channels = inputs[0].dims
    block = attributes["block_size"]
    smaller = (sizes.floor_quotient(size, block) for size in (height, width))
    return (count, *smaller, sizes.multiply(channels, block * block))


RULES = {
    "Conv2D": _convolved,
    "DepthwiseConv2dNative": _depthwise,
    "MaxPool": _pooled,
    "AvgPool": _pooled,
    "Conv2DBackpropInput": _transposed_convolution,
    "ResizeBilinear": _resized,
    "ResizeNearestNeighbor": _resized,
    "DepthToSpace": _spread,
    "SpaceToDepth": _gathered,
}
