"""Static shapes that 1.15 knew and 2.x does not.

2.x takes the batch of a transposed convolution from its input, whose batch is
often unknown, where 1.15 took it from the shape that was asked for.
"""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _keep_the_shape_asked_for():
    from tensorflow.python.framework import tensor_util
    from tensorflow.python.ops import gen_nn_ops

    plain = gen_nn_ops.conv2d_backprop_input

    @functools.wraps(plain)
    def conv2d_backprop_input(input_sizes, *arguments, **options):
        result = plain(input_sizes, *arguments, **options)
        if hasattr(result, "op"):  # not in eager execution
            asked = tensor_util.constant_value_as_shape(result.op.inputs[0])
            if asked.ndims == 4 and not result.shape.is_fully_defined():
                before = result.shape.as_list()
                result.set_shape(asked)
                if result.shape.as_list() != before:
                    rows.used(_CONVOLUTION)
        return result

    state.set_attribute(gen_nn_ops, "conv2d_backprop_input", conv2d_backprop_input)


_CONVOLUTION = Row(
    "shapes.conv2d_transpose",
    "TF 2.3",
    "the static shape of a transposed convolution is the one asked for, its batch included",
    _keep_the_shape_asked_for,
)

TABLE = Table("static shapes", "patches", [_CONVOLUTION])
