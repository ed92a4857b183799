"""Nodes of an inference graph that compute nothing: taken out."""

import re

from tfgraphtools.checkpoints.graphs import cuts

#: Ops that give their first input, or fail, or print.
_PASSES = ("Identity", "CheckNumerics", "CheckNumericsV2", "Print", "StopGradient")
_PASSES += ("PreventGradient", "Snapshot", "DebugIdentity", "DebugIdentityV2")
#: Ops of v1's control flow. A copy behind one stays: tf2onnx knows loops by it.
_BORDERS = ("Switch", "RefSwitch", "Merge", "Enter", "Exit", "NextIteration", "LoopCond")
_CHECKS = ("Assert", "PrintV2", "Print", "CheckNumerics", "CheckNumericsV2")
_IN_CHECKS = (*_CHECKS, "NoOp")
_IN_GUARD = re.compile(r"(.*/)?AssertGuard(_\d+)?/.*")
_GUARD = re.compile(r"(.*/)?AssertGuard(_\d+)?/(Merge|Identity|If)")


def strip(graph_def, fetched):
    """Takes out of a GraphDef what copies, checks or prints, and what nothing needs after that.

    What is in bodies of functions stays.

    Args:
      graph_def: changed in place: it writes to no variable.
      fetched: the names of the inputs and outputs, which stay.
    """
    nodes = {node.name: node for node in graph_def.node}
    has_loops = any(node.op in ("Enter", "RefEnter") for node in graph_def.node)
    for node in graph_def.node:
        checks = [i for i in node.input if i.startswith("^") and _is_check(nodes, i[1:])]
        awaited = [i for i in node.input if i not in checks]
        if has_loops and not awaited:  # a constant is in the loop in which what it awaits is
            awaited = [f"^{name}" for name in _checked(nodes, [i[1:] for i in checks])]
        if checks:
            del node.input[:]
            node.input.extend(awaited)
    kept = {i[1:] for node in graph_def.node for i in node.input if i.startswith("^")}.union(
        fetched
    )
    passes = {node.name: node for node in graph_def.node if _passes_on(node, nodes, kept)}
    for node in graph_def.node:
        for index, tensor in enumerate(node.input):
            node.input[index] = _source(passes, tensor)
    cuts.keep_only(graph_def, cuts.needed(graph_def, fetched))


def _is_check(nodes, name, depth=20):
    """Tells whether a node that is awaited only checks or prints."""
    node = nodes.get(name)
    if node is None or not depth:
        return False
    if node.op in _CHECKS or _GUARD.fullmatch(name):
        return True
    return node.op == "NoOp" and all(_is_check(nodes, i.lstrip("^"), depth - 1) for i in node.input)


def _checked(nodes, checks):
    """Returns the names of the nodes whose values these checks read."""
    names, seen, waiting = [], set(), list(checks)
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if nodes[name].op in _IN_CHECKS or _IN_GUARD.fullmatch(name):
            waiting += [cuts.split_tensor(tensor)[0] for tensor in nodes[name].input]
        else:
            names.append(name)
    return names


def _passes_on(node, nodes, kept):
    if node.op not in _PASSES or node.name in kept or not node.input:
        return False
    if any(tensor.startswith("^") for tensor in node.input):
        return False
    return nodes[cuts.split_tensor(node.input[0])[0]].op not in _BORDERS


def _source(passes, tensor):
    while tensor in passes:
        tensor = passes[tensor].input[0]
    return tensor
