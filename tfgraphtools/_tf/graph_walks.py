"""Walks over the ops of a graph: what computes a tensor, what a tensor reaches, what it is part of.

Every walk keeps a list of what is left to visit, so that deep graphs do no harm.
"""

from tfgraphtools._tf.op_facts import control_flow_context, has_seed, is_stateful
from tfgraphtools._tf.op_type_groups import SHAPE_OPS


def upstream_ops(starts, controls=False, without=()):
    """Returns the ops that these tensors or ops are computed from, by data (and by control) edges.

    Args:
      without: names of tensors that are given: what they are computed from does not count.
    """
    ops, waiting = set(), [getattr(start, "op", start) for start in starts]
    while waiting:
        op = waiting.pop()
        if op in ops:
            continue
        ops.add(op)
        waiting.extend(tensor.op for tensor in op.inputs if tensor.name not in without)
        if controls:
            waiting.extend(op.control_inputs)
    return ops


def downstream_ops(tensors, within=None, through_shapes=True):
    """Returns the ops that data from the tensors reaches, without leaving the ops ``within``.

    What lies between two tensors never leaves what is upstream of the second:
    with ``within`` it is found in a walk of its own size.
    """
    reached, waiting = set(), list(tensors)
    while waiting:
        for op in waiting.pop().consumers():
            if op in reached or (within is not None and op not in within):
                continue
            if through_shapes or op.type not in SHAPE_OPS:
                reached.add(op)
                waiting.extend(op.outputs)
    return reached


def contexts_of(op):
    """Returns the v1 conds and loops around an op, innermost first."""
    context, contexts = control_flow_context(op), []
    while context is not None:
        if hasattr(context, "to_proto"):  # that of XLA has none: it is no structure of the graph
            contexts.append(context)
        context = context.outer_context
    return contexts


def outermost(contexts):
    """Returns those of these contexts that are in no other cond or loop."""
    return [context for context in contexts if not hasattr(context.outer_context, "to_proto")]


def is_random(op):
    """Returns True for an op that draws from a generator that moves on with every run."""
    return is_stateful(op) and has_seed(op)
