"""Large constants of a graph, which a Session is fed instead of having several copies of them."""

import numpy as np

#: The bytes of a node from which on its value is large.
_LARGE = 1 << 16
_ALIGNMENT = 64


def without(graph_def):
    """Returns (a GraphDef with placeholders for large constants, {name: its array}).

    A constant that awaits something is of a loop or a branch, and stays; so do functions.

    Args:
      graph_def: it is not changed.
    """
    import tensorflow as tf

    small = type(graph_def)(versions=graph_def.versions, library=graph_def.library)
    arrays = {}
    for node in graph_def.node:
        array = _value(tf, node) if _is_large(tf, node) else None
        if array is None:
            small.node.add().CopyFrom(node)
        else:
            arrays[node.name] = _aligned(array)
            _add_placeholder(small, node)
    return small, arrays


def _is_large(tf, node):
    if node.op != "Const" or node.input or node.ByteSize() < _LARGE:
        return False
    number = node.attr["value"].tensor.dtype
    return number == node.attr["dtype"].type != tf.string.as_datatype_enum


def _value(tf, node):
    """Returns the array of a constant; None of a damaged one, which the importer refuses."""
    try:
        return tf.make_ndarray(node.attr["value"].tensor)
    except (TypeError, ValueError):
        return None


def _aligned(array):
    """Returns a copy of an array at a place from which a Session reads it without a copy."""
    memory = np.empty(array.nbytes + _ALIGNMENT, np.uint8)
    start = -memory.ctypes.data % _ALIGNMENT
    copy = memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def _add_placeholder(graph_def, constant):
    node = graph_def.node.add(name=constant.name, op="Placeholder", device=constant.device)
    node.attr["dtype"].type = constant.attr["dtype"].type
    node.attr["shape"].shape.CopyFrom(constant.attr["value"].tensor.tensor_shape)


def put_back(graph_def, arrays):
    """Makes the placeholders of `without` constants again.

    Args:
      graph_def: changed in place.
      arrays: {name: its array}; emptied, so that no value is there twice.
    """
    import tensorflow as tf

    for node in graph_def.node:
        if node.name in arrays:
            number = node.attr["dtype"].type
            array = arrays.pop(node.name)
            node.op = "Const"
            node.attr.clear()
            node.attr["dtype"].type = number
            node.attr["value"].tensor.CopyFrom(
                tf.make_tensor_proto(array, number, shape=np.shape(array))
            )
    arrays.clear()


def feeds(arrays):
    """Returns {tensor: array} of {name: array}."""
    return {name + ":0": array for name, array in arrays.items()}
