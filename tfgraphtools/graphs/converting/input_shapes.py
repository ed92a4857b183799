"""The shapes of the inputs of a part of a graph: read, fixed and freed."""

import collections

from tfgraphtools.checkpoints.graphs import cuts
from tfgraphtools.errors import ArgumentError

#: An input: the number of its dtype as TensorFlow has it, and its shape with None where unknown
#: (None for an unknown rank).
Input = collections.namedtuple("Input", "dtype shape")


def inputs_of(graph_def, inputs):
    """Returns {name: `Input`}.

    Args:
      inputs: {name: tensor of a placeholder}.
    """
    nodes = {node.name: node for node in graph_def.node}
    described = {}
    for name, tensor in inputs.items():
        node = nodes[cuts.split_tensor(tensor)[0]]
        shape = cuts.placeholder_shape(graph_def, node)
        described[name] = Input(node.attr["dtype"].type, shape)
    return described


def described(graph_def, inputs):
    """Returns {name: (NumPy dtype, shape)} of inputs, as `inputs_of`."""
    import tensorflow as tf

    rows = inputs_of(graph_def, inputs)
    return {name: (tf.as_dtype(row.dtype).as_numpy_dtype, row.shape) for name, row in rows.items()}


def change(part, shapes):
    """Changes the shapes of inputs in a `graph_parts.GraphPart`; TensorFlow infers the others.

    Args:
      shapes: {name, tensor or node of an input: shape, None where it is any}.

    Raises:
      ArgumentError: no such input, or one of another rank.
    """
    nodes = {node.name: node for node in part.meta.graph_def.node}
    known = inputs_of(part.meta.graph_def, part.inputs)
    for key, shape in shapes.items():
        name = _input_called(key, part.inputs)
        before = known[name].shape
        if before and len(before) != len(shape):
            raise ArgumentError(
                f"shapes: {key}",
                f"{len(before)} sizes, as {_text(before)}",
                _text(shape),
                f"Give one for each, ? for any: --shape {key}={_text(before)}",
            )
        target = nodes[cuts.split_tensor(part.inputs[name])[0]].attr["shape"].shape
        target.Clear()
        for size in shape:
            target.dim.add(size=-1 if size is None else size)
    if shapes:
        forget(part.meta.graph_def)


def forget(graph_def):
    """Removes the shapes that a graph says of its tensors: they are inferred again."""
    for node in graph_def.node:
        if "_output_shapes" in node.attr:
            del node.attr["_output_shapes"]


def _input_called(key, inputs):
    for name, tensor in inputs.items():
        if key in (name, tensor, cuts.split_tensor(tensor)[0]):
            return name
    raise ArgumentError(
        f"shapes: {key}", "an input: " + ", ".join(inputs), "another name", "Name an input."
    )


def _text(shape):
    return ",".join("?" if size is None else str(size) for size in shape)
