"""TensorArrays as lists: what is written one by one is a list, what is unstacked is a tensor.

A list is a `Value` whose dtype is `LIST` and whose dims are those of its elements. The ops are
``List`` (an empty one), ``Append`` (list, place, element), ``Stack`` (list; ``size`` is that of the
array, None where writing makes it longer) and ``Row`` (tensor, place; ``axis``).
"""

import numpy as np

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes

LIST = "list"


def values_of(op, inputs, attributes, position):
    """Returns the outputs of an op of TensorArrays, or None for one that is not known.

    Args:
      op: its type.
      inputs: list of `Value`.
      attributes: {name: value}, and the name of the op as "name".
      position: of the op in the graph.
    """
    rule = _RULES.get(op)
    return None if rule is None else rule(inputs, attributes, position)


def _array(inputs, attributes, position):
    name = attributes["name"]
    settings = {"is_growing": bool(attributes.get("dynamic_size"))}
    handle = ir_nodes.made("TensorArray", name, inputs, (), "resource", settings, position)
    return [handle, ir_nodes.made("List", name, [], None, LIST, position=position)]


def _size(inputs, attributes, position):
    handle, flow = inputs
    if not handle.node.attributes.get("is_growing"):
        return handle.node.inputs[:1]
    return [ir_nodes.made("Length", attributes["name"], [flow], (), "int32", position=position)]


def _scattered(inputs, attributes, position):
    _, places, value, flow = inputs
    if flow.op != "List" or value.dims is None or not _is_whole(places, value.dims[0]):
        return None
    return [value]


def _is_whole(places, size):
    """Tells whether places are 0, 1, ... up to a size."""
    array = places.array
    if array is not None:
        return isinstance(size, int) and np.array_equal(array, np.arange(size))
    if places.content is not None:
        return places.content == tuple(range(len(places.content))) and len(places.content) == size
    if places.op != "Range":
        return False
    start, stop, step = (value.content for value in places.node.inputs)
    return (start, step) == (0, 1) and stop == size


def _read(inputs, attributes, position):
    _, place, flow = inputs
    if flow.dtype == LIST or flow.dims is None:
        return None
    name, settings = attributes["name"], {"axis": 0}
    return [
        ir_nodes.made(
            "Row", name, [flow, place], flow.dims[1:], flow.dtype, settings, position
        )
    ]  # fmt: skip


def _written(inputs, attributes, position):
    _, place, element, flow = inputs
    if flow.dtype != LIST:
        return None
    operands = [flow, place, element]
    return [
        ir_nodes.made("Append", attributes["name"], operands, element.dims, LIST, None, position)
    ]


def _gathered(inputs, attributes, position):
    handle, places, flow = inputs
    if flow.dtype != LIST:
        return [flow] if flow.dims is not None and _is_whole(places, flow.dims[0]) else None
    settings = {"axis": 0}
    operands = [flow]
    if handle.node.attributes["is_growing"]:
        if not _is_length(places, flow):
            return None
        size = sizes.symbol(attributes["name"] + ":0", 0)
    else:
        operands.append(handle.node.inputs[0])
        size = operands[1].content
        if size is None or not _is_whole(places, size):
            return None
    dims = None if flow.dims is None else (size, *flow.dims)
    dtype = attributes.get("dtype", "float32")
    return [ir_nodes.made("Stack", attributes["name"], operands, dims, dtype, settings, position)]


def _is_length(places, flow):
    if places.op != "Range":
        return False
    start, stop, step = places.node.inputs
    is_length = stop.op == "Length" and stop.node.inputs[0] is flow
    return is_length and (start.content, step.content) == (0, 1)


_RULES = {
    "TensorArrayV3": _array,
    "TensorArraySizeV3": _size,
    "TensorArrayScatterV3": _scattered,
    "TensorArrayReadV3": _read,
    "TensorArrayWriteV3": _written,
    "TensorArrayGatherV3": _gathered,
}
OPS = frozenset(_RULES)
