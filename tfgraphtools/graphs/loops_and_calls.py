"""Loops, branches and calls of a graph, of both versions of control flow."""

import collections

from tfgraphtools.checkpoints.format.wire import expect_bytes, fields, last_fields, text
from tfgraphtools.graphs import op_kinds, tensors

#: ``v1``, ``v2``, ``calls``: {op: count}, functions included; ``loops``: the names of v1 loops;
#: ``tensor_arrays``: how many.
ControlFlow = collections.namedtuple("ControlFlow", "v1 v2 calls loops tensor_arrays")

#: A function of the library: how many nodes it has, and how many nodes call it by name.
Function = collections.namedtuple("Function", "name nodes calls")

_ENTERS = ("Enter", "RefEnter")


def control_flow(graph):
    """Returns the `ControlFlow` of a graph."""
    v1, v2, calls = collections.Counter(), collections.Counter(), collections.Counter()
    loops, tensor_arrays = collections.OrderedDict(), 0
    for node in graph.all_nodes():
        op = node.op
        if op in op_kinds.CONTROL_V1:
            v1[op] += 1
            if op in _ENTERS and not op_kinds.GRADIENTS.search(node.name):
                loops[text(tensors.attribute(node, "frame_name").get(2, b""))] = True
        elif op in op_kinds.CONTROL_V2:
            v2[op] += 1
        elif op in op_kinds.CALLS or op in graph.functions:
            calls[op] += 1
        elif op in ("TensorArrayV3", "TensorArrayV2", "TensorArray", "TensorListReserve"):
            tensor_arrays += 1
    return ControlFlow(dict(v1), dict(v2), dict(calls), list(loops), tensor_arrays)


def in_loops(graph):
    """Returns the names of the nodes in loops of v1: no Session fetches their values."""
    inside = {node.name for node in graph.nodes.values() if node.op in _ENTERS}
    waiting = list(inside)
    while waiting:
        for reader in graph.consumers.get(waiting.pop(), ()):
            if reader.op not in ("Exit", "RefExit") and reader.name not in inside:
                inside.add(reader.name)
                waiting.append(reader.name)
    return inside


def functions(graph):
    """Returns the `Function` list of a graph's library, in its order."""
    if not graph.functions:
        return []
    calls = collections.Counter()
    for node in graph.all_nodes():
        if node.op in graph.functions:
            calls[node.op] += 1
        for value in node.attrs.values():
            calls.update(set(_called(expect_bytes(value))) & set(graph.functions))
    return [Function(name, len(body), calls[name]) for name, body in graph.functions.items()]


def _called(value):
    """Yields the names of the functions in an AttrValue: one, or a list."""
    for number, content in fields(value):
        if number == 10:
            yield text(last_fields(expect_bytes(content)).get(1, b""))
        elif number == 1:
            for field, function in fields(expect_bytes(content)):
                if field == 9:
                    yield text(last_fields(expect_bytes(function)).get(1, b""))
