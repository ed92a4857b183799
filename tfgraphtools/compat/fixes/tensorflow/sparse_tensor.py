"""``tf.SparseTensor``: its shape by the name of before 1.0, and placeholders of a known shape."""

from tfgraphtools.compat.engine import replacing
from tfgraphtools.compat.engine.rows import Fix
from tfgraphtools.compat.fixes.tensorflow.ownership import replaces

_SHAPE = Fix(
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
_init = replaces(_MODULE + "SparseTensor.__init__", row=_SHAPE)(_make)
_new = replaces(_MODULE + "SparseTensorValue.__new__", row=_SHAPE)(_make)

_V1 = "tfgraphtools._tf:v1."
_PLACEHOLDER = Fix(
    "shapes.sparse_placeholder",
    "TF 2.0",
    "results made from a sparse placeholder have its static shape: sparse_tensor_to_dense",
)


@replaces(
    "tensorflow.python.ops.array_ops:sparse_placeholder",
    also=(_V1 + "sparse_placeholder", _V1 + "sparse.placeholder"),
    row=_PLACEHOLDER,
)
def _sparse_placeholder(original, dtype, shape=None, name=None):
    """Makes a placeholder of a known shape hold it as a constant, which may be fed."""
    from tensorflow.python.framework import sparse_tensor

    from tfgraphtools._tf import v1

    is_tensor = isinstance(shape, v1.Tensor)
    if shape is None or v1.executing_eagerly() or not (is_tensor or _is_known(shape)):
        return original(dtype, shape, name)
    _sparse_placeholder.used()
    values, indices, known = (
        None if name is None else f"{name}/{part}" for part in ("values", "indices", "shape")
    )
    rank = shape.get_shape()[0] if is_tensor else len(shape)
    dense_shape = v1.convert_to_tensor(shape, dtype=v1.int64, name=known)
    result = sparse_tensor.SparseTensor(
        values=v1.placeholder(dtype, [None], values),
        indices=v1.placeholder(v1.int64, [None, rank], indices),
        dense_shape=dense_shape,
    )
    dense_shape.graph._unfeedable_tensors.discard(dense_shape)
    dense_shape._is_shape_of_placeholder = True
    return result


def _is_shape_of_placeholder(graph, tensor):
    return getattr(tensor, "_is_shape_of_placeholder", False)


@replaces(
    "tensorflow.python.framework.ops:Graph.prevent_feeding",
    row=_PLACEHOLDER,
    when=_is_shape_of_placeholder,
)
def _prevent_feeding(original, self, tensor):
    """Does nothing: reading a constant's value forbids to feed it, and the placeholder is fed."""


def _is_known(shape):
    return all(getattr(size, "value", size) not in (None, -1) for size in shape)


TABLES = (
    replacing.table("sparse tensors from before 1.0", _init, _new, kind="patches"),
    replacing.table(
        "shapes of sparse placeholders", _sparse_placeholder, _prevent_feeding, kind="patches"
    ),
)
