"""Products with a constant zero, as in ``loss + 0.0 * penalty``.

Grappler of 1.15 replaces such a product by zeros, 2.21 does not: if the other factor is NaN or
infinite, the product is NaN. Asking for aggressive folding of constants restores it and changes
other results (constant zeros divided by 0 become 0), so `run` only reports it.
"""

from tfgraphtools.compat.engine import notices
from tfgraphtools.compat.fixes.tensorflow.behaviour.numbers import not_finite
from tfgraphtools.compat.fixes.tensorflow.behaviour.running import new_ops

TEXT = (
    "a constant 0 times NaN or infinity is NaN; TF 1.15 returns 0 for it, "
    "as in loss + 0.0 * penalty"
)

_PRODUCTS = ("Mul", "MatMul", "BatchMatMul", "BatchMatMulV2")

#: Elements up to which a constant is looked at.
_MOST = 1024


def watch():
    """Looks for such products in all graphs."""
    new_ops.look_at(_PRODUCTS, _expect, "tensorflow.edges")


def _expect(product):
    if any(map(_is_zeros, product.inputs)):
        name = "a product with zeros"
        not_finite.expect(name, lambda: notices.later(name, TEXT))


def _is_zeros(tensor):
    from tensorflow.python.framework import tensor_util

    if tensor.op.type != "Const" or not 0 < (tensor.shape.num_elements() or 0) <= _MOST:
        return tensor.op.type == "ZerosLike"
    # `constant_value` would forbid to feed the constant.
    value = tensor_util.MakeNdarray(tensor.op.get_attr("value"))
    return value.dtype.kind in "fc" and not value.any()
