"""Types, shapes and values of tensors."""

from tfgraphtools.compat.engine.rows import Row


def _tensor_like(real):
    from tensorflow.python.framework import indexed_slices, sparse_tensor, tensor

    kinds = (tensor.Tensor, sparse_tensor.SparseTensor, indexed_slices.IndexedSlices)

    class Kind(type):
        def __instancecheck__(cls, instance):
            return isinstance(instance, kinds)

        def __subclasscheck__(cls, other):
            return issubclass(other, kinds)

    return Kind("_TensorLike", (), {"__module__": real.__name__})


def _bfloat16_type(real):
    from tfgraphtools._tf import v1

    return lambda: v1.bfloat16.as_numpy_dtype


def _reduced_shape(real):
    def reduced_shape(input_shape, axes):
        from tfgraphtools._tf import v1

        return v1.convert_to_tensor(real.reduced_shape(input_shape, axes))

    return reduced_shape


ROWS = [
    Row("tensorflow.python." + name, *row)
    for name, *row in (
        (
            "pywrap_tensorflow.TF_bfloat16_type",
            "TF 2.2",
            "the type of bfloat16 in NumPy",
            _bfloat16_type,
        ),
        (
            "framework.ops._TensorLike",
            "TF 2.3",
            "the class of which tensors are instances",
            _tensor_like,
        ),
        (
            "ops.math_ops.reduced_shape",
            "TF 2.2",
            "returns a tensor, also for a known shape",
            _reduced_shape,
        ),
        (
            "framework.tensor_shape.scalar",
            "TF 2.1",
            "TensorShape([])",
            lambda real: lambda: real.TensorShape([]),
        ),
        (
            "framework.tensor_shape.vector",
            "TF 2.1",
            "TensorShape([length])",
            lambda real: lambda length: real.TensorShape([length]),
        ),
        (
            "framework.tensor_shape.matrix",
            "TF 2.1",
            "TensorShape([rows, columns])",
            lambda real: lambda rows, columns: real.TensorShape([rows, columns]),
        ),
    )
]
