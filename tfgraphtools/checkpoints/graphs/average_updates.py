"""The ops of a training graph that update moving averages: M -= (M - x) * rate."""

from tfgraphtools.checkpoints.graphs import cuts

SUBTRACTS = ("AssignSub", "AssignSubVariableOp")
#: Ops that compute the statistics of a batch.
STATISTICS = ("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3", "Mean", "SquaredDifference")
_READS = ("Identity", "ReadVariableOp")


def averaged(nodes):
    """Returns {(node, output) of a statistic of a batch: the variable of its moving average}.

    Args:
      nodes: {name: node} of the whole graph.
    """
    unbiased, averages = dict(_unbiased(nodes)), {}
    for _, variable, difference, _ in _moves(nodes):
        for statistic in _copied(nodes, difference.input[1]):
            averages[statistic] = unbiased.get(variable.name, variable.name)
    return averages


def _copied(nodes, tensor):
    """Returns a tensor, and the statistic that it is a copy of, behind a branch that was chosen."""
    statistic = first = cuts.split_tensor(tensor)
    while nodes[statistic[0]].op == "Identity":
        statistic = cuts.split_tensor(nodes[statistic[0]].input[0])
    is_statistic = nodes[statistic[0]].op in (*STATISTICS, "Squeeze")
    return {first, statistic} if is_statistic else {first}


def rates(nodes):
    """Returns {variable of a moving average: the node of the rate by which it moves, or None}.

    None: by none that is known, as with ``zero_debias=True``, or by several.
    """
    unbiased, found = dict(_unbiased(nodes)), {}
    for _, variable, _, rate in _moves(nodes):
        found.setdefault(variable.name, set()).add(rate.name)
    rates_of = {name: rows.pop() if len(rows) == 1 else None for name, rows in found.items()}
    rates_of.update(dict.fromkeys(unbiased.values()))
    return rates_of


def updates(nodes):
    """Returns the names of the ops that update moving averages."""
    return [node.name for node, _, _, _ in _moves(nodes)]


def _moves(nodes):
    """Yields (op, variable, the node of M - x, that of the rate) of each update."""
    for node in nodes.values():
        if node.op not in SUBTRACTS:
            continue
        variable, product = _input(nodes, node, 0), _input(nodes, node, 1)
        while variable.op == "Identity":  # behind a branch that was chosen
            variable = _input(nodes, variable, 0)
        if variable.op not in cuts.VARIABLES or "ExponentialMovingAverage" in variable.name:
            continue
        if product.op != "Mul" or len(variable.attr["shape"].shape.dim) != 1:
            continue
        for index in (0, 1):
            factor = _input(nodes, product, index)
            if factor.op == "Sub" and _read_variable(nodes, factor, 0) is variable:
                yield node, variable, factor, _input(nodes, product, 1 - index)


def _unbiased(nodes):
    """Yields (a sum that begins at zero, the average computed from it), of zero_debias=True."""
    for node in nodes.values():
        if node.op not in cuts.ASSIGNS or len(node.input) < 2:
            continue
        ratio = _input(nodes, node, 1)
        if ratio.op != "RealDiv":
            continue
        source = _read_variable(nodes, ratio, 0)
        variable = _input(nodes, node, 0)
        if source is not None and source is not variable and variable.op in cuts.VARIABLES:
            yield source.name, variable.name


def _read_variable(nodes, node, index):
    """Returns the variable that an input reads, perhaps after an update, or None."""
    source = _input(nodes, node, index)
    for _ in range(6):
        if source.op in cuts.VARIABLES:
            return source
        if source.op not in _READS + SUBTRACTS:
            return None
        source = _input(nodes, source, 0)
    return None


def unforced(graph_def, averages):
    """Removes the control inputs that make a step update moving averages; returns their nodes.

    ``updates_collections=None`` of slim puts them in front of the layer's output.

    Args:
      averages: the names of the averages' variables.
    """
    nodes = {node.name: node for node in graph_def.node}
    updates = set()
    for node in graph_def.node:
        writes = node.op in SUBTRACTS + cuts.ASSIGNS and _input(nodes, node, 0).name in averages
        if writes or node.op in ("AssignAdd", "AssignAddVariableOp") and _is_local_step(node):
            updates.add(node.name)
    for node in graph_def.node:  # what reads the variable after its update
        is_read = node.op in _READS and _input(nodes, node, 0).name in averages
        if is_read and any(_control(tensor) in updates for tensor in node.input):
            updates.add(node.name)
    changed = []
    for node in graph_def.node:
        kept = [tensor for tensor in node.input if _control(tensor) not in updates]
        if len(kept) < len(node.input) and node.name not in updates:
            del node.input[:]
            node.input.extend(kept)
            changed.append(node.name)
    return changed


def _is_local_step(node):
    return node.input[0].endswith("/local_step")


def _control(tensor):
    """Returns the node of a control input, or None."""
    return tensor[1:] if tensor.startswith("^") else None


def _input(nodes, node, index):
    return nodes[cuts.split_tensor(node.input[index])[0]]
