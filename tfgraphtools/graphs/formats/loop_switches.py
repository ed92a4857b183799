"""Switches of loop variables that only the condition of a loop reads.

What no output needs is taken out of a graph, and so is the Switch of such a variable. A Session
runs it; converters look for the Switch of each variable. One that the body needs stays.
"""

from tfgraphtools.checkpoints.graphs import cuts

_BOOL = 10


def complete(graph_def):
    """Makes the body of each loop read each of its variables, which changes no value.

    Args:
      graph_def: changed in place.
    """
    nodes = {node.name: node for node in graph_def.node}
    switches = [node for node in graph_def.node if node.op == "Switch"]
    merges = {cuts.split_tensor(node.input[0])[0]: node for node in switches}
    loops = [node for node in graph_def.node if node.op == "Merge" and _enter(nodes, node)]
    conditions = {
        _enter(nodes, node).attr["frame_name"].s: merges[node.name].input[1]
        for node in loops
        if node.name in merges
    }
    for node in loops:
        condition = conditions.get(_enter(nodes, node).attr["frame_name"].s)
        if node.name not in merges and condition is not None:
            _read_in_body(graph_def, nodes, node, condition)


def _enter(nodes, merge):
    """Returns the Enter of a Merge that begins an iteration; None of another Merge."""
    return next((node for node in _sources(nodes, merge) if node.op == "Enter"), None)


def _sources(nodes, node):
    return [nodes[cuts.split_tensor(tensor)[0]] for tensor in node.input]


def _read_in_body(graph_def, nodes, merge, condition):
    """Lets the next value of a variable be chosen, always, in place of the present one."""
    number = merge.attr["T"].type

    def add(op, inputs, key="T", dtype=number):
        name = cuts.unused_name(nodes, f"{merge.name}/{op}")
        node = nodes[name] = graph_def.node.add(name=name, op=op, input=inputs)
        node.attr[key].type = dtype
        return node

    switch = add("Switch", [merge.name, condition])
    present = add("Identity", [switch.name + ":1"])
    is_present = add("Const", ["^" + present.name], "dtype", _BOOL)
    tensor = is_present.attr["value"].tensor
    tensor.dtype = _BOOL
    tensor.tensor_shape.SetInParent()
    tensor.bool_val.append(False)
    (following,) = [node for node in _sources(nodes, merge) if node.op == "NextIteration"]
    chosen = add("SelectV2", [is_present.name, present.name, following.input[0]])
    following.input[0] = chosen.name
