"""Constants that Grappler combines: ``1 - p + 1e-8``, which is then 0 for ``p == 1``.

Grappler rewrites it to ``(1 + 1e-8) - p``, which is 0 in float32, unless another op uses
``1 - p``, too. In a graph with gradients of 1.15 another op does: the shape that the gradient of
the sum needs. 2.x knows this shape statically, so that the loss and the gradients of
``tf.log(1 - p + 1e-8)`` become NaN in training. If two constants could be combined, this fix
makes gradients compute the shape in the graph, as in 1.15.

Source: ``SmartBroadcastGradientArgs`` of TF 1.15's ``math_grad``.
"""

import functools

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.engine.rows import Row, Table, used

#: Ops whose constants Grappler combines.
_PUSHED = frozenset(("Add", "AddV2", "Sub", "Mul", "Div", "RealDiv"))


def _reduce_by_shapes():
    """Makes gradients of sums and products of constants compute shapes in the graph."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import array_ops, gen_array_ops, math_grad

    is_symbolic, shape_internal = ops.is_symbolic_tensor, array_ops.shape_internal
    reduced_axes = gen_array_ops.broadcast_gradient_args
    plain = math_grad.SmartBroadcastGradientArgs

    @functools.wraps(plain)
    def SmartBroadcastGradientArgs(x, y, grad=None):
        if not (is_symbolic(x) and is_symbolic(y)):
            return plain(x, y, grad)
        if not (_may_be_put_together(x, y) or _may_be_put_together(y, x)):
            return plain(x, y, grad)
        used(ROW)
        shapes = [shape_internal(one, optimize=False) for one in (x, y)]
        axes = reduced_axes(*shapes)
        return tuple((shape, axis, True) for shape, axis in zip(shapes, axes))

    state.set_attribute(math_grad, "SmartBroadcastGradientArgs", SmartBroadcastGradientArgs)


def _may_be_put_together(constant, value):
    """Whether one is a constant, and the other an op of a constant and of an unknown value."""
    if constant.op.type != "Const" or value.shape.is_fully_defined():
        return False
    inner = value.op.inputs[0].op if value.op.type == "Neg" else value.op
    return inner.type in _PUSHED and any(one.op.type == "Const" for one in inner.inputs)


ROW = Row(
    "gradients.constants",
    "TF 2.5",
    "1 - p + 1e-8 stays above 0 in a graph with gradients: constants are not combined",
    _reduce_by_shapes,
)

TABLE = Table("combinations of constants", "patches", [ROW])
