"""The meaning of every axis of the tensors of a graph: batch, space, channels, or several in one.

A convolution says it of its input and of its output. From there it goes with the values: on through
pooling, transpositions and reshapes, and back from the convolution that a vector becomes a map for.
An axis is a list of (letter, size), as `flat_maps` has them: one that was flattened has several.
"""

from tfgraphtools.checkpoints.facts import flat_maps
from tfgraphtools.checkpoints.facts import graph_ops as graphs
from tfgraphtools.checkpoints.format.wire import Malformed, expect_bytes, fields, last_fields
from tfgraphtools.checkpoints.graphs import metagraph

BATCH = "N"

#: Ops that give what they are given, element by element, or a part of it.
KEEPING = set(
    "Identity Cast Relu Relu6 Elu Selu LeakyRelu Sigmoid Tanh Softplus Softsign Exp Log Neg Sqrt "
    "Rsqrt Square Abs Add AddV2 AddN Sub Mul RealDiv DivNoNan Maximum Minimum SquaredDifference "
    "BiasAdd StopGradient Switch Merge ReadVariableOp Pow Select SelectV2 FusedBatchNorm "
    "FusedBatchNormV2 FusedBatchNormV3 PlaceholderWithDefault Erf Floor Round Sign "
    "ClipByValue CheckNumerics Softmax LogSoftmax IdentityN PreventGradient".split()
)
_LIKE_ITS_INPUT = KEEPING | set(
    "MaxPool AvgPool MaxPool3D AvgPool3D Pad PadV2 MirrorPad LRN SpaceToBatchND "
    "BatchToSpaceND ResizeNearestNeighbor ResizeBilinear ResizeBicubic DepthToSpace SpaceToDepth "
    "Slice Split SplitV Tile ReverseV2 Roll StridedSlice".split()
)
_OF_MAPS = ("MaxPool", "AvgPool", "MaxPool3D", "AvgPool3D")
REGROUPING = ("Reshape", "Squeeze", "ExpandDims")
_REDUCING = ("Mean", "Sum", "Max", "Min", "Prod")
_CONCATS = {"ConcatV2": -1, "Concat": 0}
#: {op: the number of its input that is a map}.
_MAPS = {
    "Conv2D": 0,
    "Conv3D": 0,
    "DepthwiseConv2dNative": 0,
    "Conv2DBackpropInput": 2,
    "Conv3DBackpropInputV2": 2,
}
PRODUCTS = ("MatMul", "BatchMatMul", "BatchMatMulV2")
_SOURCES = ("Placeholder", "PlaceholderWithDefault", "IteratorGetNext", "PyFunc", "FIFOQueueV2")
_RANK_OF_MAP = 4  # of a batch; what has fewer axes has its meaning by its use alone


class AxisLabels:
    """The axes of all tensors of a graph that are known.

    ``before`` and ``after``: {tensor: [axis]} by what a tensor is computed from, and by what it is
    used for; an axis is a list of (letter, size). A tensor is (node's name, output).
    """

    def __init__(self, graph):
        self._graph, self._shapes = graph, {}
        self.before, self.after = {}, {}
        nodes = [node for node in graph.nodes.values() if not graphs.is_gradient(node.name)]
        for node in reversed(nodes):
            for index, tensor in enumerate(node.inputs):
                if tensor[:1] != "^" and graphs.endpoint(tensor) not in self.after:
                    axes = self._wanted(node, index, tensor)
                    if axes:
                        self.after[graphs.endpoint(tensor)] = axes
        for node in nodes:
            for output in range(self._outputs(node)):
                axes = self._result(node, output)
                if axes:
                    self.before[node.name, output] = axes

    def of(self, tensor):
        """Returns the axes of a tensor, None if nothing says them."""
        key = graphs.endpoint(tensor)
        return self.before.get(key) or self.after.get(key)

    def last(self, tensor):
        """Returns the `FlatMap` of a tensor's last axis, or None."""
        key = graphs.endpoint(tensor)
        sides = [axes_of[key][-1] for axes_of in (self.before, self.after) if key in axes_of]
        flat = None
        for axis in sides:
            flat = flat_maps.joined(flat, flat_maps.of(axis))
        return flat

    def shape(self, tensor):
        """Returns the shape that the graph says of a tensor, None where unknown."""
        name, output = graphs.endpoint(tensor)
        if name not in self._shapes:
            self._shapes[name] = _shapes(self._graph.nodes.get(name))
        shapes = self._shapes[name]
        return shapes[output] if output < len(shapes) else None

    def _outputs(self, node):
        self.shape(node.name)
        return len(self._shapes[node.name])

    # What a tensor is computed from ---------------------------------------------------

    def _result(self, node, output):
        shape = self.shape(f"{node.name}:{output}")
        if not shape or len(shape) < 2:
            return None
        if node.op in _MAPS:
            return _by_format(node, shape)
        if node.op in PRODUCTS:
            return self._of_product(node, shape)
        axes = self._of_inputs(node)
        if axes is None and node.op in _OF_MAPS:
            return _by_format(node, shape)
        if axes is None:
            return self._raw(node, output, shape)
        if node.op in REGROUPING:
            return regrouped(axes, shape)
        if node.op == "Transpose":
            return self._transposed(node, axes)
        if node.op in _REDUCING:
            return self._reduced(node, axes, shape)
        if node.op in _CONCATS:
            return self._joined(node, axes, shape)
        if node.op in _LIKE_ITS_INPUT and len(axes) == len(shape):
            return [_resized(axis, size) for axis, size in zip(axes, shape)]
        if node.op == "StridedSlice":
            shrunk = graphs.integer(node, "shrink_axis_mask", 0)
            kept = [axis for i, axis in enumerate(axes) if not shrunk >> i & 1]
            return kept if len(kept) == len(shape) else None
        return None

    def _of_inputs(self, node):
        """Returns the axes of the first input that has some, of as many axes as any."""
        many = [self.of(t) for t in node.inputs if t[:1] != "^"]
        many = [axes for axes in many if axes]
        return max(many, key=len) if many else None

    def _of_product(self, node, shape):
        axes = self.of(node.inputs[0])
        if not axes or len(axes) != len(shape) or graphs.boolean(node, "transpose_a"):
            return None
        return [*axes[:-1], [(flat_maps.CHANNEL, shape[-1])]]

    def _raw(self, node, output, shape):
        if (node.name, output) in self.after or len(shape) < _RANK_OF_MAP:
            return self.after.get((node.name, output))
        if node.op not in _SOURCES or len(shape) > len(flat_maps.RAW):
            return None
        return [[pair] for pair in zip(BATCH + flat_maps.RAW, shape)]

    def _transposed(self, node, axes, is_back=False):
        order = self._constant(node.inputs[1])
        if order is None or sorted(order) != list(range(len(axes))):
            return [[(flat_maps.LOST, size) for _, size in axis] for axis in axes]
        if is_back:
            return [axes[order.index(i)] for i in range(len(axes))]
        return [axes[i] for i in order]

    def _reduced(self, node, axes, shape):
        dropped = self._constant(node.inputs[1])
        if dropped is None:
            return None
        dropped = {axis % len(axes) for axis in dropped}
        if graphs.boolean(node, "keep_dims"):
            kept = [[(BATCH, 1)] if i in dropped else axis for i, axis in enumerate(axes)]
        else:
            kept = [axis for i, axis in enumerate(axes) if i not in dropped]
        return kept if len(kept) == len(shape) else None

    def _joined(self, node, axes, shape):
        place = self._constant(node.inputs[_CONCATS[node.op]])
        if len(axes) != len(shape):
            return None
        joined = [_resized(axis, size) for axis, size in zip(axes, shape)]
        tensors = _without(node.inputs, _CONCATS[node.op])
        for i in range(len(shape)) if place is None else [place[0] % len(shape)]:
            of_inputs = [
                self.of(tensor)[i] if self.of(tensor) else self._unlabelled(tensor, i)
                for tensor in tensors
            ]
            if any(flat_maps.of(axis) for axis in of_inputs):
                joined[i] = [(flat_maps.joined_of(of_inputs), shape[i])]
        return joined

    def _unlabelled(self, tensor, place):
        """Returns the axis of a tensor whose axes nothing says."""
        shape = self.shape(tensor)
        return [(flat_maps.CHANNEL, shape[place] if shape and place < len(shape) else None)]

    def _constant(self, tensor, depth=8):
        """Returns the integers of a tensor that is constant, or computed of constants and ranks."""
        node = self._graph.nodes.get(graphs.endpoint(tensor)[0])
        if node is None or not depth:
            return None
        if node.op == "Const":
            return self._graph.integers(node)
        if node.op == "Rank":
            shape = self.shape(node.inputs[0])
            return None if shape is None else [len(shape)]
        function = _FOLDED.get(node.op)
        parts = [self._constant(t, depth - 1) for t in node.inputs if t[:1] != "^"]
        if function is None or any(part is None for part in parts):
            return None
        try:
            return function(*parts)
        except (TypeError, LookupError) as error:
            raise Malformed(f"a {node.op} of {len(parts)} inputs") from error

    # What a tensor is used for ---------------------------------------------------------

    def _wanted(self, node, index, tensor):
        shape = self.shape(tensor)
        if not shape or len(shape) < 2:
            return None
        if node.op in _MAPS:
            return _by_format(node, shape) if index == _MAPS[node.op] else None
        axes = self.after.get((node.name, 0))
        if not axes:
            return None
        if node.op in REGROUPING:
            return regrouped(axes, shape) if index == 0 else None
        if node.op == "Transpose":
            return self._transposed(node, axes, True) if index == 0 else None
        if node.op in _LIKE_ITS_INPUT and len(axes) == len(shape):
            return [_resized(axis, size) for axis, size in zip(axes, shape)]
        return None


#: What computes the order of a transposition in `tf.nn.dynamic_rnn` and by default.
_FOLDED = {
    "Identity": list,
    "Range": lambda start, stop, step: list(range(start[0], stop[0], step[0] or 1)[:8]),
    "ConcatV2": lambda *parts: [number for part in parts[:-1] for number in part],
    "Pack": lambda *parts: [number for part in parts for number in part],
    "Sub": lambda left, right: [a - b for a, b in _paired(left, right)],
    "Add": lambda left, right: [a + b for a, b in _paired(left, right)],
}
_FOLDED["AddV2"] = _FOLDED["Add"]


def _paired(left, right):
    size = max(len(left), len(right))
    return zip(*(side * size if len(side) == 1 else side for side in (left, right)))


def _shapes(node):
    """Returns the shapes of a node's outputs that the graph says."""
    if node is None:
        return []
    listed = last_fields(expect_bytes(node.attrs.get("_output_shapes", b"")))
    return [
        metagraph.sizes(expect_bytes(shape))
        for number, shape in fields(expect_bytes(listed.get(1, b"")))
        if number == 7
    ]


def _by_format(node, shape):
    """Returns the axes of a map that an op says."""
    is_first = graphs.word(node, "data_format").startswith("NC")
    letters = [str(i) for i in range(len(shape) - 2)]
    letters.insert(0 if is_first else len(letters), flat_maps.CHANNEL)
    return [[pair] for pair in zip([BATCH, *letters], shape)]


def _resized(axis, size):
    """Returns an axis that is as long as an op says; one of several that was cut has no order."""
    if len(axis) == 1:
        return [(axis[0][0], size)]
    return axis if flat_maps.count(axis) in (size, None) else [(flat_maps.MIXED, size)]


def _without(inputs, place):
    """Returns the inputs of an op that are tensors, without one of them."""
    tensors = [tensor for tensor in inputs if tensor[:1] != "^"]
    tensors.pop(place)
    return tensors


def regrouped(axes, shape):
    """Returns the axes of a tensor after a reshape, None where one of them is split.

    Args:
      axes: those before it, lists of (letter, size).
      shape: the sizes after it.
    """
    bases = [base for axis in axes for base in axis]
    if len(shape) == 2 and any(size is None for _, size in bases[1:]):
        return [bases[:1], bases[1:]]
    result = []
    for place in range(len(shape) - 1, -1, -1):
        size, axis = shape[place], []
        if place == 0:
            axis, bases = bases, []
        elif size is None:
            axis = [bases.pop()] if bases and bases[-1][1] is None else None
        else:
            axis = _popped(bases, size)
        if axis is None:
            return None
        result.append(axis or [(BATCH, 1)])
    is_whole = shape[0] is None or flat_maps.count(result[-1]) in (shape[0], None)
    return result[::-1] if is_whole else None


def _popped(bases, size):
    """Takes as many axes from the end of a list as have a size together; None if none have."""
    axis, count = [], 1
    while count != size:
        if not bases or bases[-1][1] is None or size % (count * max(bases[-1][1], 1)):
            return None
        axis.insert(0, bases.pop())
        count *= axis[0][1]
        if not count:
            return None
    return axis
