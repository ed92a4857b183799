"""Ops that TFLite lacks, or writes so that they overflow, by ops that it has.

Each form is a function of tensors; its nodes take the place of the op's. Sources: the formulas of
the functions; erf by Abramowitz and Stegun, 7.1.26, whose error is 1.5e-7.
"""

from typing import Any, Callable, NamedTuple, Tuple

import numpy as np

from tfgraphtools.checkpoints.graphs import constant_branches, static_shapes
from tfgraphtools.graphs.formats import scratch_nodes

_FORMS = {}
#: What TFLite has, but for numbers that a quantized model does not have.
_HUGE = ("Sigmoid",)
_MOST = 1e3
_ERF = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)


class _Form(NamedTuple):
    """A form of an op.

    Attributes:
      build: a function of TensorFlow, of the op's first ``tensors`` inputs, of its other inputs,
        which are constants, and, by name, of ``attributes``.
      dtypes: of which it is a form.
      needs_rank: only where the number of axes of the first input is known.
    """

    build: Callable[..., Any]
    tensors: int
    attributes: Tuple[str, ...]
    dtypes: Tuple[str, ...]
    needs_rank: bool


def _form(op, tensors=1, attributes=(), dtypes=("float32",), needs_rank=False):
    def register(function):
        _FORMS[op] = _Form(function, tensors, attributes, dtypes, needs_rank)
        return function

    return register


def expand(graph_def, is_exact=True):
    """Puts forms in the place of ops in a GraphDef.

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
        and tf.as_dtype(node.attr["T"].type).name in _FORMS[node.op].dtypes
        and not constant_branches.is_in_loop(nodes, node)  # whose frame has no constants
    ]
    for node in lacking:
        _expand(tf, graph_def, node, nodes)


def _expand(tf, graph_def, node, nodes):
    """Builds the form of a node in a graph of its own, and copies its nodes."""
    form = _FORMS[node.op]
    inputs = [tensor for tensor in node.input if not tensor.startswith("^")]
    shape = static_shapes.shape_of(graph_def, inputs[0]) if form.needs_rank else None
    constants = [_constant(tf, nodes, tensor) for tensor in inputs[form.tensors :]]
    is_open = form.needs_rank and shape is None
    if is_open or any(array is None for array in constants):  # such as the shift of a roll
        return
    sources = dict(zip("xyz", inputs[: form.tensors]))
    number = node.attr["T"].type
    attributes = {name: node.attr[name].b for name in form.attributes}
    with tf.Graph().as_default() as scratch:
        shapes = [shape if name == "x" else None for name in sources]
        arguments = [tf.compat.v1.placeholder(number, *row) for row in zip(shapes, sources)]
        result = form.build(tf, *arguments, *constants, **attributes)
    renamed = scratch_nodes.copied(graph_def, scratch, f"{node.name}/form", sources)
    scratch_nodes.become_identity(node, renamed(result.name), number)


def _constant(tf, nodes, tensor):
    node = nodes[tensor.split(":")[0]]
    return tf.make_ndarray(node.attr["value"].tensor) if node.op == "Const" else None


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


@_form("Mod", tensors=2, dtypes=("float32", "int32", "int64"))
@_form("TruncateMod", tensors=2, dtypes=("float32", "int32", "int64"))
def _truncate_mod(tf, x, y):
    """Returns the remainder that has the sign of x; the other one has that of y."""
    if x.dtype.is_floating:
        return tf.sign(x) * tf.math.floormod(tf.abs(x), tf.abs(y))
    remainder = tf.math.floormod(x, y)
    is_other = tf.logical_and(tf.not_equal(remainder, 0), tf.not_equal(x < 0, remainder < 0))
    return tf.where(is_other, remainder - y, remainder)


@_form("Cumprod", attributes=("exclusive", "reverse"), needs_rank=True)
def _cumprod(tf, x, axis, exclusive, reverse):
    """Returns, for each place, the product of the numbers up to it, with 1 for the others."""
    axis = int(axis) % x.shape.ndims
    size = tf.shape(x)[axis]
    later, earlier = tf.range(size)[:, None], tf.range(size)[None]
    later, earlier = (earlier, later) if reverse else (later, earlier)
    is_factor = earlier < later if exclusive else earlier <= later
    behind = [1] * (x.shape.ndims - axis - 1)
    is_factor = tf.reshape(is_factor, tf.stack([size, size, *behind]))
    return tf.reduce_prod(tf.where(is_factor, tf.expand_dims(x, axis), 1.0), axis + 1)


@_form("Roll")
def _roll(tf, x, shift, axis):
    """Returns gathers, whose order is known from the size of each axis when it runs."""
    for places, along in zip(np.ravel(shift).tolist(), np.ravel(axis).tolist()):
        size = tf.shape(x)[along]
        order = tf.math.floormod(tf.range(size) - places, size)
        x = tf.gather(x, order, axis=along)
    return x
