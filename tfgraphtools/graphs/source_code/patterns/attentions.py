"""Scaled dot-product attention: ``softmax(queries @ keys^T * scale + mask) @ values``.

An Attention reads queries, keys, values and, if there is one, the mask that is added; its attribute
``scale`` is a number.
"""

from tfgraphtools.graphs.source_code.ir import ir_nodes
from tfgraphtools.graphs.source_code.patterns import matching

_PRODUCTS = ("BatchMatMul", "BatchMatMulV2")


def _attention(program, node):
    weights, values = node.inputs
    is_softmax = weights.op == "Softmax" and program.has_one_user(weights)
    if not is_softmax or node.output.dims is None or len(node.output.dims) != 4:
        return None
    scores, masks = weights.node.inputs[0], []
    parts = _scaled_product(program, scores)
    if parts is None and scores.op in ("Add", "AddV2") and program.has_one_user(scores):
        for product, mask in (scores.node.inputs, scores.node.inputs[::-1]):
            parts = _scaled_product(program, product)
            # A mask that is larger than the product is an error of every target.
            if parts is not None and 1 not in product.dims[:2]:
                masks = [mask]
                break
            parts = None
    if parts is None:
        return None
    queries, swapped, scale = parts
    inputs = [queries, _swapped(swapped, node), values, *masks]
    attributes = {"scale": scale}
    return ir_nodes.made(
        "Attention", node.name, inputs, node.output.dims, node.output.dtype, attributes,
        node.position,
    )  # fmt: skip


def _scaled_product(program, value):
    """Returns (left, right, scale) of a product of matrices times a number, or None."""
    scale = 1.0
    if value.op in ("Mul", "RealDiv") and program.has_one_user(value):
        for product, other in (value.node.inputs, value.node.inputs[::-1]):
            number = matching.scalar(other)
            if number and (value.op == "Mul" or other is value.node.inputs[1]):
                scale = number if value.op == "Mul" else 1 / number
                value = product
                break
    is_product = value.op in _PRODUCTS and program.has_one_user(value)
    if not is_product or len(value.dims or ()) != 4:
        return None
    if any(value.node.attributes.get(key) for key in ("adj_x", "adj_y")):
        return None
    return (*value.node.inputs, scale)


def _swapped(value, node):
    order = (0, 1, 3, 2)
    dims = tuple(value.dims[axis] for axis in order)
    attributes = {"order": order}
    return ir_nodes.made(
        "Transpose", node.name, [value], dims, value.dtype, attributes, node.position
    )


RULES = {op: [_attention] for op in _PRODUCTS}
