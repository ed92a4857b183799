"""Gradients of all parameters: those of the original beside those of a written model."""

import os

import numpy as np

from tfgraphtools.checkpoints.graphs import old_control_flow
from tfgraphtools.errors import DifferentOutputsError
from tfgraphtools.graphs.source_code import weights

#: The largest difference, as a share of the largest gradient of the model: a bias before a
#: normalization has a gradient of 0, and rounding would be all of it.
TOLERANCE = 1e-4


#: Ops whose gradients in oneDNN can end the process: 1x1 kernels with strides in TF 2.21.
_CONVOLUTIONS = ("Conv2D", "DepthwiseConv2dNative", "Conv2DBackpropInput")


def may_crash(part):
    """Tells whether TensorFlow would compute gradients of convolutions by oneDNN."""
    import tensorflow as tf

    if tf.__version__.startswith("1.") or os.environ.get("TF_ENABLE_ONEDNN_OPTS") == "0":
        return False
    return any(node.op in _CONVOLUTIONS for node in part.meta.graph_def.node)


def largest_difference(session, part, arrays, written, tensors):
    """Returns the largest difference of a gradient, as a share of the largest one, and its key.

    The loss is the sum of all outputs, each element times cos(0), cos(1), ...

    Args:
      session: of the original.
      part: the `GraphPart`.
      arrays: {name: array} of the inputs.
      written: {key of the model: gradient} of the written model.
      tensors: {key of the model: `Value`}.

    Returns:
      (difference, key); (None, "") where nothing has a gradient.
    """
    originals = _of_original(session, part, arrays)
    if not originals:
        return None, ""
    largest = max(float(np.abs(array).max()) for array in originals.values() if array.size)
    worst, worst_key = 0.0, ""
    for key, value in tensors.items():
        name = value.node.name
        if name not in originals or key not in written or _is_new(value):
            continue
        steps = [step for step in value.node.attributes["steps"] if step[0] != "add"]
        expected = weights.with_steps(originals[name], steps)
        difference = _difference(expected, written[key]) / max(largest, 1e-30)
        if not difference <= worst:
            worst, worst_key = difference, key
    return worst, worst_key


def require_small(place, difference, key):
    """Raises `DifferentOutputsError` where gradients differ by more than rounding."""
    if difference is None or difference <= TOLERANCE:
        return
    error = DifferentOutputsError(
        place,
        f"gradients within {TOLERANCE:g} of the original's largest one",
        f"{difference:.2g} in that of {key}",
        "Nothing was written. Take a smaller part to see which op differs.",
    )
    error.differences = []
    raise error


def _is_new(value):
    """Tells whether a parameter is none of the original, such as a scale of ones."""
    return any(step[0] in ("ones", "zeros") for step in value.node.attributes.get("steps", ()))


def _difference(expected, actual):
    if expected.shape != actual.shape:
        return np.inf
    same = (expected == actual) | (np.isnan(expected) & np.isnan(actual))
    with np.errstate(invalid="ignore"):
        absolute = np.where(same, 0, np.abs(expected - actual))
    return float(np.nan_to_num(absolute, nan=np.inf).max()) if absolute.size else 0.0


def _factors(size):
    """Returns cos(0), cos(1), ..., with which the elements of an output are summed."""
    return np.cos(np.arange(size)).astype(np.float32)


def _of_original(session, part, arrays):
    """Returns {variable: gradient} of the variables that have one."""
    import tensorflow as tf

    from tfgraphtools import _tf

    v1, graph = tf.compat.v1, session.graph
    _tf.restore_loops(graph, part.loops)
    feed = {part.inputs[name]: array for name, array in arrays.items()}
    tensors = [graph.get_tensor_by_name(name) for name in dict.fromkeys(part.outputs.values())]
    tensors = [tensor for tensor in tensors if tensor.dtype == tf.float32]
    with graph.as_default():
        variables = v1.trainable_variables()
        if not tensors or not variables:
            return {}
        sizes = [array.size for array in session.run(tensors, feed)]
        total = sum(
            tf.reduce_sum(tf.reshape(tensor, [-1]) * _factors(size))
            for tensor, size in zip(tensors, sizes)
        )
        with old_control_flow.built_of_nodes(v1):
            pairs = zip(variables, v1.gradients(total, variables))
        fetched = {v.op.name: tf.convert_to_tensor(g) for v, g in pairs if g is not None}
    return session.run(fetched, feed) if fetched else {}
