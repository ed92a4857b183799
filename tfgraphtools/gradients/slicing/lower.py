"""Node definitions rewritten so that a variable's handle becomes the value itself.

A resource variable is read where it is used: behind a Switch or Enter of v1
control flow, and inside function bodies. To compute with another value, the
value must travel the same way, so each op that carries the handle is made to
carry the value, and each read becomes an Identity. Anything else that takes
the handle (an assign, an optimizer's apply) is refused by name.
"""

from tfgraphtools import _tf
from tfgraphtools.errors import ReplaceError
from tfgraphtools.gradients.slicing.inline import inline_calls
from tfgraphtools.gradients.slicing.node_names import (
    become,
    become_placeholder,
    forget,
    full_name,
    handles_of,
    strip_dangling_colocations,
)

REF_NAMES = dict(_tf.REF_CONTROL_FLOW, RefIdentity="Identity")
#: How the types of ops begin that write a resource variable.
_WRITERS = (
    "Assign",
    "ResourceApply",
    "ResourceScatter",
    "ResourceSparseApply",
    "ResourceStridedSliceAssign",
)
_PASS = frozenset(REF_NAMES.values())
_BRANCHES = {
    "If": ("then_branch", "else_branch"),
    "StatelessIf": ("then_branch", "else_branch"),
    "While": ("cond", "body"),
    "StatelessWhile": ("cond", "body"),
    "Case": ("branches",),
    "StatelessCase": ("branches",),
}


class Lowering:
    """Rewrites nodes of one graph for another (or the same), with new functions for all bodies.

    Bodies that take no handle are copied too: when TF differentiates a loop or
    a branch it makes functions named after its bodies, once in a process.

    Args:
      calls: ``{name: number of outputs}`` of calls of a `tf.function` that get functions of
        their own, too.
    """

    def __init__(self, source, destination, place, pure=False, calls=None):
        self._calls = calls or {}
        self._source, self._destination, self._place = source, destination, place
        self._pure = pure  # refuse nodes that write variables, in bodies too

    def lower(self, nodes, live, handles):
        """Rewrites the nodes in place and returns ``live`` with all that carries a value.

        Args:
          nodes: a list of NodeDefs; it gains nodes where a read needs a constant.
          live: ``{tensor name: (dtype, shape)}`` of the former handles.
          handles: ``{tensor name: tensor with its handle data}``.
        """
        for node in nodes:
            if self._pure and node.op.startswith(_WRITERS):
                raise self.refusal(node, f"the op {node.name!r} of type {node.op}, a write")
        live, done, moving = dict(live), set(), True
        while moving:  # v1 loops are cycles: go round until nothing changes
            moving = False
            for node in list(nodes):
                values = {
                    i: live[full_name(name)]
                    for i, name in enumerate(node.input)
                    if full_name(name) in live
                }
                if node.name in done or not values:
                    continue
                for output, value in self._lower_node(node, values, nodes, handles).items():
                    live[f"{node.name}:{output}"] = value
                done.add(node.name)
                moving = True
        for node in nodes:
            if self._has_bodies(node) and node.name not in done:
                self._lower_branches(node, {}, handles)
            carried = [full_name(name) in live for name in node.input if not name.startswith("^")]
            if node.op == "Merge" and any(carried) and not all(carried):
                raise self.refusal(node, "a Merge of two different variables")
        return live

    def _lower_node(self, node, values, nodes, handles):
        """Rewrites one node that takes values; returns the values that it puts out."""
        dtype, _ = first = values[min(values)]
        op = REF_NAMES.get(node.op, node.op)
        if op in _PASS:
            node.op = op
            node.attr["T"].type = dtype
            forget(node, "_output_shapes")
            return {0: first, 1: first} if op == "Switch" else {0: first}
        if node.op == "ReadVariableOp":
            become(node, "Identity", T=dtype)
        elif node.op == "VariableShape":
            out_type = node.attr["out_type"].type
            become(node, "Shape", T=dtype, out_type=out_type)
        elif node.op == "ResourceGatherNd":
            become(node, "GatherNd", Tparams=dtype, Tindices=node.attr["Tindices"].type)
        elif node.op == "ResourceGather":
            nodes.append(self._lower_gather(node, dtype))
        elif self._has_bodies(node):
            return self._lower_branches(node, values, handles)
        else:
            raise self.refusal(node, f"the op {node.name!r} of type {node.op}")
        return {}

    def _has_bodies(self, node):
        return node.op in _BRANCHES or node.name in self._calls

    @staticmethod
    def _lower_gather(node, dtype):
        """Lowers ResourceGather to GatherV2; returns the node of the axis that it also takes."""
        batch, indices = node.attr["batch_dims"].i, node.attr["Tindices"].type
        become(node, "GatherV2", Tparams=dtype, Tindices=indices, Taxis=_tf.INT32)
        node.attr["batch_dims"].i = batch
        axis = _tf.constant_node(node.name + "/axis", batch)
        axis.input.append("^" + full_name(node.input[1]).split(":")[0])  # into the same frame
        node.input.insert(2, axis.name)
        return axis

    def _lower_branches(self, node, values, handles):
        """Passes the value into the bodies of an If, Case, While or call, by new functions."""
        loop, call = node.op.endswith("While"), node.name in self._calls
        first = 0 if loop or call else 1
        if call:  # what it hands out for a backward pass of the original goes nowhere in a copy
            types, count = node.attr["Tout"].list.type, self._calls[node.name]
            for number in range(count, len(types)):
                handles.pop(f"{node.name}:{number}", None)
            del types[count:]
        if values and min(values) < first:
            raise self.refusal(node, f"a variable as the predicate of {node.name!r}")
        arguments = {position - first: value for position, value in values.items()}
        sources = [
            handles.get(full_name(source)) for source in node.input[first:] if source[0] != "^"
        ]
        outputs = {}
        for attribute in _BRANCHES.get(node.op, ("f",)):
            attr = node.attr[attribute]
            for function in [attr.func] if attr.HasField("func") else attr.list.func:
                function.name, changed = self._lower_function(
                    function.name, arguments, sources, self._calls.get(node.name)
                )
                outputs.update({} if attribute == "cond" else changed)
        for index, (dtype, _) in arguments.items():
            node.attr["T" if loop else "Tin"].list.type[index] = dtype
        for index, (dtype, shape) in outputs.items():
            if not loop:
                node.attr["Tout"].list.type[index] = dtype
            if "output_shapes" in node.attr and len(node.attr["output_shapes"].list.shape) > index:
                node.attr["output_shapes"].list.shape[index].CopyFrom(shape.as_proto())
        for name in ("_output_shapes", "_gradient_op_type", "_read_only_resource_inputs"):
            forget(node, name)
        return outputs

    def _lower_function(self, name, arguments, sources, count=None):
        """Returns (name of the function that takes values, {output index: value}).

        Args:
          count: the number of outputs, the first ones; all if None.
        """
        definition = _tf.function_definition(self._source, name)
        body = _tf.rebuilt_function(self._source, definition, sources)
        ops = body.get_operations()
        nodes, handles = [_tf.node_copy(op) for op in ops], handles_of(ops)
        by_name = {node.name: node for node in nodes}
        inputs = [tensor.op.name for tensor in body.inputs]
        outputs = [tensor.name for tensor in body.outputs[:count]]
        for index, (dtype, shape) in arguments.items():
            become_placeholder(by_name[inputs[index]], dtype, shape)
        nodes, renamed, _, last = inline_calls(self._source, nodes, handles)
        outputs = [renamed.get(output, output) for output in outputs]
        strip_dangling_colocations(nodes)
        live = self.lower(nodes, {inputs[i] + ":0": v for i, v in arguments.items()}, handles)
        controls = [end for op in body.control_outputs for end in last.get(op.name, [op.name])]
        new = _tf.add_function(
            self._destination, name + "_copy", nodes, inputs, outputs, controls, handles
        )
        return new, {i: live[output] for i, output in enumerate(outputs) if output in live}

    def refusal(self, node, reads):
        """Returns the error for an op that reads the variable in a way that cannot be replaced."""
        return ReplaceError(
            self._place,
            "reads of the variable that can take another value: ReadVariableOp, ResourceGather, "
            "ResourceGatherNd, VariableShape, and control flow around them",
            reads,
            "Replace the tensor that was read instead of the variable, or leave that op out of y.",
        )


def lower_ref(graph, nodes, ref, refusal):
    """Makes ops of v1 control flow carry the value in place of the ref; refuses other users.

    Args:
      ref: the name of the ref's tensor.
      refusal: ``(node, found) -> error``.
    """
    live, moving = {ref}, True
    while moving:
        moving = False
        for node in nodes:
            for position, source in enumerate(node.input):
                if full_name(source) not in live:
                    continue
                if node.op in REF_NAMES:
                    node.op = REF_NAMES[node.op]
                    live.update({node.name + ":0", node.name + ":1"})
                    moving = True
                elif _tf.takes_ref(node.op, position, graph):
                    raise refusal(
                        node,
                        f"the op {node.name!r} of type {node.op}: it takes the variable itself",
                    )
