"""Branches of control flow v1: which predicate a Merge follows, and which input is whose."""

from tfgraphtools.graphs.source_code.ir import loop_frames


def predicate_of(merge):
    """Returns (predicate, value where it is True, value where it is False), or None.

    Args:
      merge: an op of type Merge that is of no loop, with two inputs.
    """
    if len(merge.inputs) != 2:
        return None
    for place in (1, 0):
        switch = _switch_before(merge.inputs[place])
        if switch is None:
            continue
        predicate, is_true = switch
        values = merge.inputs[place], merge.inputs[1 - place]
        return (predicate, *(values if is_true else values[::-1]))
    return None


def is_in_branch(tensor):
    """Tells whether a tensor is there only where a predicate has a value."""
    return _switch_before(tensor) is not None


def _switch_before(tensor):
    """Returns (predicate, whether the branch is that of True) of the innermost Switch around.

    The branches of an inner Merge are passed over, as many Switch ops as Merge ops.
    """
    waiting, seen = [(tensor.op, tensor.value_index, 0)], set()
    while waiting:
        op, index, depth = waiting.pop()
        if (op, index, depth) in seen:
            continue
        seen.add((op, index, depth))
        if op.type == "Switch" and not loop_frames.is_switch(op):
            if depth == 0:
                return op.inputs[1], index == 1
            waiting += [(t.op, t.value_index, depth - 1) for t in op.inputs]
            continue
        inner = depth + (op.type == "Merge" and not loop_frames.is_variable(op))
        waiting += [(t.op, t.value_index, inner) for t in op.inputs]
        waiting += [(control, 0, inner) for control in op.control_inputs]
    return None
