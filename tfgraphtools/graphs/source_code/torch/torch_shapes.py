"""Ops that move, join, cut and reduce, as expressions of PyTorch."""

from tfgraphtools.graphs.source_code.ir import shape_rules
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import (
    MULTIPLY,
    call,
    code,
    index,
    method,
    sequence,
)
from tfgraphtools.graphs.source_code.statements.shape_arguments import (
    NO_AXIS,
    NO_RANK,
    axis_of,
    content_of,
    dims_of,
    items_of_slice,
    items_of_strides,
    new_sizes,
    padding_of,
    reduced_axes,
    unit_axis,
)
from tfgraphtools.graphs.source_code.torch.torch_elementwise import DTYPES, cast

# Shapes -------------------------------------------------------------------------------------


def _reshaped(body, node):
    old, new = dims_of(body, node), node.output.dims
    if new is None:
        raise body.refused(node, NO_RANK)
    source = body.tensor(node, 0)
    for rule in (_with_one_axis, _flattened, _unflattened):
        result = rule(body, source, old, new)
        if result is not None:
            return result
    return method(source, "reshape", *(new_sizes(body, new, node) or [sequence([])]))


def _with_one_axis(body, source, old, new):
    """Returns unsqueeze or squeeze where one axis of size 1 comes or goes."""
    place = unit_axis(old, new)
    if place is None:
        return None
    return method(source, "unsqueeze" if len(new) > len(old) else "squeeze", code(str(place)))


def _common(old, new):
    """Returns how many sizes are equal at the beginning."""
    count = 0
    while count < min(len(old), len(new)) and old[count] == new[count]:
        count += 1
    return count


def _flattened(body, source, old, new):
    start = _common(old, new)
    stop = len(old) - _common(old[start:][::-1], new[start:][::-1])
    if stop - start < 2 or len(new) != len(old) - (stop - start) + 1:
        return None
    if new[start] != sizes.product(old[start:stop]):
        return None
    places = [str(start)] if stop == len(old) else [str(start), str(stop - 1)]
    if places == ["0"]:
        places = []
    return method(source, "flatten", *map(code, places))


def _unflattened(body, source, old, new):
    start = _common(old, new)
    stop = len(new) - _common(new[start:][::-1], old[start:][::-1])
    if stop - start < 2 or len(old) != len(new) - (stop - start) + 1:
        return None
    if old[start] != sizes.product(new[start:stop]):
        return None
    place = -1 if start == len(old) - 1 else start
    parts = new[start:stop]
    unknown = [part for part in parts if not isinstance(part, int)]
    if len(unknown) == 1:
        parts = [part if isinstance(part, int) else None for part in parts]
    items = [code("-1") if part is None else body.size(part) for part in parts]
    return method(source, "unflatten", code(str(place)), expressions.sequence(items))


def _transposed(body, node):
    order = node.attributes.get("order")
    if order is None:
        raise body.refused(node, NO_AXIS)
    moved = [axis for axis, source in enumerate(order) if axis != source]
    if len(moved) == 2:
        return method(body.tensor(node, 0), "transpose", *map(code, map(str, moved)))
    return method(body.tensor(node, 0), "permute", *map(code, map(str, order)))


def _tiled(body, node):
    factors = [body.size(size) for size in content_of(body, node, 1)]
    return method(body.tensor(node, 0), "tile", *factors)


def _broadcast(body, node):
    target = [body.size(size) for size in content_of(body, node, 1)]
    return method(body.tensor(node, 0), "expand", *target)


def _padded(body, node):
    pairs = padding_of(body, node)
    while pairs and pairs[0] == (0, 0):
        pairs.pop(0)
    if not pairs:
        return body.read(node, 0)
    numbers = expressions.sequence([str(n) for pair in pairs[::-1] for n in pair])
    keywords = {"value": body.read(node, 2)} if node.op == "PadV2" else {}
    return call("F.pad", body.tensor(node, 0), numbers, **keywords)


def _reversed(body, node):
    axes = shape_rules.axes_of(node.inputs[1], len(dims_of(body, node)))
    return method(body.tensor(node, 0), "flip", *[code(str(axis)) for axis in axes])


# Joins and cuts -----------------------------------------------------------------------------


def _concatenated(body, node):
    count = len(node.inputs) - 1
    axis = axis_of(body, node, count, len(dims_of(body, node)))
    parts = expressions.sequence([body.tensor(node, i) for i in range(count)], "[", "]")
    return call("torch.cat", parts, dim=code(str(axis)))


def _packed(body, node):
    rank = len(dims_of(body, node)) + 1
    axis = node.attributes.get("axis", 0) % rank
    if all(body.is_number(value) for value in node.inputs):
        numbers = [body.read(node, i) for i in range(len(node.inputs))]
        return body.new("tensor", expressions.sequence(numbers, "[", "]"), dtype=node.output.dtype)
    parts = [body.tensor(node, i) for i in range(len(node.inputs))]
    keywords = {"dim": code("-1" if axis == rank - 1 else str(axis))} if axis else {}
    return call("torch.stack", expressions.sequence(parts, "[", "]"), **keywords)


def _unpacked(body, node):
    axis = node.attributes.get("axis", 0) % len(dims_of(body, node))
    return method(body.tensor(node, 0), "unbind", *([code(str(axis))] if axis else []))


def _split(body, node):
    axis = axis_of(body, node, 0, len(dims_of(body, node, 1)), node.inputs[1])
    return method(body.tensor(node, 1), "chunk", len(node.outputs), dim=code(str(axis)))


def _split_unequally(body, node):
    axis = axis_of(body, node, 2, len(dims_of(body, node)))
    parts = [body.size(output.dims[axis]) for output in node.outputs]
    lengths = expressions.sequence(parts, "[", "]")
    return method(body.tensor(node, 0), "split", lengths, dim=code(str(axis)))


def _part(body, node):
    """Writes the op Slice."""
    return _indexed(body.tensor(node, 0), items_of_slice(body, node))


def _strided(body, node):
    items, flipped = items_of_strides(body, node)
    source = body.tensor(node, 0)
    if flipped:
        source = method(source, "flip", *[code(str(axis)) for axis in flipped])
    return _indexed(source, items)


def _indexed(source, items):
    while items and items[-1].parts == [":"]:
        items = items[:-1]
    if not items:
        return source
    if [item.parts for item in items] == [[":"]] * (len(items) - 1) + [["None"]]:
        return method(source, "unsqueeze", code(str(len(items) - 1)))
    return index(source, items)


def _gathered(body, node):
    rank = len(dims_of(body, node))
    axis = content_of(body, node, 2) % rank if len(node.inputs) > 2 else 0
    if node.attributes.get("batch_dims"):
        raise body.refused(node, "a gather in batches")
    return index(body.tensor(node, 0), [code(":")] * axis + [body.read(node, 1)])


def _one_hot(body, node):
    rank = len(dims_of(body, node))
    axis, (on, off) = node.attributes.get("axis", -1), node.inputs[2:4]
    if axis not in (-1, rank) or on.array is None or off.array is None:
        raise body.refused(node, "one-hot rows on another axis than the last one")
    classes = body.new("arange", body.size(content_of(body, node, 1)))
    rows = expressions.infix(
        method(body.tensor(node, 0), "unsqueeze", code("-1")), "==", classes, expressions.COMPARE
    )
    if (float(on.array), float(off.array)) != (1.0, 0.0):
        raise body.refused(node, "one-hot rows of other values than 0 and 1")
    return cast(rows, node.output.dtype)


# New tensors --------------------------------------------------------------------------------


def _filled(body, node):
    shape = expressions.sequence([body.size(size) for size in content_of(body, node, 0)])
    value = node.inputs[1].array
    if value is None:
        return method(body.tensor(node, 1), "expand", shape)
    dtype = node.output.dtype
    if value in (0, 1):
        return body.new("ones" if value else "zeros", shape, dtype=dtype)
    return body.new("full", shape, body.read(node, 1), dtype=dtype)


def _counted(body, node):
    start, stop, step = (body.read(node, i) for i in range(3))
    arguments = [start, stop, step]
    if node.inputs[2].content == 1:
        arguments = [stop] if node.inputs[0].content == 0 else [start, stop]
    return body.new("arange", *arguments, dtype=node.output.dtype)


# Reductions and products ---------------------------------------------------------------------

_REDUCTIONS = {"Sum": "sum", "Mean": "mean", "Max": "amax", "Min": "amin", "Prod": "prod"}
_REDUCTIONS.update(All="all", Any="any")


def _reduced(body, node):
    rank = len(dims_of(body, node))
    axes = reduced_axes(body, node)
    source, name, dtype = body.tensor(node, 0), _REDUCTIONS[node.op], node.output.dtype
    if node.op == "Mean" and not dtype.startswith(("float", "bfloat")):
        raise body.refused(node, "a mean of integers")
    if not axes:
        return source
    keywords = {}
    if len(axes) < rank or node.attributes.get("keep_dims"):
        axes = [axis - rank if axes == [rank - 1] and rank > 1 else axis for axis in axes]
        several = expressions.sequence([str(axis) for axis in axes])
        keywords["dim"] = code(str(axes[0])) if len(axes) == 1 else several
    if len(axes) > 1 and "dim" in keywords and name == "prod":
        raise body.refused(node, "a product over several axes")
    if node.attributes.get("keep_dims"):
        keywords["keepdim"] = code("True")
    if name in ("sum", "prod") and dtype.startswith(("int", "uint")) and dtype != "int64":
        keywords["dtype"] = code(DTYPES[dtype])
    return method(source, name, **keywords)


def _place_of_extreme(body, node):
    axis = axis_of(body, node, 1, len(dims_of(body, node)))
    place = method(body.tensor(node, 0), node.op.lower(), dim=code(str(axis)))
    return place if node.output.dtype == "int64" else cast(place, node.output.dtype)


def _normalized(name):
    return lambda body, node: call(name, body.tensor(node, 0), dim=code("-1"))


def _product(body, node):
    if any(node.attributes.get(key) for key in ("transpose_a", "transpose_b", "adj_x", "adj_y")):
        raise body.refused(node, NO_RANK)  # else a pass has made it a Transpose
    return expressions.infix(body.tensor(node, 0), "@", body.tensor(node, 1), MULTIPLY)


def _half_of_squares(body, node):
    total = method(call("torch.square", body.tensor(node, 0)), "sum")
    return expressions.infix(total, "/", code("2"), MULTIPLY)


def _cumulated(body, node):
    if node.attributes.get("exclusive") or node.attributes.get("reverse"):
        raise body.refused(node, "a cumulative sum that is exclusive or reversed")
    axis = axis_of(body, node, 1, len(dims_of(body, node)))
    keywords = {"dim": code(str(axis))}
    if not node.output.dtype.startswith("float"):
        keywords["dtype"] = code(DTYPES[node.output.dtype])
    return method(body.tensor(node, 0), "cumsum", **keywords)


TEMPLATES = {
    "Reshape": _reshaped,
    "Transpose": _transposed,
    "Tile": _tiled,
    "BroadcastTo": _broadcast,
    "Pad": _padded,
    "PadV2": _padded,
    "ReverseV2": _reversed,
    "ConcatV2": _concatenated,
    "Pack": _packed,
    "Unpack": _unpacked,
    "Split": _split,
    "SplitV": _split_unequally,
    "Slice": _part,
    "StridedSlice": _strided,
    "GatherV2": _gathered,
    "Gather": _gathered,
    "OneHot": _one_hot,
    "Fill": _filled,
    "Range": _counted,
    **dict.fromkeys(_REDUCTIONS, _reduced),
    "ArgMax": _place_of_extreme,
    "ArgMin": _place_of_extreme,
    "Softmax": _normalized("F.softmax"),
    "LogSoftmax": _normalized("F.log_softmax"),
    "MatMul": _product,
    "BatchMatMul": _product,
    "BatchMatMulV2": _product,
    "L2Loss": _half_of_squares,
    "Cumsum": _cumulated,
}
