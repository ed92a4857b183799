"""Static shapes of tensors of a GraphDef, as TensorFlow infers them."""

from tfgraphtools.checkpoints.graphs import cuts


def infer(graph_def, tensors):
    """Returns {(node, output): its TensorShapeProto} of tensors, of those whose rank is known.

    Nothing where this TensorFlow does not import what the tensors need.

    Args:
      graph_def: the GraphDef; it is not changed.
      tensors: (name of a node, number of its output) of each.
    """
    import tensorflow as tf

    part = _part_for(graph_def, [name for name, _ in tensors])
    graph = tf.Graph()
    try:
        with graph.as_default():
            tf.compat.v1.import_graph_def(part, name="")
    except (ValueError, TypeError, tf.errors.OpError):  # an op or attribute that it lacks
        return {}
    shapes = {
        (name, output): graph.get_operation_by_name(name).outputs[output].shape
        for name, output in tensors
    }
    return {tensor: shape.as_proto() for tensor, shape in shapes.items() if shape.rank is not None}


def _part_for(graph_def, names):
    """Returns a GraphDef of the nodes that these need, and their functions."""
    kept = cuts.needed(graph_def, names)
    part = type(graph_def)(versions=graph_def.versions, library=graph_def.library)
    part.node.extend(node for node in graph_def.node if node.name in kept)
    cuts.keep_only(part, kept)
    return part
