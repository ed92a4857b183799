"""A backward pass with random numbers in the place of all that a run can change.

A backward pass is linear in the seed, and its coefficients come from the forward
pass. Here each coefficient that a run can change becomes a *stand-in*: a
placeholder for random numbers, one for equal computations (`tanh(x)` twice has
one). What is computed from them is kept only if it is exact: sums, products and
moves of data, by indices and loop counts that no run can change. So a gradient
that is zero for random stand-ins is zero for every x. It proves nothing else.
"""

import zlib

from tfgraphtools import _tf
from tfgraphtools._tf import tf, v1
from tfgraphtools.gradients.explaining import zero_rules
from tfgraphtools.gradients.explaining.verdicts.varying import CONSTANT, VALUE, Varying, kind_of

_EXACT = (
    zero_rules.PRODUCTS
    | zero_rules.SUMS
    | zero_rules.KEEP
    | zero_rules.EMPTY
    | zero_rules.PUSHES
    | zero_rules.POPS
) | frozenset(
    [
        "AvgPool", "AvgPool3D", "AvgPool3DGrad", "AvgPoolGrad", "BiasAdd", "BiasAddGrad",
        "DepthwiseConv2dNativeBackpropFilter", "DepthwiseConv2dNativeBackpropInput",
        "DynamicPartition", "IdentityN", "Inv", "InvGrad", "LoopCond", "MirrorPad", "MirrorPadGrad",
        "OnesLike", "OptionalNone", "Prod", "Reciprocal", "ReciprocalGrad", "SigmoidGrad",
        "Square", "SquaredDifference", "StridedSliceGrad", "TanhGrad", "TensorArray",
        "TensorArrayConcat", "TensorArrayGather", "TensorArrayGrad", "TensorArrayRead",
        "TensorArraySplit", "TensorListScatterIntoExistingList",
    ]
)  # fmt: skip
#: Backward ops that multiply the gradient, the input of this number, element by element.
_FACTORS = {
    "EluGrad": 0, "LeakyReluGrad": 0, "Relu6Grad": 0, "ReluGrad": 0, "RsqrtGrad": 1,
    "SeluGrad": 0, "SoftplusGrad": 0, "SoftsignGrad": 0, "SqrtGrad": 1,
}  # fmt: skip
#: Functions of one number. In a loop, where nothing can be fed, a cosine stands for them.
_UNARY = frozenset(
    [
        "Abs", "Acos", "Asin", "Atan", "Ceil", "Cos", "Elu", "Erf", "Erfc", "Exp", "Expm1",
        "Floor", "LeakyRelu", "Log", "Log1p", "Relu", "Relu6", "Rint", "Round", "Rsqrt",
        "Selu", "Sigmoid", "Sign", "Sin", "Softplus", "Softsign", "Sqrt", "Tan", "Tanh",
    ]
)  # fmt: skip
_SELECTS = ("Select", "SelectV2")
#: Ops with a second output that only shapes decide.
_LENGTHS = frozenset(["TensorArrayConcatV3", "TensorListConcat", "TensorListConcatV2"])


class Generic:
    """The nodes of a backward pass that is computed from a seed and stand-ins.

    Args:
      graph: of v1 control flow; without calls of functions.
      seed: the name of the op that the backward pass starts from.
      starts: the names of the ops that make the xs.

    ``nodes`` are the NodeDefs, ``stand_ins`` is ``{name of a placeholder: the tensor
    that it has dtype and shape of}``.
    """

    def __init__(self, graph, seed, starts):
        self._varying = Varying(graph, seed, starts)
        self._names, self._renamed = {}, {}
        self.stand_ins = {seed: graph.get_operation_by_name(seed).outputs[0]}
        self._lost, self._new, self._changed = set(), [], {}
        ops = graph.get_operations()
        for op in ops:
            self._visit(op)
        _spread(ops, self._lost)
        self.nodes = self._new + [node for op in ops for node in self._nodes_of(op)]

    def knows(self, tensor):
        """Tells whether a run of these nodes decides that this tensor is zero."""
        return tensor.op not in self._lost

    def _visit(self, op):
        """Keeps one op, replaces it, or gives it up."""
        if op.name in self.stand_ins:
            return
        varying = self._varying
        if op.type in ("Switch", "RefSwitch"):
            self._predicate(op)
        elif op.type == "Merge" and not varying.is_exclusive(op):
            self._lost.add(op)
        elif varying.is_source(op):
            self._stand_in_for(op)
        elif op in varying.seeded:
            if not self._is_exact(op) and not self._is_replaced(op):
                self._lost.add(op)
        elif op.type == "LoopCond" and varying.level[op] != CONSTANT:
            self._lost.add(op)
        elif varying.level[op] == VALUE and not self._is_exact(op):
            self._in_loop(op) if varying.depth[op] else self._stand_in_for(op)

    def _is_exact(self, op):
        """Tells whether an op moves, adds or multiplies, by integers that no run can change."""
        return zero_rules.base_type(op.type) in _EXACT and all(
            self._varying.level[source.op] < VALUE
            or (source.op.type in _LENGTHS and source.value_index == 1)
            for source in op.inputs
            if source.dtype.is_integer or source.dtype.is_bool
        )

    def _predicate(self, op):
        """Tries the predicate of a branch both ways; that of a loop must be constant."""
        predicate = op.inputs[1]
        if self._varying.level[predicate.op] == CONSTANT:
            return
        if self._varying.depth[op]:
            self._lost.add(op)
        else:
            self._stand_in(predicate)

    def _stand_in_for(self, op):
        """Puts random numbers for what an op gives; a dtype without them stays as it is."""
        for tensor in op.outputs:
            if _tf.has_gradients(tensor.dtype):
                if tensor.shape.rank is None or self._varying.depth[op]:
                    self._lost.add(op)
                else:
                    self._stand_in(tensor)
                    self._gate(op, tensor)

    def _stand_in(self, tensor):
        self._renamed[tensor.name] = self._placeholder(self._varying.class_of(tensor), tensor)

    def _gate(self, op, tensor):
        """Lets a stand-in into the branch of the op only when that is taken."""
        if self._varying.branches[op]:
            node = _node("Identity", tensor.name.replace(":", "/gate_"), op)
            node.attr["T"].type = tensor.dtype.base_dtype.as_datatype_enum
            sources = [self._renamed.get(source.name, source.op.name) for source in op.inputs]
            sources += [
                before.name for before in op.control_inputs if before.type.startswith(_ORDERED)
            ]
            node.input.append(self._renamed[tensor.name])
            node.input.extend("^" + name for name in dict.fromkeys(sources))
            self._new.append(node)
            self._renamed[tensor.name] = node.name

    def _placeholder(self, key, tensor):
        """Returns the name of the stand-in for a key, with the dtype and shape of a tensor."""
        if key not in self._names:
            name = self._names[key] = f"stand_in_{len(self._names)}"
            self.stand_ins[name] = tensor
            self._new.append(_tf.placeholder_node(name, tensor))
        return self._names[key]

    def _in_loop(self, op):
        """Makes a function of one number a cosine: random, and never flat."""
        if op.type in _UNARY and op.inputs[0].dtype == op.outputs[0].dtype:
            nodes = self._changed[op] = _cosine(op, op.node_def.input[0])
            nodes[-1].name = op.name
        else:
            self._lost.add(op)

    def _is_replaced(self, op):
        """Replaces a backward op whose coefficients have no other use; False if it is none."""
        if not op.outputs or op.outputs[0].shape.rank is None:
            return False
        seeded = [source.op in self._varying.seeded for source in op.inputs]
        if op.type in _FACTORS:
            place = _FACTORS[op.type]
            if seeded[place] and not seeded[1 - place]:
                self._changed[op] = self._product(op, place)
                return True
        if op.type in _SELECTS and not seeded[0] and not self._varying.depth[op]:
            self._changed[op] = self._mixture(op)
            return True
        return False

    def _product(self, op, place):
        """Returns the gradient, the input of this place, times random numbers."""
        inputs, other = op.node_def.input, op.inputs[1 - place]
        if self._varying.depth[op]:
            cosine = _cosine(op, inputs[1 - place])
            return cosine + [_node("Mul", op.name, op, inputs[place], cosine[-1].name)]
        factor = self._placeholder((kind_of(op), self._varying.class_of(other)), op.outputs[0])
        return [_node("Mul", op.name, op, inputs[place], factor)]

    def _mixture(self, op):
        """Returns the sum of both sides of an unknown choice, each times random numbers."""
        condition, output = self._varying.class_of(op.inputs[0]), op.outputs[0]
        sides = []
        for side, source in enumerate(op.node_def.input[1:3]):
            factor = self._placeholder((op.type, side, condition, str(output.shape)), output)
            sides.append(_node("Mul", f"{op.name}/side_{side}", op, source, factor))
        return sides + [_node("Add", op.name, op, sides[0].name, sides[1].name)]

    def _nodes_of(self, op):
        """Returns the nodes that an op becomes, with the stand-ins as their inputs."""
        if op.type == "Assert":
            return [v1.NodeDef(name=op.name, op="NoOp")]
        in_loop = self._varying.depth[op]
        kept = {
            "^" + before.name
            for before in op.control_inputs
            if in_loop or before.type.startswith(_ORDERED)
        }
        nodes = self._changed.get(op) or [_tf.node_copy(op)]
        for node in nodes:
            inputs = [self._renamed.get(_full(source), source) for source in node.input]
            own = {source for source in inputs if node.name != op.name and source[0] == "^"}
            del node.input[:]
            node.input.extend(
                source for source in inputs if source[0] != "^" or source in kept | own
            )
        return nodes


#: Control inputs that are kept: they tell the branch, or the order, that an op is in.
_ORDERED = ("ControlTrigger", "Identity", "NoOp", "Stack", "TensorArray", *_tf.CONTROL_FLOW)


def _full(name):
    """Returns the name of a tensor, from that of an input in a NodeDef."""
    return name if ":" in name else name + ":0"


def _spread(ops, lost):
    """Adds what is computed from ops that nothing is known of."""
    waiting = [tensor for op in lost for tensor in op.outputs]
    pops = [op for op in ops if op.type in zero_rules.POPS]
    pushed = {tensor.name: pop for pop in pops for tensor in zero_rules.pushed(pop)}
    while waiting:
        tensor = waiting.pop()
        for op in [*tensor.consumers(), pushed.get(tensor.name)]:
            if op is not None and op not in lost:
                lost.add(op)
                waiting.extend(op.outputs)


def _cosine(op, source):
    """Returns the nodes of cos(a source + b), with an a and b for each kind of op."""
    dtype, nodes = op.outputs[0].dtype.base_dtype, []
    number = zlib.crc32(repr(kind_of(op)).encode()) / 2.0**32
    for letter, value in (("a", 1 + number), ("b", 2 + 3 * number)):
        node = v1.NodeDef(name=f"{op.name}/{letter}", op="Const")
        node.input.append("^" + source.split(":")[0])  # puts it into the frame of the loop
        node.attr["dtype"].type = dtype.as_datatype_enum
        node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value, dtype, []))
        nodes.append(node)
    nodes.append(_node("Mul", op.name + "/times", op, source, nodes[0].name))
    nodes.append(_node("Add", op.name + "/plus", op, nodes[2].name, nodes[1].name))
    return nodes + [_node("Cos", op.name + "/cosine", op, nodes[3].name)]


def _node(kind, name, op, *inputs):
    """Returns a NodeDef that computes with the dtype of an op's output."""
    node = v1.NodeDef(name=name, op=kind, input=inputs)
    node.attr["T"].type = op.outputs[0].dtype.base_dtype.as_datatype_enum
    return node
