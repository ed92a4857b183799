"""Where values enter a graph, and where they probably leave it."""

import functools
import re

from tfgraphtools.checkpoints.facts import graph as attributes
from tfgraphtools.graphs import op_kinds, tensors
from tfgraphtools.graphs.meta_graphs import Tensor

_OTHER_SCOPES = re.compile(r"(?:^|/)(?:report_uninitialized_variables\w*|global_step)/")


def inputs(graph, shapes, definitions):
    """Returns a `Tensor` for every placeholder, and for what queues and iterators give.

    Args:
      graph: a `nodes.Graph`.
      shapes: its `tensors.Shapes`.
      definitions: {op: OpDef}, or {}.
    """
    scopes = _saver_scopes(graph)
    found = []
    for node in graph.nodes.values():
        if node.op in tensors.PLACEHOLDERS:
            if node.name.rpartition("/")[0] in scopes:
                continue  # the path of a Saver
            dtype = tensors.type_of(node, 0, definitions)
            shape = tensors.own_shape(node, graph.producer)
            if shape is None:
                shape = shapes.of(node.name)
            found.append(Tensor(node.name + ":0", dtype, shape, node.op))
        elif node.op in op_kinds.ITERATORS:
            found += _elements(node, "output_types", "output_shapes", node)
        elif "Dequeue" in node.op and op_kinds.DEQUEUES.fullmatch(node.op):
            queue = graph.nodes.get(attributes.endpoint(node.inputs[0])[0]) if node.inputs else None
            own = node if tensors.shapes(node) else queue
            name = "_output_shapes" if own is node else "shapes"
            found += _elements(node, "component_types", name, own)
    return found


def _elements(node, types, shapes, of):
    """Returns a `Tensor` for each component of what a node takes."""
    listed = (tensors.shapes(of, shapes) if of is not None else None) or []
    return [
        Tensor(f"{node.name}:{i}", dtype, listed[i] if i < len(listed) else None, node.op)
        for i, dtype in enumerate(tensors.types(node, types))
    ]


def outputs(graph, shapes, definitions):
    """Returns a `Tensor` for every node whose value only gradients and summaries read, or nothing.

    It says nothing about whether the value is of use. The arguments are those of `inputs`.
    """
    scopes = _saver_scopes(graph)
    return [
        Tensor(
            node.name + ":0",
            tensors.type_of(node, 0, definitions),
            shapes.of(node.name),
            node.op,
        )
        for node in graph.nodes.values()
        if _is_output(node, graph, scopes) and _has_value(node, definitions)
    ]


def _has_value(node, definitions):
    definition = definitions.get(node.op)
    return definition is None or bool(definition.outputs)


def _is_output(node, graph, saver_scopes):
    readers = graph.consumers.get(node.name, ())
    if not all(_is_aside(reader) for reader in readers) or _is_never_output(node.op):
        return False
    name = node.name
    if op_kinds.GRADIENTS.search(name) or _OTHER_SCOPES.search(name):
        return False
    return name.rpartition("/")[0] not in saver_scopes and not _is_read(node, graph)


def _is_aside(reader):
    """Tells whether a reader of a value leaves it an output."""
    is_summary = "Summary" in reader.op and op_kinds.SUMMARIES.fullmatch(reader.op)
    return bool(is_summary or op_kinds.GRADIENTS.search(reader.name))


@functools.lru_cache(maxsize=None)
def _is_never_output(op):
    """Tells whether an op gives no value, or one that is given or stored."""
    return (
        op in ("Const", "HostConst")
        or op in tensors.VARIABLES
        or op in tensors.PLACEHOLDERS
        or op in op_kinds.SAVERS
        or any(pattern.fullmatch(op) for pattern in _NEVER)
    )


_NEVER = (
    op_kinds.SINKS,
    op_kinds.WRITES,
    op_kinds.APPLIES,
    op_kinds.SUMMARIES,
    op_kinds.QUEUES,
    op_kinds.QUEUE_OPS,
    op_kinds.DATASETS,
)


def _is_read(node, graph):
    """Tells whether a node only reads a variable: its `read` op, or a copy for a Saver."""
    if node.op not in ("Identity", "ReadVariableOp") or not node.inputs:
        return False
    source = graph.nodes.get(attributes.endpoint(node.inputs[0])[0])
    return source is not None and source.op in tensors.VARIABLES + ("ReadVariableOp",)


def _saver_scopes(graph):
    """Returns the scopes of Savers: ``save``, ``save_1``."""
    scopes = {
        node.name.rpartition("/")[0] for node in graph.nodes.values() if node.op in op_kinds.SAVERS
    }
    return scopes - {""}
