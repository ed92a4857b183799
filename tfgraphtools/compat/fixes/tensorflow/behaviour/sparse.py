"""Sparse tensors as before 1.0, when their dense shape was called shape."""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Row
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_ROW = Row(
    "tensorflow.SparseTensor.shape",
    "TF 1.0",
    "SparseTensor(indices, values, shape=...) is SparseTensor(..., dense_shape=...)",
)


def _make(original, self, *arguments, **options):
    if "shape" in options and "dense_shape" not in options and len(arguments) < 3:
        _init.used()
        options["dense_shape"] = options.pop("shape")
    return original(self, *arguments, **options)


_MODULE = "tensorflow.python.framework.sparse_tensor:"
_init = replaces(_MODULE + "SparseTensor.__init__", row=_ROW)(_make)
_new = replaces(_MODULE + "SparseTensorValue.__new__", row=_ROW)(_make)

TABLE = replacing.table("sparse tensors from before 1.0", _init, _new, kind="patches")
