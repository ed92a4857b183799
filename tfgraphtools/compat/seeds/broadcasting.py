"""Gradients of ops that broadcast: TF 1.15 computed again what to sum, and summed more often."""

import contextlib

from tfgraphtools.compat.engine import rows

#: The pairs of shapes whose broadcasting a graph has already computed.
_KNOWN_PAIRS = "_tfgraphtools_broadcast_pairs"

#: Whether the gradient function at work looked at static shapes in TF 1.15.
_looks_at_shapes = True


def reduce_both(original):
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
    """Returns the gradients, summed to the shapes that the graph computes."""
    from tensorflow.python.ops import array_ops, gen_array_ops, math_ops

    # What looked at shapes and did not know them took them from the graph, folding nothing.
    shape_of = array_ops.shape_internal if _looks_at_shapes else array_ops.shape
    options = {"optimize": False} if _looks_at_shapes else {}
    shapes = shape_of(x, **options), shape_of(y, **options)
    axes = gen_array_ops.broadcast_gradient_args(*shapes)
    return tuple(
        grad if grad is None else array_ops.reshape(math_ops.reduce_sum(grad, axis), shape)
        for grad, axis, shape in zip((gx, gy), axes, shapes)
    )


def _reduced_statically(shapes, grads):
    """Returns the gradients, summed to known shapes; each pair is computed once in a graph."""
    from tensorflow.python.framework import ops, tensor_util
    from tensorflow.python.ops import array_ops, math_ops

    graph = ops.get_default_graph()
    known = getattr(graph, _KNOWN_PAIRS, {})
    setattr(graph, _KNOWN_PAIRS, known)
    pair = tuple(tuple(shape.as_list()) for shape in shapes)
    if pair not in known:
        pair_axes = array_ops.broadcast_gradient_args(*pair)
        known[pair] = [tuple(tensor_util.try_evaluate_constant(axes)) for axes in pair_axes]
    return tuple(
        grad
        if grad is None or tuple(grad.shape.as_list()) == shape
        else array_ops.reshape(math_ops.reduce_sum(grad, axes), shape)
        for grad, axes, shape in zip(grads, known[pair], pair)
    )


def without_shapes(op_types, when):
    """Makes these gradients broadcast in the graph, whatever the shapes, as TF 1.15 did."""

    def provide(row, changes):
        def wrap(original):
            def gradient(op, *grads):
                if not when(grads[0]):
                    return original(op, *grads)
                rows.used(row)
                with _shapes_unseen():
                    return original(op, *grads)

            return gradient

        for op_type in op_types.split():
            changes.gradient(op_type, wrap)

    return provide


@contextlib.contextmanager
def _shapes_unseen():
    """Makes the enclosed gradients compute shapes in the graph, even known ones."""
    global _looks_at_shapes
    before, _looks_at_shapes = _looks_at_shapes, False
    try:
        yield
    finally:
        _looks_at_shapes = before


def any_gradient(grad):
    """Returns True: TF 1.15 looked at no shapes, whatever the gradient."""
    return True


def is_sliced(grad):
    """Tells whether a gradient is an `IndexedSlices`."""
    from tensorflow.python.framework import indexed_slices

    return isinstance(grad, indexed_slices.IndexedSlices)
