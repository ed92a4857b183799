"""A part of a graph copied into a graph of its own, where backward ops do no harm.

Ops, names, v1 control-flow contexts and functions are kept. What comes from
outside of the part becomes a Placeholder of the same name, except for ops
without inputs (constants, variables, placeholders): those come along.
"""

import contextlib

from tfgraphtools import _tf
from tfgraphtools._tf import v1
from tfgraphtools.gradients.slicing.contexts import names_in_contexts, rename_members
from tfgraphtools.gradients.slicing.inline import calls_to_keep, inline_calls
from tfgraphtools.gradients.slicing.lower import Lowering, lower_ref
from tfgraphtools.gradients.slicing.node_names import (
    become_placeholder,
    full_name,
    handles_of,
    strip_dangling_colocations,
)


def scratch_copy(graph, ops, definitions, handles=None, placeholders=(), scratch=None, inline=True):
    """Returns (a new graph with copies of the ops, ``{tensor name: its name in the copy}``).

    Args:
      ops: the ops to copy, whole contexts included.
      definitions: those of the outermost v1 control-flow contexts of the ops.
      handles: ``{tensor name: (dtype, shape)}`` of resource variables that become
        placeholders of their values.
      placeholders: ``[(op, dtype, shape)]``: ops of one output that become placeholders.
      scratch: the graph to copy into; a new one if None.
      inline: whether calls of a `tf.function` become their bodies.
    """
    nodes, renamed, members = [_tf.node_copy(op) for op in ops], {}, {}
    noted = handles_of(ops)
    noted.update(handles_of({tensor.op for op in ops for tensor in op.inputs}))
    calls = calls_to_keep(graph, ops) if inline else ()
    if inline:
        nodes, renamed, members, _ = inline_calls(graph, nodes, noted, calls)
    for definition in definitions:
        rename_members(definition, members)
    node_names, known = {node.name for node in nodes}, names_in_contexts(definitions)
    outside = {source.split(":")[0] for node in nodes for source in node.input if source[0] != "^"}
    for name in sorted((outside | known) - node_names):
        op = graph.get_operation_by_name(name)
        nodes.extend(_outside(op, whole=name in known))
        if len(op.outputs) > 1 and op.inputs:
            renamed.update({t.name: f"{name}/{i}:0" for i, t in enumerate(op.outputs)})
    _rename_inputs(nodes, renamed)
    for node in nodes:  # what only comes first is not run for the copy: it might need a feed
        kept = [source for source in node.input if source[0] != "^" or source[1:] in node_names]
        del node.input[:]
        node.input.extend(kept)
    strip_dangling_colocations(nodes)
    scratch = scratch or v1.Graph()
    _tf.copy_functions(graph, scratch)
    lowering = Lowering(graph, scratch, "a copy of the graph", calls=calls)
    lowering.lower(nodes, handles or {}, noted)
    for op, dtype, shape in placeholders:
        if _tf.is_ref(op.outputs[0]):
            lower_ref(graph, nodes, op.outputs[0].name, lowering.refusal)
        for node in nodes:
            if node.name == op.name:
                become_placeholder(node, dtype, shape)
    _tf.import_nodes(scratch, nodes, definitions, {}, "", noted, originals=graph)
    return scratch, {name: full_name(new) for name, new in renamed.items()}


def _outside(op, whole):
    """Returns the nodes that stand for an op outside of the copied part.

    One placeholder for each output, so that each can be fed by itself; with
    ``whole`` also one node of the op's name, for a context that knows it.
    """
    if not op.inputs:
        return [_tf.node_copy(op)]
    single = len(op.outputs) == 1
    placeholders = [
        _tf.placeholder_node(op.name if single else f"{op.name}/{i}", tensor)
        for i, tensor in enumerate(op.outputs)
    ]
    if single or not whole:
        return placeholders
    return placeholders + [
        _tf.identity_node(
            op.name,
            [node.name for node in placeholders],
            [tensor.dtype.base_dtype.as_datatype_enum for tensor in op.outputs],
        )
    ]


def _rename_inputs(nodes, renamed):
    for node in nodes:
        for i, source in enumerate(node.input):
            if not source.startswith("^"):
                node.input[i] = renamed.get(full_name(source), source)


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
