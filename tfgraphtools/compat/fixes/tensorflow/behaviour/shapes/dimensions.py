"""``[None, 784 / 2]``, ``[True, 2]``: what stands for an integer is a dimension, as in 1.x."""

import functools
import numbers

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _take_floats():
    from tensorflow.python.framework import tensor_shape

    plain = tensor_shape.Dimension.__init__

    @functools.wraps(plain)
    def __init__(self, value):
        if type(value) is int and value >= 0:  # each step makes many: no call more than before
            self._value = value
            return
        if isinstance(value, bool):  # which protobuf refuses by now
            rows.used(ROW)
            value = int(value)
        try:
            plain(self, value)
        except TypeError:
            if not isinstance(value, numbers.Real) or value % 1 != 0:
                raise
            rows.used(ROW)
            plain(self, int(value))

    state.set_attribute(tensor_shape.Dimension, "__init__", __init__)


ROW = Row(
    "tensorflow.Dimension",
    "TF 2.1",
    "a float without a fraction is a dimension, too: [None, 784 / 2]",
    _take_floats,
)

TABLE = Table("dimensions", "patches", [ROW])
