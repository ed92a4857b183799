"""A part of a graph, in a Session, as a `Program`: constants are folded where they end."""

import numpy as np

from tfgraphtools.graphs import op_kinds
from tfgraphtools.graphs.source_code.ir import (
    branches_of_merges,
    ir_nodes,
    known_integers,
    loop_frames,
    loop_values,
    old_ops,
    shape_rules,
    tensor_arrays,
)
from tfgraphtools.graphs.source_code.ir import symbolic_sizes as sizes

#: Ops that give what they read, for any reader of values and gradients.
_COPIES = frozenset(
    "Identity ReadVariableOp CheckNumerics PreventGradient Snapshot PlaceholderWithDefault "
    "EnsureShape Enter LoopCond NextIteration".split()
)
_VARIABLES = ("VarHandleOp", "VariableV2", "Variable")
#: The dtypes of variables.
_DTYPES = frozenset("float16 float32 float64 int8 int16 int32 int64 uint8 bool".split())
_OF_BRANCHES = op_kinds.CONTROL_V1 | op_kinds.CONTROL_V2 | op_kinds.CALLS
#: The smallest constant of a frozen graph that is a weight.
_LEAST_WEIGHT = 2


def read(session, part, values):
    """Returns the `Program` of a part.

    Args:
      session: a Session of the part, with the values of its variables.
      part: a `graph_parts.GraphPart`.
      values: its `graph_values.GraphValues`, or None for a part without variables.
    """
    varying = set()
    while True:
        reading = _Reading(session, part, values, varying)
        changed = reading.loops.varying()
        if not changed:
            return reading.program
        varying |= changed


class _Reading:
    """One reading.

    Args:
      varying: as in `loop_values.Loops`.
    """

    def __init__(self, session, part, values, varying):
        self._graph, self._session = session.graph, session
        self._part, self._values = part, values
        self._is_frozen = not part.variables
        self._made, self._branches = {}, {}
        self._dropouts = {} if part.modes is None else part.modes.dropouts
        self._inputs = {tensor: name for name, tensor in part.inputs.items()}
        inputs = {name: self._input(name, tensor) for name, tensor in part.inputs.items()}
        ops = self._needed()
        self.loops = loop_values.Loops(self._part.place, self._frames, self._value, varying)
        self._refuse_control_flow(ops)
        self._fold(ops)
        for position, op in enumerate(ops):
            if op.name not in self._constant:
                self._add(op, position)
        outputs = {name: self._value(tensor) for name, tensor in part.outputs.items()}
        self.program = ir_nodes.Program(part.place, inputs, outputs)
        self.program.has_modes = part.modes is not None

    def _needed(self):
        """Returns the ops that the outputs need, each after what it reads."""
        reached = self._reached()
        places = {op: place for place, op in enumerate(self._graph.get_operations())}
        in_order = sorted(reached, key=places.__getitem__)  # as they were made
        self._frames = loop_frames.Frames(in_order)
        if all(places[t.op] < places[op] for op in reached for t in self._sources(op)):
            return in_order
        ordered, done = [], set()
        waiting = [(op, False) for op in in_order[::-1]]
        while waiting:
            op, is_read = waiting.pop()
            if is_read:
                ordered.append(op)
            elif op not in done:
                done.add(op)
                waiting.append((op, True))
                waiting += [(t.op, False) for t in self._sources(op)]
        return ordered

    def _reached(self):
        """Returns {op: True} of all that the outputs need."""
        get = self._graph.get_tensor_by_name
        reached, waiting = {}, [get(tensor).op for tensor in self._part.outputs.values()]
        while waiting:
            op = waiting.pop()
            if op not in reached:
                reached[op] = True
                read = [*op.inputs, *self._predicates(op)]
                waiting += [t.op for t in read if t.name not in self._inputs]
        return reached

    def _sources(self, op):
        """Returns the tensors that are read before an op, but inputs."""
        read = [*self._frames.sources(op), *self._predicates(op)]
        return [tensor for tensor in read if tensor.name not in self._inputs]

    def _predicates(self, op):
        """Returns the predicate of a branch that ends here, which its constants do not read."""
        if op.type == "Merge" and not loop_frames.is_variable(op):
            self._branches[op.name] = branches_of_merges.predicate_of(op)
        branch = self._branches.get(op.name)
        return [] if branch is None else [branch[0]]

    def _refuse_control_flow(self, ops):
        known = ("Switch", "Enter", "LoopCond", "NextIteration", "Exit")
        ops = [op for op in ops if op.type not in known and not loop_frames.is_variable(op)]
        ops = [op for op in ops if not self._branches.get(op.name)]
        own = {function.signature.name for function in self._part.meta.graph_def.library.function}
        refused = [op for op in ops if op.type in _OF_BRANCHES or op.type in own]
        if refused:
            raise ir_nodes.unwritable(
                self._part.place,
                [(op.type, op.name, "functions are not written yet")
                 for op in refused],
            )  # fmt: skip

    # Constants ------------------------------------------------------------------------------

    def _fold(self, ops):
        """Computes the constants that other ops read, in one run."""
        self._constant = set()
        for op in ops:
            if self._is_constant(op):
                self._constant.add(op.name)
        fetched = {
            tensor.name: tensor
            for op in ops
            if op.name not in self._constant
            for tensor in op.inputs
            if tensor.op.name in self._constant
        }
        for name in self._part.outputs.values():
            if name.split(":")[0] in self._constant:
                fetched[name] = self._graph.get_tensor_by_name(name)
        constants = {name: t for name, t in fetched.items() if t.op.type == "Const"}
        for name, tensor in constants.items():
            self._made[name] = self._folded(name, _constant_of(tensor.op))
        fetched = {name: tensor for name, tensor in fetched.items() if name not in constants}
        arrays = self._session.run(fetched) if fetched else {}
        for name, array in arrays.items():
            self._made[name] = self._folded(name, np.asarray(array))

    def _is_constant(self, op):
        if op.type == "Const":
            return True
        if op.type in op_kinds.CONTROL_V1 or any(t.op.control_inputs for t in op.inputs):
            return False  # nobody can fetch what is in a branch
        if not op.inputs or op.type in _VARIABLES or op_kinds.RANDOM.fullmatch(op.type):
            return False
        if op.op_def is not None and op.op_def.is_stateful:
            return False
        return all(t.op.name in self._constant and t.name not in self._inputs for t in op.inputs)

    def _folded(self, tensor, array):
        """Returns a constant, or the weight that it is in a frozen graph."""
        name = self._source_of_copy(tensor)
        is_weight = array.dtype.kind == "f" and array.ndim and array.size >= _LEAST_WEIGHT
        if (
            self._is_frozen
            and is_weight
            and self._graph.get_operation_by_name(name).type == "Const"
        ):
            node = ir_nodes.Node(ir_nodes.PARAMETER, name)
            node.attributes.update(variable=name, index=None, steps=(), array=array)
            node.attributes["is_constant"] = True
            return node.add_output(array.shape, array.dtype.name)
        return constant(array, name)

    def _source_of_copy(self, tensor):
        op = self._graph.get_tensor_by_name(tensor).op
        while op.type == "Identity":
            op = op.inputs[0].op
        return op.name

    # Nodes ----------------------------------------------------------------------------------

    def _input(self, name, tensor):
        source = self._graph.get_tensor_by_name(tensor)
        node = ir_nodes.Node(ir_nodes.INPUT, name)
        dims = _static(source, name)
        self._made[tensor] = node.add_output(dims, _dtype(source))
        return node.output

    def _value(self, tensor):
        if tensor not in self._made:  # such as the second output of a Merge
            op = self._graph.get_tensor_by_name(tensor).op
            raise ir_nodes.unwritable(self._part.place, [(op.type, op.name, f"a use of {tensor}")])
        return self._made[tensor]

    def _add(self, op, position):
        if op.type == "Exit" or loop_frames.is_variable(op):
            tensor = op.outputs[0]
            place = self.loops.final if op.type == "Exit" else self.loops.variable
            self._made[tensor.name] = place(op, position)
        elif op.type == "Switch":
            for tensor in op.outputs:
                self._made[tensor.name] = self._value(op.inputs[0].name)
        elif op.type == "Merge":
            self._add_choice(op, position)
        elif op.type in _VARIABLES:
            self._made[op.outputs[0].name] = self._parameter(op)
        elif op.type == "IdentityN" and not self._is_cut(op):
            for tensor, source in zip(op.outputs, op.inputs):
                self._made[tensor.name] = self._value(source.name)
        elif op.name in self._dropouts and op.outputs[0].name not in self._inputs:
            self._add_dropout(op, position)
        elif op.type in _COPIES and op.outputs:
            if op.outputs[0].name not in self._inputs:
                self._made[op.outputs[0].name] = self._value(op.inputs[0].name)
        elif not self._is_cut(op) or not op.outputs:
            self._add_node(op, position)

    def _is_cut(self, op):
        """Tells whether all outputs of an op are inputs."""
        return all(tensor.name in self._inputs for tensor in op.outputs)

    def _add_choice(self, op, position):
        """Adds what a predicate chooses, for the Merge at the end of two branches."""
        inputs = [self._value(tensor.name) for tensor in self._branches[op.name]]
        predicate = self._branches[op.name][0].name
        node = ir_nodes.Node("Choice", op.name, inputs, {"predicate": predicate}, position)
        tensor = op.outputs[0]
        dims = shape_rules.dims_of("Choice", inputs, {}, 1)[0]
        self._made[tensor.name] = node.add_output(_joined(tensor, dims), _dtype(tensor))

    def _add_dropout(self, op, position):
        """Adds a layer that gives its input, unless it trains."""
        source, row = self._value(op.inputs[0].name), self._dropouts[op.name]
        attributes = {
            "kind": "dropout",
            "parameters": {},
            "settings": {"rate": row.rate, "axes": self._axes_of_noise(source, row)},
        }
        if row.rate is None:
            reason = f"a rate that is fed: --set {row.number}=NUMBER"
            raise ir_nodes.unwritable(self._part.place, [("Dropout", op.name, reason)])
        node = ir_nodes.Node(ir_nodes.LAYER, op.name, [source], attributes, position)
        self._made[op.outputs[0].name] = node.add_output(source.dims, source.dtype)

    def _axes_of_noise(self, source, row):
        """Returns the axes along which a dropout draws one number for all elements."""
        if row.noise is not None and source.dims is not None:
            pairs = list(zip(row.noise, source.dims))
            if len(pairs) == len(row.noise) in (0, len(source.dims)):
                return tuple(i for i, (size, dim) in enumerate(pairs) if size == 1 != dim)
        reason = "noise of a shape that is computed"
        raise ir_nodes.unwritable(self._part.place, [("Dropout", row.number, reason)])

    def _parameter(self, op):
        variable, index = self._values.place(op.name)
        array = self._values.read(op.name)
        node = ir_nodes.Node(ir_nodes.PARAMETER, op.name)
        node.attributes.update(variable=variable, index=index, steps=(), array=array)
        trainable = self._part.trainable  # empty where the file has no collections
        node.attributes["is_trainable"] = not trainable or op.name in trainable
        if self._part.modes is not None and op.name in self._part.modes.rates:
            node.attributes["average_rate"] = self._part.modes.rates[op.name]
        if array.dtype.name not in _DTYPES:
            reason = f"a variable of {_dtype(op.outputs[0])}"
            raise ir_nodes.unwritable(self._part.place, [(op.type, op.name, reason)])
        return node.add_output(array.shape, array.dtype.name)

    def _add_node(self, op, position):
        attributes = _attributes(op)
        inputs = [self._value(tensor.name) for tensor in op.inputs]
        kind, inputs = old_ops.as_today(op.type, inputs)
        if op.type == "ResourceGather":
            inputs.append(constant(np.asarray(0, np.int32), op.name))
        if kind in tensor_arrays.OPS:
            self._add_list(op, inputs, attributes, position)
            return
        node = ir_nodes.Node(kind, op.name, inputs, attributes, position)
        rules = shape_rules.dims_of(kind, inputs, attributes, len(op.outputs))
        contents = [None] * len(op.outputs)
        if len(op.outputs) == 1:
            dtype = _dtype(op.outputs[0])
            contents = [known_integers.content_of(kind, inputs, attributes, dtype)]
        elif kind == "BroadcastGradientArgs":
            contents = known_integers.axes_of_sums(*(value.content for value in inputs))
        for tensor, dims, content in zip(op.outputs, rules, contents):
            value = node.add_output(_joined(tensor, dims), _dtype(tensor), content)
            if tensor.name not in self._inputs:
                self._made[tensor.name] = value
        if contents and None not in contents:  # nothing reads its inputs any more
            node.set_inputs([])
            node.op = "Known"

    def _add_list(self, op, inputs, attributes, position):
        """Adds an op of TensorArrays."""
        named = {**attributes, "name": op.name}
        values = tensor_arrays.values_of(op.type, inputs, named, position)
        if values is None:
            reason = "a TensorArray that is neither written in order nor read as a whole"
            raise ir_nodes.unwritable(self._part.place, [(op.type, op.name, reason)])
        self._made.update((tensor.name, value) for tensor, value in zip(op.outputs, values))


def _constant_of(op):
    import tensorflow as tf

    return np.asarray(tf.make_ndarray(op.get_attr("value")))


def constant(array, name):
    """Returns a constant."""
    node = ir_nodes.Node(ir_nodes.CONSTANT, name, attributes={"array": array})
    return node.add_output(array.shape, _numpy_name(array.dtype), known_integers.of_array(array))


def _dtype(tensor):
    dtype = tensor.dtype.base_dtype
    return dtype.name


def _numpy_name(dtype):
    return "string" if dtype.kind in "OSU" else dtype.name


def _static(tensor, name):
    """Returns dims from what TensorFlow knows, with a symbol for each unknown size."""
    if tensor.shape.ndims is None:
        return None
    return [
        sizes.symbol(name, axis) if size is None else size
        for axis, size in enumerate(tensor.shape.as_list())
    ]


def _joined(tensor, dims):
    """Returns what a rule and TensorFlow know together; a symbol where neither does."""
    if tensor.shape.ndims is None:
        if dims is None:
            return None
        static = [None] * len(dims)
    else:
        static = tensor.shape.as_list()
    if dims is None or len(dims) != len(static):
        dims = [None] * len(static)
    joined = [size if known is None else known for known, size in zip(static, dims)]
    return [
        sizes.symbol(tensor.name, axis) if size is None else size
        for axis, size in enumerate(joined)
    ]


def _attributes(op):
    """Returns {name: value} of an op's attributes."""
    return {name: _plain(value) for name, value in op.node_def.attr.items() if name[:1] != "_"}


def _plain(attribute):
    kind = attribute.WhichOneof("value")
    if kind == "list":
        parts = attribute.list
        return list(parts.i) or list(parts.f) or list(parts.b) or [s.decode() for s in parts.s]
    if kind == "s":
        return attribute.s.decode("utf-8", "replace")
    if kind == "type":
        return _type_name(attribute.type)
    return getattr(attribute, kind) if kind in ("i", "f", "b") else None


def _type_name(number):
    import tensorflow as tf

    return tf.as_dtype(number).base_dtype.name
