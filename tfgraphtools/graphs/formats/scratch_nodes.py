"""Nodes that are built in a graph of their own, and copied into a GraphDef."""


def copied(graph_def, scratch, scope, sources):
    """Copies the nodes of a scratch graph into a GraphDef.

    Args:
      graph_def: changed in place.
      scratch: a `tf.Graph`, of ops without functions.
      scope: that of the new nodes.
      sources: {placeholder of the scratch graph: the tensor of the GraphDef that it stands for}.

    Returns:
      A function from the name of a scratch tensor to that in the GraphDef.
    """
    new_names = {op.name: f"{scope}/{op.name}" for op in scratch.get_operations()}

    def renamed(tensor):
        name, _, output = tensor.lstrip("^").partition(":")
        if name in sources:
            return ("^" + sources[name].split(":")[0]) if tensor.startswith("^") else sources[name]
        mark = "^" if tensor.startswith("^") else ""
        return mark + new_names[name] + (":" + output if output not in ("", "0") else "")

    for node in scratch.as_graph_def().node:
        if node.name not in sources:
            copy = graph_def.node.add()
            copy.CopyFrom(node)
            copy.name = new_names[node.name]
            del copy.input[:]
            copy.input.extend(map(renamed, node.input))
    return renamed


def become_identity(node, tensor, number):
    """Makes a node pass on a tensor, of a dtype by its number; what it awaits stays."""
    waits = [name for name in node.input if name.startswith("^")]
    node.op = "Identity"
    node.attr.clear()
    node.attr["T"].type = number
    del node.input[:]
    node.input.extend([tensor, *waits])
