"""Sparse tensors as before 1.0, when their dense shape was called shape."""

import functools

from tfgraphtools.compat.engine import rows, state
from tfgraphtools.compat.engine.rows import Row, Table


def _take_shapes():
    from tensorflow.python.framework import sparse_tensor

    for kind, method in (
        (sparse_tensor.SparseTensor, "__init__"),
        (sparse_tensor.SparseTensorValue, "__new__"),
    ):
        state.set_attribute(kind, method, _taking_shape(getattr(kind, method)))


def _taking_shape(plain):
    @functools.wraps(plain)
    def make(self, *arguments, **options):
        if "shape" in options and "dense_shape" not in options and len(arguments) < 3:
            rows.used(_ROW)
            options["dense_shape"] = options.pop("shape")
        return plain(self, *arguments, **options)

    return make


_ROW = Row(
    "tensorflow.SparseTensor.shape",
    "TF 1.0",
    "SparseTensor(indices, values, shape=...) is SparseTensor(..., dense_shape=...)",
    _take_shapes,
)

TABLE = Table("sparse tensors from before 1.0", "patches", [_ROW])
