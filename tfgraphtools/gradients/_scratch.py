"""A part of a graph copied into a graph of its own, where backward ops do no harm.

Ops, names, v1 control-flow contexts and functions are kept. What comes from
outside of the part becomes a Placeholder of the same name, except for ops
without inputs (constants, variables, placeholders): those come along.
"""

import contextlib

from tfgraphtools import _tf
from tfgraphtools._tf import v1
from tfgraphtools.gradients._lower import (
    Lowering,
    full_name,
    inline_calls,
    names_in_contexts,
    rename_members,
    strip_dangling_colocations,
)


def scratch_copy(graph, ops, contexts, handles=None):
    """(a new graph with copies of the ops, ``{tensor name: its name in the copy}``).

    Args:
      ops: the ops to copy, whole contexts included.
      contexts: the v1 control-flow contexts of the ops.
      handles: ``{tensor name: (dtype, shape)}`` of variables that become values.
    """
    nodes, renamed, members = inline_calls(graph, [_tf.node_copy(op) for op in ops])
    definitions = [context.to_proto() for context in contexts if context.outer_context is None]
    for definition in definitions:
        rename_members(definition, members)
    made = {node.name for node in nodes}
    outside = {one.split(":")[0] for node in nodes for one in node.input if one[0] != "^"}
    for name in sorted((outside | names_in_contexts(definitions)) - made):
        nodes.extend(_outside(graph.get_operation_by_name(name)))
    made = {node.name for node in nodes}
    for node in nodes:
        kept = [one for one in node.input if one[0] != "^" or one[1:] in made]
        del node.input[:]
        node.input.extend(kept)
    strip_dangling_colocations(nodes)
    scratch = v1.Graph()
    _tf.copy_functions(graph, scratch)
    Lowering(graph, scratch, "a copy of the graph").lower(nodes, handles or {})
    _tf.import_nodes(scratch, nodes, definitions, {}, "")
    return scratch, {name: full_name(new) for name, new in renamed.items()}


def _outside(op):
    """The nodes that stand for an op outside of the copied part."""
    if not op.inputs:
        return [_tf.node_copy(op)]
    placeholders = [
        _tf.placeholder_node(op.name if len(op.outputs) == 1 else f"{op.name}/{i}", t)
        for i, t in enumerate(op.outputs)]
    if len(op.outputs) == 1:
        return placeholders
    return placeholders + [_tf.identity_node(
        op.name, [node.name for node in placeholders],
        [tensor.dtype.base_dtype.as_datatype_enum for tensor in op.outputs])]


@contextlib.contextmanager
def untouched(graph):
    """Holds the promise that the block adds no op to the graph: to try is an error."""
    was_final = graph.finalized
    graph.finalize()
    try:
        yield
    finally:
        if not was_final:
            _tf.unfinalize(graph)
