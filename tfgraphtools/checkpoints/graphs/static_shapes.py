"""Static shapes of tensors of a GraphDef: as its nodes say them, or as TensorFlow infers them."""

from tfgraphtools.checkpoints.graphs import cuts


def of_tensors(graph_def, tensors):
    """Returns {(node, output): its TensorShapeProto} of the tensors whose rank is known.

    Args:
      graph_def: the GraphDef; it is not changed.
      tensors: names of tensors; those that it lacks, and placeholders, are left out.
    """
    nodes = {node.name: node for node in graph_def.node}
    outputs = [cuts.split_tensor(tensor) for tensor in tensors]
    shapes, unsaid = {}, []
    for name, output in outputs:
        if name not in nodes or nodes[name].op in cuts.PLACEHOLDERS:
            continue
        said = _said(nodes[name], output)
        if said is None:
            unsaid.append((name, output))
        else:
            shapes[name, output] = said
    return {**shapes, **(_inferred(graph_def, unsaid) if unsaid else {})}


def shape_of(graph_def, tensor):
    """Returns the list of sizes of a tensor, None for one that is open; None for an open rank."""
    name, output = cuts.split_tensor(tensor)
    (node,) = [node for node in graph_def.node if node.name == name]
    if node.op in cuts.PLACEHOLDERS:
        return cuts.placeholder_shape(graph_def, node)
    shape = of_tensors(graph_def, [tensor]).get((name, output))
    return None if shape is None else [None if d.size < 0 else d.size for d in shape.dim]


def _said(node, output):
    """Returns the TensorShapeProto of an output that the node says itself; else None."""
    for key in ("output_shapes", "_output_shapes"):
        shapes = node.attr[key].list.shape if key in node.attr else ()
        if output < len(shapes) and not shapes[output].unknown_rank:
            return shapes[output]
    return None


def _inferred(graph_def, tensors):
    """Returns the shapes that TensorFlow infers; none where it does not import what they need."""
    import tensorflow as tf

    part = _part_for(graph_def, [name for name, _ in tensors])
    graph = tf.Graph()
    try:
        with graph.as_default():
            tf.compat.v1.import_graph_def(part, name="")
    except (ValueError, TypeError, tf.errors.OpError):  # an op or attribute that it lacks
        return {}
    shapes = {}
    for name, output in tensors:
        outputs = graph.get_operation_by_name(name).outputs
        if output < len(outputs) and outputs[output].shape.ndims is not None:
            shapes[name, output] = outputs[output].shape.as_proto()
    return shapes


def _part_for(graph_def, names):
    """Returns a GraphDef of the nodes that these need, and their functions."""
    kept = cuts.needed(graph_def, names)
    part = type(graph_def)(versions=graph_def.versions, library=graph_def.library)
    part.node.extend(node for node in graph_def.node if node.name in kept)
    cuts.keep_only(part, kept)
    return part
