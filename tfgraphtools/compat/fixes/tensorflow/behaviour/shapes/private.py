"""``tensor._shape``: the static shape, which old code takes as often as ``tensor.shape``.

In 2.x it is what C++ gives, a list and whether the rank is unknown, so that
``int(x._shape[-1])`` is 0.
"""

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _give_shapes():
    from tensorflow.python.framework import ops, tensor, tensor_shape

    raw = ops.SymbolicTensor._shape  # of C++; `shape` is all that asks for it

    def shape(self):
        if self._shape_val is None:
            dims, is_unknown = raw.__get__(self)
            self._shape_val = tensor_shape.TensorShape(None if is_unknown else dims)
        return self._shape_val

    def get_shape(self):
        rows.used(ROW)
        return self.shape

    def set_shape(self, value):
        raise ValueError("Tensor._shape cannot be assigned, use Tensor.set_shape instead.")

    plain = tensor.Tensor.shape
    state.set_attribute(ops.SymbolicTensor, "shape", property(shape, doc=plain.__doc__))
    state.set_attribute(ops.SymbolicTensor, "_shape", property(get_shape, set_shape))
    shape_of_eager = property(get_shape, set_shape)
    state.set_attribute(tensor.Tensor, "_shape", shape_of_eager, new=True)


ROW = Row(
    "tensorflow.Tensor._shape",
    "TF 2.13",
    "tensor._shape is tensor.shape; in 2.x a list and a bool",
    _give_shapes,
)

TABLE = Table("the private shape of tensors", "patches", [ROW])
