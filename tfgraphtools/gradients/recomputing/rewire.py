"""Backward ops made to take copies of activations, computed when the gradient arrives.

The segments are taken from the last one back. The copies of a segment wait for the
gradients that come into it from later segments (its *start*), by control edges.
These also keep TensorFlow's optimizers from merging the copies with the originals.
An op that the start itself waits for keeps the original: so no cycle can arise.
"""

import bisect

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.gradients.slicing.node_names import strip_dangling_colocations


def rewire(graph, forward, backward, uses, cuts, kept):
    """Gives the backward ops copies of what they use, but for the last segment and what is kept.

    Args:
      forward: a `Forward`; backward: the ops of the backward pass.
      uses: ``{tensor name: [(backward op, number of its input)]}``.
      cuts: indices into ``forward.ops``, sorted.
      kept: names of tensors that are not computed again.

    Returns:
      ``{ref variable's op: [copies that read it]}``: an update of such a variable
      changes what they read, and must wait for them. (A resource variable that is
      still being read is copied before it is updated.)
    """
    segment_of = {name: bisect.bisect_left(cuts, index) for name, index in forward.position.items()}
    kept = set(kept) | forward.fixed | _crossing(forward, segment_of)
    wanted = [{} for _ in range(len(cuts) + 1)]
    for name, users in uses.items():
        if name not in kept:
            wanted[segment_of[name]][name] = users
    earliest = _earliest(wanted, backward)
    members = [[] for _ in range(len(cuts) + 2)]
    for op in backward:
        members[earliest[op]].append(op)
    start, before, readers = None, _Upstream(), {}
    for number in range(len(cuts) - 1, -1, -1):
        arriving = _arriving(members[number], number, earliest)
        if not arriving:
            continue  # nothing to wait for: it keeps its ordinary gradients
        start = _start(graph, arriving, start)
        before.add(start)
        users = {
            name: [(op, i) for op, i in places if op not in before.ops]
            for name, places in wanted[number].items()
        }
        users = {name: places for name, places in users.items() if places}
        if users:
            copies, first = _copy(graph, forward, segment_of, kept, number, sorted(users), start)
            for name, places in users.items():
                for op, i in places:
                    _tf.replace_input(op, i, copies[name])
            for op in first:
                for tensor in op.inputs:
                    if _tf.is_ref_buffer(tensor):
                        for variable in _tf.refs_behind(tensor):
                            readers.setdefault(variable, []).append(op)
    return readers


def _crossing(forward, segment_of):
    """Returns the names of tensors that ops of a later segment take."""
    return {
        tensor.name
        for op in forward.ops
        for tensor in op.inputs
        if tensor.name in segment_of and segment_of[tensor.name] != segment_of[op.outputs[0].name]
    }


def _earliest(wanted, backward):
    """Returns ``{backward op: the earliest segment whose copies it depends on}``."""
    earliest, left = {}, set(backward)
    for number, names in enumerate(wanted):
        users = {op for users in names.values() for op, _ in users}
        outputs = [tensor for op in users for tensor in op.outputs]
        reached = users | _tf.downstream_ops(outputs, left)
        left -= reached
        for op in reached:
            earliest.setdefault(op, number)
    earliest.update((op, len(wanted)) for op in left)
    return earliest


def _arriving(members, number, earliest):
    """Returns the gradient ops that lead from later segments into this one's backward pass."""
    makers = {}
    for op in members:
        for maker in [tensor.op for tensor in op.inputs] + list(op.control_inputs):
            late = earliest.get(maker, -1) > number
            if late and maker.inputs and _tf.control_flow_context(maker) is None:
                makers[maker.name] = maker
    return [makers[name] for name in sorted(makers)]


def _start(graph, arriving, after):
    """Returns the op that says that the gradients have arrived."""
    with graph.as_default(), v1.name_scope(None), tf.control_dependencies(None):
        with tf.control_dependencies(arriving + ([] if after is None else [after])):
            return v1.no_op(name="recompute/start")


class _Upstream:
    """All that some ops wait for; it only grows, as later walks go further."""

    def __init__(self):
        self.ops = set()

    def add(self, op):
        waiting = [op]
        while waiting:
            current = waiting.pop()
            if current not in self.ops:
                self.ops.add(current)
                waiting.extend(tensor.op for tensor in current.inputs)
                waiting.extend(current.control_inputs)


def _copy(graph, forward, segment_of, kept, number, names, start):
    """Returns (``{tensor name: its copy}``, the copies that take something from outside)."""
    ops, waiting = set(), [forward.ops[forward.position[name]] for name in names]
    while waiting:
        op = waiting.pop()
        if op not in ops:
            ops.add(op)
            waiting.extend(
                tensor.op
                for tensor in op.inputs
                if tensor.name not in kept and segment_of.get(tensor.name) == number
            )
    ordered = sorted(ops, key=_tf.order_of)
    copied = {tensor.name for op in ordered for tensor in op.outputs} - kept
    nodes, outside, first = [], {}, []
    for op in ordered:
        node = _tf.node_copy(op)
        del node.input[:]
        for tensor in op.inputs:
            if tensor.name in copied:
                node.input.append(tensor.name)
            else:
                name = f"recompute_outside_{len(outside)}" if tensor.name not in outside else None
                name = outside.setdefault(tensor.name, (name, tensor))[0]
                node.input.append(name + ":0")
        if any(tensor.name not in copied for tensor in op.inputs):
            first.append(op.name)
        nodes.append(node)
    strip_dangling_colocations(nodes)
    input_map = {name + ":0": tensor for name, tensor in outside.values()}
    scope = f"recompute/segment_{number}"
    scope = _tf.import_nodes(graph, nodes, [], input_map, scope, originals=graph)
    first = [graph.get_operation_by_name(f"{scope}/{name}") for name in first]
    for op in first:
        _tf.add_control_inputs(op, [start])
    copies = {}
    for name in names:
        copies[name] = graph.get_tensor_by_name(f"{scope}/{name}")
        copies[name].set_shape(
            forward.ops[forward.position[name]].outputs[int(name.split(":")[1])].shape
        )
    return copies, first
