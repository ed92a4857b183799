"""Ops that only move elements: one Reshape, one Transpose, and views of parameters."""

from tfgraphtools.graphs.source_code.ir import ir_nodes


def _as_reshape(program, node):
    """Makes a Reshape of ExpandDims, Squeeze and Reshape: its dims say the rest."""
    if node.output.dims is None:
        return None
    if node.op == "Reshape" and len(node.inputs) == 1:
        return _simpler(node)
    node.op = "Reshape"
    node.set_inputs(node.inputs[:1])
    return True


def _simpler(node):
    source, dims = node.inputs[0], node.output.dims
    if source.dims == dims:
        return source
    if source.op == "Reshape" and len(source.node.inputs) == 1:
        node.set_inputs(source.node.inputs)
        return True
    if source.op == ir_nodes.PARAMETER and all(isinstance(size, int) for size in dims):
        return view(source, ("reshape", dims), dims)
    return None


def _transposed(program, node):
    if "order" not in node.attributes:
        if node.inputs[1].content is None:
            return None
        node.attributes["order"] = node.inputs[1].content
        node.set_inputs(node.inputs[:1])
        return True
    source, order = node.inputs[0], node.attributes["order"]
    if order == tuple(range(len(order))):
        return source
    if source.op == ir_nodes.PARAMETER:
        return view(source, ("transpose", order), node.output.dims)
    if source.op == "Transpose" and "order" in source.node.attributes:
        inner = source.node.attributes["order"]
        node.attributes["order"] = tuple(inner[axis] for axis in order)
        node.set_inputs(source.node.inputs)
        return True
    return None


def view(parameter, step, dims):
    """Returns a parameter with one more step between it and the tensor in the checkpoint.

    Steps are ("reshape", dims), ("transpose", order) and ("part", axis, start, stop).
    """
    source = parameter.node
    node = ir_nodes.Node(ir_nodes.PARAMETER, source.name, position=source.position)
    node.attributes.update(source.attributes)
    node.attributes["steps"] = (*source.attributes["steps"], step)
    return node.add_output(dims, parameter.dtype)


def _swapped(program, node):
    """Makes a Transpose of an operand that a product reads transposed."""
    keys = ("transpose_a", "transpose_b") if node.op == "MatMul" else ("adj_x", "adj_y")
    for place, key in enumerate(keys):
        value = node.inputs[place]
        if not node.attributes.get(key) or value.dims is None:
            continue
        rank = len(value.dims)
        order = (*range(rank - 2), rank - 1, rank - 2)
        dims = tuple(value.dims[axis] for axis in order)
        attributes = {"order": order}
        inputs = list(node.inputs)
        inputs[place] = ir_nodes.made(
            "Transpose", node.name, [value], dims, value.dtype, attributes, node.position
        )
        node.attributes[key] = False
        node.set_inputs(inputs)
        return True
    return None


def _cast(program, node):
    return node.inputs[0] if node.inputs[0].dtype == node.output.dtype else None


def _whole_of_parts(program, node):
    """Makes one parameter of the parts of a partitioned variable."""
    *parts, axis = node.inputs
    if not all(part.op == ir_nodes.PARAMETER for part in parts) or len(parts) < 2:
        return None
    attributes = [part.node.attributes for part in parts]
    if any(row["steps"] or row["index"] is None for row in attributes):
        return None
    if len({row["variable"] for row in attributes}) != 1 or axis.content is None:
        return None
    axis, start = axis.content % len(parts[0].dims), 0
    for row in attributes:
        bounds = row["index"][axis]
        others = [bound for i, bound in enumerate(row["index"]) if i != axis]
        if bounds.start != start or any(bound.start for bound in others):
            return None
        start = bounds.stop
    return _joined(parts, attributes, axis, node.output.dims)


def _joined(parts, attributes, axis, dims):
    import numpy as np

    first = attributes[0]
    node = ir_nodes.Node(ir_nodes.PARAMETER, first["variable"])
    node.attributes.update(first, index=None)
    node.attributes["array"] = np.concatenate([row["array"] for row in attributes], axis)
    return node.add_output(dims, parts[0].dtype)


RULES = {
    "Reshape": [_as_reshape],
    "ExpandDims": [_as_reshape],
    "Squeeze": [_as_reshape],
    "Transpose": [_transposed],
    "Cast": [_cast],
    "MatMul": [_swapped],
    "BatchMatMul": [_swapped],
    "BatchMatMulV2": [_swapped],
    "ConcatV2": [_whole_of_parts],
}
