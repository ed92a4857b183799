"""Ops that TFLite lacks, or writes so that they overflow, by ops that it has.

Each form is a function of tensors; its nodes take the place of the op's. Sources: the formulas of
the functions; erf by Abramowitz and Stegun, 7.1.26, whose error is 1.5e-7.
"""

import numpy as np

from tfgraphtools.checkpoints.graphs import constant_branches

_FORMS = {}
#: What TFLite has, but for numbers that a quantized model does not have.
_HUGE = ("Sigmoid",)
_MOST = 1e3
_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


def _form(op):
    def register(function):
        _FORMS[op] = function
        return function

    return register


def expand(graph_def, is_exact=True):
    """Puts forms in the place of ops of float32 in a GraphDef.

    Args:
      graph_def: changed in place.
      is_exact: also in the place of ops that TFLite has, and computes wrongly for huge numbers.
    """
    import tensorflow as tf

    nodes = {node.name: node for node in graph_def.node}
    lacking = [
        node
        for node in graph_def.node
        if node.op in _FORMS
        and (is_exact or node.op not in _HUGE)
        and tf.as_dtype(node.attr["T"].type) == tf.float32
        and not constant_branches.is_in_loop(nodes, node)  # whose frame has no constants
    ]
    for node in lacking:
        _expand(tf, graph_def, node, nodes)


def _expand(tf, graph_def, node, nodes):
    """Builds the form of a node in a graph of its own, and copies its nodes."""
    sources = [tensor for tensor in node.input if not tensor.startswith("^")]
    with tf.Graph().as_default() as scratch:
        known = [_constant(tf, nodes, tensor) for tensor in sources]
        if any(array is None for array in known[1:]):  # such as the shift of a roll
            return
        x = tf.compat.v1.placeholder(tf.float32, name="x")
        result = _FORMS[node.op](tf, x, *known[1:])
    new_names = {op.name: f"{node.name}/form/{op.name}" for op in scratch.get_operations()}
    new_names["x"] = sources[0]
    for copied in scratch.as_graph_def().node:
        if copied.name != "x":
            copied.name = new_names[copied.name]
            inputs = [_renamed(tensor, new_names) for tensor in copied.input]
            del copied.input[:]
            copied.input.extend(inputs)
            graph_def.node.add().CopyFrom(copied)
    waits = [tensor for tensor in node.input if tensor.startswith("^")]
    node.op = "Identity"
    node.attr.clear()
    node.attr["T"].type = tf.float32.as_datatype_enum
    del node.input[:]
    node.input.extend([_renamed(result.name, new_names), *waits])


def _constant(tf, nodes, tensor):
    node = nodes[tensor.split(":")[0]]
    return tf.make_ndarray(node.attr["value"].tensor) if node.op == "Const" else None


def _renamed(tensor, new_names):
    name, _, output = tensor.partition(":")
    return new_names[name] + (":" + output if output not in ("", "0") else "")


@_form("Softplus")
def _softplus(tf, x):
    """Returns log(exp(x) + 1), which is inf from 89 as TFLite writes it."""
    return tf.nn.relu(x) + tf.math.log1p(tf.exp(-tf.abs(x)))


@_form("Sigmoid")
def _sigmoid(tf, x):
    """Returns 1 / (1 + exp(-x)), which is NaN for 1e30, a mask of some models, as TFLite has it."""
    return tf.sigmoid(tf.minimum(tf.maximum(x, -_MOST), _MOST))


@_form("Erf")
def _erf(tf, x):
    t = 1 / (1 + 0.3275911 * tf.abs(x))
    sum_of_powers = t * 0
    for factor in _ERF:
        sum_of_powers = (sum_of_powers + np.float32(factor)) * t
    return tf.sign(x) * (1 - sum_of_powers * tf.exp(-x * x))


@_form("Tan")
def _tan(tf, x):
    return tf.sin(x) / tf.cos(x)


@_form("Sinh")
def _sinh(tf, x):
    size = tf.abs(x)
    return tf.sign(x) * (_half_of_exp(tf, size) - tf.exp(-size) / 2)


@_form("Cosh")
def _cosh(tf, x):
    size = tf.abs(x)
    return _half_of_exp(tf, size) + tf.exp(-size) / 2


def _half_of_exp(tf, x):
    """Returns exp(x) / 2, which float32 has where it has no exp(x)."""
    root = tf.exp(x / 2)
    return root * (root / 2)


@_form("Asinh")
def _asinh(tf, x):
    """Returns log(|x| + sqrt(x * x + 1)) with the sign of x; the square of 1e20 is inf."""
    size = tf.abs(x)
    larger = tf.maximum(size, 1)
    ratio = tf.minimum(size, 1) / larger
    root = tf.sqrt(1 + ratio * ratio)
    return tf.sign(x) * (tf.math.log(larger) + tf.math.log(size / larger + root))


@_form("Acosh")
def _acosh(tf, x):
    """Returns log(x + sqrt(x * x - 1)), NaN below 1."""
    return tf.math.log(x) + tf.math.log(1 + tf.sqrt(1 - (1 / x) * (1 / x)))


@_form("Atanh")
def _atanh(tf, x):
    return (tf.math.log(1 + x) - tf.math.log(1 - x)) / 2


@_form("Atan")
def _atan(tf, x):
    return tf.atan2(x, tf.ones_like(x))


@_form("Asin")
def _asin(tf, x):
    return tf.atan2(x, tf.sqrt(1 - x * x))


@_form("Acos")
def _acos(tf, x):
    return tf.atan2(tf.sqrt(1 - x * x), x)


@_form("Roll")
def _roll(tf, x, shift, axis):
    """Returns gathers, whose order is known from the size of each axis when it runs."""
    for places, along in zip(np.ravel(shift).tolist(), np.ravel(axis).tolist()):
        size = tf.shape(x)[along]
        order = tf.math.floormod(tf.range(size) - places, size)
        x = tf.gather(x, order, axis=along)
    return x
