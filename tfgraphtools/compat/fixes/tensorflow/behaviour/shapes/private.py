"""``tensor._shape``: the static shape, which old code takes as often as ``tensor.shape``.

In 2.x it is what C++ gives, a list and whether the rank is unknown, so that
``int(x._shape[-1])`` is 0.
"""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Row

ROW = Row(
    "tensorflow.Tensor._shape",
    "TF 2.13",
    "tensor._shape is tensor.shape; in 2.x a list and a bool",
)


def _get(self):
    _of_graphs.used()
    return self.shape


def _set(self, value):
    raise ValueError("Tensor._shape cannot be assigned, use Tensor.set_shape instead.")


_of_graphs, _of_all = (
    replacing.adds(f"tensorflow.python.framework.{owner}._shape", row=ROW, through=())(
        property(_get, _set)
    )
    for owner in ("ops:SymbolicTensor", "tensor:Tensor")
)

TABLE = replacing.table("the private shape of tensors", _of_graphs, _of_all, kind="patches")
