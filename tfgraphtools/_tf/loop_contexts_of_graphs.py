"""Loops of control flow v1 in a graph that was imported without their contexts."""

from tfgraphtools._tf.api import tf
from tfgraphtools._tf.tf_internals import Internal

_control_flow = Internal("tensorflow.python.ops.control_flow_ops", "Gradients of v1 loops")


def restore_loops(graph, contexts):
    """Makes the loops of a graph known to it, so that they have a gradient.

    Args:
      contexts: list of WhileContextDef; what the graph has not is added: the ends of variables.
    """
    with graph.as_default():
        for context in contexts:
            _complete(graph, context)
            _control_flow.WhileContext.from_proto(context)


def _complete(graph, context):
    """Adds the Exit of each variable: a gradient comes back through all."""
    exits = []
    for name in context.loop_enter_names:
        switch = _switch_of(graph.get_tensor_by_name(name))
        ends = [op for op in switch.outputs[0].consumers() if op.type == "Exit"]
        if not ends:
            ends = [tf.raw_ops.Exit(data=switch.outputs[0]).op]
            context.values_def.values.append(ends[0].outputs[0].name)
        exits.append(ends[0].outputs[0].name)
    del context.loop_exit_names[:]
    context.loop_exit_names.extend(exits)
    for nested in context.nested_contexts:
        if nested.WhichOneof("ctxt") == "while_ctxt":
            _complete(graph, nested.while_ctxt)


def _switch_of(enter):
    """Returns the Switch of the variable that an Enter begins."""
    merge = next(op for op in enter.consumers() if op.type == "Merge")
    return next(op for op in merge.outputs[0].consumers() if op.type == "Switch")
