"""Functions that build the graphs of TF 1.15: each gets the function of today that it replaces.

``corrections.tsv`` names them, and what they replace.
"""

import inspect

#: Whether the gradients under way are gated: an identity for each one of an op.
_gated = False


def is_gated():
    """Tells whether the gradients under way are those of an optimizer, which gates each one."""
    return _gated


def noting_gates(original):
    """Notes whether the gradients under way are gated, as those of optimizers are."""

    def gradients_helper(ys, xs, *args, **kwargs):
        global _gated
        position = _position_of_gates(original)
        gates = args[position] if len(args) > position else kwargs.get("gate_gradients", False)
        before, _gated = _gated, bool(gates)
        try:
            return original(ys, xs, *args, **kwargs)
        finally:
            _gated = before

    return gradients_helper


def _position_of_gates(helper):
    """Returns the place of ``gate_gradients`` among the arguments after ys and xs."""
    return list(inspect.signature(helper).parameters).index("gate_gradients") - 2


def build_random_uniform(original):
    """Builds the general graph with any bounds, as TF 1.15 did: TF 2.x does with floats alone."""

    def random_uniform(shape, minval=0, maxval=None, dtype="float32", seed=None, name=None):
        from tensorflow.python.framework import dtypes

        if dtypes.as_dtype(dtype).is_floating:
            minval = float(minval) if isinstance(minval, int) else minval
            maxval = 1 if maxval is None else maxval
            maxval = float(maxval) if isinstance(maxval, int) else maxval
        return original(shape, minval, maxval, dtype, seed, name)

    return random_uniform


def build_sparse_read(original):
    """Adds the identity with which TF 1.15 ended a sparse read."""

    def sparse_read(self, *args, **kwargs):
        from tensorflow.python.ops import array_ops

        return array_ops.identity(original(self, *args, **kwargs))

    return sparse_read


def build_check_image(original):
    """Requires every size to be known and positive, the batch's too, as TF 1.15 did."""

    def check_image(image, require_static=True):
        from tensorflow.python.ops import array_ops, check_ops

        original_finds = image.shape.rank is not None and image.shape.rank < 3
        if require_static or original_finds or image.shape.is_fully_defined():
            return original(image, require_static)
        return [
            check_ops.assert_positive(
                array_ops.shape(image), ["all dims of 'image.shape' must be > 0."]
            ),
            check_ops.assert_greater_equal(
                array_ops.rank(image), 3, message="'image' must be at least three-dimensional."
            ),
        ]

    return check_image


def build_reduction_dims(original):
    """Makes a constant of a scalar's axes, and a range over a variable's rank, as TF 1.15 did."""

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


def build_tensordot(original):
    """Transposes and reshapes every operand of known shape, also where that changes nothing."""

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
    """Returns the axes contracted of the first and of the second operand; None if unknown."""
    if isinstance(axes, int) and rank is not None:
        return list(range(rank - axes, rank)), list(range(axes))
    from tensorflow.python.framework import tensor_util

    if not isinstance(axes, (list, tuple)) or any(map(tensor_util.is_tf_type, axes)):
        return None
    return tuple([axis] if isinstance(axis, int) else list(axis) for axis in axes)


def _free(tensor, axes):
    """Returns the axes of a tensor that are not among these."""
    rank = tensor.shape.rank
    taken = {axis % rank for axis in axes}
    return [axis for axis in range(rank) if axis not in taken]


def _as_matrix(tensor, axes, flipped):
    """Returns (the operand as a matrix, the sizes of its free axes: a list, or a tensor)."""
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
    """Returns the product of sizes, in Python or in the graph."""
    product = 1
    for size in sizes:
        product *= size
    return product


def build_einsum(original):
    """Builds ``einsum`` of TF 1.15's ops."""

    def einsum(equation, *inputs, **kwargs):
        from tensorflow.python.ops import special_math_ops

        return special_math_ops._einsum_v1(equation, *inputs, **kwargs)

    return einsum


def build_reduced_shape(original):
    """Returns the shape after a reduction that keeps its axes, computed in the graph."""

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


def build_sparse_lookup(original):
    """Looks each different id up once before the sum, as TF 1.15 did; TF 2.x does within it."""

    def lookup(params, segments, weights, ids, combiner, ignore_weights, max_norm, *others):
        from tensorflow.python.ops import array_ops, embedding_ops, math_ops

        if not ignore_weights:
            return original(
                params, segments, weights, ids, combiner, ignore_weights, max_norm, *others
            )
        _, partition_strategy, name = others
        if segments.dtype != "int32":
            segments = math_ops.cast(segments, "int32")
        ids, places = array_ops.unique(ids)
        embeddings = embedding_ops.embedding_lookup(
            params, ids, partition_strategy=partition_strategy, max_norm=max_norm
        )
        combine = {
            "sum": math_ops.sparse_segment_sum,
            "mean": math_ops.sparse_segment_mean,
            "sqrtn": math_ops.sparse_segment_sqrt_n,
        }[combiner]
        return combine(embeddings, places, segments, name=name)

    return lookup


def build_sum_gradient(original):
    """Tiles by a quotient of shapes, where shape or axes are unknown; TF 2.x broadcasts."""

    def sum_gradient(op, grad):
        from tensorflow.python.framework import tensor_util
        from tensorflow.python.ops import array_ops, math_ops

        axes = tensor_util.constant_value(op.inputs[1])
        shape = op.inputs[0].shape
        if axes is not None and (shape.is_fully_defined() or _are_all(axes, shape.rank)):
            return original(op, grad)
        shape = array_ops.shape(op.inputs[0])
        reduced = math_ops.reduced_shape(shape, op.inputs[1])
        times = shape // math_ops.maximum(reduced, 1)
        return [array_ops.tile(array_ops.reshape(grad, reduced), times), None]

    return sum_gradient


def _are_all(axes, rank):
    """Tells whether these are all axes of a known rank, in their order."""
    import numpy as np

    return rank is not None and np.array_equal(axes, np.arange(rank))
