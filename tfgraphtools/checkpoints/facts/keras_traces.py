"""The borders of a Keras model, read in the graph that TensorFlow makes of a call of it."""

from tfgraphtools.checkpoints.facts import of_borders, shaped_graphs


def borders(model):
    """Traces a call of a model, which computes nothing.

    Args:
      model: a built model of Keras 3 or tf_keras; it is not changed.

    Returns:
      `of_borders.Found`, whose variables are the ids of the model's weights; None if TensorFlow
      does not run the model, or nothing says what it is called with.
    """
    try:
        traced = _traced(model)
    except Exception:  # the user's call may do anything that no trace follows
        return None
    if traced is None:
        return None
    graph_def, captured = traced
    traced_borders = of_borders.borders(shaped_graphs.of_graph_def(graph_def))
    by_weight = {
        captured[name]: row for name, row in traced_borders.by_variable.items() if name in captured
    }
    return of_borders.Found(by_weight, traced_borders.sequences)


def _traced(model):
    """Returns (GraphDef, {node of a variable: id of the weight}), or None."""
    roots = {base.__module__.partition(".")[0] for base in type(model).__mro__}
    if "keras" in roots and _backend() != "tensorflow":
        return None
    import tensorflow as tf

    inputs = _inputs(model, tf)
    if inputs is None:
        return None
    call = tf.function(lambda given: model(given, training=False), autograph=False)
    graph = call.get_concrete_function(inputs).graph
    weights = {id(_handle(weight)): weight for weight in model.weights}
    graph_def = graph.as_graph_def(add_shapes=True)
    nodes = {node.name: node for node in graph_def.node}
    captured = {}
    for handle, placeholder in graph.captures:
        weight = weights.get(id(handle))
        if weight is not None:
            node = nodes[placeholder.op.name]
            node.op = "VarHandleOp"  # as a graph of TF 1 has it
            node.attr["shape"].shape.CopyFrom(tf.TensorShape(tuple(weight.shape)).as_proto())
            captured[node.name] = id(weight)
    return graph_def, captured


def _backend():
    import keras

    return keras.backend.backend()


def _handle(weight):
    """Returns TensorFlow's handle of a weight, which Keras 3 has in a variable of its own."""
    variable = weight if hasattr(weight, "handle") else weight.value
    return variable.handle


def _inputs(model, tf):
    """Returns what a model is called with, as specifications; None if nothing says it."""
    tensors = getattr(model, "inputs", None)
    if tensors:
        specs = [tf.TensorSpec(tuple(tensor.shape), tensor.dtype) for tensor in tensors]
        return specs[0] if len(specs) == 1 else specs
    shape = (model.get_build_config() or {}).get("input_shape")
    if not isinstance(shape, (list, tuple)) or not all(
        size is None or isinstance(size, int) for size in shape
    ):
        return None
    return tf.TensorSpec((None, *shape[1:]), tf.float32)
