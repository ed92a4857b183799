"""Functions of numbers, losses and metrics that made other numbers of ops in TF 1.15."""

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.seeds.array_ops import is_tensor
from tfgraphtools.compat.seeds.corrections import instead, more

_MATHS = "tensorflow.python.ops.math_ops:"


def _reduction_dims(original):
    """All axes: TF 1.15 made a constant of a scalar's, and a range over a variable's rank."""

    def reduction_dims(x, axis):
        import numpy as np
        from tensorflow.python.framework import constant_op, tensor
        from tensorflow.python.ops import array_ops, math_ops, variables

        if axis is None and isinstance(x, variables.Variable):
            return math_ops.range(0, array_ops.rank(x))
        if axis is None and isinstance(x, tensor.Tensor) and x.shape.rank == 0:
            return constant_op.constant(np.arange(0, dtype=np.int32))
        return original(x, axis)

    return reduction_dims


def _tensordot(original):
    """Every operand of known shape is transposed and reshaped, also where that changes nothing."""

    def tensordot(a, b, axes, name=None):
        from tensorflow.python.framework import ops
        from tensorflow.python.ops import array_ops, math_ops

        with ops.name_scope(name, "Tensordot", [a, b, axes]) as scope:
            a = ops.convert_to_tensor(a, name="a")
            b = ops.convert_to_tensor(b, name="b")
            contracted = _contracted(axes, a.shape.rank)
            if contracted is None or b.shape.rank is None:
                return original(a, b, axes, name=scope)
            first, sizes_of_first = _as_matrix(a, contracted[0], flipped=False)
            second, sizes_of_second = _as_matrix(b, contracted[1], flipped=True)
            product = math_ops.matmul(first, second)
            sizes = [sizes_of_first, sizes_of_second]
            known = a.shape.is_fully_defined() and b.shape.is_fully_defined()
            if known:
                return array_ops.reshape(product, sum(sizes, []), name=scope)
            sizes = [ops.convert_to_tensor(size, dtype="int32") for size in sizes]
            result = array_ops.reshape(product, array_ops.concat(sizes, 0), name=scope)
            free = [_free(x, taken) for x, taken in zip((a, b), contracted)]
            result.set_shape(sum(([x.shape[i] for i in f] for x, f in zip((a, b), free)), []))
            return result

    return tensordot


def _contracted(axes, rank):
    """The axes contracted of the first and of the second operand; None if not known here."""
    if isinstance(axes, int) and rank is not None:
        return list(range(rank - axes, rank)), list(range(axes))
    if not isinstance(axes, (list, tuple)) or any(map(is_tensor, axes)):
        return None
    return tuple([axis] if isinstance(axis, int) else list(axis) for axis in axes)


def _free(tensor, axes):
    rank = tensor.shape.rank
    taken = {axis % rank for axis in axes}
    return [axis for axis in range(rank) if axis not in taken]


def _as_matrix(tensor, axes, flipped):
    """(the operand as a matrix, the sizes of its free axes: a list, or a tensor)."""
    from tensorflow.python.framework import ops
    from tensorflow.python.ops import array_ops, array_ops_stack, math_ops

    free, axes = _free(tensor, axes), [axis % tensor.shape.rank for axis in axes]
    shape = tensor.shape.as_list()
    if tensor.shape.is_fully_defined():
        order = axes + free if flipped else free + axes
        sizes = [_product(shape[i] for i in part) for part in (free, axes)]
        free_sizes = [shape[i] for i in free]
    else:
        axes = ops.convert_to_tensor(axes, dtype="int32", name="axes")
        free = ops.convert_to_tensor(free, dtype="int32", name="free")
        shape = array_ops.shape(tensor)
        free_sizes, axes_sizes = array_ops.gather(shape, free), array_ops.gather(shape, axes)
        sizes = [math_ops.reduce_prod(free_sizes), math_ops.reduce_prod(axes_sizes)]
        order = array_ops.concat([axes, free] if flipped else [free, axes], 0)
    matrix = sizes[::-1] if flipped else sizes
    if not tensor.shape.is_fully_defined():
        matrix = array_ops_stack.stack(matrix)
    return array_ops.reshape(array_ops.transpose(tensor, order), matrix), free_sizes


def _product(sizes):
    product = 1
    for size in sizes:
        product *= size
    return product


def _einsum(original):
    def einsum(equation, *inputs, **kwargs):
        from tensorflow.python.ops import special_math_ops

        return special_math_ops._einsum_v1(equation, *inputs, **kwargs)

    return einsum


def _confusion_matrix(call):
    classes = call.argument(2, "num_classes")
    is_long = classes is None or is_tensor(classes) and classes.dtype.name == "int64"
    return 3 if is_long else 2


def _reduced_shape(original):
    """The shape after a reduction that keeps its axes, computed in the graph."""

    def reduced_shape(input_shape, axes):
        from tensorflow.python.ops import array_ops, data_flow_ops, math_ops

        input_shape = math_ops.cast(input_shape, "int32")
        axes = math_ops.cast(axes, "int32")
        rank = array_ops.size(input_shape)
        axes = (axes + rank) % rank
        return data_flow_ops.dynamic_stitch(
            [math_ops.range(rank), axes],
            [input_shape, array_ops.fill(array_ops.shape(axes), 1)],
        )

    return reduced_shape


TABLE = Table(
    "functions of numbers",
    "listed",
    [
        Row(
            "seeds.reduce_all",
            "TF 2.1",
            "a reduction over all axes had a constant for those of a scalar, a range for those "
            "of a variable",
            instead(_MATHS + "_ReductionDims", _reduction_dims),
        ),
        Row(
            "seeds.reduced_shape",
            "TF 2.2",
            "the gradients of reductions computed shapes in the graph that TF 2.x knows statically",
            instead(_MATHS + "reduced_shape", _reduced_shape),
        ),
        Row(
            "seeds.tensordot",
            "TF 2.0",
            "tensordot (and dense on more than two axes) always transposed and reshaped",
            instead(_MATHS + "tensordot", _tensordot),
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
            "clip_by_global_norm selected with is_finite: one additional op",
            more("tensorflow.python.ops.clip_ops:clip_by_global_norm", 1),
        ),
        Row(
            "seeds.confusion_matrix",
            "TF 2.0",
            "confusion_matrix added a sparse tensor to zeros: two or three ops more",
            more("tensorflow.python.ops.confusion_matrix:confusion_matrix", _confusion_matrix),
        ),
        Row(
            "seeds.unsorted_segment_mean",
            "TF 2.0",
            "unsorted_segment_mean computed the shape of its counts with fewer ops",
            more(_MATHS + "unsorted_segment_mean", -13),
        ),
        Row(
            "seeds.unsorted_segment_sqrt_n",
            "TF 2.0",
            "unsorted_segment_sqrt_n computed the shape of its counts with fewer ops",
            more(_MATHS + "unsorted_segment_sqrt_n", -13),
        ),
    ],
)
