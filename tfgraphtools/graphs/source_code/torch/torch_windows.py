"""Convolutions and poolings: paddings of TensorFlow in PyTorch."""

from tfgraphtools.graphs.source_code.patterns import layer_nodes
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import call, code, literal

SAME, VALID = "SAME", "VALID"


def same_padding(size, kernel, stride, dilation=1):
    """Returns (before, after) of SAME padding, or None where the size decides at run time."""
    reach = (kernel - 1) * dilation + 1
    if isinstance(size, int):
        total = max((-(-size // stride) - 1) * stride + reach - size, 0)
    elif stride == 1:
        total = reach - 1
    elif reach == 1:
        total = 0
    else:
        return None
    return total // 2, total - total // 2


def of_convolution(body, node):
    """Returns (name of the class without its rank, padding); None for what pads by itself."""
    settings = layer_nodes.settings_of(node)
    pairs = _pairs(settings, node.inputs[0].dims[1:-1])
    if pairs is None:
        return "SameConv", None
    if all(before == after for before, after in pairs):
        return "nn.Conv", tuple(before for before, _ in pairs)
    if settings["padding"] == SAME:
        return "SameConv", None
    return "PaddedConv", tuple(pair for pair in pairs)


def _pairs(settings, sizes):
    padding = settings["padding"]
    if padding == VALID:
        return [(0, 0)] * len(sizes)
    if padding != SAME:
        return list(padding)
    rows = zip(sizes, settings["size"], settings["strides"], settings["dilations"])
    pairs = [same_padding(*row) for row in rows]
    return None if None in pairs else pairs


def of_transposed(body, node):
    """Returns (name of the class, padding) of a transposed convolution.

    TensorFlow says the size of the output; PyTorch computes it. With SAME it is the input's size
    times the stride, and what is odd is cut at the end.
    """
    settings = layer_nodes.settings_of(node)
    if settings["padding"] == VALID:
        if any(stride > size for stride, size in zip(settings["strides"], settings["size"])):
            raise body.refused(node, "a stride above the size of the kernel")
        return "nn.ConvTranspose2d", (0, 0)
    totals = [size - stride for size, stride in zip(settings["size"], settings["strides"])]
    if any(total < 0 for total in totals):
        raise body.refused(node, "a stride above the size of the kernel")
    padding = tuple(total // 2 for total in totals)
    is_odd = any(total % 2 for total in totals)
    return ("SameConvTranspose2d" if is_odd else "nn.ConvTranspose2d"), padding


def pooled(body, node):
    """Returns the `Code` of a pooling of channels-first images."""
    attributes, dims = node.attributes, node.inputs[0].dims
    if attributes.get("data_format", "NHWC") != "NHWC" or dims is None:
        raise body.refused(node, "channels before the other axes")
    size, strides = attributes["ksize"], attributes["strides"]
    if size[0] != 1 or size[3] != 1:
        raise body.refused(node, "a pooling over examples or channels")
    size, strides = tuple(size[1:3]), tuple(strides[1:3])
    x, is_max = body.tensor(node, 0), node.op == "MaxPool"
    if size == (1, 1) and is_max:
        steps = [expressions.Code(["::", literal(stride, "stride")]) for stride in strides]
        return expressions.index(x, [code("..."), *steps])
    pairs = [(0, 0), (0, 0)]
    if attributes["padding"] == SAME:
        pairs = [same_padding(*row) for row in zip(dims[1:3], size, strides)]
    name = "F.max_pool2d" if is_max else "F.avg_pool2d"
    return _pooling(body, node, name, x, size, strides, pairs)


def _pooling(body, node, name, x, size, strides, pairs):
    keywords = {"stride": literal(_short(strides), "stride")} if size != strides else {}
    is_equal = None not in pairs and all(before == after for before, after in pairs)
    kernel = literal(_short(size), "kernel_size")
    if is_equal:
        padding = tuple(before for before, _ in pairs)
        if any(padding):
            keywords["padding"] = literal(_short(padding), "padding")
            if name == "F.avg_pool2d":
                keywords["count_include_pad"] = code("False")
        return call(name, x, kernel, **keywords)
    if name == "F.avg_pool2d":
        return call("same_avg_pool2d", x, expressions.literal(size), expressions.literal(strides))
    padded = call(
        "same_pad", x, expressions.literal(size), expressions.literal(strides),
        value=code("-math.inf"),
    )  # fmt: skip
    return call(name, padded, kernel, **keywords)


def _short(numbers):
    return numbers[0] if len(set(numbers)) == 1 else tuple(numbers)


def convolved(body, node):
    """Returns the `Code` of a convolution whose kernel is computed."""
    attributes, (x, kernel) = node.attributes, (value.dims for value in node.inputs)
    if attributes.get("data_format", "NHWC") != "NHWC" or None in (x, kernel):
        raise body.refused(node, "channels before the other axes")
    if attributes["padding"] not in (SAME, VALID):
        raise body.refused(node, "a padding for each side")
    if not all(isinstance(size, int) for size in (*kernel, x[3])) or x[3] % kernel[2]:
        raise body.refused(node, "a kernel of a size that is not known")
    strides = tuple(attributes["strides"][1:3])
    dilations = tuple((attributes.get("dilations") or [1] * 4)[1:3])
    source, keywords, pairs = body.tensor(node, 0), {}, [(0, 0)] * 2
    if attributes["padding"] == SAME:
        rows = zip(x[1:3], kernel[:2], strides, dilations)
        pairs = [same_padding(*row) for row in rows]
    if None in pairs or any(before != after for before, after in pairs):
        sizes = (expressions.literal(size) for size in (kernel[:2], strides, dilations))
        source = call("same_pad", source, *sizes)
    elif any(map(any, pairs)):
        keywords["padding"] = literal(_short([before for before, _ in pairs]), "padding")
    for name, numbers in (("stride", strides), ("dilation", dilations)):
        if set(numbers) != {1}:
            keywords[name] = literal(_short(numbers), name)
    if x[3] != kernel[2]:
        keywords["groups"] = literal(x[3] // kernel[2], "groups")
    weight = expressions.method(body.tensor(node, 1), "permute", *map(code, "3201"))
    return call("F.conv2d", source, weight, **keywords)


TEMPLATES = {"MaxPool": pooled, "AvgPool": pooled, "Conv2D": convolved}
