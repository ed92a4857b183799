"""Multiplications and additions of matrix products and convolutions, from shapes that are known.

2 for each product that is added. Other ops are not counted; one of which a size is not known is
counted apart. The first size of an output, mostly the batch, may be unknown: the count is then that
of one row. So may be the size over which a gradient sums a batch. Nothing is guessed.
"""

import collections

from tfgraphtools.graphs import tensors

#: ``fixed``: of ops whose sizes are all known; ``per_row``: of one row of those whose first size is
#: unknown; ``unknown``: how many ops have other unknown sizes.
Flops = collections.namedtuple("Flops", "fixed per_row unknown")

NONE = Flops(0, 0, 0)
_UNKNOWN = Flops(0, 0, 1)
_ROWS = object()  # the sum runs over the first size of an input, which is unknown


def of_node(node, shapes):
    """Returns the `Flops` of a node.

    Args:
      node: a `Node`.
      shapes: the `tensors.Shapes` of its graph.
    """
    depth_of = _DEPTHS.get(node.op)
    if depth_of is None:
        return NONE
    if len(node.inputs) < 2:
        return _UNKNOWN
    shape, depth = depth_of(node, shapes)
    if depth is None or not shape:
        return _UNKNOWN
    rows, row_size = shape[0], tensors.size(shape[1:])
    if row_size is None or rows is None and depth is _ROWS:
        return _UNKNOWN
    if rows is None or depth is _ROWS:
        return Flops(0, 2 * row_size * (rows if depth is _ROWS else depth), 0)
    return Flops(2 * rows * row_size * depth, 0, 0)


def added(first, second):
    """Returns the sum of two `Flops`."""
    return Flops(*map(sum, zip(first, second)))


# The shape whose elements are counted, and how many products each of them sums ----------------


def _matmul(node, shapes):
    left = shapes.of(node.inputs[0])
    right = shapes.of(node.inputs[1])
    is_turned = _is_set(node, "transpose_a", "adj_x")
    depth = None
    if left and len(left) > 1:
        depth = left[-2 if is_turned else -1]
    if depth is None and right and len(right) > 1:
        depth = right[-1 if _is_set(node, "transpose_b", "adj_y") else -2]
    if depth is None and left and len(left) == 2 and is_turned:
        depth = _ROWS
    shape = shapes.of(node.name)
    if shape is None and node.op == "MatMul" and right and len(right) == 2:
        columns = right[0 if _is_set(node, "transpose_b") else 1]
        rows = left[1 if is_turned else 0] if left and len(left) == 2 else None
        shape = rows, columns
    return shape, depth


def _is_set(node, *names):
    return any(tensors.attribute(node, name).get(5, 0) for name in names)


def _convolution(node, shapes):
    """Returns (output shape, products of an element): the kernel's window times its channels."""
    kernel = shapes.of(node.inputs[1])
    return shapes.of(node.name), tensors.size(kernel[:-1]) if kernel else None


def _depthwise(node, shapes):
    kernel = shapes.of(node.inputs[1])
    return shapes.of(node.name), tensors.size(kernel[:-2]) if kernel else None


def _transposed(node, shapes):
    """Returns the same of the convolution whose output is this op's third input."""
    if len(node.inputs) < 3:
        return None, None
    kernel = shapes.of(node.inputs[1])
    return shapes.of(node.inputs[2]), tensors.size(kernel[:-1]) if kernel else None


def _kernel_gradient(node, shapes):
    if len(node.inputs) < 3:
        return None, None
    kernel = shapes.of(node.name)
    return shapes.of(node.inputs[2]), tensors.size(kernel[:-1]) if kernel else None


_DEPTHS = {
    "MatMul": _matmul,
    "BatchMatMul": _matmul,
    "BatchMatMulV2": _matmul,
    "BatchMatMulV3": _matmul,
    "SparseMatMul": _matmul,
    "Conv2D": _convolution,
    "Conv3D": _convolution,
    "DepthwiseConv2dNative": _depthwise,
    "Conv2DBackpropInput": _transposed,
    "Conv3DBackpropInputV2": _transposed,
    "Conv2DBackpropFilter": _kernel_gradient,
    "Conv3DBackpropFilterV2": _kernel_gradient,
}
