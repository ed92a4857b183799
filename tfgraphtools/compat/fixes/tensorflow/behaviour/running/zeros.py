"""Products with a constant zero: ``loss + 0.0 * penalty``, where the penalty is NaN or infinite.

Grappler of 1.15 replaces a product with a constant of zeros by zeros, as 2.16 does. 2.21 does so
only if the session asks for aggressive folding of constants: by default 0 times NaN or infinity
is NaN, in gradients, too, so that a script that trains on 1.15 gets NaN. This fix asks for it.

Aggressive folding differs from 1.15 in two cases, in both of which 1.15 returns NaN: constant
zeros divided by 0 are 0, and so is the product of 0 and a fed tensor whose shape or rank 1.15
does not trust (``0.0 * tf.reduce_sum(placeholder)``, but not behind a product of matrices).
"""

import functools

from tfgraphtools.compat.engine import state
from tfgraphtools.compat.engine.rows import Row, Table, used
from tfgraphtools.compat.fixes.tensorflow.behaviour.running import empty_products, new_ops

#: Ops whose results Grappler replaces.
_PRODUCTS = ("Mul", "MatMul", "BatchMatMul", "BatchMatMulV2")


def _fold_products_with_zeros():
    """Makes sessions fold such products, and graphs look for them, for the report."""
    from tensorflow.core.protobuf import rewriter_config_pb2
    from tensorflow.python.client import session

    plain = session.BaseSession.__init__
    levels = rewriter_config_pb2.RewriterConfig

    @functools.wraps(plain)
    def __init__(self, target="", graph=None, config=None):
        try:
            config = empty_products.configuration(config)
        except TypeError:  # the session raises an error for it
            return plain(self, target, graph, config)
        rewrites = config.graph_options.rewrite_options
        if rewrites.constant_folding == levels.DEFAULT:
            rewrites.constant_folding = levels.AGGRESSIVE
        return plain(self, target, graph, config)

    state.set_attribute(session.BaseSession, "__init__", __init__)
    new_ops.look_at(_PRODUCTS, _report)


def _report(product):
    if any(_is_zeros(factor) for factor in product.inputs):
        used(ROW)


def _is_zeros(tensor):
    from tensorflow.python.framework import tensor_util

    if tensor.op.type != "Const":
        return False
    # `constant_value` would forbid to feed the constant.
    value = tensor.op.get_attr("value")
    return value.ByteSize() < _SMALL and not tensor_util.MakeNdarray(value).any()


#: Bytes up to which constants are looked at; zeros are kept as one number.
_SMALL = 4096


ROW = Row(
    "sessions.zeros",
    "TF 2.17",
    "a constant 0 times NaN or infinity is 0, as in loss + 0.0 * penalty; NaN in 2.x",
    _fold_products_with_zeros,
)

TABLE = Table("products with constant zeros", "patches", [ROW])
