"""The sizes of the elements of arrays and lists, measured: TFLite makes each of them one tensor."""

from tfgraphtools.checkpoints.graphs import constant_branches, cuts
from tfgraphtools.graphs.converting import session_runs

_LOOPS = ("While", "StatelessWhile")


def fix(graph_def, part):
    """Gives arrays and lists that leave loops the sizes that their elements have in a run.

    Does nothing where the size of an input is free: the sizes then depend on the run.

    Args:
      graph_def: that of the part, changed in place.
      part: a `FrozenPart`.
    """
    shapes = [shape for _, shape in part.described().values()]
    if any(shape is None or None in shape for shape in shapes):
        return
    nodes = {node.name: node for node in graph_def.node}
    sources = {**_arrays(nodes), **_lists(nodes)}
    if not sources:
        return
    with session_runs.imported(part.tf, graph_def, part.place) as session:
        fetched = {name: name + ":0" for name in sources}
        values = session_runs.SessionRuns(part.place, session, part.inputs, fetched)(
            part.comparisons[0].runs[0]
        )
    for name, source in sources.items():
        sizes = values[name].shape[1:]
        if source.op == "TensorListReserve":
            for node in (source, nodes[name]):
                index = 0 if node is source else 1
                node.input[index] = _constant(graph_def, node.name + "/element_sizes", sizes)
        else:
            shape = source.attr["element_shape"].shape
            shape.Clear()
            for size in sizes:
                shape.dim.add(size=size)


def _arrays(nodes):
    """Returns {a gather outside of loops: its TensorArray}."""
    return {
        node.name: nodes[cuts.split_tensor(node.input[0])[0]]
        for node in nodes.values()
        if node.op == "TensorArrayGatherV3"
        and nodes[cuts.split_tensor(node.input[0])[0]].op == "TensorArrayV3"
        and not constant_branches.is_in_loop(nodes, node)
    }


def _lists(nodes):
    """Returns {a stack behind a loop of control flow v2: the list that enters the loop}."""
    lists = {}
    for node in nodes.values():
        if node.op != "TensorListStack":
            continue
        name, output = cuts.split_tensor(node.input[0])
        if nodes[name].op in _LOOPS:
            source = nodes[cuts.split_tensor(nodes[name].input[output])[0]]
            if source.op == "TensorListReserve":
                lists[node.name] = source
    return lists


def _constant(graph_def, name, sizes):
    node = graph_def.node.add(name=name, op="Const")
    node.attr["dtype"].type = 3  # int32
    tensor = node.attr["value"].tensor
    tensor.dtype = 3
    tensor.tensor_shape.dim.add(size=len(sizes))
    tensor.int_val.extend(sizes)
    return name
