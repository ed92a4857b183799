"""Types and shapes of the outputs of nodes, as far as the file says them: none is inferred."""

from tfgraphtools.checkpoints.facts import graph_ops as attributes
from tfgraphtools.checkpoints.format.wire import expect_bytes, fields, last_fields
from tfgraphtools.checkpoints.graphs import metagraph

VARIABLES = ("VarHandleOp", "VariableV2", "Variable", "AutoReloadVariable", "TemporaryVariable")
PLACEHOLDERS = ("Placeholder", "PlaceholderV2", "PlaceholderWithDefault")
_PASSING = ("Identity", "ReadVariableOp", "StopGradient", "Snapshot")
#: Ops whose output has the type of the attribute "T", where the file has no definitions of ops.
_SAME_TYPE = set(
    "Identity Add AddV2 Sub Mul RealDiv Div MatMul BatchMatMul BatchMatMulV2 BiasAdd Softmax "
    "LogSoftmax Sigmoid Tanh Relu Relu6 Elu Selu LeakyRelu Mean Sum Max Min Prod Conv2D "
    "DepthwiseConv2dNative Conv2DBackpropInput MaxPool AvgPool Reshape Squeeze ExpandDims "
    "Transpose ConcatV2 Concat Pack Pad PadV2 StridedSlice Slice Maximum Minimum Exp Log Sqrt "
    "Square Merge Switch Exit Round Floor Neg Pow L2Loss Tile ResizeNearestNeighbor".split()
)
_FIXED = {
    op: "bool"
    for op in "Equal NotEqual Less LessEqual Greater GreaterEqual All Any IsFinite "
    "IsNan LogicalAnd LogicalOr LogicalNot InTopK InTopKV2".split()
}
_CHOSEN = {"ArgMax": ("output_type", 9), "ArgMin": ("output_type", 9), "Cast": ("DstT", 0)}
_OLDEST_SCALAR = 24  # from this version on, a placeholder of shape [] is a scalar


def attribute(node, name):
    """Returns {field: value} of an AttrValue."""
    return last_fields(expect_bytes(node.attr(name)))


def type_of(node, output, definitions):
    """Returns the name of the type of an output, "" where it is not known."""
    definition = definitions.get(node.op)
    if definition is not None:
        return _defined_type(node, output, definition)
    if node.op in _FIXED:
        return _FIXED[node.op]
    name, default = _CHOSEN.get(node.op, ("T" if node.op in _SAME_TYPE else "dtype", 0))
    number = attribute(node, name).get(6, default)
    return metagraph.type_name(number) if number else ""


def _defined_type(node, output, definition):
    """Returns the type of an output by the op's definition."""
    if len(definition.outputs) == 1 and definition.outputs[0][2]:  # a list of any length
        listed = types(node, definition.outputs[0][1])
        if listed:
            return listed[output] if output < len(listed) else ""
        output = 0
    elif output >= len(definition.outputs) or any(row[2] for row in definition.outputs):
        return ""
    number, name, _ = definition.outputs[output]
    number = number or attribute(node, name).get(6, definition.defaults.get(name, 0))
    return metagraph.type_name(number) if number else ""


def types(node, name):
    """Returns the names of the types in an attribute that is a list of them."""
    numbers = []
    for field, value in fields(expect_bytes(attribute(node, name).get(1, b""))):
        if field == 6:
            numbers += [value] if isinstance(value, int) else attributes.packed(value)
    return [metagraph.type_name(number) for number in numbers]


def shapes(node, name="_output_shapes"):
    """Returns the shapes in an attribute that is a list of them, or None without it."""
    listed = attribute(node, name).get(1)
    if listed is None:
        return None
    listed = expect_bytes(listed)
    return [metagraph.sizes(expect_bytes(value)) for field, value in fields(listed) if field == 7]


class Shapes:
    """Answers the shape of tensors of a graph.

    Args:
      graph: a `graph_def_nodes.Graph`.
    """

    def __init__(self, graph):
        self._graph, self._known = graph, {}

    def of(self, tensor):
        """Returns a tuple with None for sizes that are not known; None for an unknown rank."""
        name, output = attributes.endpoint(tensor)
        if (name, output) not in self._known:
            self._known[name, output] = self._find(name, output)
        return self._known[name, output]

    def _find(self, name, output):
        for _ in range(8):  # an Identity has the shape of what it passes on
            node = self._graph.nodes.get(name)
            if node is None:
                return None
            listed = shapes(node)
            if listed is not None and output < len(listed):
                if listed[output] is not None and node.op != "VarHandleOp":
                    return listed[output]
            if node.op not in _PASSING or not node.inputs:
                return own_shape(node, self._graph.producer)
            name, output = attributes.endpoint(node.inputs[0])
        return None


def own_shape(node, producer=None):
    """Returns the shape that a constant, variable or placeholder says itself, or None."""
    if node.op == "Const":
        return metagraph.sizes(expect_bytes(constant(node).get(2, b"")))
    if node.op in VARIABLES or node.op in PLACEHOLDERS:
        shape = metagraph.expected_of(node.decoded()).shape
        is_old = producer is not None and producer < _OLDEST_SCALAR
        return None if shape == () and node.op == "Placeholder" and is_old else shape
    return None


def constant(node):
    """Returns {field: value} of the TensorProto of a constant."""
    return last_fields(expect_bytes(attribute(node, "value").get(8, b"")))


def byte_count(dtype, shape):
    """Returns the bytes of a tensor, or None where a size or the type is not known."""
    count = size(shape)
    return None if count is None or dtype.size is None else count * dtype.size


def size(shape):
    """Returns how many elements a shape has, or None where a size is not known."""
    if shape is None or None in shape:
        return None
    count = 1
    for length in shape:
        count *= length
    return count
