"""Borders between feature maps and vectors in a graph: where the order of channels matters.

A map that is flattened, and a vector that becomes a map, have the order of the map's axes. Every
weight along that axis is ordered so: the rows of a dense kernel after a flatten, the columns and
the bias of one before a reshape, and whatever a normalisation between has. No shape tells it; the
`Reshape` of the graph does.
"""

import collections

from tfgraphtools.checkpoints.facts import axis_labels, flat_maps
from tfgraphtools.checkpoints.facts import graph_ops as graphs
from tfgraphtools.checkpoints.format.wire import reading
from tfgraphtools.checkpoints.graphs import metagraph

#: The borders of a tensor: ``rows`` and ``columns`` are the `FlatMap` by which its first and its
#: last axis are ordered, None where none is; a vector has columns.
Borders = collections.namedtuple("Borders", "rows columns")

#: What a graph says: ``by_variable``: {variable's node: `Borders`}; ``sequences``: {size:
#: `FlatMap`} of the last axes of sequences whose steps are the rows or columns of a map.
Found = collections.namedtuple("Found", "by_variable sequences")

#: Ops that keep the last axis of what they are given.
_KEEPING = axis_labels.KEEPING | {"Mean", "Sum", "Squeeze", "ExpandDims"}
_LOOKUPS = ("Gather", "GatherV2", "ResourceGather")
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")


def borders(graph):
    """Finds the tensors that are ordered by a map, and the sequences that were one.

    Args:
      graph: a `Graph`.

    Returns:
      A `Found`.
    """
    with reading(graph.path, "Pass the .meta beside the checkpoint."):
        search = _Search(graph)
        return Found(search.by_variable, search.sequences)


class _Search:
    def __init__(self, graph):
        self._graph, self.by_variable, self.sequences = graph, {}, {}
        self._labels = axis_labels.AxisLabels(graph)
        for node in graph.nodes.values():
            if node.op in _KEEPING or graphs.is_gradient(node.name):
                continue
            starts = [node.name]
            if node.op in axis_labels.REGROUPING and node.inputs:
                starts.append(graphs.endpoint(node.inputs[0])[0])
            for name in starts:
                flat = self._labels.last(name)
                if flat is not None:
                    self._spread(name, flat)
                    self._note_sequence(name, flat)

    def _note_sequence(self, name, flat):
        shape = self._labels.shape(name)
        if shape and len(shape) == 3 and shape[-1]:
            known = self.sequences.get(shape[-1])
            self.sequences[shape[-1]] = flat_maps.joined(known, flat)

    def _spread(self, name, flat):
        """Notes all weights along the axis of a flat tensor that has a map's order."""
        count = self._labels.shape(name)[-1]
        seen, waiting = {name}, [name]
        while waiting:
            node = self._graph.nodes[waiting.pop()]
            if node.op in _VARIABLES:
                self._note(node.name, columns=flat)
                continue
            if node.op in axis_labels.PRODUCTS:
                self._note_product(node, columns=flat)
            if node.op in _LOOKUPS:
                self._note(self._variable(node.inputs[0]), columns=flat)
            for user in [use.node for use in self._graph.uses(node.name)]:
                if graphs.is_gradient(user.name):
                    continue
                if user.op in axis_labels.PRODUCTS and self._is_first(user, node):
                    self._note_product(user, rows=flat)
                elif user.op in _KEEPING:
                    self._add(user, count, seen, waiting)
            if node.op in _KEEPING:
                self._add_inputs(node, count, seen, waiting)

    def _add_inputs(self, node, count, seen, waiting):
        for tensor in node.inputs:
            source = self._graph.nodes.get(graphs.endpoint(tensor)[0])
            if source is not None and tensor[:1] != "^":
                self._add(source, count, seen, waiting)

    def _add(self, node, count, seen, waiting):
        if node.name in seen or graphs.is_gradient(node.name):
            return
        shape = self._labels.shape(node.name)
        if node.op == "VarHandleOp":
            shape = metagraph.expected_of(node).shape
        has_kind = node.op in (*_VARIABLES, *_LOOKUPS, *axis_labels.PRODUCTS)
        if (has_kind or node.op in _KEEPING) and shape and shape[-1] == count is not None:
            seen.add(node.name)
            waiting.append(node.name)

    def _is_first(self, user, node):
        return graphs.endpoint(user.inputs[0])[0] == node.name

    def _note_product(self, product, rows=None, columns=None):
        """Notes the second factor of a product; the axes of one that is transposed change."""
        if graphs.boolean(product, "transpose_b") or graphs.boolean(product, "adj_y"):
            rows, columns = columns, rows
        self._note(self._variable(product.inputs[1]), rows, columns)

    def _variable(self, tensor):
        """Returns the variable whose value a tensor is, or None."""
        name = graphs.endpoint(tensor)[0]
        for _ in range(8):
            node = self._graph.nodes.get(name)
            if node is None or node.op in _VARIABLES:
                return node and node.name
            if node.op not in graphs.PASSING or not node.inputs:
                return None
            name = graphs.endpoint(node.inputs[0])[0]
        return None

    def _note(self, variable, rows=None, columns=None):
        if variable is not None:
            known = self.by_variable.get(variable, Borders(None, None))
            self.by_variable[variable] = Borders(
                flat_maps.joined(known.rows, rows), flat_maps.joined(known.columns, columns)
            )
