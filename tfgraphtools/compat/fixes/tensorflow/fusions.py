"""Fusions of TF 2.x that change the result.

With oneDNN, TF 2.x recognises layer normalizations that are written out, such as ``(x - mean) *
tf.rsqrt(variance + 1e-12) * gamma + beta``, and replaces them by an op whose epsilon is always
0.001. It looks for means over the last axis, counted from the front. It does not recognise means
over the same axis, counted from the end. It also fuses a convolution, its batch normalization
and mish (``y * tf.tanh(tf.nn.softplus(y))``), although it has no kernel for that. A control
dependency between the ops prevents the fusion.
"""

from tfgraphtools.compat.engine.rows import Fix, Table, used
from tfgraphtools.compat.fixes.tensorflow import empty_products, new_ops


def _keep_ops_apart():
    """Makes graphs check each new mean and each new mish."""
    from tensorflow.python.util import _pywrap_util_port

    if _pywrap_util_port.IsMklEnabled():
        new_ops.look_at(["Mean"], _count_from_the_end, ROW.name)
        new_ops.look_at(["Mul"], _part_mish, ROW.name)


def _count_from_the_end(mean):
    """Makes a mean over the last axis of a matrix or 3-D tensor use the axis -1."""
    from tensorflow.core.framework import attr_value_pb2
    from tensorflow.python.framework import tensor_util

    values, axes = mean.inputs
    rank, source = values.shape.rank, axes.op
    if rank not in (2, 3) or source.type != "Const" or not mean.get_attr("keep_dims"):
        return
    axis = tensor_util.MakeNdarray(source.get_attr("value"))  # which may be fed, still
    if axis.size != 1 or axis.flat[0] != rank - 1 or not _only_counts(axes, rank):
        return
    used(ROW)
    proto = tensor_util.make_tensor_proto(axis - axis.dtype.type(rank), shape=axis.shape)
    source._set_attr("value", attr_value_pb2.AttrValue(tensor=proto))


def _only_counts(axes, rank):
    """Tells whether a tensor is used only as the axis of means of values of this rank."""
    return all(
        op.type == "Mean" and op.inputs[0].shape.rank == rank and op.inputs[0] is not axes
        for op in axes.consumers()
    )


def _part_mish(product):
    """Makes the convolution in a mish run after a variable of its batch normalization."""
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


ROW = Fix(
    "sessions.fusions",
    "TF 2.9",
    "layer normalizations keep their epsilon, and mish works after a batch normalization",
    _keep_ops_apart,
)

TABLES = (Table("fusions of ops", "patches", [ROW]),)
