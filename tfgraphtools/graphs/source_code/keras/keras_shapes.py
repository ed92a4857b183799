"""Ops that move, join, cut and reduce, as expressions of Keras."""

from tfgraphtools.graphs.source_code.ir import shape_rules
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes
from tfgraphtools.graphs.source_code.keras.keras_elementwise import cast_to
from tfgraphtools.graphs.source_code.statements import expressions
from tfgraphtools.graphs.source_code.statements.expressions import MULTIPLY, call, code, index
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

# Shapes -------------------------------------------------------------------------------------


def _reshaped(body, node):
    old, new = dims_of(body, node), node.output.dims
    if new is None:
        raise body.refused(node, NO_RANK)
    source, place = body.tensor(node, 0), unit_axis(old, new)
    if place is not None:
        name = "ops.expand_dims" if len(new) > len(old) else "ops.squeeze"
        return call(name, source, axis=code(str(place)))
    return call("ops.reshape", source, _tuple(new_sizes(body, new, node)))


def _tuple(items):
    return expressions.sequence(items) if items else code("()")


def _transposed(body, node):
    order = node.attributes.get("order")
    if order is None:
        raise body.refused(node, NO_AXIS)
    moved = [axis for axis, source in enumerate(order) if axis != source]
    if len(moved) == 2:
        return call("ops.swapaxes", body.tensor(node, 0), *map(code, map(str, moved)))
    return call("ops.transpose", body.tensor(node, 0), code(str(tuple(order))))


def _tiled(body, node):
    factors = [body.size(size) for size in content_of(body, node, 1)]
    return call("ops.tile", body.tensor(node, 0), _tuple(factors))


def _broadcast(body, node):
    shape = [body.size(size) for size in content_of(body, node, 1)]
    return call("ops.broadcast_to", body.tensor(node, 0), _tuple(shape))


def _padded(body, node):
    pairs = padding_of(body, node)
    if not any(map(any, pairs)):
        return body.read(node, 0)
    keywords = {"constant_values": body.read(node, 2)} if node.op == "PadV2" else {}
    return call("ops.pad", body.tensor(node, 0), _tuple(map(str, pairs)), **keywords)


def _reversed(body, node):
    axes = shape_rules.axes_of(node.inputs[1], len(dims_of(body, node)))
    return call("ops.flip", body.tensor(node, 0), axis=code(str(_one_or_all(axes))))


def _one_or_all(axes):
    return axes[0] if len(axes) == 1 else tuple(axes)


# Joins and cuts -----------------------------------------------------------------------------


def _concatenated(body, node):
    count = len(node.inputs) - 1
    axis = axis_of(body, node, count, len(dims_of(body, node)))
    parts = expressions.sequence([body.tensor(node, i) for i in range(count)], "[", "]")
    return call("ops.concatenate", parts, axis=code(str(axis)))


def _packed(body, node):
    rank = len(dims_of(body, node)) + 1
    axis = node.attributes.get("axis", 0) % rank
    if all(body.is_number(value) for value in node.inputs):
        numbers = [body.read(node, i) for i in range(len(node.inputs))]
        return body.new("tensor", expressions.sequence(numbers, "[", "]"), dtype=node.output.dtype)
    parts = [body.tensor(node, i) for i in range(len(node.inputs))]
    keywords = {"axis": code("-1" if axis == rank - 1 else str(axis))} if axis else {}
    return call("ops.stack", expressions.sequence(parts, "[", "]"), **keywords)


def _unpacked(body, node):
    axis = node.attributes.get("axis", 0) % len(dims_of(body, node))
    keywords = {"axis": code(str(axis))} if axis else {}
    return call("ops.unstack", body.tensor(node, 0), **keywords)


def _split(body, node):
    axis = axis_of(body, node, 0, len(dims_of(body, node, 1)), node.inputs[1])
    count = expressions.literal(len(node.outputs), "parts")
    return call("ops.split", body.tensor(node, 1), count, axis=code(str(axis)))


def _split_unequally(body, node):
    axis = axis_of(body, node, 2, len(dims_of(body, node)))
    places, place = [], 0
    for output in node.outputs[:-1]:
        place = sizes.add(place, output.dims[axis])
        places.append(body.size(place))
    places = expressions.sequence(places, "[", "]")
    return call("ops.split", body.tensor(node, 0), places, axis=code(str(axis)))


def _part(body, node):
    """Writes the op Slice."""
    return _indexed(body.tensor(node, 0), items_of_slice(body, node))


def _strided(body, node):
    items, flipped = items_of_strides(body, node)
    source = body.tensor(node, 0)
    if flipped:
        source = call("ops.flip", source, axis=code(str(_one_or_all(flipped))))
    return _indexed(source, items)


def _indexed(source, items):
    while items and items[-1].parts == [":"]:
        items = items[:-1]
    return index(source, items) if items else source


def _gathered(body, node):
    rank = len(dims_of(body, node))
    axis = content_of(body, node, 2) % rank if len(node.inputs) > 2 else 0
    if node.attributes.get("batch_dims"):
        raise body.refused(node, "a gather in batches")
    places = node.inputs[1]
    if body.is_number(places):
        return index(body.tensor(node, 0), [code(":")] * axis + [body.read(node, 1)])
    return call("ops.take", body.tensor(node, 0), body.read(node, 1), axis=code(str(axis)))


def _one_hot(body, node):
    rank = len(dims_of(body, node))
    axis, (on, off) = node.attributes.get("axis", -1), node.inputs[2:4]
    if axis not in (-1, rank) or on.array is None or off.array is None:
        raise body.refused(node, "one-hot rows on another axis than the last one")
    if (float(on.array), float(off.array)) != (1.0, 0.0):
        raise body.refused(node, "one-hot rows of other values than 0 and 1")
    classes = body.new("arange", body.size(content_of(body, node, 1)))
    places = call("ops.expand_dims", body.tensor(node, 0), axis=code("-1"))
    # `ops.one_hot` raises on PyTorch where a class is too large; TensorFlow gives zeros.
    return cast_to(call("ops.equal", places, classes), node.output.dtype)


# New tensors --------------------------------------------------------------------------------


def _filled(body, node):
    shape = _tuple([body.size(size) for size in content_of(body, node, 0)])
    value = node.inputs[1].array
    if value is None:
        return call("ops.broadcast_to", body.tensor(node, 1), shape)
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

_REDUCTIONS = ("Sum", "Mean", "Max", "Min", "Prod", "All", "Any")


def _reduced(body, node):
    rank, axes = len(dims_of(body, node)), reduced_axes(body, node)
    source, dtype = body.tensor(node, 0), node.output.dtype
    if node.op == "Mean" and not dtype.startswith(("float", "bfloat")):
        raise body.refused(node, "a mean of integers")
    if not axes:
        return source
    keywords = {}
    if len(axes) < rank or node.attributes.get("keep_dims"):
        axes = [axis - rank if axes == [rank - 1] and rank > 1 else axis for axis in axes]
        keywords["axis"] = code(str(_one_or_all(axes)))
    if node.attributes.get("keep_dims"):
        keywords["keepdims"] = code("True")
    return call("ops." + node.op.lower(), source, **keywords)


def _place_of_extreme(body, node):
    axis = axis_of(body, node, 1, len(dims_of(body, node)))
    place = call("ops." + node.op.lower(), body.tensor(node, 0), axis=code(str(axis)))
    return place if node.output.dtype == "int32" else cast_to(place, node.output.dtype)


def _normalized(name):
    return lambda body, node: call(name, body.tensor(node, 0), axis=code("-1"))


def _product(body, node):
    if any(node.attributes.get(key) for key in ("transpose_a", "transpose_b", "adj_x", "adj_y")):
        raise body.refused(node, NO_RANK)  # else a pass has made it a Transpose
    return expressions.infix(body.tensor(node, 0), "@", body.tensor(node, 1), MULTIPLY)


def _half_of_squares(body, node):
    total = call("ops.sum", call("ops.square", body.tensor(node, 0)))
    return expressions.infix(total, "/", code("2"), MULTIPLY)


def _cumulated(body, node):
    if node.attributes.get("exclusive") or node.attributes.get("reverse"):
        raise body.refused(node, "a cumulative sum that is exclusive or reversed")
    axis = axis_of(body, node, 1, len(dims_of(body, node)))
    return call("ops.cumsum", body.tensor(node, 0), axis=code(str(axis)))


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
    "Softmax": _normalized("ops.softmax"),
    "LogSoftmax": _normalized("ops.log_softmax"),
    "MatMul": _product,
    "BatchMatMul": _product,
    "BatchMatMulV2": _product,
    "L2Loss": _half_of_squares,
    "Cumsum": _cumulated,
}
