"""The nodes and edges of a graph as plain lists, for a page that draws them."""

from tfgraphtools.checkpoints.facts import graph_ops


def nodes(graph, shapes):
    """Returns [[name, op, [[position of an input's node, output, shape]]]] of every node.

    An input that no node of the graph gives is left out. A shape has None for sizes that are not
    known, and is None for an unknown rank. The output of a control edge is -1.

    Args:
      graph: a `graph_def_nodes.Graph`.
      shapes: its `tensors.Shapes`.
    """
    positions = {name: position for position, name in enumerate(graph.nodes)}
    return [
        [node.name, node.op, list(_inputs(node, positions, shapes))]
        for node in graph.nodes.values()
    ]


def _inputs(node, positions, shapes):
    for tensor in node.inputs:
        is_control = tensor.startswith("^")
        name, output = (tensor[1:], -1) if is_control else graph_ops.endpoint(tensor)
        if name in positions:
            yield [positions[name], output, None if is_control else shapes.of(tensor)]
