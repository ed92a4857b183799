"""Ops of images as expressions of Keras: windows, resizing, reflection, local responses, blocks."""

from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import call, code, literal
from tfgraphtools.graphs.source_code.statements.operators import number_of
from tfgraphtools.graphs.source_code.statements.shape_arguments import padding_of

_PADDINGS = ("SAME", "VALID")


def _short(numbers):
    return numbers[0] if len(set(numbers)) == 1 else tuple(numbers)


def _require_last(body, node):
    """Raises where channels are not on the last axis, or each side has a padding of its own."""
    if node.attributes.get("data_format", "NHWC") != "NHWC" or node.inputs[0].dims is None:
        raise body.refused(node, "channels before the other axes")
    if node.attributes.get("padding", "VALID") not in _PADDINGS:
        raise body.refused(node, "a padding for each side")


def _pooled(body, node):
    _require_last(body, node)
    size, strides = node.attributes["ksize"], node.attributes["strides"]
    if size[0] != 1 or size[3] != 1:
        raise body.refused(node, "a pooling over examples or channels")
    size, strides, x = tuple(size[1:3]), tuple(strides[1:3]), body.tensor(node, 0)
    is_max, keywords = node.op == "MaxPool", {}
    if size == (1, 1) and is_max:
        steps = [expressions.Code(["::", literal(stride, "stride")]) for stride in strides]
        return expressions.index(x, [code(":"), *steps])
    if size != strides:
        keywords["strides"] = literal(_short(strides), "strides")
    if node.attributes["padding"] == "SAME":
        keywords["padding"] = code('"same"')
    name = "ops.max_pool" if is_max else "ops.average_pool"
    return call(name, x, literal(_short(size), "pool_size"), **keywords)


def _convolved(body, node):
    """Writes a convolution whose kernel is computed."""
    _require_last(body, node)
    attributes, keywords = node.attributes, {}
    windows = {
        "strides": tuple(attributes["strides"][1:3]),
        "dilation_rate": tuple((attributes.get("dilations") or [1] * 4)[1:3]),
    }
    for name, numbers in windows.items():
        if set(numbers) != {1}:
            keywords[name] = literal(_short(numbers), name)
    if attributes["padding"] == "SAME":
        keywords["padding"] = code('"same"')
    return call("ops.conv", body.tensor(node, 0), body.tensor(node, 1), **keywords)


def _resized(body, node):
    """Resizes as one of TensorFlow's six ways, of which Keras has one."""
    attributes, content = node.attributes, node.inputs[1].content
    if not isinstance(content, tuple):
        raise body.refused(node, "a size that is computed from data")
    is_half = bool(attributes.get("half_pixel_centers"))
    flags = {"align_corners": attributes.get("align_corners"), "half_pixels": is_half}
    keywords = {name: code("True") for name, is_set in flags.items() if is_set}
    x = body.tensor(node, 0)
    size = expressions.sequence([body.size(part) for part in content])
    if node.op != "ResizeBilinear":
        return call("resize_nearest", x, size, **keywords)
    if is_half:
        return call("ops.image.resize", x, size)
    return call("resize_bilinear", x, size, **keywords)


def _mirrored(body, node):
    pairs = expressions.sequence(map(str, padding_of(body, node)))
    offset = code(str(int(node.attributes["mode"] == "REFLECT")))
    return call("mirror_pad", body.tensor(node, 0), pairs, offset)


def _normalized(body, node):
    names = {key: number_of(node.attributes[key]) for key in ("alpha", "beta", "bias")}
    keywords = {name: literal(number, name) for name, number in names.items()}
    radius = literal(node.attributes.get("depth_radius", 5), "radius")
    return call("local_responses", body.tensor(node, 0), radius, **keywords)


def _blocks(name):
    def template(body, node):
        _require_last(body, node)
        return call(name, body.tensor(node, 0), literal(node.attributes["block_size"], "block"))

    return template


TEMPLATES = {
    "MaxPool": _pooled,
    "AvgPool": _pooled,
    "Conv2D": _convolved,
    "ResizeBilinear": _resized,
    "ResizeNearestNeighbor": _resized,
    "MirrorPad": _mirrored,
    "LRN": _normalized,
    "DepthToSpace": _blocks("depth_to_space"),
    "SpaceToDepth": _blocks("space_to_depth"),
}
