"""Placeholders that become constants, and what they choose."""

import numpy as np

from tfgraphtools.checkpoints.graphs import constant_branches, cuts
from tfgraphtools.errors import ArgumentError


def fix(graph_def, values, inputs, place):
    """Makes constants of placeholders, and takes out the branches that these do not choose.

    Args:
      graph_def: changed in place.
      values: {placeholder: an array or a number}.
      inputs: the tensors that stay inputs, as the user gave them.
      place: the path of the graph, for errors.

    Returns:
      What was changed, in words.

    Raises:
      GraphExportError: the graph has no such node.
      ArgumentError: a node is no placeholder or an input, or takes no such value.
    """
    nodes = {node.name: node for node in graph_def.node}
    kept = {cuts.split_tensor(tensor)[0] for tensor in inputs}
    changes = []
    for key, value in values.items():
        name = cuts.split_tensor(key)[0]
        if name not in nodes:
            raise cuts.unknown_node(place, key, nodes)
        node = nodes[name]
        if node.op not in cuts.PLACEHOLDERS:
            raise _refused(key, "a placeholder", node.op, "Only placeholders can be set.")
        if name in kept:
            raise _refused(key, "a placeholder that is no input", "an input", "Leave one out.")
        _set(node, key, value, cuts.placeholder_shape(graph_def, node))
        changes.append(f"{name}: {value}")
    if values:
        constant_branches.resolve(graph_def)
    return changes


def without(inputs, values):
    """Returns the inputs of a signature, {name: tensor}, that no constant replaces."""
    fixed = {cuts.split_tensor(key)[0] for key in values}
    return {
        name: tensor for name, tensor in inputs.items() if cuts.split_tensor(tensor)[0] not in fixed
    }


def _set(node, key, value, shape):
    """Makes a placeholder a constant."""
    import tensorflow as tf

    dtype = tf.as_dtype(node.attr["dtype"].type)
    try:
        array = np.asarray(value)
        cast = array.astype(object if dtype == tf.string else dtype.as_numpy_dtype)
        is_other = array.dtype.kind not in _KINDS[cast.dtype.kind]
        if is_other or (cast.dtype.kind in "iu" and not np.array_equal(cast, array)):
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        fix = f"The placeholder is of {dtype.name}."
        raise _refused(key, f"a value of {dtype.name}", repr(value), fix) from None
    fits = shape is None or (
        len(shape) == cast.ndim and all(n in (None, size) for n, size in zip(shape, cast.shape))
    )
    if not fits:
        got = f"a value of the shape {list(cast.shape)}"
        raise _refused(key, f"one of the shape {list(shape)}", got, "None is a size of any number.")
    tensor = tf.make_tensor_proto(cast, dtype, shape=cast.shape)
    node.op = "Const"
    del node.input[:]
    node.attr.clear()
    node.attr["dtype"].type = dtype.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(tensor)


#: {kind of a dtype: kinds of values that it holds}.
_KINDS = {"b": "b", "i": "iu", "u": "iu", "f": "fiu", "V": "fiu", "c": "fciu", "O": "SU"}


def _refused(key, expected, got, fix):
    return ArgumentError(f"constants: {key}", expected, got, fix)
