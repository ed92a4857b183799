"""``[None, 784 / 2]``, ``[True, 2]``: what stands for an integer is a dimension, as in 1.x."""

import numbers
import sys

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.fixes.tensorflow import ownership


def _is_no_integer(self, value):
    """Tells whether user code makes a dimension of another type; each step makes many of ints."""
    return type(value) is not int and value is not None and ownership.is_user(sys._getframe())


@replacing.replaces(
    "tensorflow.python.framework.tensor_shape:Dimension.__init__",
    when=_is_no_integer,
    name="tensorflow.Dimension",
    since="TF 2.1",
    why="a float without a fraction is a dimension, too: [None, 784 / 2]",
    cannot="write an integer: 784 // 2",
)
def _init(original, self, value):
    if isinstance(value, bool):  # which protobuf refuses by now
        _init.used()
        value = int(value)
    try:
        original(self, value)
    except TypeError:
        if not isinstance(value, numbers.Real) or value % 1 != 0:
            raise
        _init.used()
        original(self, int(value))


TABLE = replacing.table("dimensions", _init, kind="patches")
