"""Borders between feature maps and vectors in a graph: where the order of channels matters.

A map of h x w x c that is flattened, and a vector that becomes a map, have the channels last in a
graph in NHWC and first in PyTorch. Every weight along that axis is ordered so: the rows of a dense
kernel after a flatten, the columns and the bias of one before a reshape, and whatever a
normalisation between has. No shape tells it; the `Reshape` of the graph does.
"""

import collections

from tfgraphtools.checkpoints.facts import graph_ops as graphs
from tfgraphtools.checkpoints.format.wire import expect_bytes, fields, last_fields, reading
from tfgraphtools.checkpoints.graphs import metagraph

#: The borders of a tensor: ``rows`` and ``columns`` are the maps, such as (7, 7, 64), by which its
#: first and its last axis are ordered, None where none is; a vector has columns.
Borders = collections.namedtuple("Borders", "rows columns")

#: Ops that keep the last axis of what they are given.
_KEEPING = set(
    "Identity Cast Relu Relu6 Elu Selu LeakyRelu Sigmoid Tanh Softplus Softsign Exp Log Neg Sqrt "
    "Rsqrt Square Abs Add AddV2 AddN Sub Mul RealDiv Maximum Minimum SquaredDifference BiasAdd "
    "StopGradient Switch Merge ReadVariableOp Mean Sum Pow Select SelectV2 Squeeze ExpandDims "
    "FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3 PlaceholderWithDefault".split()
)
#: Ops through which a map stays one, besides those of `_KEEPING`.
_OF_MAPS = set(
    "MaxPool AvgPool MaxPoolV2 Pad PadV2 MirrorPad Concat ConcatV2 LRN SpaceToBatchND "
    "BatchToSpaceND ResizeNearestNeighbor ResizeBilinear Transpose DepthToSpace SpaceToDepth "
    "StridedSlice Slice".split()
)
_CONVOLUTIONS = (
    "Conv2D",
    "DepthwiseConv2dNative",
    "Conv3D",
    "Conv2DBackpropInput",
    "Conv3DBackpropInputV2",
)
_PRODUCTS = ("MatMul", "BatchMatMul", "BatchMatMulV2")
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_MOST = 64  # ops between a convolution and a reshape


def borders(graph):
    """Finds the tensors that are ordered by a map.

    Args:
      graph: a `Graph`.

    Returns:
      {variable's node: `Borders`}.
    """
    with reading(graph.path, "Pass the .meta beside the checkpoint."):
        return _Search(graph).found


def merged(graph):
    """Returns {size: map} of the axes into which a map is merged that stays a sequence.

    Its rows or columns become steps, and their cells and channels one axis: [n, w, h * c].
    """
    sizes = {}
    with reading(graph.path, "Pass the .meta beside the checkpoint."):
        search = _Search(graph)
        for node in search.reshapes():
            before, after = search.shape(node.inputs[0]), search.shape(node.name)
            if not before or not after or len(before) != 4 or len(after) != 3:
                continue
            if after[-1] and after[-1] != before[-1] and search.is_of_a_map(node.inputs[0]):
                sizes[after[-1]] = (after[-1] // before[-1], before[-1])
    return sizes


class _Search:
    def __init__(self, graph):
        self._graph, self.found = graph, {}
        self._shapes = {}
        for node in self.reshapes():
            before, after = self.shape(node.inputs[0]), self.shape(node.name)
            if not before or not after:
                continue
            if len(after) == 2 and len(before) > 2 and self.is_of_a_map(node.inputs[0]):
                self._spread(node.name, before[1:])
            elif len(before) == 2 and len(after) > 2 and self._becomes_a_map(node.name):
                self._spread(graphs.endpoint(node.inputs[0])[0], after[1:])

    def reshapes(self):
        """Yields the reshapes of the graph that are not of its gradients."""
        for node in self._graph.nodes.values():
            if node.op in ("Reshape", "Squeeze") and node.inputs and not _is_gradient(node.name):
                yield node

    def shape(self, tensor):
        """Returns the shape that the graph says of a tensor, None where unknown."""
        name, output = graphs.endpoint(tensor)
        if name not in self._shapes:
            node = self._graph.nodes.get(name)
            listed = (
                last_fields(expect_bytes(node.attrs.get("_output_shapes", b""))) if node else {}
            )
            shapes = [
                metagraph.sizes(expect_bytes(value))
                for number, value in fields(expect_bytes(listed.get(1, b"")))
                if number == 7
            ]
            self._shapes[name] = shapes
        shapes = self._shapes[name]
        return shapes[output] if output < len(shapes) else None

    def is_of_a_map(self, tensor):
        """Tells whether a tensor comes from a convolution in NHWC, as a map."""
        seen, waiting = set(), [graphs.endpoint(tensor)[0]]
        while waiting and len(seen) < _MOST:
            node = self._graph.nodes.get(waiting.pop())
            if node is None or node.name in seen:
                continue
            seen.add(node.name)
            if node.op in _CONVOLUTIONS:
                return not graphs.word(node, "data_format").startswith("NC")
            if node.op in _KEEPING or node.op in _OF_MAPS:
                waiting += [graphs.endpoint(i)[0] for i in node.inputs if i[:1] != "^"]
        return False

    def _becomes_a_map(self, name):
        """Tells whether an op's value goes into a convolution in NHWC."""
        seen, waiting = {name}, [name]
        while waiting and len(seen) < _MOST:
            for use in self._graph.uses(waiting.pop()):
                node = use.node
                if _is_gradient(node.name) or node.name in seen:
                    continue
                seen.add(node.name)
                if node.op in _CONVOLUTIONS:
                    return not graphs.word(node, "data_format").startswith("NC")
                if node.op in _KEEPING or node.op in _OF_MAPS:
                    waiting.append(node.name)
        return False

    def _spread(self, name, sizes):
        """Notes all weights along the axis of a flat tensor that has a map's order."""
        if None in sizes or sum(size > 1 for size in sizes) < 2:
            return  # one cell or one channel: any order is the same
        count = 1
        for size in sizes:
            count *= size
        sizes = tuple(sizes)
        seen, waiting = {name}, [name]
        while waiting:
            node = self._graph.nodes[waiting.pop()]
            if node.op in _VARIABLES:
                self._note(node.name, columns=sizes)
                continue
            if node.op in _PRODUCTS:
                self._note(self._kernel(node), columns=sizes)
            near = [use.node for use in self._graph.uses(node.name)]
            for user in near:
                if user.op in _PRODUCTS and self._is_first(user, node):
                    if not _is_gradient(user.name):
                        self._note(self._kernel(user), rows=sizes)
                elif user.op in _KEEPING:
                    self._add(user, count, seen, waiting)
            if node.op in _KEEPING:
                for tensor in node.inputs:
                    source = self._graph.nodes.get(graphs.endpoint(tensor)[0])
                    if source is not None and tensor[:1] != "^":
                        self._add(source, count, seen, waiting)

    def _add(self, node, count, seen, waiting):
        if node.name in seen or _is_gradient(node.name):
            return
        shape = self.shape(node.name)
        if node.op == "VarHandleOp":
            shape = metagraph.expected_of(node).shape
        is_flat = node.op in _KEEPING or node.op in _PRODUCTS or node.op in _VARIABLES
        if is_flat and shape and len(shape) < 3 and shape[-1] == count:
            seen.add(node.name)
            waiting.append(node.name)

    def _is_first(self, user, node):
        return graphs.endpoint(user.inputs[0])[0] == node.name

    def _kernel(self, product):
        """Returns the variable that is a product's second factor, or None."""
        name = graphs.endpoint(product.inputs[1])[0]
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
            known = self.found.get(variable, Borders(None, None))
            self.found[variable] = Borders(rows or known.rows, columns or known.columns)


def _is_gradient(name):
    return "gradients/" in name or name.startswith("gradients")
