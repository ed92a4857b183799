"""Names of ``tensorflow.python`` that 2.x does without: a few lines do what they did."""

from tfgraphtools.compat.engine.rows import Row, Table


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


def _not_trackable(real):
    class NotTrackable:
        """A mark of what is not to be saved with the object that holds it."""

    return NotTrackable


def _in_graph_mode(real):
    return lambda: not real.executing_eagerly()


#: name -> (since when, why, what provides it).
_PROVIDED = {
    "pywrap_tensorflow.TF_bfloat16_type": (
        "TF 2.2",
        "the type of bfloat16 in NumPy",
        _bfloat16_type,
    ),
    "framework.ops._TensorLike": (
        "TF 2.3",
        "the class of which tensors are instances",
        _tensor_like,
    ),
    "ops.math_ops.reduced_shape": (
        "TF 2.2",
        "returns a tensor, also for a known shape",
        _reduced_shape,
    ),
    "training.tracking.tracking.NotTrackable": (
        "TF 2.2",
        "marks objects that are not saved",
        _not_trackable,
    ),
    "eager.context.in_graph_mode": ("TF 1.7", "not executing_eagerly()", _in_graph_mode),
}

#: Names of ``framework.tensor_shape`` -> (why, what provides it).
_SHAPES = {
    "scalar": ("TensorShape([])", lambda real: lambda: real.TensorShape([])),
    "vector": ("TensorShape([length])", lambda real: lambda length: real.TensorShape([length])),
    "matrix": (
        "TensorShape([rows, columns])",
        lambda real: lambda rows, columns: real.TensorShape([rows, columns]),
    ),
}

_ROWS = [
    *(Row("tensorflow.python." + name, *row) for name, row in _PROVIDED.items()),
    *(
        Row("tensorflow.python.framework.tensor_shape." + name, "TF 2.1", *row)
        for name, row in _SHAPES.items()
    ),
]

TABLES = (Table("internals that were removed", "names", _ROWS),)
