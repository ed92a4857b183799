"""Gradient functions that made other numbers of ops in TF 1.15."""

import contextlib

from tfgraphtools.compat import rows
from tfgraphtools.compat.rows import Row, Table
from tfgraphtools.compat.seeds.corrections import exactly, instead, more_in_gradient

#: The pairs of shapes whose broadcasting a graph has worked out already.
_KNOWN_PAIRS = "_tfgraphtools_broadcast_pairs"

#: Whether the gradient function at work looked at static shapes in TF 1.15.
_looks_at_shapes = True


def _reduce_both(original):
    """Sums the gradients of a broadcasting op to the shapes of its inputs, with 1.15's ops."""

    def reduce_gradient_args(x, y, gx, gy):
        if gx is None and gy is None:
            return gx, gy
        shapes = [x.shape, y.shape]
        if _looks_at_shapes and all(shape.is_fully_defined() for shape in shapes):
            return _reduced_statically(shapes, (gx, gy))
        return _reduced(x, y, gx, gy)

    return reduce_gradient_args


def _reduced(x, y, gx, gy):
    from tensorflow.python.ops import array_ops, gen_array_ops, math_ops

    shapes = array_ops.shape(x), array_ops.shape(y)
    axes = gen_array_ops.broadcast_gradient_args(*shapes)
    return tuple(
        grad if grad is None else array_ops.reshape(math_ops.reduce_sum(grad, axis), shape)
        for grad, axis, shape in zip((gx, gy), axes, shapes)
    )


def _reduced_statically(shapes, grads):
    from tensorflow.python.framework import ops, tensor_util
    from tensorflow.python.ops import array_ops, math_ops

    known = vars(ops.get_default_graph()).setdefault(_KNOWN_PAIRS, {})
    pair = tuple(tuple(shape.as_list()) for shape in shapes)
    if pair not in known:
        made = array_ops.broadcast_gradient_args(*pair)
        known[pair] = [tuple(tensor_util.constant_value(axes, partial=False)) for axes in made]
    return tuple(
        grad
        if grad is None or tuple(grad.shape.as_list()) == shape
        else array_ops.reshape(math_ops.reduce_sum(grad, axes), shape)
        for grad, axes, shape in zip(grads, known[pair], pair)
    )


def _without_shapes(op_types):
    """These gradient functions broadcast in the graph in TF 1.15, whatever the shapes."""

    def provide(row, changes):
        def wrap(original):
            def gradient(op, *grads):
                rows.used(row)
                with _shapes_unseen():
                    return original(op, *grads)

            return gradient

        for op_type in op_types:
            changes.gradient(op_type, wrap)

    return provide


@contextlib.contextmanager
def _shapes_unseen():
    global _looks_at_shapes
    before, _looks_at_shapes = _looks_at_shapes, False
    try:
        yield
    finally:
        _looks_at_shapes = before


TABLE = Table(
    "gradient functions",
    "listed",
    [
        Row(
            "seeds.gradient.broadcast",
            "TF 2.2",
            "the gradients of +, -, * and their kin worked out the broadcasting by an op",
            instead("tensorflow.python.ops.math_grad:_ReduceGradientArgs", _reduce_both),
        ),
        Row(
            "seeds.gradient.divide",
            "TF 2.2",
            "the gradients of division, remainder, maximum and minimum summed always",
            _without_shapes(["Div", "RealDiv", "DivNoNan", "FloorMod", "Maximum", "Minimum"]),
        ),
        Row(
            "seeds.gradient.gather",
            "TF 2.0",
            "the gradient of gather cast the shape: one op more",
            more_in_gradient(["Gather", "GatherV2", "ResourceGather"], 1),
        ),
    ],
)
