"""Ops that tf2onnx writes inexactly, as ONNX nodes that compute what TensorFlow does.

tf2onnx divides integers towards zero, orders them as float32, multiplies by a mask where a value
is chosen (0 * inf is NaN), and takes the logarithm of a probability that underflowed. Each function
that is decorated with `_replaces` is one of its ``custom_op_handlers``.
"""

import numpy as np

#: The first opset in which all of them can be written.
LEAST_OPSET = 11

_HANDLERS = {}
_UNSQUEEZE_TAKES_A_TENSOR = 13
_FLOATS = ("FLOAT16", "BFLOAT16", "FLOAT", "DOUBLE")
#: {dtype: that in which onnxruntime computes it}.
_WIDER = {
    "FLOAT16": "FLOAT",
    "BFLOAT16": "FLOAT",
    "BOOL": "INT32",
    "INT8": "INT32",
    "UINT8": "INT32",
    "INT16": "INT32",
    "UINT16": "INT32",
    "UINT32": "INT64",
}


def handlers():
    """Returns what ``tf2onnx.convert.from_graph_def`` takes as ``custom_op_handlers``."""
    return {op: (handler, []) for op, handler in _HANDLERS.items()}


def _replaces(*ops):
    """Registers a function of a `_Nodes` as what writes these ops of TensorFlow."""

    def register(write):
        def handler(graph, node, name, arguments):
            write(_Nodes(graph, node))

        _HANDLERS.update(dict.fromkeys(ops, handler))
        return write

    return register


class _Nodes:
    """The ONNX nodes that are made in the place of a node of TensorFlow.

    Args:
      graph: tf2onnx's graph.
      node: its node.

    Attributes:
      op: the op of TensorFlow.
      inputs: the names of its inputs.
    """

    def __init__(self, graph, node):
        import onnx
        import tf2onnx

        self._graph, self._node, self._types = graph, node, onnx.TensorProto.DataType
        self._unique_name = tf2onnx.utils.make_name
        self.op, self.inputs = node.type, list(node.input)
        self.axis = node.get_attr_value("axis", -1)

    def __call__(self, op, *inputs, **attributes):
        """Returns the output of a new node."""
        return self.several(1, op, *inputs, **attributes)[0]

    def several(self, count, op, *inputs, **attributes):
        """Returns the outputs of a new node."""
        node = self._graph.make_node(op, list(inputs), attr=attributes, output_count=count)
        return list(node.output)

    def constant(self, value, like=None):
        """Returns a constant, of the dtype of another value if one is given."""
        name = self._unique_name("constant")
        constant = self._graph.make_const(name, np.asarray(value)).output[0]
        return constant if like is None else self.cast(constant, self.dtype(like))

    def attribute(self, name, default):
        """Returns an attribute of TensorFlow's node."""
        return self._node.get_attr_value(name, default)

    def dtype(self, value):
        """Returns the name of the dtype of a value, such as "INT32"."""
        return self._types.Name(self._graph.get_dtype(value))

    def rank(self, value):
        """Returns the number of axes of a value, or None."""
        shape = self._graph.get_shape(value)
        return None if shape is None else len(shape)

    def cast(self, value, dtype):
        if self.dtype(value) == dtype:
            return value
        return self("Cast", value, to=self._types.Value(dtype))

    def wide(self, value):
        """Returns a value in a dtype that onnxruntime computes."""
        return self.cast(value, _WIDER.get(self.dtype(value), self.dtype(value)))

    def unsqueeze(self, value, axis):
        if self._graph.opset < _UNSQUEEZE_TAKES_A_TENSOR:
            return self("Unsqueeze", value, axes=[axis])
        return self("Unsqueeze", value, self.constant(np.array([axis], np.int64)))

    def choose(self, condition, value, other):
        """Returns the elements of one value or the other."""
        return self("Where", condition, self.wide(value), self.wide(other))

    def become(self, *values):
        """Puts values, in their dtypes, in the place of the outputs of TensorFlow's node."""
        outputs = list(zip(self._node.output, self._node.output_shapes, self._node.output_dtypes))
        self._graph.remove_node(self._node.name)
        for value, (name, shape, dtype) in zip(values, outputs):
            self._graph.make_node(
                "Cast", [value], attr={"to": dtype}, outputs=[name], shapes=[shape], dtypes=[dtype]
            )


@_replaces("Select", "SelectV2")
def _select(nodes):
    condition, value, other = nodes.inputs
    rank = nodes.rank(other) if nodes.rank(value) is None else nodes.rank(value)
    if nodes.op == "Select" and nodes.rank(condition) == 1 and rank != 1:
        if rank is None:
            raise ValueError("a row is chosen of values of unknown rank")
        shape = nodes.constant(np.array([-1] + [1] * (rank - 1), np.int64))
        condition = nodes("Reshape", condition, shape)
    nodes.become(nodes.choose(condition, value, other))


@_replaces("Less", "Greater")
def _ordered(nodes):
    nodes.become(nodes(nodes.op, *map(nodes.wide, nodes.inputs)))


@_replaces("FloorDiv")
def _floor_div(nodes):
    x, y = map(nodes.wide, nodes.inputs)
    quotient = nodes("Div", x, y)
    if nodes.dtype(x) in _FLOATS:
        nodes.become(nodes("Floor", quotient))
        return
    remainder = nodes("Sub", x, nodes("Mul", quotient, y))
    is_below = nodes("And", _is_nonzero(nodes, remainder), _signs_differ(nodes, remainder, y))
    nodes.become(nodes("Sub", quotient, nodes.cast(is_below, nodes.dtype(x))))


@_replaces("FloorMod")
def _floor_mod(nodes):
    x, y = map(nodes.wide, nodes.inputs)
    remainder = nodes("Mod", x, y, fmod=1)
    is_other = nodes("And", _is_nonzero(nodes, remainder), _signs_differ(nodes, remainder, y))
    nodes.become(nodes("Where", is_other, nodes("Add", remainder, y), remainder))


@_replaces("Mod", "TruncateMod")
def _truncate_mod(nodes):
    nodes.become(nodes("Mod", *map(nodes.wide, nodes.inputs), fmod=1))


def _is_nonzero(nodes, value):
    return nodes("Not", nodes("Equal", value, nodes.constant(0, like=value)))


def _signs_differ(nodes, value, other):
    signs = (nodes("Less", each, nodes.constant(0, like=each)) for each in (value, other))
    return nodes("Xor", *signs)


@_replaces("Atan2")
def _atan2(nodes):
    y, x = map(nodes.wide, nodes.inputs)
    zero = nodes.constant(0, like=x)
    is_origin = nodes("And", nodes("Equal", y, zero), nodes("Equal", x, zero))
    half = nodes("Atan", nodes("Where", is_origin, y, nodes("Div", y, x)))
    pi, minus_pi = (nodes.constant(turn, like=x) for turn in (np.pi, -np.pi))
    turn = nodes("Where", _has_minus(nodes, y), minus_pi, pi)
    nodes.become(nodes("Add", half, nodes("Where", _has_minus(nodes, x), turn, zero)))


def _has_minus(nodes, value):
    """Returns booleans: True of -0, too, whose reciprocal is -inf."""
    zero, one = (nodes.constant(number, like=value) for number in (0, 1))
    return nodes("Or", nodes("Less", value, zero), nodes("Less", nodes("Div", one, value), zero))


@_replaces("TopKV2")
def _top_k(nodes):
    value, k = nodes.inputs
    if nodes.dtype(value) == "UINT64":
        raise ValueError("onnxruntime does not sort uint64")
    k = nodes.unsqueeze(nodes.cast(k, "INT64"), 0)
    nodes.become(*nodes.several(2, "TopK", nodes.wide(value), k, axis=-1))


@_replaces("OneHot")
def _one_hot(nodes):
    indices, depth, on, off = nodes.inputs
    nodes.become(nodes.choose(_is_class(nodes, indices, depth, nodes.axis), on, off))


def _is_class(nodes, indices, depth, axis):
    """Returns booleans with a new axis of the size of ``depth``: no class is that of -1."""
    zero, one = (nodes.constant(np.int64(number)) for number in (0, 1))
    classes = nodes("Range", zero, nodes.cast(depth, "INT64"), one)
    rank = nodes.rank(indices)
    if axis != -1:
        if rank is None:
            raise ValueError("the rank of the indices is unknown")
        shape = np.array([-1] + [1] * (rank - axis), np.int64)
        classes = nodes("Reshape", classes, nodes.constant(shape))
    return nodes("Equal", nodes.unsqueeze(nodes.cast(indices, "INT64"), axis), classes)


@_replaces("SparseSoftmaxCrossEntropyWithLogits")
def _sparse_softmax_cross_entropy(nodes):
    logits, labels = nodes.inputs
    wide = nodes.wide(logits)
    last = nodes.constant(np.array([-1], np.int64))
    shape = nodes("Shape", wide)
    depth = nodes("Gather", shape, nodes.constant(np.int64(-1)), axis=0)
    logarithms = nodes("LogSoftmax", wide, axis=-1)
    is_label = _is_class(nodes, labels, depth, -1)
    zero = nodes.constant(0, like=wide)
    chosen = nodes("Where", is_label, nodes("Neg", logarithms), zero)
    flat = nodes("MatMul", chosen, _ones(nodes, depth, wide))
    nodes.become(nodes("Reshape", flat, last))


def _ones(nodes, size, like):
    return nodes("Expand", nodes.constant(1, like=like), nodes.unsqueeze(size, 0))


@_replaces(
    "FakeQuantWithMinMaxArgs", "FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel"
)
def _fake_quant(nodes):
    """Rounds as TensorFlow's fake_quant_ops_functor.h: QuantizeLinear has other ties and ranges."""
    x, *limits = nodes.inputs
    if not limits:
        attributes = nodes.attribute("min", -6.0), nodes.attribute("max", 6.0)
        limits = [nodes.constant(np.float32(limit)) for limit in attributes]
    least, most = limits
    first, last = int(nodes.attribute("narrow_range", 0)), 2 ** nodes.attribute("num_bits", 8) - 1
    numbers = (0, 0.5, first, last, last - first)
    zero, half, first, last, steps = (nodes.constant(np.float32(number)) for number in numbers)
    width = nodes("Sub", most, least)
    scale = nodes("Div", width, steps)
    rounded = nodes("Floor", nodes("Add", nodes("Sub", first, nodes("Div", least, scale)), half))
    zero_point = nodes("Min", nodes("Max", rounded, first), last)
    low, high = (nodes("Mul", nodes("Sub", end, zero_point), scale) for end in (first, last))
    clamped = nodes("Min", nodes("Max", x, low), high)
    if nodes.op == "FakeQuantWithMinMaxVars":
        scaling = "Div", scale
    else:
        scaling = "Mul", nodes("Div", steps, width)

    def levels(value):
        op, factor = scaling
        return nodes(op, value, factor)

    offset = nodes("Floor", nodes("Add", levels(nodes("Neg", low)), half))
    steps_above = levels(nodes("Sub", clamped, low))
    level = nodes("Floor", nodes("Add", nodes("Sub", steps_above, offset), half))
    is_empty = nodes("And", nodes("Equal", least, zero), nodes("Equal", most, zero))
    nodes.become(nodes("Where", is_empty, zero, nodes("Mul", level, scale)))
