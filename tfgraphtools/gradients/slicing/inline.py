"""Calls of `tf.function` replaced by their bodies, in lists of node definitions.

TF ties the gradient of such a call to the original call, so a copy of it could
not be differentiated. Its body can, but for a loop of control flow v2 in a loop of
control flow v1: the gradient of the one builds lists outside of the other.
"""

import collections

from tfgraphtools import _tf
from tfgraphtools.gradients.slicing.node_names import full_name, handles_of

_PARTITIONED_CALLS = frozenset(["PartitionedCall", "StatefulPartitionedCall"])
_LOOPS = frozenset(["StatelessWhile", "While"])


#: Nodes without calls, and where to find in them what belonged to a call: ``renamed`` is
#: ``{tensor name of the call: tensor name in the body}``, ``members`` ``{name of the call: [names
#: of all tensors of its body]}``, ``last`` ``{name of the call: [names of the ops that end it]}``.
Inlined = collections.namedtuple("Inlined", "nodes, renamed, members, last")


def calls_to_keep(graph, ops):
    """Returns ``{name: number of used outputs}`` of calls of functions with loops in v1 loops.

    The loops in the functions are those of control flow v2.
    """
    calls = [
        op
        for op in ops
        if op.type in _PARTITIONED_CALLS
        and any(hasattr(context, "loop_exits") for context in _tf.contexts_of(op))
        and _has_loops(graph, op.node_def)
    ]
    used = {tensor.name for op in ops if calls for tensor in op.inputs}
    return {
        op.name: max([1] + [i + 1 for i, output in enumerate(op.outputs) if output.name in used])
        for op in calls
    }


def _has_loops(graph, node):
    functions = [_tf.function_definition(graph, name) for name in _tf.called_by(graph, [node])]
    return any(node.op in _LOOPS for function in functions for node in function.node_def)


def inline_calls(graph, nodes, handles, kept=()):
    """Returns the nodes with each call of a `tf.function` replaced by its body, as an `Inlined`.

    Args:
      handles: ``{tensor name: tensor with its handle data}``; it gains those of the bodies.
      kept: the names of calls that stay.
    """
    result, renamed, last, members = [], {}, {}, {}
    for node in nodes:
        if node.op not in _PARTITIONED_CALLS or node.name in kept:
            result.append(node)
            continue
        inner, outputs, last[node.name], members[node.name] = _inlined(graph, node, handles)
        result.extend(inner)
        renamed.update({f"{node.name}:{i}": output for i, output in enumerate(outputs)})
    for source in list(renamed):  # a call may hand on what another call put out
        while renamed[source] in renamed:
            renamed[source] = renamed[renamed[source]]
    last = {name: sorted(_ends(name, last)) for name in last}
    for node in result if last else ():
        data = [renamed.get(full_name(source), source) for source in node.input if source[0] != "^"]
        waits = [source[1:] for source in node.input if source[0] == "^"]
        waits = {end for op_name in waits for end in last.get(op_name, [op_name])}
        del node.input[:]
        node.input.extend(data + ["^" + op_name for op_name in sorted(waits)])
    return Inlined(result, renamed, members, last)


def _ends(name, last):
    """Returns the ops without calls that end a call: it may end with what another call put out."""
    ends, waiting = set(), [name]
    while waiting:
        op_name = waiting.pop()
        if op_name in last:
            waiting.extend(last[op_name])
        else:
            ends.add(op_name)
    return ends


def _inlined(graph, call, handles):
    """Returns a call's (body nodes, output names, ops that end it, names of its tensors)."""
    definition = _tf.function_definition(graph, call.attr["f"].func.name)
    data = [name for name in call.input if not name.startswith("^")]
    before = [name for name in call.input if name.startswith("^")]
    sources = [handles.get(full_name(name)) for name in data]
    body = _tf.rebuilt_function(graph, definition, sources)
    arguments = {tensor.name: full_name(data[i]) for i, tensor in enumerate(body.inputs)}
    ops = [
        op for op in body.get_operations() if not op.outputs or op.outputs[0].name not in arguments
    ]
    nodes, prefix = [_tf.node_copy(op) for op in ops], call.name + "/"
    handles.update((prefix + name, tensor) for name, tensor in handles_of(ops).items())
    for node in nodes:
        _into_caller(node, prefix, arguments, data, before)
    nodes, renamed, nested, ends = inline_calls(graph, nodes, handles)
    tensors = [prefix + tensor.name for op in ops for tensor in op.outputs]
    tensors = [tensor_name for tensor_name in tensors if tensor_name.split(":")[0] not in nested]
    tensors.extend(name for names in nested.values() for name in names)
    outputs = [arguments.get(tensor.name, prefix + tensor.name) for tensor in body.outputs]
    outputs = [renamed.get(name, name) for name in outputs]
    last = [prefix + op.name for op in body.control_outputs]
    last = [end for name in last for end in ends.get(name, [name])]
    last += [name.split(":")[0] for name in outputs if name.startswith(prefix)]
    return nodes, outputs, last or [name.split(":")[0] for name in outputs], tensors


def _into_caller(node, prefix, arguments, data, before):
    """Renames a node of a body, and lets it take the caller's tensors as its arguments.

    Args:
      arguments: ``{name of an argument's tensor: name of the tensor that is passed}``.
      data: the names of the tensors that are passed.
      before: what the call waits for.
    """
    inputs, waits = [], []
    for name in node.input:
        if not name.startswith("^"):
            inputs.append(arguments.get(full_name(name), prefix + name))
        elif name[1:] + ":0" not in arguments:
            waits.append("^" + prefix + name[1:])
    inside = any(name.startswith((prefix, "^" + prefix)) for name in inputs + waits)
    waits += [] if inside else before
    if data and not inputs and not inside:
        waits.append("^" + data[0].split(":")[0])  # into the frame of the call
    del node.input[:]
    node.input.extend(inputs + list(dict.fromkeys(waits)))
    node.name = prefix + node.name
