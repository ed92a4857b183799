"""Ops of images, channels first: resizing, padding by reflection, local responses, blocks."""

from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import call, code, literal
from tfgraphtools.graphs.source_code.statements.operators import number_of
from tfgraphtools.graphs.source_code.statements.shape_arguments import padding_of


def _resized(body, node):
    """Resizes as one of TensorFlow's five ways, of which PyTorch has three."""
    attributes, content = node.attributes, node.inputs[1].content
    if not isinstance(content, tuple):
        raise body.refused(node, "a size that is computed from data")
    is_aligned = bool(attributes.get("align_corners"))
    is_half = bool(attributes.get("half_pixel_centers"))
    x = body.tensor(node, 0)
    size = expressions.sequence([body.size(part) for part in content])
    if node.op == "ResizeBilinear":
        if is_aligned or is_half:
            mode = code('"bilinear"')
            return call("F.interpolate", x, size, mode=mode, align_corners=code(is_aligned))
        return call("resize_bilinear", x, size)
    if is_aligned:
        return call("resize_nearest", x, size)
    return call("F.interpolate", x, size, mode=code('"nearest-exact"' if is_half else '"nearest"'))


def _mirrored(body, node):
    pairs = padding_of(body, node)
    x, is_reflected = body.tensor(node, 0), node.attributes["mode"] == "REFLECT"
    if is_reflected and len(pairs) in (3, 4) and not any(map(any, pairs[:2])):
        numbers = expressions.sequence([str(n) for pair in pairs[:1:-1] for n in pair])
        return call("F.pad", x, numbers, mode=code('"reflect"'))
    offset = code(str(int(is_reflected)))
    return call("mirror_pad", x, expressions.sequence(map(str, pairs)), offset)


def _normalized(body, node):
    attributes = {key: number_of(node.attributes[key]) for key in ("alpha", "beta", "bias")}
    size = 2 * node.attributes.get("depth_radius", 5) + 1
    return call(
        "F.local_response_norm", body.tensor(node, 0), literal(size),
        alpha=literal(number_of(attributes["alpha"] * size), "alpha"),
        beta=literal(attributes["beta"], "beta"), k=literal(attributes["bias"], "k"),
    )  # fmt: skip


def _blocks(name):
    def template(body, node):
        if node.attributes.get("data_format", "NHWC") != "NHWC":
            raise body.refused(node, "channels before the other axes")
        return call(name, body.tensor(node, 0), literal(node.attributes["block_size"], "block"))

    return template


TEMPLATES = {
    "ResizeBilinear": _resized,
    "ResizeNearestNeighbor": _resized,
    "MirrorPad": _mirrored,
    "LRN": _normalized,
    "DepthToSpace": _blocks("depth_to_space"),
    "SpaceToDepth": _blocks("space_to_depth"),
}
