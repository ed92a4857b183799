"""Functions of numbers, losses and metrics that made other numbers of ops in TF 1.15."""

from tfgraphtools.compat.rows import Row, Table
from tfgraphtools.compat.seeds.array_ops import is_tensor
from tfgraphtools.compat.seeds.corrections import instead, more

_MATHS = "tensorflow.python.ops.math_ops:"


def _reduction_dims(original):
    """All axes of a scalar: TF 1.15 made one constant of none, TF 2.x a range over the rank."""

    def reduction_dims(x, axis):
        import numpy as np
        from tensorflow.python.framework import constant_op

        shape = getattr(x, "shape", None)
        if axis is None and shape is not None and getattr(shape, "rank", None) == 0:
            return constant_op.constant(np.arange(0, dtype=np.int32))
        return original(x, axis)

    return reduction_dims


def _ops_skipped(shape, axes, flipped):
    """(ops that TF 2.x does not make to bring an operand to a matrix, its free sizes).

    TF 1.15 always transposed and reshaped, at two ops each.
    """
    axes = [axis if axis >= 0 else axis + len(shape) for axis in axes]
    free = [axis for axis in range(len(shape)) if axis not in axes]
    order = axes + free if flipped else free + axes
    moved = [shape[axis] for axis in order]
    sizes = [_product(shape[axis] for axis in part) for part in (free, axes)]
    matrix = sizes[::-1] if flipped else sizes
    skipped = 2 * (order == list(range(len(shape)))) + 2 * (moved == matrix)
    return skipped, [shape[axis] for axis in free]


def _product(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product


def _contracted(axes, rank):
    """The axes contracted of the first and of the second operand; None for a tensor."""
    if isinstance(axes, int):
        return list(range(rank - axes, rank)), list(range(axes))
    if not isinstance(axes, (list, tuple)) or any(map(is_tensor, axes)):
        return None
    return tuple([axis] if isinstance(axis, int) else list(axis) for axis in axes)


def _tensordot(call):
    import numpy as np

    operands = [call.argument(0, "a"), call.argument(1, "b")]
    shapes = [x.shape.as_list() if hasattr(x, "shape") and is_tensor(x) else list(np.shape(x))
              if not is_tensor(x) and not hasattr(x, "op") else x.shape.as_list()
              for x in operands]
    axes = _contracted(call.argument(2, "axes"), len(shapes[0]))
    if axes is None:
        return 0
    skipped, known = 0, []
    for shape, contracted, flipped in zip(shapes, axes, (False, True)):
        if None not in shape:
            ops, free = _ops_skipped(shape, contracted, flipped)
            skipped += ops
            known.append(free)
    if len(known) < 2:
        return skipped
    free = known[0] + known[1]
    matrix = [_product(known[0]), _product(known[1])]
    if matrix == free:
        return skipped + 2  # the last reshape
    return skipped - (not free)  # the shape of a scalar: a constant more today


def _einsum(original):
    def einsum(equation, *inputs, **kwargs):
        from tensorflow.python.ops import special_math_ops

        return special_math_ops._einsum_v1(equation, *inputs, **kwargs)

    return einsum


def _confusion_matrix(call):
    classes = call.argument(2, "num_classes")
    is_long = classes is None or is_tensor(classes) and classes.dtype.name == "int64"
    return 3 if is_long else 2


TABLE = Table(
    "functions of numbers",
    "listed",
    [
        Row(
            "seeds.reduce_of_scalar",
            "TF 2.1",
            "a reduction of a scalar over all axes had a constant for the axes; the losses end so",
            instead(_MATHS + "_ReductionDims", _reduction_dims),
        ),
        Row(
            "seeds.tensordot",
            "TF 2.0",
            "tensordot (and dense on more than two axes) transposed and reshaped always",
            more(_MATHS + "tensordot", _tensordot),
        ),
        Row(
            "seeds.einsum",
            "TF 2.1",
            "einsum was made of transpose, reshape, multiplication and sum",
            instead("tensorflow.python.ops.special_math_ops:einsum", _einsum),
        ),
        Row(
            "seeds.clip_by_global_norm",
            "TF 2.0",
            "clip_by_global_norm chose by is_finite: one op more",
            more("tensorflow.python.ops.clip_ops:clip_by_global_norm", 1),
        ),
        Row(
            "seeds.confusion_matrix",
            "TF 2.0",
            "confusion_matrix added a sparse tensor to zeros: two or three ops more",
            more("tensorflow.python.ops.confusion_matrix:confusion_matrix_v1", _confusion_matrix),
        ),
        Row(
            "seeds.weighted_moments",
            "TF 2.0",
            "weighted_moments multiplied by a reciprocal: one op more",
            more("tensorflow.python.ops.nn_impl:weighted_moments", 1),
        ),
        Row(
            "seeds.swish",
            "TF 2.4",
            "swish had no beta: two ops fewer",
            more("tensorflow.python.ops.nn_impl:swish", -2),
        ),
    ],
)
