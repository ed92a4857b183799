"""Calls of `tf.function` replaced by their bodies, in lists of node definitions.

TF ties the gradient of such a call to the original call, so a copy of it could
not be differentiated. Its body can. Definitions of v1 control-flow contexts,
which know their ops by name, are brought in line.
"""

from tfgraphtools import _tf
from tfgraphtools.gradients.slicing.nodes import full_name

_PARTITIONED_CALLS = frozenset(["PartitionedCall", "StatefulPartitionedCall"])


def inline_calls(graph, nodes):
    """The nodes with each call of a `tf.function` replaced by its body.

    Returns:
      (nodes, ``{tensor name of the call: tensor name in the body}``,
      ``{name of the call: [names of all tensors of its body]}``).
    """
    result, renamed, controls, members = [], {}, {}, {}
    for node in nodes:
        if node.op not in _PARTITIONED_CALLS:
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
        names = [
            name
            for one in node.input
            for name in controls.get(
                one, [one if one.startswith("^") else renamed.get(full_name(one), one)]
            )
        ]
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
    ops = [
        op for op in body.get_operations() if not op.outputs or op.outputs[0].name not in arguments
    ]
    nodes, prefix = [_tf.node_copy(op) for op in ops], call.name + "/"
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
