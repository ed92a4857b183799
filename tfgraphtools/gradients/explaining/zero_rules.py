"""The tensors of a backward pass that are zero whatever the gradient of y is.

A backward pass is linear in the gradient that it starts from, the *seed*. So an
op gives zeros if all of its inputs that depend on the seed are zeros, and a
product if one factor is. Loops and function bodies are followed to a fixed point.
"""

import re

import numpy as np

from tfgraphtools import _tf
from tfgraphtools._tf import tf
from tfgraphtools.gradients.explaining.folding import Folder

#: What is known of a tensor: does it depend on the seed, and may it be other than 0?
NOTHING, FORWARD, ZERO_SEED, SEED = (False, False), (False, True), (True, False), (True, True)

_VERSION = re.compile(r"V\d+$")


def base_type(op_type):
    """Returns the type of an op without its version: "BatchMatMul" of "BatchMatMulV2"."""
    return _VERSION.sub("", op_type)


PRODUCTS = frozenset(
    [
        "BatchMatMul", "Conv2D", "Conv2DBackpropFilter", "Conv2DBackpropInput", "Conv3D",
        "Cross", "DepthwiseConv2dNative", "DivNoNan", "Einsum", "MatMul", "Mul", "MulNoNan",
    ]
)  # fmt: skip
#: Ops that add or choose: what does not depend on the seed counts, too.
SUMS = frozenset(
    [
        "Add", "AddN", "Complex", "Concat", "DynamicStitch", "MatrixSetDiag", "Merge",
        "Pack", "ParallelDynamicStitch", "RefMerge", "Select", "Sub", "TensorArrayScatter",
        "TensorArrayWrite", "TensorListPushBack", "TensorListScatter", "TensorListSetItem",
        "TensorScatterAdd", "TensorScatterUpdate",
    ]
)  # fmt: skip
#: Ops of which the first input decides whether they give zeros.
KEEP = _tf.PASS_OPS | frozenset(
    [
        "BatchToSpace", "BatchToSpaceND", "BroadcastTo", "Cast", "CheckNumerics", "Conj",
        "ConjugateTranspose", "Cumsum", "DeepCopy", "DepthToSpace", "Diag", "DiagPart",
        "Div", "EnsureShape", "ExpandDims", "FFT", "FFT2D", "FFT3D", "Fill",
        "Gather", "GatherNd", "IFFT", "IFFT2D", "IFFT3D", "IRFFT", "Imag", "MatrixBandPart",
        "MatrixDiag", "MatrixDiagPart", "MatrixSolve", "MatrixTriangularSolve", "Mean",
        "Neg", "OptionalFromValue", "OptionalGetValue", "Pad", "RFFT", "Real", "RealDiv",
        "Reshape", "Reverse", "ReverseSequence",
        "Roll", "ScatterNd", "SegmentSum", "Slice", "SpaceToBatch", "SpaceToBatchND",
        "SpaceToDepth", "Split", "SplitV", "Squeeze", "StopGradient", "StridedSlice", "Sum",
        "TensorListConcat", "TensorListElementShape", "TensorListFromTensor",
        "TensorListGather", "TensorListGetItem", "TensorListPopBack", "TensorListResize",
        "TensorListSplit", "TensorListStack", "Tile", "Transpose", "Unpack",
        "UnsortedSegmentSum",
    ]
)  # fmt: skip
#: Where the values of an op of KEEP are, if not in the first input.
_VALUE = {"Fill": 1, "MatrixSolve": 1, "MatrixTriangularSolve": 1, "ScatterNd": 1, "Split": 1}
#: The names that the definitions of backward ops give to the gradient that comes in.
_GRADIENTS = re.compile(r"^(d[yz]|grads?|gradients?|(\w+_)?backprops?|(\w+_)?grad(ients?)?)$")
#: Ops that write to a TensorArray, and the place of the flow: the order of writes.
_WRITES = {"TensorArrayWriteV3": 3, "TensorArrayScatterV3": 3, "TensorArraySplitV3": 3}
PUSHES = frozenset(["StackPush", "StackPushV2"])
POPS = frozenset(["StackPop", "StackPopV2"])
EMPTY = frozenset(["EmptyTensorList", "TensorListReserve", "ZerosLike"])
#: What a branch hands out in the place of a value of the other branch: nobody uses it.
_UNUSED = frozenset(["FakeParam", "OptionalNone"])
_MOST_ROUNDS = 50


class Zeros:
    """Answers for the tensors of one graph: ``zeros.is_zero(tensor)``.

    Args:
      graph: that they are in.
      seed: the tensor that the backward pass starts from, if there is one.
      free: the names of the ops that depend on an x.
    """

    def __init__(self, graph, seed=None, free=frozenset()):
        self._folder = Folder(graph, free)
        self._bodies = {}
        self._branches = {}  # an If or Case: {number of a branch: what it gives}
        self._state = {} if seed is None else {seed.name: SEED}
        self._done = set()

    def is_zero(self, tensor):
        """Tells whether the tensor is 0 whatever the seed is."""
        if tensor.op not in self._done:
            ops = sorted(_upstream(tensor) - self._done, key=_tf.order_of)
            self._settle(ops, self._state)
            self._done.update(ops)
        return not self._state.get(tensor.name, FORWARD)[1]

    def _settle(self, ops, state):
        """Applies the rules until nothing changes; what is known only grows."""
        for _ in range(_MOST_ROUNDS):
            changed = False
            for op in ops:
                for tensor, known in zip(op.outputs, self._outputs(op, state)):
                    before = state.get(tensor.name, NOTHING)
                    after = (before[0] or known[0], before[1] or known[1])
                    if after != before or tensor.name not in state:
                        state[tensor.name] = after
                        changed = changed or after != before
            if not changed:
                return

    def _outputs(self, op, state):
        """Returns what the rules say of the outputs of one op."""
        inputs = [self._known(source, state) for source in op.inputs]
        outputs = self._by_rule(op, inputs, state)
        if any(depends for depends, _ in inputs):
            # Zeros made in place of a gradient (a body that gives constant zeros) stand for it.
            outputs = [output if output[1] else ZERO_SEED for output in outputs]
        return outputs

    def _known(self, tensor, state):
        known = state.get(tensor.name, NOTHING)
        if known == FORWARD and self._folder.is_zero(tensor):
            state[tensor.name] = known = (False, False)
        return known

    def _by_rule(self, op, inputs, state):
        count = len(op.outputs)
        if op.type in ("Switch", "RefSwitch"):
            return self._switch(op, inputs)
        if op.type in ("Exit", "RefExit"):
            return [self._exit(op, state)]
        if op.type == "IdentityN":
            return inputs
        if op.type in POPS:
            return [_join([self._known(source, state) for source in pushed(op)])]
        names = _tf.called_names(op)
        if names:
            return self._call(op, names, inputs)
        return [self._output(op, inputs)] * count

    def _output(self, op, inputs):
        if op.type == "Const":
            value = _tf.static_value(op.outputs[0])
            return (False, value is None or value.dtype == object or bool(np.any(value)))
        if op.type in _UNUSED:
            return NOTHING
        if op.type in EMPTY:
            return (any(d for d, _ in inputs), False)
        if op.type in ("Merge", "RefMerge"):  # an input that is not known yet may never come
            return _join(inputs)
        if op.type in ("Select", "SelectV2"):
            return _join(inputs[1:])
        depends = any(d for d, _ in inputs)
        if base_type(op.type) in PRODUCTS:
            return (depends, all(n for _, n in inputs))
        upstream = [source for source, name in zip(inputs, _names(op)) if _GRADIENTS.search(name)]
        if upstream and len(inputs) > 1:
            return (depends, all(n for _, n in upstream))
        if op.type in _WRITES and depends:
            flow = _WRITES[op.type]  # a gradient's array is empty before the first gradient
            inputs = [known for i, known in enumerate(inputs) if i != flow or known[0]]
            return _join([known for known in inputs if known[0]])
        if base_type(op.type) in SUMS:
            return _join(_data(op, inputs))
        if depends:
            return (True, any(n for d, n in inputs if d))
        if base_type(op.type) in KEEP and inputs:
            return (False, inputs[_VALUE.get(base_type(op.type), 0)][1])
        return FORWARD

    def _switch(self, op, inputs):
        """Gives nothing from a branch that is never taken."""
        taken = self._folder.value(op.inputs[1])
        if taken is None or op.inputs[1].op.type == "LoopCond":
            return [inputs[0], inputs[0]]
        return [NOTHING if taken else inputs[0], inputs[0] if taken else NOTHING]

    def _exit(self, op, state):
        """Returns what the last iteration of a loop made, and what went in if it may make none."""
        merge = _merge_of(op)
        if merge is None:
            return state.get(op.inputs[0].name, NOTHING)
        chosen = exit_sources(merge, self._folder)
        depends = any(state.get(source.name, NOTHING)[0] for source in merge.inputs)
        known = _join([state.get(source.name, NOTHING) for source in chosen])
        return known if known[1] else (depends, False)

    def _call(self, op, names, inputs):
        if op.type.endswith("While"):
            return self._while(op, names, inputs)
        if op.type in _tf.CHOICES:
            return self._choice(op, names, inputs[1:])
        return self._body(op, names[0], inputs)

    def _choice(self, op, names, inputs):
        """Returns what any branch gives that may be taken."""
        possible = self._folder.possible_branches(op, names)
        branches = self._branches[op] = {
            number: self._body(op, name, self._in_branch(op, number, inputs))
            for number, name in enumerate(names)
            if name in possible
        }
        return [_join(outputs) for outputs in zip(*branches.values())]

    def _in_branch(self, op, number, inputs):
        """Returns what goes into a branch, after what the same predicate chose before."""
        own = list(inputs)
        for i, tensor in enumerate(op.inputs[1:]):
            before = self._branches.get(tensor.op, {}).get(number)
            if before is not None and tensor.op.inputs[0].name == op.inputs[0].name:
                own[i] = before[tensor.value_index]
        return own

    def _while(self, op, names, inputs):
        if self._folder.enters(op) is False:
            return inputs
        state = list(inputs)
        for _ in range(_MOST_ROUNDS):
            outputs = self._body(op, names[0], state)
            after = [_join(pair) for pair in zip(state, outputs)]
            if after == state:
                break
            state = after
        if self._folder.always_enters(op):
            return outputs
        return [_join(pair) for pair in zip(inputs, outputs)]

    def _body(self, op, name, inputs):
        """Returns what a function gives for arguments of which this is known."""
        key = (name, tuple(inputs))
        if key not in self._bodies:
            self._bodies[key] = [FORWARD] * len(op.outputs)  # of a function that calls itself
            body = _tf.function_graph(op.graph, _tf.function_definition(op.graph, name))
            state = {inner.name: known for inner, known in zip(body.inputs, inputs)}
            arguments = {inner.op for inner in body.inputs}
            self._settle(
                [inner for inner in body.get_operations() if inner not in arguments], state
            )
            self._bodies[key] = [state.get(output.name, FORWARD) for output in body.outputs]
        return self._bodies[key]


def _upstream(tensor):
    """Returns the ops that a tensor is computed from, also by way of the stacks of v1 loops."""
    upstream, waiting = set(), [tensor]
    while waiting:
        ops = _tf.upstream_ops(waiting) - upstream
        upstream |= ops
        waiting = [tensor for op in ops if op.type in POPS for tensor in pushed(op)]
    return upstream


def pushed(pop):
    """Returns the tensors that are pushed on the stack that this op takes its value from."""
    tensors = []
    for stack in _tf.stores_behind(pop.inputs[0]):
        users = _tf.downstream_ops(stack.outputs)
        tensors += [op.inputs[1] for op in users if op.type in PUSHES]
    return tensors


def _merge_of(op):
    """Returns the Merge at the head of the loop variable that leaves by this Exit, or None."""
    switch = op.inputs[0].op
    if switch.type not in ("Switch", "RefSwitch"):
        return None
    merge = switch.inputs[0].op
    return merge if merge.type in ("Merge", "RefMerge") else None


def exit_sources(merge, folder):
    """Returns the inputs of a loop's Merge that a value leaving the loop comes from.

    What went in leaves the loop only if the loop makes no iteration. Where it may make none,
    both count.
    """
    from_body = [source for source in merge.inputs if source.op.type.endswith("NextIteration")]
    if not from_body or folder.enters(merge) is False:
        return [source for source in merge.inputs if source not in from_body]
    return from_body if folder.always_enters(merge) else list(merge.inputs)


def _names(op):
    """Returns the name of each input in the op's definition; empty if they do not fit."""
    names = [argument.name for argument in op.op_def.input_arg]
    return names if len(names) == len(op.inputs) else [""] * len(op.inputs)


def _join(known):
    return (any(d for d, _ in known), any(n for _, n in known))


def _data(op, inputs):
    """Returns what the values of an op are made of, without its indices and handles."""
    return [
        known
        for known, tensor in zip(inputs, op.inputs)
        if known[0] or not (tensor.dtype.base_dtype.is_integer or tensor.dtype == tf.resource)
    ] or inputs
