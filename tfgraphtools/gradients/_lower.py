"""Node definitions rewritten so that a variable's handle becomes the value itself.

A resource variable is read where it is used: behind a Switch or Enter of v1
control flow, and inside function bodies. To compute with another value, the
value must travel the same way, so each op that carries the handle is made to
carry the value, and each read becomes an Identity. Anything else that takes
the handle (an assign, an optimizer's apply) is refused by name. Calls of
`tf.function` are inlined, since TF ties their gradient to the original call.
"""

from tfgraphtools import _tf
from tfgraphtools.errors import ReplaceError

REF_NAMES = {"RefEnter": "Enter", "RefExit": "Exit", "RefIdentity": "Identity",
              "RefMerge": "Merge", "RefNextIteration": "NextIteration", "RefSwitch": "Switch"}
_PASS = frozenset(REF_NAMES.values())
_BRANCHES = {
    "If": ("then_branch", "else_branch"), "StatelessIf": ("then_branch", "else_branch"),
    "While": ("cond", "body"), "StatelessWhile": ("cond", "body"),
    "Case": ("branches",), "StatelessCase": ("branches",),
}
PARTITIONED_CALLS = frozenset(["PartitionedCall", "StatefulPartitionedCall"])


class Lowering:
    """Rewrites nodes of one graph for another (or the same), with new functions for all bodies.

    Bodies that take no handle are copied too: when TF differentiates a loop or
    a branch it makes functions named after its bodies, once in a process.
    """

    def __init__(self, source, destination, place):
        self._source, self._destination, self._place = source, destination, place
        self._functions = {}  # (function, live arguments) -> (new name, live outputs)

    def lower(self, nodes, live):
        """Rewrites the nodes in place and returns ``live`` with all that carries a value.

        Args:
          nodes: a list of NodeDefs; it gains nodes where a read needs a constant.
          live: ``{tensor name: (dtype, shape)}`` of the former handles.
        """
        live, done, moving = dict(live), set(), True
        while moving:  # v1 loops are cycles: go round until nothing changes
            moving = False
            for node in list(nodes):
                values = {i: live[full_name(name)] for i, name in enumerate(node.input)
                          if full_name(name) in live}
                if node.name in done or not values:
                    continue
                for output, value in self._lower_node(node, values, nodes).items():
                    live[f"{node.name}:{output}"] = value
                done.add(node.name)
                moving = True
        for node in nodes:
            if node.op in _BRANCHES and node.name not in done:
                self._lower_branches(node, {})
            carried = [full_name(name) in live for name in node.input if not name.startswith("^")]
            if node.op == "Merge" and any(carried) and not all(carried):
                raise self.refusal(node, "a Merge of two different variables")
        return live

    def _lower_node(self, node, values, nodes):
        """Rewrites one node that takes values; returns the values that it puts out."""
        dtype, _ = first = values[min(values)]
        op = REF_NAMES.get(node.op, node.op)
        if op in _PASS:
            node.op = op
            node.attr["T"].type = dtype
            _forget(node, "_output_shapes")
            return {0: first, 1: first} if op == "Switch" else {0: first}
        if node.op == "ReadVariableOp":
            _become(node, "Identity", T=dtype)
        elif node.op == "VariableShape":
            out_type = node.attr["out_type"].type
            _become(node, "Shape", T=dtype, out_type=out_type)
        elif node.op == "ResourceGatherNd":
            _become(node, "GatherNd", Tparams=dtype, Tindices=node.attr["Tindices"].type)
        elif node.op == "ResourceGather":
            nodes.append(self._lower_gather(node, dtype))
        elif node.op in _BRANCHES:
            return self._lower_branches(node, values)
        else:
            raise self.refusal(node, f"the op {node.name!r} of type {node.op}")
        return {}

    @staticmethod
    def _lower_gather(node, dtype):
        """ResourceGather to GatherV2; returns the node of the axis that it also takes."""
        batch, indices = node.attr["batch_dims"].i, node.attr["Tindices"].type
        _become(node, "GatherV2", Tparams=dtype, Tindices=indices, Taxis=_tf.INT32)
        node.attr["batch_dims"].i = batch
        axis = _tf.constant_node(node.name + "/axis", batch)
        axis.input.append("^" + full_name(node.input[1]).split(":")[0])  # into the same frame
        node.input.insert(2, axis.name)
        return axis

    def _lower_branches(self, node, values):
        """If, Case or While: the value goes into the bodies, by new functions."""
        loop = node.op.endswith("While")
        first = 0 if loop else 1
        if values and min(values) < first:
            raise self.refusal(node, f"a variable as the predicate of {node.name!r}")
        arguments = {position - first: value for position, value in values.items()}
        outputs = {}
        for attribute in _BRANCHES[node.op]:
            attr = node.attr[attribute]
            for function in ([attr.func] if attr.HasField("func") else attr.list.func):
                function.name, found = self._lower_function(function.name, arguments)
                outputs.update({} if attribute == "cond" else found)
        for index, (dtype, _) in arguments.items():
            node.attr["T" if loop else "Tin"].list.type[index] = dtype
        for index, (dtype, shape) in outputs.items():
            if not loop:
                node.attr["Tout"].list.type[index] = dtype
            if len(node.attr["output_shapes"].list.shape) > index:
                node.attr["output_shapes"].list.shape[index].CopyFrom(shape.as_proto())
        for name in ("_output_shapes", "_gradient_op_type", "_read_only_resource_inputs"):
            _forget(node, name)
        return outputs

    def _lower_function(self, name, arguments):
        """(name of the function that takes values, {output index: value})."""
        key = (name, tuple(sorted(arguments)))
        if key not in self._functions:
            definition = _tf.function_definition(self._source, name)
            body = _tf.rebuilt_function(self._source, definition)
            nodes = [_copy_of(op) for op in body.get_operations()]
            by_name = {node.name: node for node in nodes}
            inputs = [tensor.op.name for tensor in body.inputs]
            outputs = [tensor.name for tensor in body.outputs]
            for index, (dtype, shape) in arguments.items():
                become_placeholder(by_name[inputs[index]], dtype, shape)
            nodes, renamed, _ = inline_calls(self._source, nodes)
            outputs = [renamed.get(output, output) for output in outputs]
            strip_dangling_colocations(nodes)
            live = self.lower(nodes, {inputs[i] + ":0": v for i, v in arguments.items()})
            new = _tf.add_function(self._destination, name + "_copy", nodes, inputs, outputs,
                                   [op.name for op in body.control_outputs])
            found = {i: live[output] for i, output in enumerate(outputs) if output in live}
            self._functions[key] = new, found
        return self._functions[key]

    def refusal(self, node, found):
        return ReplaceError(
            self._place,
            "reads of the variable that can take another value: ReadVariableOp, ResourceGather, "
            "ResourceGatherNd, VariableShape, and control flow around them",
            found,
            "Replace the tensor that was read instead of the variable, or leave that op out of y.",
        )


def lower_ref(graph, nodes, ref, refusal):
    """Ops of v1 control flow that carry the ref carry the value; other users of it are refused.

    Args:
      ref: the name of the ref's tensor.
      refusal: ``(node, found) -> error``.
    """
    live, moving = {ref}, True
    while moving:
        moving = False
        for node in nodes:
            for position, one in enumerate(node.input):
                if full_name(one) not in live:
                    continue
                if node.op in REF_NAMES:
                    node.op = REF_NAMES[node.op]
                    live.update({node.name + ":0", node.name + ":1"})
                    moving = True
                elif _tf.takes_ref(node.op, position, graph):
                    raise refusal(node, f"the op {node.name!r} of type {node.op}: it takes the variable itself"
                                  )


def inline_calls(graph, nodes):
    """The nodes with each call of a `tf.function` replaced by its body.

    Returns:
      (nodes, ``{tensor name of the call: tensor name in the body}``,
      ``{name of the call: [names of all tensors of its body]}``).
    """
    result, renamed, controls, members = [], {}, {}, {}
    for node in nodes:
        if node.op not in PARTITIONED_CALLS:
            result.append(node)
            continue
        inner, outputs, last, members[node.name] = _inlined(graph, node)
        result.extend(inner)
        controls["^" + node.name] = ["^" + name for name in last]
        renamed.update({f"{node.name}:{i}": o for i, o in enumerate(outputs)})
    for source, target in list(renamed.items()):  # a call of a call's output
        while target in renamed:
            target = renamed[target]
        renamed[source] = target
    for node in result:
        names = [name for one in node.input for name in controls.get(
            one, [one if one.startswith("^") else renamed.get(full_name(one), one)])]
        data = [name for name in names if not name.startswith("^")]
        del node.input[:]
        node.input.extend(data + sorted({name for name in names if name.startswith("^")}))
    return result, renamed, members


def _inlined(graph, call):
    """(nodes of a call's body, names of its outputs, of the ops that end it, of its tensors)."""
    definition = _tf.function_definition(graph, call.attr["f"].func.name)
    body = _tf.rebuilt_function(graph, definition)
    data = [name for name in call.input if not name.startswith("^")]
    before = [name for name in call.input if name.startswith("^")]
    arguments = {tensor.name: full_name(data[i]) for i, tensor in enumerate(body.inputs)}
    ops = [op for op in body.get_operations()
           if not op.outputs or op.outputs[0].name not in arguments]
    nodes, prefix = [_copy_of(op) for op in ops], call.name + "/"
    tensors = [prefix + tensor.name for op in ops for tensor in op.outputs]
    for node in nodes:
        names = [name for name in node.input]
        del node.input[:]
        for name in names:
            if name.startswith("^"):
                name = name if name[1:] + ":0" not in arguments else None
                node.input.extend([] if name is None else ["^" + prefix + name[1:]])
            else:
                node.input.append(arguments.get(full_name(name), prefix + name))
        if not any(name.startswith((prefix, "^" + prefix)) for name in node.input):
            node.input.extend(before)
        if data and all(name.startswith("^") for name in node.input):
            node.input.append("^" + data[0].split(":")[0])  # into the frame of the call
        node.name = prefix + node.name
    nodes, renamed, nested = inline_calls(graph, nodes)
    tensors.extend(name for names in nested.values() for name in names)
    outputs = []
    for tensor in body.outputs:
        name = arguments.get(tensor.name, prefix + tensor.name)
        outputs.append(renamed.get(name, name))
    last = [prefix + op.name for op in body.control_outputs]
    last += [name.split(":")[0] for name in outputs if name.startswith(prefix)]
    return nodes, outputs, last or [name.split(":")[0] for name in outputs], tensors


def full_name(name):
    """``"op"`` and ``"op:0"`` are one tensor; controls (``"^op"``) stay as they are."""
    return name if name.startswith("^") or ":" in name else name + ":0"


def strip_dangling_colocations(nodes):
    """Removes colocation with nodes that are not there: an import would refuse it."""
    made = {node.name for node in nodes}
    for node in nodes:
        if "_class" in node.attr:
            kept = [one for one in node.attr["_class"].list.s
                    if not one.startswith(b"loc:@") or one[5:].decode() in made]
            del node.attr["_class"].list.s[:]
            node.attr["_class"].list.s.extend(kept)
            if not kept:
                del node.attr["_class"]


def _copy_of(op):
    return _tf.node_copy(op)


def _become(node, op, **types):
    """Makes the node another op with these type attributes and no others."""
    node.op = op
    node.attr.clear()
    for name, dtype in types.items():
        node.attr[name].type = dtype


def become_placeholder(node, dtype, shape):
    """Makes the node a Placeholder."""
    _become(node, "Placeholder", dtype=dtype)
    del node.input[:]
    node.attr["shape"].shape.CopyFrom(shape.as_proto())


def _forget(node, attribute):
    if attribute in node.attr:
        del node.attr[attribute]


def names_in_contexts(contexts):
    """The names of all ops that these definitions of contexts name."""
    names = set()
    for context in contexts:
        for field, value in context.ListFields():
            if field.name in ("loop_exit_names", "loop_enter_names"):
                names.update(value)
            elif field.name == "values_def":
                names.update(value.values)
                names.update(value.external_values.values())
            elif field.name == "nested_contexts":
                names.update(names_in_contexts(_nested(context)))
            elif field.name.endswith("_name") and field.name != "context_name":
                names.add(value)
    return {name.split(":")[0] for name in names if name}


def _nested(context):
    return [getattr(one, one.WhichOneof("ctxt")) for one in context.nested_contexts]


def rename_members(context, members):
    """In the definition of a context, puts the tensors of inlined bodies for their calls."""
    values = context.values_def.values
    renamed = [new for name in values for new in members.get(name.split(":")[0], [name])]
    del values[:]
    values.extend(renamed)
    for nested in _nested(context):
        rename_members(nested, members)
