"""Ops at which values enter a graph: placeholders, queues and iterators."""

from tfgraphtools.checkpoints.facts import graph_ops as attributes
from tfgraphtools.checkpoints.format.wire import expect_bytes, last_fields, text
from tfgraphtools.graphs import op_kinds, tensors
from tfgraphtools.graphs.reading.meta_graphs import Tensor


def inputs(graph, shapes, definitions):
    """Returns a `Tensor` for every placeholder, and for what queues and iterators give.

    Args:
      graph: a `graph_def_nodes.Graph`.
      shapes: its `tensors.Shapes`.
      definitions: {op: OpDef}, or {}.
    """
    savers = Savers(graph)
    inputs = []
    for node in graph.nodes.values():
        if node.op in tensors.PLACEHOLDERS:
            if savers.has(node):
                continue  # the path of a Saver
            dtype = tensors.type_of(node, 0, definitions)
            shape = tensors.own_shape(node, graph.producer)
            if shape is None:
                shape = shapes.of(node.name)
            inputs.append(Tensor(node.name + ":0", dtype, shape, node.op))
        elif node.op in op_kinds.ITERATORS:
            inputs += _elements(node, "output_types", "output_shapes", node)
        elif "Dequeue" in node.op and op_kinds.DEQUEUES.fullmatch(node.op):
            queue = graph.nodes.get(attributes.endpoint(node.inputs[0])[0]) if node.inputs else None
            own = node if tensors.shapes(node) else queue
            name = "_output_shapes" if own is node else "shapes"
            inputs += _elements(node, "component_types", name, own)
    return inputs


def _elements(node, types, shapes, of):
    """Returns a `Tensor` for each component of what a node takes."""
    listed = (tensors.shapes(of, shapes) if of is not None else None) or []
    return [
        Tensor(f"{node.name}:{i}", dtype, listed[i] if i < len(listed) else None, node.op)
        for i, dtype in enumerate(tensors.types(node, types))
    ]


class Savers:
    """Tells which nodes are of a Saver: those in its scope, and calls of its functions."""

    def __init__(self, graph):
        self._graph = graph
        savers = [node for node in graph.nodes.values() if node.op in op_kinds.SAVERS]
        self._scopes = {node.name.rpartition("/")[0] for node in savers} - {""}
        self._functions = {
            name
            for name, body in graph.functions.items()
            if any(node.op in op_kinds.SAVERS for node in body)
        }

    def has(self, node):
        """Tells whether a node is of a Saver, or a placeholder that only Savers read."""
        if node.name.rpartition("/")[0] in self._scopes or self._is_call(node):
            return True
        readers = self._graph.consumers.get(node.name, ())
        is_path = node.op in tensors.PLACEHOLDERS and bool(self._functions and readers)
        return is_path and all(self._is_call(reader) for reader in readers)

    def _is_call(self, node):
        if not self._functions or node.op not in op_kinds.CALLS:
            return False
        called = last_fields(expect_bytes(tensors.attribute(node, "f").get(10, b"")))
        return text(called.get(1, b"")) in self._functions
