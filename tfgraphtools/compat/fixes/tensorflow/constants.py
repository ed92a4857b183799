"""Constants that Grappler combines: ``1 - p + 1e-8``, which is then 0 for ``p == 1``.

Grappler rewrites it to ``(1 + 1e-8) - p``, which is 0 in float32, unless another op uses
``1 - p``, too. In a graph with gradients of 1.15 another op does: the shape that the gradient of
the sum needs. 2.x knows this shape statically, so that the loss and the gradients of
``tf.log(1 - p + 1e-8)`` become NaN in training. If two constants could be combined, this fix
makes gradients compute the shape in the graph, as in 1.15.

Source: ``SmartBroadcastGradientArgs`` of TF 1.15's ``math_grad``.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.fixes.tensorflow import ownership

#: Ops whose constants Grappler combines.
_PUSHED = frozenset(("Add", "AddV2", "Sub", "Mul", "Div", "RealDiv"))


@replacing.replaces(
    "tensorflow.python.ops.math_grad:SmartBroadcastGradientArgs",
    when=ownership.is_of_users_graph,
    name="gradients.constants",
    since="TF 2.5",
    why="1 - p + 1e-8 stays above 0 in a graph with gradients: constants are not combined",
)
def _broadcast(original, x, y, grad=None):
    """Computes the shapes of sums and products of constants in the graph."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import array_ops, gen_array_ops

    if not (ops.is_symbolic_tensor(x) and ops.is_symbolic_tensor(y)):
        return original(x, y, grad)
    if not (_may_be_put_together(x, y) or _may_be_put_together(y, x)):
        return original(x, y, grad)
    _broadcast.used()
    shapes = [array_ops.shape_internal(value, optimize=False) for value in (x, y)]
    axes = gen_array_ops.broadcast_gradient_args(*shapes)
    return tuple((shape, axis, True) for shape, axis in zip(shapes, axes))


def _may_be_put_together(constant, value):
    """Tells whether one is a constant, and the other an op of a constant and an unknown value."""
    if constant.op.type != "Const" or value.shape.is_fully_defined():
        return False
    inner = value.op.inputs[0].op if value.op.type == "Neg" else value.op
    return inner.type in _PUSHED and any(tensor.op.type == "Const" for tensor in inner.inputs)


TABLES = (replacing.table("combinations of constants", _broadcast, kind="patches"),)
