"""Gradient functions that made other numbers of ops in TF 1.15."""

import inspect

from tfgraphtools.compat.engine.rows import Row, Table
from tfgraphtools.compat.seeds.corrections import exactly_in_gradient, instead, more_in_gradient

#: Whether the gradients under way are gated: an identity for each one of an op.
_gated = False


def _constants(tensors):
    from tensorflow.python.framework import tensor_util

    return sum(tensor_util.constant_value(tensor) is not None for tensor in tensors)


def _sum(original):
    """Of a shape not known, or axes, TF 1.15 tiles by a quotient of shapes; TF 2.x broadcasts."""

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
    import numpy as np

    return rank is not None and np.array_equal(axes, np.arange(rank))


def _mean(call):
    op = call.args[0]
    known = op.inputs[0].shape.is_fully_defined() and op.outputs[0].shape.is_fully_defined()
    return 0 if known else 1


def _gather(call):
    """TF 1.15 cast the shape; along other axes than the first it computed less."""
    from tensorflow.python.framework import tensor_util

    op = call.args[0]
    if op.type == "Gather" or tensor_util.constant_value(op.inputs[2]) == 0:
        return 1
    return -17 if op.get_attr("batch_dims") else -7


def _strided_slice(call):
    """Bounds that are constants; in a loop both versions take them from outside."""
    op = call.args[0]
    constants = 0 if _is_in_loop(op) else _constants(op.inputs[1:4])
    return -constants - op.inputs[0].shape.is_fully_defined()


def _is_in_loop(op):
    context = op.graph._get_control_flow_context()
    return context is not None and context.GetWhileContext() is not None


def _batch_matmul(call):
    """TF 2.x returns early where both batches are known and equal; 1.15 if all sizes are."""
    shapes = [x.shape for x in call.args[0].inputs]
    batches = [shape[:-2] for shape in shapes]
    if not all(batch.is_fully_defined() for batch in batches):
        return 0
    if batches[0].as_list() != batches[1].as_list():
        return 0
    is_same = shapes[0].is_fully_defined() and shapes[0].as_list() == shapes[1].as_list()
    return 0 if is_same else 15


def _fused_batch_norm(call):
    """The two empty gradients were two identities more where an optimizer gates its gradients."""
    return 2 if _gated and call.args[0].get_attr("is_training") else 0


def _noting_gates(original):
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
    return list(inspect.signature(helper).parameters).index("gate_gradients") - 2


def _extreme(call):
    """TF 1.15 computed the reduced shape even if the axes were kept."""
    return 11 if call.args[0].get_attr("keep_dims") else 0


def _write_to_array(call):
    """TF 2.x waits for the write by two identities; in a loop one of them is a stack of values."""
    return -8 if _is_in_loop(call.args[0]) else -2


TABLE = Table(
    "gradient functions",
    "listed",
    [
        Row(
            "seeds.gradient.gather",
            "TF 2.0",
            "the gradient of gather cast the shape, and had no batch dimensions",
            more_in_gradient(["Gather", "GatherV2"], _gather),
        ),
        Row(
            "seeds.gradient.resource_gather",
            "TF 2.0",
            "the gradient of a lookup in a resource variable within a loop was one additional op",
            more_in_gradient(["ResourceGather"], lambda call: int(_is_in_loop(call.args[0]))),
        ),
        Row(
            "seeds.gradient.mean",
            "TF 2.2",
            "the gradient of mean divided the sizes of known and unknown shapes in one more op",
            more_in_gradient(["Mean"], _mean),
        ),
        Row(
            "seeds.gradient.strided_slice",
            "TF 2.0",
            "the gradient of a slice used its bounds directly: fewer constants",
            more_in_gradient(["StridedSlice"], _strided_slice),
        ),
        Row(
            "seeds.gradient.batch_matmul",
            "TF 2.1",
            "the gradient of a batched matmul computed the broadcasting even if there was none",
            more_in_gradient(["BatchMatMulV2"], _batch_matmul),
        ),
        Row(
            "seeds.gradient.sparse_softmax",
            "TF 2.1",
            "the gradient of sparse softmax cross entropy had an op that prevents a second "
            "gradient",
            more_in_gradient(["SparseSoftmaxCrossEntropyWithLogits"], 1),
        ),
        Row(
            "seeds.gradient.conv3d",
            "TF 2.0",
            "the gradient of conv3d took two shapes: one additional op",
            more_in_gradient(["Conv3D"], 1),
        ),
        Row(
            "seeds.gradient.maximum",
            "TF 2.2",
            "the gradients of maximum and minimum filled zeros of a shape: two ops more",
            more_in_gradient(["Maximum", "Minimum"], 2),
        ),
        Row(
            "seeds.gradient.sign",
            "TF 2.2",
            "the gradient of sign filled zeros of a shape: two ops more",
            more_in_gradient(["Sign"], 2),
        ),
        Row(
            "seeds.gradient.unsorted_segment",
            "TF 2.2",
            "the gradients of unsorted segments computed shapes with fewer ops",
            more_in_gradient(
                [
                    "UnsortedSegmentSum",
                    "UnsortedSegmentMax",
                    "UnsortedSegmentMin",
                    "UnsortedSegmentProd",
                ],
                -10,
            ),
        ),
        Row(
            "seeds.gradient.sparse_dense_matmul",
            "TF 2.2",
            "the gradient of a sparse by dense product multiplied and summed: three ops fewer",
            more_in_gradient(["SparseTensorDenseMatMul"], -3),
        ),
        Row(
            "seeds.gradient.extreme",
            "TF 2.1",
            "the gradients of reduce_max and reduce_min computed the shape with keepdims",
            more_in_gradient(["Max", "Min"], _extreme),
        ),
        Row(
            "seeds.gradient.prod",
            "TF 2.2",
            "the gradient of reduce_prod tiled by a quotient of shapes where TF 2.x broadcasts",
            more_in_gradient(["Prod"], 3),
        ),
        Row(
            "seeds.gradient.broadcast_to",
            "TF 2.2",
            "the gradient of broadcast_to had one constant fewer",
            more_in_gradient(["BroadcastTo"], -1),
        ),
        Row(
            "seeds.gradient.fused_batch_norm",
            "TF 2.2",
            "the gradient of fused batch normalization also made gradients for its empty "
            "statistics",
            more_in_gradient(
                ["FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"], _fused_batch_norm
            ),
        ),
        Row(
            "seeds.gradient.gates",
            "TF 2.2",
            "identifies the gradients that an optimizer gates one by one",
            instead("tensorflow.python.ops.gradients_util:_GradientsHelper", _noting_gates),
        ),
        Row(
            "seeds.gradient.array_write",
            "TF 2.0",
            "the gradient of a write to a TensorArray did not wait for the write",
            more_in_gradient(["TensorArrayWriteV3"], _write_to_array),
        ),
        Row(
            "seeds.gradient.array_scatter",
            "TF 2.0",
            "the gradients of a scatter or a split to a TensorArray did not wait for it",
            more_in_gradient(["TensorArrayScatterV3", "TensorArraySplitV3"], -2),
        ),
        Row(
            "seeds.gradient.relu_grad",
            "TF 2.1",
            "the second gradients of relu and similar ops filled zeros of a shape: two ops more",
            more_in_gradient(["ReluGrad", "Relu6Grad", "LeakyReluGrad"], 2),
        ),
        Row(
            "seeds.gradient.max_pool_grad",
            "TF 2.1",
            "the second gradient of max pooling filled zeros of two shapes: seven ops",
            exactly_in_gradient(["MaxPoolGrad", "MaxPool3DGrad"], 7),
        ),
        Row(
            "seeds.gradient.atan2",
            "TF 2.2",
            "the gradient of atan2 did not sum to shapes: seven ops",
            exactly_in_gradient(["Atan2"], 7),
        ),
        Row(
            "seeds.gradient.matrix_diag",
            "TF 2.0",
            "the gradients of a diagonal had one additional op",
            more_in_gradient(["MatrixDiagV3", "MatrixDiagPartV3"], 1),
        ),
        Row(
            "seeds.gradient.matrix_triangular_solve",
            "TF 2.2",
            "the gradient of matrix_triangular_solve did not broadcast: six ops",
            exactly_in_gradient(["MatrixTriangularSolve"], 6),
        ),
        Row(
            "seeds.gradient.sparse_segment_sum",
            "TF 2.2",
            "the gradient of sparse_segment_sum gathered and summed: two ops more",
            more_in_gradient(["SparseSegmentSum", "SparseSegmentSumWithNumSegments"], 2),
        ),
        Row(
            "seeds.gradient.sum",
            "TF 2.2",
            "the gradient of sum tiled by a quotient of shapes where TF 2.x broadcasts",
            instead("tensorflow.python.ops.math_grad:_SumGrad", _sum),
        ),
    ],
)
