"""The name scopes of a graph as a tree, with what is in each of them."""

from tfgraphtools.graphs import flops


class Scope:
    """A name scope with totals of all that is in and below it.

    Attributes:
      children: {last part of the name: Scope}.
      ops: how many nodes.
      parameters: elements of variables, the optimizer's excluded, or of a frozen graph's weights.
      flops: `Flops`.
    """

    __slots__ = ("children", "ops", "parameters", "flops")

    def __init__(self):
        self.children, self.ops, self.parameters, self.flops = {}, 0, 0, flops.NONE

    def as_dict(self):
        """Returns a dictionary of plain values."""
        return {
            "ops": self.ops,
            "parameters": self.parameters,
            "flops": self.flops._asdict(),
            "scopes": {name: child.as_dict() for name, child in self.children.items()},
        }


def tree(graph, shapes, parameters, depth=None):
    """Returns the `Scope` of a whole graph.

    Args:
      graph: a `graph_def_nodes.Graph`.
      shapes: its `tensors.Shapes`.
      parameters: {name of a node: how many elements it holds}.
      depth: levels of scopes below the root, None for all of them.
    """
    root = Scope()
    for node in graph.nodes.values():
        counted = flops.of_node(node, shapes)
        held = parameters.get(node.name, 0)
        scope = root
        _add(scope, counted, held)
        for part in node.name.split("/")[: _levels(node.name, depth)]:
            child = scope.children.get(part)
            if child is None:
                child = scope.children[part] = Scope()
            scope = child
            _add(scope, counted, held)
    return root


_DEEPEST = 64  # scopes of a real graph are never that deep; those of a hostile one are


def _levels(name, depth):
    """Returns how many parts of a name are scopes that are shown: the last part is the node."""
    levels = min(name.count("/"), _DEEPEST)
    return levels if depth is None else min(levels, depth)


def _add(scope, counted, held):
    scope.ops += 1
    scope.parameters += held
    if counted is not flops.NONE:
        scope.flops = flops.added(scope.flops, counted)
