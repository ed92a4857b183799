"""The branches, loops and functions that `pfor` cannot vectorise with their gradients."""

from tfgraphtools import _tf
from tfgraphtools.errors import ArgumentError

_LOOPS = frozenset(["StatelessWhile", "While"])
_UNROLLED = "one loop, with what is inside of it unrolled or taken out"


def check_control_flow(place, upstream, between):
    """Refuses what cannot be vectorised, or would give wrong numbers.

    Args:
      upstream: the ops that the losses are computed from.
      between: those of them that differ between the examples.
    """
    for op in sorted(upstream, key=_tf.order_of):
        problem, instead = _in_contexts(op, between) or _in_bodies(op) or (None, None)
        if problem:
            raise ArgumentError(
                place,
                "a model that TensorFlow can vectorise with its gradient",
                f"{problem}: the op {op.name!r}",
                f"Use {instead}, or take one example after the other: "
                "[tf.gradients(losses[i], xs) for i in range(batch)].",
            )


def _in_contexts(op, between):
    """Returns (what cannot be vectorised, what to use instead) of control flow v1, or None."""
    around = _tf.contexts_of(op)
    if any(context.IsCondContext() for context in around):
        return "a cond of control flow v1", "tf.where, or enable_control_flow_v2()"
    if sum(context.IsWhileContext() for context in around) > 1:
        return "a v1 loop inside another", "one loop (the inner one unrolled)"
    if op.type == "LoopCond" and op in between:
        return (
            "a v1 loop that runs longer for some examples, as dynamic_rnn with lengths does",
            "as many steps for all, and mask what comes behind the end of a sequence",
        )
    if around and _tf.is_random(op):
        return "a random draw in a loop", "a draw before the loop, for all steps"
    return None


def _in_bodies(op):
    """Returns the same of the functions that an op calls: of control flow v2, and `tf.function`."""
    names = _tf.called_names(op)
    if not names:
        return None
    nodes = [
        node
        for definition in _tf.called_definitions(op.graph, names)
        for node in definition.node_def
    ]
    if _tf.IS_TF1 and any(node.op in _LOOPS for node in [op.node_def, *nodes]):
        return "a loop of control flow v2 on TF 1.15", "disable_control_flow_v2()"
    for node in nodes:
        if "seed2" in node.attr and op.type in _tf.BODIES:
            return f"a random draw ({node.op}) in a loop or branch", "a draw before it"
    for node in [op.node_def, *nodes]:
        inner = {
            inner_node.op
            for definition in _tf.called_definitions(op.graph, _tf.function_names(node))
            for inner_node in definition.node_def
            if inner_node.op in _tf.BODIES
        }
        if inner and node.op in _LOOPS:
            return f"{' and '.join(sorted(inner))} inside a loop", _UNROLLED
        if inner & _LOOPS and node.op in _tf.BODIES:
            return "a loop inside a branch", "the loop outside of the branch, and tf.where"
    return None
