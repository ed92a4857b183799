"""Ops that TF 2.x makes one op of, with another result.

With oneDNN it finds layer normalizations that are written out, such as ``(x - mean) *
tf.rsqrt(variance + 1e-12) * gamma + beta``, and computes them by an op whose epsilon is always
0.001. It looks for means over the last axis, counted from the front: those counted from the end,
which are the same, it leaves alone. It also makes one op of a convolution, its batch
normalization and mish (``y * tf.tanh(tf.nn.softplus(y))``), for which it has no kernel; ops
between which another one runs are never made one.
"""

from tfgraphtools.compat.engine.rows import Row, Table, used
from tfgraphtools.compat.fixes.tensorflow.behaviour.running import empty_products, new_ops


def _keep_ops_apart():
    """Has graphs look at each mean and each mish that they get."""
    from tensorflow.python.util import _pywrap_util_port

    if _pywrap_util_port.IsMklEnabled():
        new_ops.look_at(["Mean"], _count_from_the_end)
        new_ops.look_at(["Mul"], _part_mish)


def _count_from_the_end(mean):
    """Has a mean over the last axis of a matrix, or of one dimension more, say -1 for it."""
    from tensorflow.core.framework import attr_value_pb2
    from tensorflow.python.framework import tensor_util

    values, axes = mean.inputs
    rank, source = values.shape.rank, axes.op
    if rank not in (2, 3) or source.type != "Const" or not mean.get_attr("keep_dims"):
        return
    axis = tensor_util.constant_value(axes)
    if axis.size != 1 or axis.flat[0] != rank - 1 or not _only_counts(axes, rank):
        return
    used(ROW)
    proto = tensor_util.make_tensor_proto(axis - axis.dtype.type(rank), shape=axis.shape)
    source._set_attr("value", attr_value_pb2.AttrValue(tensor=proto))


def _only_counts(axes, rank):
    """Whether a tensor is only the axis of means of values of this rank."""
    return all(
        op.type == "Mean" and op.inputs[0].shape.rank == rank and op.inputs[0] is not axes
        for op in axes.consumers()
    )


def _part_mish(product):
    """Has the convolution in a mish run after a variable of the batch normalization there."""
    for tanh in product.inputs:
        op = tanh.op
        for kind in ("Tanh", "Softplus"):
            if op.type != kind:
                break
            op = op.inputs[0].op
        else:
            if op.type == "FusedBatchNormV3" and op.inputs[0].op.type == "Conv2D":
                if empty_products.run_after(op.inputs[0].op, op.inputs[1]):
                    used(ROW)


ROW = Row(
    "sessions.fusions",
    "TF 2.9",
    "layer normalizations keep their epsilon, and mish works after a batch normalization",
    _keep_ops_apart,
)

TABLE = Table("fusions of ops", "patches", [ROW])
